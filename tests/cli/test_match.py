"""`palabre bots`, `match`, `new bot`, and `play` with bots, from outside."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from palabre.bots.templates import TEMPLATES
from palabre.cli.match_report import rules
from palabre.cli.paths import say
from palabre.core import registry
from palabre.core.record import load
from tests.command import PLAIN, end, palabre, running, wait_until
from tests.sandbox.inmates import descendants, is_in_sandbox
from tests.sentences import tells

pytestmark = pytest.mark.processes

SICK = """\
from palabre.bots import Bot
class MyBot(Bot):
    def choose(self, position, clock):
        return 1 / 0 if position.ply > 12 else self.pick(position.moves())
"""
SLOW = """\
import time
from palabre.bots import Bot
class MyBot(Bot):
    def choose(self, position, clock):
        time.sleep({seconds})
        return self.pick(position.moves())
"""


def output(*arguments: str, **options: Any) -> str:
    """What a command prints that must not fail or complain."""
    done = palabre(*arguments, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def document(*arguments: str, code: int = 0, **options: Any) -> Any:
    done = palabre(*arguments, "--json", **options)
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


def write(folder: Path, text: str, name: str = "mybot.py") -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


# ------------------------------------------------------------------------------------------------------------ bots


def test_bots_are_listed_with_what_can_be_chosen() -> None:
    listing = output("bots")
    for words in (
        "random, idiot",
        "alphabeta",
        "depth=4, eval=…, playouts=25",
        "eval=corrected, playouts=25",
        "divine",
    ):
        assert words in listing
    for_avalam = output("bots", "avalam:official", settings={"COLUMNS": "200"})
    assert "eval=towers" in for_avalam
    assert "towers, divine, standard, score" in for_avalam
    assert "frabalon" not in for_avalam


def test_bots_in_json_have_their_parameters_for_each_game() -> None:
    found = {bot["name"]: bot for bot in document("bots")}
    assert found["idiot"]["also"] == ["random"]
    assert list(found["alphabeta"]["parameters"]) == list(registry.names())
    assert list(found["divine"]["parameters"]) == ["avalam"]
    [depth, _] = found["divine"]["parameters"]["avalam"]
    assert depth == {"name": "depth", "default": 4, "valid": "1 to 30", "summary": "plies to search"}
    three = document("bots", "penguins:players=3")
    assert {"idiot", "penguins-easy", "maxn"} <= {bot["name"] for bot in three}
    assert "alphabeta" not in {bot["name"] for bot in three}
    assert list(three[0]["parameters"]) == ["penguins:players=3"]


# ----------------------------------------------------------------------------------------------------------- match


def test_a_match_prints_its_result_and_the_same_one_again() -> None:
    arguments = ("match", "greedy", "random:seed=2", "--game", "awele", "--games", "20", "--seed", "7")
    found = document(*arguments)  # compiles what has not been compiled yet, and says so
    done = palabre(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert tells(lines[0], "played.games", games=20, game=rules(registry.game("awele")))
    assert lines[2].split()[0] == "greedy"
    assert lines[3].split()[0] == "random:seed=2"
    [wins, draws, losses] = [int(word) for word in lines[2].split()[1:4]]
    assert [int(word) for word in lines[3].split()[1:4]] == [losses, draws, wins]
    assert (found["wins"], found["draws"], found["losses"], found["seed"]) == (wins, draws, losses, 7)
    assert found["score"] == (wins + draws / 2) / 20
    assert sum(found["pairs"]) == 10
    assert found["first"]["bot"] == "greedy"
    assert 0 < found["first"]["seconds_per_move"] <= found["first"]["slowest_move"]


def test_a_certain_win_has_no_infinite_numbers_in_json(tmp_path: Path) -> None:
    arguments = ("match", "idiot", write(tmp_path, SICK), "--game", "awele:stagnation=10000", "--games", "2")
    found = document(*arguments, code=1)
    assert (found["wins"], found["score"], found["elo"], found["elo_95"][1]) == (0, 1.0, None, None)
    assert found["second"]["forfeits"] == 2


def test_what_is_to_be_known_about_a_result_stands_above_it() -> None:
    assert "player 1, who can never lose" in output("match", "idiot", "idiot", "--game", "avalam", "--games", "2")


def test_reasons_are_told_once_and_recorded_always(tmp_path: Path) -> None:
    games = tmp_path / "games.txt"
    path = write(tmp_path, SICK)
    done = palabre("match", path, "idiot", "--game", "avalam", "--games", "8", "--record", str(games))
    assert done.returncode == 1  # a bot that forfeits every game
    [errors] = [line for line in done.stderr.splitlines() if " loses: " in line]  # once, whatever the seat
    assert f"{path} loses: " in errors
    assert tells(errors, "forfeit.raised_at", kind="ZeroDivisionError", file="mybot.py", line=4)
    records = load(games)
    assert [record.tags["Round"] for record in records] == list("12345678")
    assert [record.result for record in records] == ["0-1", "1-0"] * 4
    assert all("ZeroDivisionError" in record.tags["Termination"] for record in records)


def test_records_are_added_to_a_file(tmp_path: Path) -> None:
    games = tmp_path / "games.txt"
    for _ in range(2):
        output("match", "idiot", "greedy", "--game", "awele:stop=40", "--games", "4", "--record", str(games))
    records = load(games)
    assert len(records) == 8
    assert all("Date" in record.tags and "Termination" not in record.tags for record in records)
    assert [record.tags["Player1"] for record in records] == ["idiot", "greedy"] * 4
    assert records[:4] == [
        type(record)(record.game, record.moves, record.start, record.result, record.tags) for record in records[4:]
    ]


def test_a_slow_bot_loses_on_time(tmp_path: Path) -> None:
    path = write(tmp_path, SLOW.format(seconds=0.3))
    found = document("match", "idiot", path, "--game", "awele", "--games", "2", "--time", "300,0.1", code=1)
    assert (found["score"], found["second"]["forfeits"]) == (1.0, 2)


def test_time_for_a_game_runs_out(tmp_path: Path) -> None:
    """Of two bots that never answer, the one that begins loses."""
    path = write(tmp_path, SLOW.format(seconds=9999))
    found = document("match", path, path, "--game", "abalone:turns=40", "--games", "2", "--clock", "0:01")
    assert (found["first"]["forfeits"], found["second"]["forfeits"]) == (1, 1)


def test_time_for_a_game_has_increments(tmp_path: Path) -> None:
    """However long the first move takes, there is more time for the second than for the first."""
    body = "        assert clock.remaining == 600 if position.ply < 6 else clock.remaining > 600, clock\n"
    path = write(tmp_path, SLOW.split("        time.sleep")[0] + body + "        return position.moves()[0]\n")
    arguments = ("match", path, path, "--game", "abalone:turns=10", "--games", "2", "--clock", "10:00+700")
    assert [game["ending"] for game in document(*arguments)["played"]] == ["by the rules"] * 2


def test_the_usual_clock_is_the_one_of_the_rules(tmp_path: Path) -> None:
    body = "        assert clock.remaining == 900.0 or position.ply > 5\n        return position.moves()[0]\n"
    path = write(tmp_path, SLOW.split("        time.sleep")[0] + body)
    found = document("match", "idiot", path, "--game", "abalone:turns=6", "--games", "2", "--clock", "usual")
    assert found["second"]["forfeits"] == 0


def test_ctrl_c_tells_the_score_so_far_and_all_ended_games_are_saved(tmp_path: Path) -> None:
    games = tmp_path / "games.txt"
    path = write(tmp_path, SLOW.format(seconds=0.01))
    arguments = ("match", path, "idiot", "--game", "awele:stop=40", "--games", "100000", "--record", str(games))
    with running(*arguments) as process:
        wait_until(lambda: games.exists() and games.read_bytes().count(b"[Result") >= 3)
        printed, errors = end(process)
    assert process.returncode == 130
    assert "Traceback" not in errors
    saved = load(games)
    assert len(saved) >= 3
    assert tells(printed, "played.games", games=f"{len(saved)} of 100000", game="awele:stop=40")


def test_ctrl_c_stops_a_bot_that_never_answers(tmp_path: Path) -> None:
    path = write(tmp_path, SLOW.format(seconds="open({!r}, 'w').close() or 9999".format(str(tmp_path / "asked"))))
    settings = {"PALABRE_SANDBOX": "off"}  # so that the bot can write where we read
    with running("match", path, "idiot", "--game", "awele", settings=settings) as process:
        wait_until((tmp_path / "asked").exists)
        printed, errors = end(process)
    assert (process.returncode, printed, errors) == (130, "", "")


def test_ctrl_c_stops_a_bot_that_never_answers_in_its_sandbox(tmp_path: Path) -> None:
    path = write(tmp_path, SLOW.format(seconds="9999"))
    with running("match", path, "idiot", "--game", "awele") as process:
        wait_until(lambda: sum(map(is_in_sandbox, descendants(process.pid))) >= 3)  # supervisor, warm parent, game
        printed, errors = end(process)
    assert (process.returncode, printed, errors) == (130, "", "")


@pytest.mark.parametrize(
    ("bots", "options", "id", "params"),
    [
        (["idiot"], {}, "event.two_bots", {}),
        (["idiot", "gready"], {}, "spec.no_bot", {"name": "gready", "hint": say("did_you_mean", choice="greedy")}),
        (["idiot", "divine"], {}, "spec.bot_of_games", {"games": "avalam", "game": "awele"}),
        (["idiot", "idiot"], {"--game": "awelle"}, "spec.no_game", {"name": "awelle"}),
        (["idiot", "idiot"], {"--games": "7"}, "match.no_pairs", {"games": 7, "better": 8}),
        (["idiot", "idiot"], {"--time": "0"}, "clock.per_move", {"text": "0"}),
        (["idiot", "idiot"], {"--clock": "3:75"}, "clock.form", {"text": "3:75"}),
        (["idiot", "idiot"], {"--clock": "0"}, "clock.range", {"text": "0"}),
        (["idiot", "idiot"], {"--clock": "usual"}, "clock.no_usual", {"game": "awele"}),
        (["idiot", "idiot"], {"--game": "penguins:players=3", "--games": "4"}, "match.no_rounds", {"better": 6}),
        (["idiot", "no/such/bot.py"], {}, "spec.no_bot_file", {"path": "no/such/bot.py"}),
        (["idiot", "idiot"], {"--record": "/no/such/games.txt"}, "path.no_folder", {"folder": "/no/such"}),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(
    bots: list[str], options: dict[str, str], id: str, params: dict[str, object]
) -> None:
    words = [word for option in ({"--game": "awele"} | options).items() for word in option]
    done = palabre("match", *bots, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert tells(done.stderr, id, **params)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["idiot", "greedy"], "--game"),
        (["idiot", "idiot", "--game", "awele", "--games", "0"], "--games"),
    ],
)
def test_what_is_missing_or_out_of_range_is_named_in_one_line(arguments: list[str], named: str) -> None:
    done = palabre("match", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert named in done.stderr


def test_a_bot_that_cannot_learn_is_a_mistake_in_one_line(tmp_path: Path) -> None:
    path = write(tmp_path, SICK + "    def learn(self, data, budget):\n        raise OSError('no data')\n")
    done = palabre("match", path, "idiot", "--game", "awele")
    assert (done.returncode, done.stdout) == (2, "")
    assert tells(done.stderr, "lesson.failed", bot=path)
    assert "OSError: no data" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_ends_the_match_with_the_reason() -> None:
    done = palabre("match", "idiot", "idiot", "--game", "awele", "--games", "4", "--record", "/dev/full")
    assert done.returncode == 2
    assert tells(done.stderr, "path.unwritable", path="/dev/full")
    assert len(done.stderr.splitlines()) == 1


# --------------------------------------------------------------------------------------------------------- new bot


def test_a_new_bot_plays_at_once(tmp_path: Path) -> None:
    printed = output("new", "bot", "my bot.py", cwd=tmp_path)
    assert printed.startswith("wrote my bot.py")
    assert "palabre match 'my bot.py' random --game awele" in printed
    for game in ("awele", "penguins"):
        found = document("match", "my bot.py", "idiot", "--game", game, "--games", "10", cwd=tmp_path)
        assert (found["first"]["bot"], found["first"]["forfeits"]) == ("my bot.py", 0)
        assert found["score"] > 0.6
    assert "palabre play awele --players 'person,my bot.py'" in (tmp_path / "my bot.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_template_plays_at_once(template: str, tmp_path: Path) -> None:
    output("new", "bot", "mine.py", "--template", template, cwd=tmp_path)
    compile((tmp_path / "mine.py").read_text(encoding="utf-8"), "mine.py", "exec")
    spec = "mine.py:depth=2" if template == "search" else "mine.py"
    found = document("match", spec, "idiot", "--game", "awele", "--games", "10", "--seed", "2", cwd=tmp_path)
    assert found["first"]["forfeits"] == 0
    assert found["score"] > 0.6
    table = output("championship", "mine.py", "idiot", "--game", "awele", cwd=tmp_path)
    assert re.search("^ *1 +my ", table, re.MULTILINE), table


def test_the_first_lines_of_a_new_bot_stand_in_columns(tmp_path: Path) -> None:
    output("new", "bot", "a_bot_with_a_long_name.py", cwd=tmp_path)
    head = (tmp_path / "a_bot_with_a_long_name.py").read_text(encoding="utf-8").splitlines()[2:5]
    assert len({len(re.match(r"palabre .*?  +", line)[0]) for line in head}) == 1, head  # type: ignore[index]


def test_a_template_that_does_not_exist_is_named(tmp_path: Path) -> None:
    done = palabre("new", "bot", "mine.py", "--template", "serch", cwd=tmp_path)
    assert done.returncode == 2
    templates = "simple, evaluation, search"
    assert tells(done.stderr, "template.unknown", name="serch", templates=templates)
    assert tells(done.stderr, "did_you_mean", choice="search")
    assert list(tmp_path.iterdir()) == []


def test_the_learning_bot_learns_and_plays_by_what_it_has_learnt(tmp_path: Path) -> None:
    output("new", "bot", "mine.py", "--template", "learning", cwd=tmp_path)
    taught = subprocess.run(
        [sys.executable, "mine.py", "awele", "8"], cwd=tmp_path, capture_output=True, encoding="utf-8", check=True
    )
    assert taught.stdout.startswith("learnt {'lead': ")
    text = (tmp_path / "mine.py").read_text(encoding="utf-8")
    [line] = [line for line in text.splitlines() if line.startswith("LEARNT: ")]
    learnt = ast.literal_eval(line.partition(" = ")[2])
    assert learnt["awele"]["lead"] != 1.0
    # Weights that want to lose: they lose, so it plays by what it has learnt, in its sandbox, too.
    losing = text.replace(line, "LEARNT: dict[str, dict[str, float]] = {'awele': {'lead': -50.0}}")
    (tmp_path / "mine.py").write_text(losing, encoding="utf-8")
    found = document("match", "mine.py", "idiot", "--game", "awele", "--games", "10", cwd=tmp_path)
    assert found["first"]["forfeits"] == 0
    assert found["score"] < 0.3


def test_a_new_bot_overwrites_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, SICK)
    for file, id in (
        (path, "path.exists"),
        (str(tmp_path / "mybot"), "path.no_python"),
        (str(tmp_path / "no" / "mybot.py"), "path.no_folder"),
    ):
        done = palabre("new", "bot", file)
        assert (done.returncode, done.stdout) == (2, "")
        assert tells(done.stderr, id, path=file)
        assert len(done.stderr.splitlines()) == 1
    assert Path(path).read_text(encoding="utf-8") == SICK
    assert [file.name for file in tmp_path.iterdir()] == ["mybot.py"]


# ------------------------------------------------------------------------------------------------------- play


def test_a_person_plays_against_a_bot() -> None:
    players = "alphabeta:depth=3,eval=score,person"
    done = palabre("play", "--terminal", "awele", "--players", players, stdin="a\nundo\nb\ntext\n", settings=PLAIN)
    assert done.returncode == 0, done.stderr
    assert tells(done.stdout, "table.bot", sign="●", player="Player 1", bot="alphabeta:depth=3")
    assert tells(done.stdout, "table.you", sign="○", player="Player 2")
    assert tells(done.stdout, "table.resume")
    assert re.findall(r"○ Player 2 > (\S.*)\n", done.stdout)[-1].endswith(" 2 3")


def test_bots_play_each_other_and_are_recorded(tmp_path: Path) -> None:
    def game(seed: int) -> tuple[str, ...]:
        file = tmp_path / f"{seed}.txt"
        output(
            "play",
            "--terminal",
            "awele",
            "--players",
            "idiot:seed=5,greedy",
            "--seed",
            str(seed),
            "--record",
            str(file),
        )
        record = load(file)[-1]
        assert (record.tags["Player1"], record.tags["Player2"]) == ("idiot:seed=5", "greedy")
        return record.moves

    assert game(1) == game(1)
    assert game(1) != game(2)


def test_a_bot_that_fails_in_play_is_named_and_the_game_can_go_on(tmp_path: Path) -> None:
    path = write(tmp_path, SICK.replace("12", "0"))
    games = tmp_path / "games.txt"
    done = palabre("play", "--terminal", "awele", "--players", f"person,{path}", "--record", str(games), stdin="C\n")
    assert done.returncode == 2
    assert tells(done.stderr, "seat.lost", player=2, bot=path)
    assert tells(done.stderr, "forfeit.raised_at", kind="ZeroDivisionError")
    assert tells(done.stdout, "table.resume")
    assert [record.moves for record in load(games)] == [("C",)]


def test_a_bot_that_cannot_begin_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, SICK + "    def start(self, game, seat):\n        raise OSError('no book')\n")
    done = palabre("play", "--terminal", "awele", "--players", f"person,{path}", stdin="C\n")
    assert done.returncode == 2
    assert tells(done.stderr, "seat.cannot_begin", bot=path)
    assert tells(done.stderr, "forfeit.raised_at", kind="OSError", error="no book")


def test_four_penguins_are_anybody() -> None:
    done = palabre("play", "--terminal", "penguins:players=4", "--players", "idiot,greedy,random:seed=2,greedy")
    assert done.returncode == 0, done.stderr
    assert tells(done.stdout, "table.bot", sign="◆", player="Player 3", bot="random:seed=2")
    assert tells(done.stdout, "table.over_why")
