"""`palabre analyse` from outside: all games, limits, lines, proven ends, Ctrl-C, with and without a terminal."""

import json
import os
import pty
import select
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import palabre as library
from palabre.bots.analysis import analyse, analysing_bot, analysis_facts
from palabre.core.words import say
from palabre.search.thought import Thought, thought_facts
from tests import take_away
from tests.command import COMMAND, PATIENCE, PLAIN, end, environment, palabre, running
from tests.messages import refuses
from tests.sentences import tells

pytestmark = pytest.mark.processes

# E takes three seeds from c, two from b and two from a, and has 26; B, the only other move, takes two.
WIN_IN_ONE = "0,5,0,0,4,0/1,1,2,3,3,3 19,7 1 0"
# Three plies from the end; the two players will have as many towers, whatever they play.
DRAW = "..E....../.b..B..../....A.C../....a.c../AE.B..e.b/.c....a../..d....../......C../......E.. 2"
UNITS = {"awele": "seeds", "awale": "seeds", "abalone": "marbles", "avalam": "towers", "penguins": "fish"}


def output(*arguments: str, settings: dict[str, str] = PLAIN) -> str:
    """What a command prints that must not fail; it searches in plain Python, as most tests need only a few nodes."""
    done = palabre("analyse", *arguments, settings=settings)
    assert done.returncode == 0, done.stderr
    return done.stdout


def document(*arguments: str, settings: dict[str, str] = PLAIN) -> Any:
    return json.loads(output(*arguments, "--json", settings=settings))


@pytest.mark.parametrize("name", UNITS)
def test_every_game_is_analysed_in_its_own_units(name: str) -> None:
    found = document(name, "--nodes", "1000", "--lines", "3", "--seed", "5")
    start = library.game(name).start(5)
    assert (found["game"], found["position"], found["to_move"]) == (name, start.text, 1)
    assert (found["unit"], found["eval"], found["result"]) == (UNITS[name], "standard", None)
    assert found["depth"] >= 1
    assert found["nodes"] > 0
    assert found["seconds"] > 0
    assert len(found["lines"]) == 3
    assert len({line["move"] for line in found["lines"]}) == 3
    for line in found["lines"]:
        position = start
        for move in line["line"]:
            position = position.play(move)  # raises if it is not legal
        assert line["proven"] or line["points"] is not None
        assert line["chance"] is None or 0 <= line["chance"] <= 1


def test_the_table_stands_below_the_board() -> None:
    lines = output("abalone", "--depth", "2", "--lines", "2").splitlines()
    assert any(line.endswith("player 1 to move") for line in lines)
    headings = next(number for number, line in enumerate(lines) if line.split()[:2] == ["depth", "marbles"])
    assert [line.split()[:2] for line in lines[headings + 1 : headings + 3]] == [["1", "2"], ["2", "2"]]
    assert "positions" in lines[headings + 3]


def test_moves_are_played_first() -> None:
    after = library.game("awele").start().play("C").play("d").play("E")
    found = document("awele", "--moves", "C d  e", "--depth", "2")
    assert (found["position"], found["to_move"]) == (after.text, 2)
    again = document("awele", "--position", after.text, "--depth", "2")
    assert [line["line"] for line in again["lines"]] == [line["line"] for line in found["lines"]]


def test_more_lines_than_moves_are_all_moves() -> None:
    found = document("awele", "--lines", "50", "--depth", "3")
    assert sorted(line["move"] for line in found["lines"]) == list("ABCDEF")
    scores = [line["points"] for line in found["lines"]]
    assert max(scores) == scores[0]


def test_a_proven_win_is_said_to_be_proven() -> None:
    found = document("awele", "--position", WIN_IN_ONE, "--depth", "6", "--lines", "2")
    best = found["lines"][0]
    assert found["proven"] is True
    assert (best["line"], best["proven"], best["chance"]) == (["E"], {"result": 1, "plies": 1}, 1.0)
    assert "proven win in 1 ply" in output("awele", "--position", WIN_IN_ONE, "--depth", "6")


def test_a_proven_loss_is_said_to_be_proven() -> None:
    """Whoever has four sticks left loses. The search sees the end of the game, and so ends long before its time."""
    lost = (take_away.__file__, "--position", "4 2", "--time", "86400")
    for bot, result in (("palabre", "proven loss in 2 plies"), ("mcts", "proven loss")):
        printed = output(*lost, "--bot", bot)
        assert result in printed
        assert "  0 %" in printed
    assert document(*lost)["bot"] == "mcts", "it has no evaluation that knows chances"


def test_a_proven_draw_is_said_to_be_proven() -> None:
    found = document("avalam", "--position", DRAW, "--depth", "10")
    best = found["lines"][0]
    assert (found["proven"], best["proven"], best["chance"]) == (True, {"result": 0, "plies": None}, 0.5)
    assert "proven draw" in output("avalam", "--position", DRAW, "--depth", "10")


def test_a_game_that_is_over_is_not_analysed() -> None:
    over = "1,1,1,1,1,1/0,0,0,0,0,0 36,6 1 0"
    assert tells(output("awele", "--position", over).splitlines()[-1], "table.over", result="player 1 wins")
    found = document("awele", "--position", over)
    assert (found["result"], found["lines"]) == ([1.0, 0.0], [])


