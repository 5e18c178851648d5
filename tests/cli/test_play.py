"""`palabre play` with scripted people: moves, taking back, pictures, records, stopping and going on."""

import os
import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

import palabre as library
from palabre.bots.levels import STRONGEST
from palabre.cli import terminal
from palabre.cli.saved_game import GameOptions, load_game, save_game
from palabre.core import registry
from palabre.core.game_words import capital
from palabre.core.record import Record, load
from palabre.core.words import say
from tests import take_away
from tests.command import COMMAND, PLAIN, end, environment, palabre, running
from tests.sentences import tells, tells_of

pytestmark = pytest.mark.processes

PERSONS = ("--players", "person,person")


def play(*lines: str, options: tuple[str, ...] = PERSONS, spec: str = "awele") -> "subprocess.CompletedProcess[str]":
    """A game in which these lines are typed, then `text`, then the input ends; it must end well."""
    typed = "".join(f"{line}\n" for line in (*lines, "text"))
    done = palabre("play", "--terminal", spec, *options, stdin=typed, settings=PLAIN)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done


def reached(done: "subprocess.CompletedProcess[str]") -> str:
    """The position in which a person stopped, which `text` has printed after a prompt."""
    return str(re.findall(r" > ([^>\s][^>]*)\n", done.stdout)[-1])


def saved(home: Path) -> Record:
    """The game that can be resumed."""
    [record] = load(home / "palabre" / "terminal.txt")
    return record


def after(*moves: str) -> str:
    position = library.game("awele").start()
    for move in moves:
        position = position.play(move)
    return position.text


def test_two_persons_play_in_turn() -> None:
    done = play("C", "d", " F ")
    assert reached(done) == after("C", "d", "F")
    assert re.search("● C: .*\n○ d: ", done.stdout)
    assert tells(done.stdout, "story.sows", player="Player 1", count=4, cell="C")
    assert tells(done.stdout, "story.sows", player="Player 2", count=4, cell="d")
    assert done.stderr == ""


def test_the_end_of_the_input_is_the_wish_to_stop() -> None:
    assert reached(play("C", "d")) == after("C", "d")
    assert reached(play()) == after()


def test_who_quits_types_nothing_more(tmp_path: Path) -> None:
    done = at_home(tmp_path, "awele", *PERSONS, stdin="C\nd\nquit\nE\n")
    assert tells(done.stdout, "table.resume")
    assert saved(tmp_path).moves == ("C", "d")


def test_an_illegal_move_is_explained_and_nothing_is_played() -> None:
    done = play("Z", "C", "c", "C", "", "   ")
    refusals = done.stderr.splitlines()
    assert len(refusals) == 2
    start = library.game("awele").start()
    for line, word, position in zip(refusals, "ZC", (start, start.play("C").play("c")), strict=True):
        why = capital(str(position.game.explain(position.state, word)))
        assert tells(line, "table.illegal", why=why, move=word)
    assert reached(done) == after("C", "c")


def test_undo_takes_back_and_at_the_start_there_is_nothing_to_take_back() -> None:
    done = play("undo", "C", "d", "undo", "UNDO", "undo", "A")
    assert [tells(line, "table.nothing_to_undo") for line in done.stderr.splitlines()] == [True] * 2
    assert reached(done) == after("A")


def test_undo_against_a_random_player_gives_the_person_the_move_again() -> None:
    done = play("A", "undo", options=("--players", "person,random"))
    assert reached(done) == after()
    done = play("a", "undo", options=("--players", "random,person"))
    assert reached(done).split()[-2:] == ["2", "1"]
    done = play("undo", options=("--players", "random,person"))
    assert tells(done.stderr, "table.nothing_to_undo")


def test_words_that_ask_are_answered() -> None:
    printed = play("help", "moves", "text", "HELP").stdout
    assert printed.count(str(terminal.say("help.text", strongest=STRONGEST))) == 2
    assert "A, B, C, D, E, F\n" in printed
    assert printed.count(f"{after()}\n") == 2


def test_pictures_and_records_are_written(tmp_path: Path) -> None:
    board, games = tmp_path / "my board.svg", tmp_path / "games.txt"
    done = play("C", f"svg {board}", f"save {games}", "d", options=(*PERSONS, "--record", str(games)))
    assert ElementTree.parse(board).getroot().tag.endswith("svg")
    assert [record.moves for record in load(games)] == [("C",), ("C", "d")]
    assert load(games)[1].tags["Player2"] == "person"
    assert reached(done) == after("C", "d")