def test_the_options_of_the_bot_are_its_own(tmp_path: Path) -> None:
    file = tmp_path / "mine, too.json"
    file.write_text('{"game": "awele", "evaluation": "score", "weights": {"lead": -1}}', encoding="utf-8")
    found = document("awele", "--bot", "alphabeta:seed=3", "--eval", str(file), "--depth", "1")
    assert (found["bot"], found["eval"]) == (f"alphabeta:eval={file},seed=3", str(file))


def test_other_evaluations_have_a_scale_of_their_own() -> None:
    start = library.game("awale").start()
    players = [analysing_bot(f"palabre:eval={name}", start.game) for name in ("standard", "score", "corrected")]
    assert [analysis_facts(start, player, ())["unit"] for player in players] == ["seeds", "seeds", "points"]


@pytest.mark.parametrize("players", [3, 4])
def test_with_more_players_each_has_a_share(players: int) -> None:
    spec = f"penguins:players={players}"
    found = document(spec, "--nodes", "200", "--lines", "2")
    assert (found["bot"], found["nodes"], len(found["lines"])) == ("mcts", 200, 2)
    for line in found["lines"]:
        assert len(line["shares"]) == players
        assert sum(line["shares"]) == pytest.approx(1)
        assert line["chance"] == line["shares"][0]
        assert line["visits"] > 0
    lines = output(spec, "--nodes", "300", "--bot", "paranoid").splitlines()
    headings = next(line for line in lines if "best play" in line)
    assert headings.split()[:2] == ["depth", "fish"]
    assert [f"player {seat + 1}" in headings for seat in range(players)] == [True] * players


def test_any_bot_that_searches_can_analyse() -> None:
    sampled = output("awele", "--bot", "mcts", "--nodes", "1000", settings={}).splitlines()
    assert next(line.split()[:3] for line in sampled if "best play" in line) == ["depth", "visits", "chance"]
    assert "1,000 simulations" in sampled[-1]
    found = document("awele", "--bot", "alphabeta:eval=score", "--depth", "3", "--lines", "3")
    assert (found["bot"], found["depth"], found["unit"]) == ("alphabeta", 3, "seeds")
    assert len(found["lines"]) == 3
    proven = document("awele", "--position", WIN_IN_ONE, "--bot", "mcts", "--nodes", "5000", settings={})
    assert (proven["proven"], proven["lines"][0]["move"], proven["lines"][0]["chance"]) == (True, "E", 1.0)


def test_programs_analyse_by_a_function() -> None:
    start = library.game("awele").start()
    reported: list[Thought] = []
    thoughts = analyse(start, depth=3, lines=3, watch=reported.append)
    assert [thought.rank for thought in thoughts] == [1, 2, 3]
    assert [thought.line for thought in thoughts] == [thought.line for thought in reported[-3:]]
    assert len({thought.nodes for thought in thoughts}) == 1
    sampled = analyse(library.game("penguins:players=3").start(), nodes=500, lines=2)
    assert [len(thought.shares or ()) for thought in sampled] == [3, 3]
    assert analyse(start, 0.2, bot="mcts")[0].nodes > 0
    assert analyse(library.game("awele").position("1,1,1,1,1,1/0,0,0,0,0,0 36,6 1 0")) == []
    with refuses("error.no_analysis", bot="idiot"):
        analyse(start, bot="idiot")


FORCED = "1,0,0,0,0,0/2,3,4,4,4,4 15,11 1 0"  # one move is legal


@pytest.mark.usefixtures("plain_python")  # as the command: its tables are as small
@pytest.mark.parametrize(("spec", "text"), [("awele", None), ("awele", FORCED), ("avalam:official", None)])
@pytest.mark.parametrize("nodes", [700, 3000])
def test_a_program_and_the_command_get_the_same(spec: str, text: str | None, nodes: int) -> None:
    game = library.game(spec)
    position = game.start() if text is None else game.position(text)
    thoughts = analyse(position, nodes=nodes, lines=2)
    words = () if text is None else ("--position", text)
    shown = document(spec, *words, "--nodes", str(nodes), "--lines", "2")
    timed = {"seconds", "nodes_per_second"}
    lines = [{name: value for name, value in line.items() if name not in timed} for line in shown["lines"]]
    expected = [
        {name: value for name, value in thought_facts(thought).items() if name not in timed} for thought in thoughts
    ]
    assert lines == expected
    assert (shown["nodes"], shown["depth"]) == (thoughts[0].nodes, thoughts[0].depth)


def test_the_nodes_are_those_of_the_whole_search() -> None:
    reported: list[Thought] = []
    for lines in (1, 3):
        thoughts = analyse(library.game("awele").start(), nodes=700, lines=lines, watch=reported.append)
        (nodes,) = {thought.nodes for thought in thoughts}
        assert nodes > 700 >= reported[-1].nodes  # that of the last finished iteration