def test_a_file_that_cannot_be_written_does_not_end_the_game(tmp_path: Path) -> None:
    missing = tmp_path / "missing" / "file"
    done = play(
        "svg", "save", f"svg {missing}", "C", f"save {missing}", "d", options=(*PERSONS, "--record", "/dev/full")
    )
    assert done.stderr.lower().count(f"cannot write {missing}") == 2
    assert [tells(done.stderr, "table.no_file_name", command=word) for word in ("svg", "save")] == [True, True]
    assert tells(done.stderr, "table.cannot_save", file="/dev/full")
    assert "1. C d *" in done.stdout
    assert reached(done) == after("C", "d")


def test_random_players_play_to_the_end_the_same_for_a_seed(tmp_path: Path) -> None:
    def game(name: str, seed: int) -> tuple[str, ...]:
        options = ("--players", "random,random", "--seed", str(seed), "--record", str(tmp_path / name))
        done = play(options=options)
        assert any(tells(done.stdout, "table.over_why", result=f"Player {number} wins") for number in (1, 2))
        [record] = load(tmp_path / name)
        assert record.positions()[-1].is_over
        return record.moves

    assert game("one", 3) == game("two", 3) != game("three", 4)


def test_a_game_of_ones_own_is_resumed(tmp_path: Path) -> None:
    spec = tmp_path / "it's mine.py"
    spec.write_text(take_away.source(), encoding="utf-8")
    at_home(tmp_path, str(spec), *PERSONS, stdin="3\n2\n")
    on = at_home(tmp_path, "--resume", stdin="1\ntext\n")
    assert on.returncode == 0, on.stderr
    assert reached(on) == "6 2"


def test_a_game_is_chosen_by_number_or_name(tmp_path: Path) -> None:
    number = list(registry.names()).index("awele") + 1
    for answer in (str(number), "AWELE", "Awélé", "awele:course"):
        done = at_home(tmp_path, stdin=f"\nbanana\n99\n{answer}\nC\n")
        assert done.returncode == 0, done.stderr
        assert [tells(line, "menu.how") for line in done.stderr.splitlines()] == [True, True]
        assert tells(done.stderr, "spec.no_game", name="banana")
        spec = saved(tmp_path).game.spec
        assert spec == ("awele" if answer == "awele:course" else "awele:abapa"), (
            "official rules, unless others are named"
        )


def test_a_menu_forgives_wrong_rules_and_files(tmp_path: Path) -> None:
    done = at_home(tmp_path, stdin="awele:bananas\nno/such.py\nawele\nC\n")
    assert done.returncode == 0
    of_rules, of_file = done.stderr.splitlines()
    assert tells(of_rules, "spec.unknown_preset", owner="Awele", name="bananas", presets="course, abapa")
    assert tells(of_file, "spec.no_game_file", path="no/such.py")
    assert saved(tmp_path).game.spec == "awele:abapa"


def test_who_is_asked_for_a_game_may_leave() -> None:
    for answer in ("", "q\n", "exit\n"):
        left = palabre("play", "--terminal", stdin=answer)
        assert (left.returncode, left.stderr) == (0, "")


def test_opponent_level_seat_rules_and_signs_are_shown_at_the_beginning() -> None:
    printed = play(options=()).stdout
    assert tells(printed, "table.rules", title="Awélé")
    assert tells(printed, "table.other_rules")
    assert tells(printed, "table.you", sign="●", player="Player 1")
    assert tells(printed, "table.level", sign="○", player="Player 2", bot="palabre", level=3)
    assert tells(printed, "table.signs", signs="4 = 4 seeds")
    assert tells(printed, "table.owned")
    assert "●A  ●B  ●C" in printed
    assert tells(printed, "table.example", move="A")
    assert tells(printed, "story.sows", player="Player 1", count=4, cell="A")


def test_the_example_tells_when_placing_turns_into_moving() -> None:
    start = "1111133/22212211/2132331/32113123/2211111/11122211/2311121/12211322 a1,f1,f2/a2,f3,f7 3,3 3,3 1"
    done = play("a3", "h1", "moves", spec="penguins", options=(*PERSONS, "--position", start))
    examples = [line for line in done.stdout.splitlines() if tells(line, "table.example")]
    assert tells(examples[0], "table.example", move="a3")
    assert tells_of("penguins", examples[0], "story.places", player="Player 1", cell="a3")
    assert tells_of("penguins", examples[-1], "story.moves", player="Player 1")
    assert "  from a3  a3" in done.stdout


def test_the_level_can_be_changed_and_wrong_ones_are_refused(tmp_path: Path) -> None:
    done = at_home(tmp_path, "awele", stdin="level\nlevel 1\nlevel 11\nniveau x\nC\n")
    assert tells(done.stdout, "level.now", bots="palabre:level=3")
    refused = [tells(done.stderr, "spec.no_level", level=word, strongest=STRONGEST) for word in ("11", "x")]
    assert refused == [True, True]
    assert saved(tmp_path).tags["Player2"] == "palabre:level=1"
    assert tells(play("level 3").stderr, "level.no_bot")


def test_other_rules_begin_a_new_game_with_the_same_players(tmp_path: Path) -> None:
    record = tmp_path / "games.txt"
    options = (*PERSONS, "--record", str(record))
    done = at_home(tmp_path, "awele", *options, stdin="C\nrules\nrules bananas\nrules abapa\nA\n")
    assert "  rules abapa " in done.stdout
    assert tells(done.stderr, "spec.unknown_preset", name="bananas", presets="course, abapa")
    assert saved(tmp_path).game.spec == "awele:abapa"
    assert [(game.game.spec, game.moves) for game in load(record)] == [("awele", ("C",)), ("awele:abapa", ("A",))]


def test_the_rules_can_be_read() -> None:
    printed = play("rules read").stdout
    assert "Awélé" in printed
    assert "position:" not in printed, "pictures are left out"


def test_a_hint_is_a_legal_move_in_words() -> None:
    position = "4,0,0,0,0,1/2,0,0,0,0,4 23,14 1 0"  # three more seeds win
    done = play("hint", options=(*PERSONS, "--position", position))
    assert tells(done.stdout, "hint.chance", move="F", percent=100)
    assert tells(done.stdout, "story.sows", player="Player 1", count=1, cell="F")
    assert tells(done.stdout, "story.takes", player="Player 1", count=3, cells="a")


def test_games_without_a_seed_are_not_all_the_same() -> None:
    first, second = (play(spec="penguins", options=PERSONS) for _ in range(2))
    assert reached(first) != reached(second)
    same = [reached(play(spec="penguins", options=(*PERSONS, "--seed", "5"))) for _ in range(2)]
    assert same[0] == same[1]


def test_the_language_is_that_of_the_system() -> None:
    settings = {**PLAIN, "LC_ALL": "fr_BE.UTF-8"}
    done = palabre(
        "play", "--terminal", "awele", *PERSONS, stdin="coups\naide\nZ\nC\nreprendre\nq\n", settings=settings
    )
    assert "● C: Joueur 1 sème 4 graines depuis C." in done.stdout
    assert "Tapez un coup, ou l’un de ces mots" in done.stdout
    assert "n’est pas un coup permis" in done.stderr
    assert "Pour continuer plus tard" in done.stdout


def test_lines_can_be_edited_and_come_back_in_a_terminal() -> None:
    pty = pytest.importorskip("pty")
    outer, inner = pty.openpty()
    arguments = [COMMAND, "play", "--terminal", "awele", *PERSONS]
    settings = environment(None, **PLAIN, TERM="xterm")
    with subprocess.Popen(arguments, stdin=inner, stdout=inner, stderr=inner, env=settings) as process:
        os.close(inner)
        shown = ""

        def type_when(prompt: str, keys: str) -> None:
            nonlocal shown
            while prompt not in shown:
                shown += os.read(outer, 1 << 16).decode(errors="ignore")
            shown = shown.partition(prompt)[2]
            os.write(outer, keys.encode())

        type_when("● Player 1 > ", "D\x7fC\n")  # D, taken back: C
        type_when("○ Player 2 > ", "d\n")
        type_when("● Player 1 > ", "text\n")
        type_when("● Player 1 > ", "\x1b[A\x1b[A\x1b[A\x1b[B\x1b[B\n")  # up to C and down again: text
        type_when(after("C", "d"), "")
        type_when("● Player 1 > ", "q\n")
        type_when("--resume", "")
        os.close(outer)
        assert process.wait(60) == 0