@pytest.mark.usefixtures("plain_python")
@pytest.mark.parametrize("bot", ["palabre:memory=1", "maxn"])
def test_a_forced_move_is_searched_to_the_limit(bot: str) -> None:
    position = library.game("awele").position(FORCED)
    assert len(position.moves()) == 1
    stop_at = 4
    player = analysing_bot(bot, position.game)
    depths: list[int] = []

    def stop(thought: Thought) -> None:
        depths.append(thought.depth)
        if thought.depth == stop_at:
            player.stop()

    analyse(position, 3600.0, bot=player, watch=stop)
    assert max(depths) == stop_at


MEANT_STANDARD = say("did_you_mean", choice="standard")


def test_without_a_terminal_it_ends_by_itself() -> None:
    done = palabre("analyse", take_away.__file__, "--memory", "1", settings=PLAIN)
    assert (done.returncode, done.stdout.count("best play")) == (0, 1)
    assert "\x1b" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "id", "params"),
    [
        (["awelle"], "spec.no_game", {"name": "awelle"}),
        (["penguins:players=3", "--bot", "palabre"], "spec.bot_of_players", {"most": 2, "players": 3}),
        (["awele", "--bot", "greedy"], "error.no_analysis", {"bot": "greedy"}),
        (["awele", "--bot", "mtcs"], "spec.no_bot", {"name": "mtcs"}),
        (["awele", "--bot", "mcts", "--depth", "3"], "error.no_depth", {}),
        (["awele", "--bot", "alphabeta", "--threads", "2"], "spec.unknown_parameter", {"name": "threads"}),
        (["awele", "--position", "no"], "text.parts", {"text": "no"}),
        (["awele", "--moves", "C Z"], "error.illegal_move", {"move": "Z"}),
        (["awele", "--eval", "standart"], "spec.no_evaluation", {"name": "standart", "hint": MEANT_STANDARD}),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(arguments: list[str], id: str, params: dict[str, object]) -> None:
    done = palabre("analyse", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert tells(done.stderr, id, **params)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ([], "SPEC"),
        (["awele", "--time", "0"], "--time"),
        (["awele", "--time", "nan"], "nan"),
        (["awele", "--lines", "0"], "--lines"),
        (["awele", "--depth", "0"], "--depth"),
        (["awele", "--threads", "0"], "--threads"),
        (["awele", "--memory", "0"], "--memory"),
    ],
)
def test_a_wrong_option_is_named_in_one_line(arguments: list[str], named: str) -> None:
    done = palabre("analyse", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert named in done.stderr


# ------------------------------------------------------------------------------------------------ terminals and Ctrl-C


class Terminal:
    """A command on a terminal of its own, and all that it has written there."""

    def __init__(self, *arguments: str) -> None:
        self.side, other = pty.openpty()
        self.printed = ""
        settings = environment(TERM="xterm", COLUMNS="100", LINES="40")
        self.process = subprocess.Popen(
            [COMMAND, *arguments], env=settings, stdin=other, stdout=other, stderr=other, close_fds=True
        )
        os.close(other)

    def read_until(self, is_enough: Callable[[str], bool], seconds: float = PATIENCE) -> None:
        """Read until something has been written, or the command has ended."""
        deadline = time.monotonic() + seconds
        while not is_enough(self.printed) and time.monotonic() < deadline:
            if select.select([self.side], [], [], 0.1)[0]:
                try:
                    read = os.read(self.side, 65536)
                except OSError:  # the other side is closed
                    return
                if not read:
                    return
                self.printed += read.decode(errors="replace")

    def end(self) -> int:
        self.read_until(lambda printed: False)
        os.close(self.side)
        return self.process.wait(timeout=PATIENCE)


def test_a_terminal_shows_a_table_and_ends_clean() -> None:
    terminal = Terminal("analyse", "awele", "--depth", "2", "--lines", "2")
    assert terminal.end() == 0
    assert "best play" in terminal.printed
    hidden, shown = terminal.printed.rfind("\x1b[?25l"), terminal.printed.rfind("\x1b[?25h")
    assert -1 < hidden < shown  # the cursor is back
    assert "Traceback" not in terminal.printed


def test_ctrl_c_ends_an_endless_analysis_and_shows_what_is_known() -> None:
    terminal = Terminal("analyse", "awele", "--memory", "1")
    terminal.read_until(lambda printed: printed.count("best play") >= 3)  # drawn again and again
    assert "\x1b[1A" in terminal.printed  # over itself
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.end() == 130, terminal.printed
    assert "\x1b[?25h" in terminal.printed.rsplit("best play", 1)[1]
    assert "Traceback" not in terminal.printed
    assert "positions" in terminal.printed.rsplit("best play", 1)[1]


def test_ctrl_c_without_a_terminal_ends_it_too() -> None:
    with running("analyse", "awele", "--time", "600") as process:
        assert process.stdout is not None
        board = b""
        while b"to move" not in board:
            chunk: bytes = process.stdout.read1()  # type: ignore[attr-defined]
            assert chunk, "it has ended"
            board += chunk
        time.sleep(1.0)
        _, errors = end(process)
    assert process.returncode == 130
    assert "Traceback" not in errors