@pytest.mark.parametrize(
    ("players", "id", "params"),
    [
        ("person", "seat.wrong_number", {"given": 1, "game": "awele", "players": 2}),
        ("person,random,random", "seat.wrong_number", {"given": 3}),
        ("person,randon", "spec.no_bot", {"name": "randon", "hint": say("did_you_mean", choice="random")}),
        ("persom,random", "seat.no_player", {"word": "persom", "hint": say("did_you_mean", choice="person")}),
        ("divine,person", "spec.bot_of_games", {"games": "avalam", "game": "awele"}),
        ("alphabeta:depth=2,eval=luck,person", "spec.bad_value", {"name": "eval", "value": "luck"}),
        ("", "spec.no_bot", {"name": ""}),
    ],
)
def test_bad_players_are_named(players: str, id: str, params: dict[str, object]) -> None:
    done = palabre("play", "--terminal", "awele", "--players", players)
    assert (done.returncode, done.stdout) == (2, "")
    assert tells(done.stderr, id, **params)
    assert len(done.stderr.splitlines()) == 1


def test_bytes_that_are_no_text_are_an_illegal_move() -> None:
    done = subprocess.run(
        [COMMAND, "play", "--terminal", "awele"],
        input=b"\xff\xfe\0\nC\n",
        env=environment(None, PYTHONIOENCODING="utf-8:strict", **PLAIN),
        capture_output=True,
        check=True,
    )
    assert b"is not a legal move" in done.stderr
    assert "● C: Player 1 sows".encode() in done.stdout


def test_ctrl_c_keeps_the_record_and_says_how_to_resume(tmp_path: Path) -> None:
    arguments = ("play", "--terminal", "awele", *PERSONS, "--record", str(tmp_path / "games.txt"))
    settings = {"PYTHONUNBUFFERED": "1", "XDG_DATA_HOME": str(tmp_path)}
    with running(*arguments, settings=settings, stdin=subprocess.PIPE, bufsize=0) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"C\n")
        printed = b""
        while "Player 2 > " not in printed.decode(errors="ignore"):
            printed += process.stdout.read(1)
        rest, errors = end(process)
    assert tells(rest, "table.resume")
    assert saved(tmp_path).positions()[-1].text == after("C")
    assert "Traceback" not in errors
    assert [record.moves for record in load(tmp_path / "games.txt")] == [("C",)]


def test_a_game_that_is_over_is_not_played_on(tmp_path: Path) -> None:
    over = "1,1,1,1,1,1/0,0,0,0,0,0 36,6 1 0"
    done = play("A", options=("--position", over, "--record", str(tmp_path / "none")))
    assert ": Player 1 wins." in done.stdout
    assert not (tmp_path / "none").exists()


# ------------------------------------------------------------------------------------------------------------- resuming


def at_home(home: Path, *arguments: str, stdin: str) -> "subprocess.CompletedProcess[str]":
    return palabre("play", "--terminal", *arguments, stdin=stdin, settings={**PLAIN, "XDG_DATA_HOME": str(home)})


def test_a_game_is_resumed_with_its_moves_players_and_clocks(tmp_path: Path) -> None:
    options = (*PERSONS, "--clock", "5:00+2", "--time", "5", "--record", str(tmp_path / "games.txt"))
    stopped = at_home(tmp_path, "awele:abapa", *options, stdin="C\nd\nq\n")
    assert "palabre play --terminal --resume" in stopped.stdout
    back = at_home(tmp_path, "--resume", stdin="undo\nundo\nundo\nA\nq\n")
    assert tells(back.stderr.splitlines()[0], "table.nothing_to_undo")
    record = saved(tmp_path)
    assert record.game.spec == "awele:abapa"
    assert (record.tags["Clock"], record.tags["Time"]) == ("5:00+2", "5.0")
    assert [record.moves for record in load(tmp_path / "games.txt")] == [("C", "d"), ("A",)]


def test_a_game_survives_a_program_that_is_killed(tmp_path: Path) -> None:
    settings = {**PLAIN, "PYTHONUNBUFFERED": "1", "XDG_DATA_HOME": str(tmp_path)}
    with running(
        "play", "--terminal", "awele", *PERSONS, settings=settings, stdin=subprocess.PIPE, bufsize=0
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"C\n")
        printed = b""
        while "Player 2 > " not in printed.decode(errors="ignore"):
            printed += process.stdout.read(1)
        process.kill()
    assert reached(at_home(tmp_path, "--resume", stdin="d\ntext\n")) == after("C", "d")


def test_options_and_the_times_of_moves_are_saved_and_read_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    options = GameOptions(7, 1.5, "5:00+2", "/some where/games.txt", untrusted=True)
    game = options.new_game(library.game("awele").start(), ["person", "random"])
    game.play("C")
    game.accept(game.position.play("d"), 2.25)
    assert save_game(game, options)
    again, read = load_game()
    assert (read, again.seed, again.names, again.seconds) == (options, 7, ["person", "random"], [None, 2.25])
    assert (again.position, again.clocks) == (game.position, game.clocks)


def test_a_saved_game_that_is_damaged_is_refused_in_words(tmp_path: Path) -> None:
    file = tmp_path / "palabre" / "terminal.txt"
    at_home(tmp_path, "awele", *PERSONS, stdin="C\n")
    text = file.read_text(encoding="utf-8")
    for damaged in (text + "\n" + text, text.replace("[Seed", "[Sad"), text.replace('"-"', '"- -"'), "\n"):
        file.write_text(damaged, encoding="utf-8")
        refused = at_home(tmp_path, "--resume", stdin="")
        assert (refused.returncode, tells(refused.stderr, "resume.damaged", file=file)) == (2, True), refused.stderr


def test_there_is_nothing_to_resume_before_the_first_and_after_the_last_move(tmp_path: Path) -> None:
    ends = ("awele", *PERSONS, "--position", "0,0,0,0,0,1/0,0,0,0,0,6 30,11 1 0")
    stopped = at_home(tmp_path, *ends, stdin="q\n")
    assert "--resume" not in stopped.stdout
    at_home(tmp_path, *ends, stdin="F\n")
    none = at_home(tmp_path, "--resume", stdin="")
    assert (none.returncode, none.stdout) == (2, "")
    assert tells(none.stderr, "resume.none")
    assert "leave out SPEC" in at_home(tmp_path, "--resume", "awele", stdin="").stderr


# ---------------------------------------------------------------------------------------------------------- for readers


def test_a_terminal_breaks_lines_between_words() -> None:
    pty = pytest.importorskip("pty")
    outer, inner = pty.openpty()
    settings = environment(None, **PLAIN, TERM="xterm", COLUMNS="60")
    arguments = [COMMAND, "play", "--terminal", "avalam:official", *PERSONS]
    with subprocess.Popen(arguments, stdin=inner, stdout=inner, stderr=inner, env=settings) as process:
        os.close(inner)
        os.write(outer, b"rules read\nrules\nq\n")
        shown = b""
        try:
            while chunk := os.read(outer, 1 << 16):
                shown += chunk
        except OSError:  # the other end is closed
            pass
        assert process.wait(60) == 0
    os.close(outer)
    lines = [re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", line).rstrip() for line in shown.decode().splitlines()]
    prose = lines[: next(number for number, line in enumerate(lines) if "Player 1 > q" in line)]
    assert [line for line in prose if len(line) > 60 and "Player 1: " not in line] == []
    assert "onto any other" in " ".join(" ".join(prose).split())


def test_list_items_of_the_rules_are_whole() -> None:
    printed = " ".join(play("rules read", spec="avalam:official").stdout.split())
    assert "any tower, of either colour, onto any other" in printed


def test_the_first_example_is_no_gift() -> None:
    printed = play(spec="avalam:official").stdout
    [example] = [line for line in printed.splitlines() if line.startswith("For example")]
    assert "whose counter is on top" not in example


def test_the_menu_shows_its_list_again_and_ends_its_line() -> None:
    left = palabre("play", "--terminal", stdin="?\nhelp\n", settings=PLAIN)
    assert left.stdout.count("  1  ") == 3
    assert left.stdout.endswith("Which game? \n")
    assert (left.returncode, left.stderr) == (0, "")


@pytest.mark.parametrize("title", ["Awele", "Awélé", "AWÉLÉ:abapa", "pingouins"])
def test_games_are_found_by_what_people_call_them(title: str) -> None:
    done = palabre("show", title, settings=PLAIN)
    assert (done.returncode, done.stderr) == (0, "")
