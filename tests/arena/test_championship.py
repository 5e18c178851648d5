"""Championships: who enters, who is admitted, what is played, and what the table says."""

import os
import shutil
import signal
import threading
import time
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import palabre
from palabre.arena.championship import Championship, Plan
from palabre.arena.debugging import find_moment, prepare
from palabre.arena.estimate import estimate
from palabre.arena.event import Progress
from palabre.arena.game import OngoingGame
from palabre.arena.guard import GRACE, Forfeit
from palabre.arena.leaderboard import read_leaderboard
from palabre.arena.league import progress_of
from palabre.arena.likeness import SameMoves, fingerprint, same_files, same_moves
from palabre.arena.outcome import Meeting
from palabre.arena.players import close_bot, seat
from palabre.arena.referee import play_game
from palabre.arena.report.write import write_report
from palabre.arena.rows import BotRow, GameRow
from palabre.arena.sandbox.proxy import SandboxedBot
from palabre.arena.sandbox.report import SandboxBroken
from palabre.arena.store import read_store
from palabre.arena.trial import examine
from palabre.arena.worker import KEPT_BOTS, Player, Setup, kept_bots
from palabre.bots.bot import Bot
from palabre.bots.specs import bot
from palabre.core.errors import PalabreError
from palabre.search.clock import Clock
from tests import take_away
from tests.arena.needs import needs_sandbox

SMALL = palabre.game(str(take_away.__file__))
BOT = """\
from palabre import Bot

class Mine(Bot):
    name = {name!r}
    authors = ({authors!r},)

    def choose(self, position, clock):
        {body}
"""
FIRST, LAST = "return position.moves()[0]", "return position.moves()[-1]"


def hand_in(folder: Path, name: str, body: str = FIRST, *, file: str | None = None, authors: str | None = None) -> Path:
    """A bot as a file."""
    folder.mkdir(exist_ok=True)
    path = folder / (file or f"{name}.py")
    path.write_text(BOT.format(name=name, authors=authors or f"author of {name}", body=body), encoding="utf-8")
    return path


def hold(
    bots: Sequence[Path | str],
    file: Path | None = None,
    *,
    again: Sequence[str] = (),
    withdrawn: Sequence[str] = (),
    play: bool = True,
    **options: Any,
) -> Championship:
    """A championship that has been played to its end; close it."""
    names = ("staff", "demo", "marks")
    given = {name: options.pop(name) for name in names if name in options}
    plan = Plan(options.pop("game", SMALL), **{"plies": 2, "balanced": False, **options})
    held = Championship(plan, [str(bot) for bot in bots], file, **given)
    try:
        for _ in held.examine(again, at_once=4):
            pass
        held.admit(again, withdrawn)
        for _ in held.play() if play else ():
            pass
    except BaseException:
        held.store.close()
        raise
    return held


def verdicts(held: Championship) -> dict[str, str]:
    """Why each bot was rejected, empty for those that were not."""
    return {bot.name: bot.reason for bot in held.bots}


# ----------------------------------------------------------------------------------------------------------- entering


@needs_sandbox
def test_a_folder_of_files_zips_and_folders_is_played_to_a_table_with_marks(tmp_path: Path) -> None:
    folder = tmp_path / "bots"
    hand_in(folder, "Anna")
    inner = hand_in(tmp_path / "packed", "Bert", LAST)
    with zipfile.ZipFile(folder / "bert.zip", "w") as archive:
        archive.write(inner, "bot/mine.py")
    hand_in(folder / "carl", "Carl", "return helper.move(position)", file="main.py")
    main = folder / "carl" / "main.py"
    main.write_text("import helper\n" + main.read_text())
    (folder / "carl" / "helper.py").write_text("def move(position):\n    return position.moves()[0]\n")
    (folder / "notes.txt").write_text("not a bot")
    (folder / "two.py").write_text(
        BOT.format(name="X", authors="A", body=FIRST)
        + BOT.format(name="Y", authors="A", body=FIRST).replace("Mine", "B")
    )
    hand_in(folder, "Dora", "return 1 / 0")
    hand_in(folder, "Emil", "return 'nonsense'")
    (folder / "fritz.rar").write_bytes(b"Rar!")
    with hold([folder], tmp_path / "e", marks="rank", demo=["idiot"], staff=["greedy"]) as held:
        told = verdicts(held)
        assert [name for name, reason in told.items() if not reason] == ["Anna", "Bert", "Carl", "greedy", "idiot"]
        assert "two.py has 2 competitors in it" in told["two"]
        assert told["Dora"].startswith("error: ZeroDivisionError: division by zero (Dora.py, line 8")
        assert told["Dora"].endswith("(as player 1, after 0 plies of the admission test)")
        assert told["Emil"].startswith("illegal move: 'nonsense'")
        assert told["fritz"] == "fritz.rar is neither a Python file nor a folder nor a zip"
        assert "Traceback" in next(bot.note for bot in held.bots if bot.name == "Dora")
        assert held.is_finished
        board = held.leaderboard()
        assert board.games == 2 * 10  # pairs of five bots
        table = {line.bot.name: line for line in board.lines}
        ranks = {name: line.standing.rank for name, line in table.items() if line.standing}
        assert (ranks["greedy"], ranks["idiot"]) == (None, None)
        assert {name: line.mark for name, line in table.items() if line.standing is None} == {
            "Dora": 0.0,
            "Emil": 0.0,
            "fritz": 0.0,
            "two": 0.0,
        }
        marks = [table[name].mark for name in ("Anna", "Bert", "Carl")]
        assert max(mark for mark in marks if mark is not None) == 5.0
        assert table["idiot"].mark is None
        assert [row.forfeit for row in held.rows()] == [None] * 20
        assert {bot.name: bot.authors for bot in held.admitted}["Anna"] == "author of Anna"
        assert held.same_files == []
        write_report(held.store, tmp_path / "report", "friday", "e")
    assert "Traceback" not in (tmp_path / "report" / "public" / "index.html").read_text()
    private = [path.read_text() for path in (tmp_path / "report" / "private").glob("bot-*/index.html")]
    [dora] = [page for page in private if "Dora</h1>" in page]
    assert "Not admitted: error: ZeroDivisionError" in dora
    assert "Mark: 0." in dora
    assert "Traceback" in dora


@needs_sandbox
def test_a_submission_does_not_see_the_files_of_others(tmp_path: Path) -> None:
    hand_in(tmp_path, "Anna")
    thief = hand_in(tmp_path, "Thief")
    thief.write_text("import Anna\n" + thief.read_text())
    with hold([tmp_path, "greedy"], play=False) as held:
        told = verdicts(held)["Thief"]
        assert told.startswith("it cannot be loaded: error: ")
        assert "No module named 'Anna'" in told


@needs_sandbox
def test_names_are_cleaned_and_unique(tmp_path: Path) -> None:
    hand_in(tmp_path, "\x1b[31mMax\n", file="a.py")
    hand_in(tmp_path, "=HYPERLINK(1)", file="b.py")
    hand_in(tmp_path, "../../x", file="c.py")
    hand_in(tmp_path, "M" * 1000, file="d.py")
    hand_in(tmp_path, "../../X", file="e.py")
    with hold([tmp_path], play=False) as held:
        names = [bot.name for bot in held.bots]
    assert names == ["[31mMax", "=HYPERLINK(1)", "../../x", "M" * 40, "../../X (2)"]


def test_what_cannot_be_a_championship_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(PalabreError, match=r"there are no bots in .*empty"):
        hold([tmp_path / "empty"])
    with pytest.raises(PalabreError, match="round-robin needs at least 2 bots, and there are 1"):
        hold(["greedy"])
    with pytest.raises(PalabreError, match="there is no bot 'gready'"):
        hold(["gready", "idiot"])
    with pytest.raises(PalabreError, match="in the format swiss all bots compete; leave out --staff and --demo"):
        hold(["greedy", "idiot"], staff=["random"], format="swiss")
    with pytest.raises(PalabreError, match="neither by rank nor vs bots"):
        hold(["greedy", "idiot"], marks="best")


# ------------------------------------------------------------------------------------------------------- coming back


@needs_sandbox
def test_the_same_championship_goes_on_and_new_bots_play_only_their_games(tmp_path: Path) -> None:
    folder, event = tmp_path / "bots", tmp_path / "e"
    hand_in(folder, "Anna")
    hand_in(folder, "Bert", LAST)
    broken = hand_in(folder, "Carl", "return 1 / 0")
    with hold([folder], event) as held:
        first = held.rows()
        assert [bot.name for bot in held.admitted] == ["Anna", "Bert"]
    with hold([folder], event) as held:
        assert (held.verdicts, held.rows()) == ({}, first)
        assert verdicts(held)["Carl"].startswith("error: ZeroDivisionError")
    elsewhere = tmp_path / "moved"
    shutil.copytree(folder, elsewhere)
    broken = elsewhere / broken.name
    broken.write_text(broken.read_text().replace("1 / 0", "position.moves()[1 % len(position.moves())]"))
    with hold([elsewhere], event) as held:
        assert list(held.verdicts) == ["Carl"]
        assert [bot.name for bot in held.admitted] == ["Anna", "Bert", "Carl"]
        rows = held.rows()
    assert len(rows) == 6
    assert [row for row in rows if "Carl" not in row.bots] == first


@needs_sandbox
def test_a_changed_bot_is_refused_and_a_missing_one_too_with_the_remedy(tmp_path: Path) -> None:
    folder, event = tmp_path / "bots", tmp_path / "e"
    hand_in(folder, "Anna")
    hand_in(folder, "Bert", LAST)
    hand_in(folder, "Carl")
    hold([folder], event).store.close()
    hand_in(folder, "Bert", FIRST)
    with pytest.raises(PalabreError, match="add --again 'Bert'"):
        hold([folder], event)
    with hold([folder], event, again=["Bert"]) as held:
        superseded = [row.superseded for row in held.rows(superseded=True) if "Bert" in row.bots]
        assert superseded == ["bot changed", None] * 4
    (folder / "Carl.py").rename(tmp_path / "Carl.py")
    with pytest.raises(PalabreError, match="put it back, or take it out with --withdraw 'Carl'"):
        hold([folder], event)
    with hold([folder], event, withdrawn=["Carl"]) as held:
        assert {name for row in held.rows() for name in row.bots} == {"Anna", "Bert"}
        assert "Carl" not in {line.bot.name for line in held.leaderboard().lines}
    with pytest.raises(PalabreError, match="'Anna' cannot be withdrawn while it is among the bots"):
        hold([folder], event, withdrawn=["Anna"])


@needs_sandbox
def test_a_bot_that_fails_later_loses_its_games_and_two_of_them_lose_both(tmp_path: Path) -> None:
    """They pass the admission test and cannot be loaded any more when they are to play."""
    folder = tmp_path / "bots"
    for name in ("Anna", "Bert"):
        hand_in(folder, name)
    hand_in(folder, "Carl", LAST)
    with hold([folder], play=False) as held:
        for entry in held.entries:
            if entry.row.name != "Carl":
                assert entry.submission is not None
                with (entry.submission.folder / entry.submission.main).open("a") as file:
                    file.write("1 / 0\n")
        rows = list(held.play())
        assert held.is_finished
        for row in rows:
            assert "ZeroDivisionError" in row.ending
            assert row.details is not None
            assert row.shares == tuple(float(name == "Carl") for name in row.bots)
            assert row.forfeit is not None
        table = {line.bot.name: line.standing for line in held.leaderboard().lines}
        assert [table[name].points for name in ("Carl", "Anna", "Bert")] == [4, 0, 0]  # type: ignore[union-attr]
        both = next(row for row in rows if "Carl" not in row.bots)
        assert both.ending.count("loses: ") == 2


def test_a_sandbox_that_fails_is_tried_again_and_stops_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """No bot of the tests can break a sandbox, so a sandbox is broken here by hand."""
    tried: list[str] = []

    def broken_seat(spec: str, game: palabre.Game, **options: Any) -> Bot:
        if spec == "idiot:seed=7":
            tried.append(spec)
            raise SandboxBroken("the sandbox has ended")
        return seat(spec, game, **options)

    monkeypatch.setattr("palabre.arena.worker.seat", broken_seat)
    monkeypatch.setattr("palabre.arena.trial.seat", broken_seat)
    found = examine(BotRow("seven", "idiot:seed=7", ""), "idiot:seed=7", SMALL)
    assert (found.reason, len(tried)) == ("its sandbox failed 3 times: the sandbox has ended", 3)
    with hold(["greedy", "idiot:seed=7", "idiot"]) as held:
        assert held.is_finished
        rows = held.rows(superseded=True)
    broken = [row for row in rows if "idiot:seed=7" in row.bots]
    assert [row.superseded for row in broken] == ["machine late", "machine late", "machine late", None] * 4
    assert [row.superseded for row in rows if row not in broken] == [None] * 2


# -------------------------------------------------------------------------------------------------------- the formats


def test_the_championship_of_the_course(tmp_path: Path) -> None:
    """Two games a meeting, seeds summed, 3/1/0, demo bots, marks from 1 to 5."""
    awele = palabre.game("awele")
    bots = ["greedy", "idiot", "idiot:seed=3"]
    with hold(bots, game=awele, format="course:repeats=2", demo=["idiot:seed=9"], marks="rank", plies=4) as held:
        board = held.leaderboard()
        assert board.games == 2 * 2 * 6
        table = [(line.bot.name, line.standing, line.mark) for line in board.lines]
    assert table[0][0] == "greedy"
    assert table[0][2] == 5.0
    assert table[-1][0] == "idiot:seed=9"
    assert table[-1][2] is None
    points = [standing.points for _, standing, _ in table[:3] if standing]
    assert sum(points) in range(6 * 2, 6 * 3 + 1)  # six meetings between competitors


def test_staff_are_the_opponents_in_a_gauntlet_and_marks_have_thresholds() -> None:
    marks = "vs greedy>=0.5:5,idiot:seed=1>=0.5:3,else:1"
    with hold(
        ["idiot", "idiot:seed=2"], format="gauntlet:repeats=2", staff=["greedy", "idiot:seed=1"], marks=marks
    ) as held:
        board = held.leaderboard()
        assert board.games == 2 * 2 * 2 * 2
        given = {line.bot.name: line.mark for line in board.lines}
    assert given["greedy"] is None
    assert {given["idiot"], given["idiot:seed=2"]} <= {1.0, 3.0, 5.0}


def test_knockout_seeds_by_the_order_of_the_bots() -> None:
    with hold(["greedy", "idiot", "idiot:seed=1", "idiot:seed=2"], format="knockout:best_of=1") as held:
        first = [row.meeting.bots for row in held.rows() if row.meeting.round == 0]
        assert {frozenset(bots) for bots in first} == {
            frozenset({"greedy", "idiot:seed=2"}),
            frozenset({"idiot", "idiot:seed=1"}),
        }
        assert held.leaderboard().lines[0].standing.rank == 1  # type: ignore[union-attr]


def test_until_a_time_whole_rounds_are_played() -> None:
    with hold(["greedy", "idiot", "idiot:seed=9"], format="round-robin:repeats=300", play=False) as held:
        list(held.play(until=time.time() + 0.5))
        assert not held.is_finished
        played = [row.meeting.round for row in held.rows()]
        *whole, last = sorted(set(played))
        assert [*whole, last] == list(range(len(whole) + 1))
        assert {played.count(number) for number in whole} <= {6}
        assert played.count(last) in (2, 4, 6)  # the machine may have slowed down: then whole meetings
        assert len(whole) < 299
        list(held.play(until=time.time() - 1))
        assert len(held.rows()) == len(played)


# ------------------------------------------------------------------------------------------------------- what is told


def test_how_long_it_will_take() -> None:
    with hold(["greedy", "idiot", "idiot:seed=9"], format="round-robin:repeats=10", play=False) as held:
        list(held.examine(["greedy", "idiot", "idiot:seed=9"], ours=True))
        form, names = held.format(held.admitted), [bot.name for bot in held.admitted]
        found = estimate(form, names, SMALL, list(held.verdicts.values()), [], workers=2)
        assert (found.least_games, found.most_games, found.played) == (60, 60, 0)
        assert found.game_seconds is not None
        assert found.seconds == pytest.approx(found.game_seconds * 30)
        assert estimate(form, names, SMALL, [], [], 2).seconds is None
        list(held.play())
        done = estimate(form, names, SMALL, [], held.rows(), workers=2)
        assert (done.played, done.seconds) == (60, 0)


def row(bots: tuple[str, str], moves: str, opening: int = 0) -> GameRow:
    played = tuple(moves.split())
    movers = tuple(ply % 2 for ply in range(len(played)))
    nothing = (None,) * len(played)
    return GameRow(
        Meeting(0, bots, 0), 0, 1, bots, (1, 0), (0, 0), 0, opening, None, played, movers, nothing, nothing, nothing, ""
    )


def test_copies_under_other_names_are_the_same_files(tmp_path: Path) -> None:
    first = fingerprint(hand_in(tmp_path / "a", "Anna").parent)
    copied = hand_in(tmp_path / "b", "Bert", file="mine.py", authors="somebody else")
    copied.write_text(copied.read_text().replace("class Mine", "# of my own\nclass Bert"))
    assert fingerprint(copied.parent) == first
    assert fingerprint(hand_in(tmp_path / "c", "Anna", LAST).parent) != first
    (tmp_path / "b" / "book.bin").write_bytes(b"1")
    assert fingerprint(tmp_path / "b") != first
    (tmp_path / "a" / "Anna.py").write_text("not Python (")
    assert fingerprint(tmp_path / "a") != first


def test_bots_that_are_alike_are_told() -> None:
    assert same_files({"a": "1", "b": "2", "c": "1", "d": ""}) == [("a", "c")]
    games = [row(("a", "x"), "A b C"), row(("b", "x"), "A b C d"), row(("c", "x"), "A b D"), row(("d", "x"), "B")]
    assert same_moves(games, ["a", "b", "c", "d"], least=2) == [SameMoves(("a", "b"), 2)]
    assert same_moves(games, ["a", "b"], least=3) == []
    assert same_moves([*games, row(("a", "x"), "A b D")], ["a", "b"], least=2) == []
    assert same_moves([row(("a", "x"), "A b C", 2), row(("c", "x"), "B b C", 1)], ["a", "c"], least=1) == []


@needs_sandbox
def test_a_league_takes_the_newest_of_each_author_and_shows_progress(tmp_path: Path) -> None:
    folder, event = tmp_path / "bots", tmp_path / "e"
    hand_in(folder, "Anna")
    hand_in(folder, "Bert", LAST)
    hold([folder, "greedy"], event, league=True).store.close()
    hand_in(folder, "Anna", LAST)
    newer = hand_in(folder, "Bertha", FIRST, authors="author of Bert")
    os.utime(folder / "Bert.py", (1, 1))
    os.utime(newer, (2, 2))
    with hold([folder, "greedy"], event, league=True) as held:
        assert [entry.row.name for entry in held.older] == ["Bert"]
        assert sorted(bot.name for bot in held.admitted) == ["Anna", "Bertha", "greedy"]
        assert len(held.rows()) == 6
        versions = progress_of(held.store)
        assert [(one.bot, one.number) for one in versions] == [
            ("Anna", 1),
            ("Anna", 2),
            ("Bert", 1),
            ("Bertha", 1),
            ("greedy", 1),
        ]
        assert [one.games for one in versions] == [4, 4, 4, 4, 8]
        assert versions[0].since < versions[1].since
        write_report(held.store, tmp_path / "report", "week 2", "e")
    page = (tmp_path / "report" / "public" / "index.html").read_text()
    assert "Anna, version 2" in page
    assert "<polyline" in page


def test_the_report_has_the_places_and_marks_stay_private(tmp_path: Path) -> None:
    with hold(["idiot", "greedy"], tmp_path / "e", demo=["idiot:seed=9"], marks="rank:6,20") as held:
        write_report(held.store, tmp_path / "report", "friday", "e")
        best = held.leaderboard().lines[0].bot.name
    rows = (tmp_path / "report" / "public" / "standings.csv").read_text().splitlines()
    assert rows[1].startswith(f"1,{best},")
    assert rows[3].startswith("demo,idiot:seed=9,")
    marks = (tmp_path / "report" / "private" / "marks.csv").read_text().splitlines()
    assert marks[:2] == ["authors,bot,rank,mark", f",{best},1,20.0"]
    assert (
        "Mark: 20."
        in (tmp_path / "report" / "private" / "bot-001" / "index.html").read_text()
        + (tmp_path / "report" / "private" / "bot-002" / "index.html").read_text()
    )
    assert "20" not in (tmp_path / "report" / "public" / "standings.csv").read_text()
    with read_store(tmp_path / "e") as store:
        assert read_leaderboard(store).marks == "rank:6,20"


# ---------------------------------------------------------------------------------------------------------- the clock


class Late(Bot):
    """Takes so long for its moves, one after another."""

    def __init__(self, *seconds: float) -> None:
        self.seconds = list(seconds)

    def choose(self, position: palabre.Position, clock: Clock) -> palabre.Move:
        time.sleep(self.seconds.pop(0) if self.seconds else 0)
        return position.moves()[0]


def test_strikes_forgive_a_bot_that_is_late_and_not_too_late() -> None:
    over = 0.05 + GRACE + 0.02  # late by a little
    for strikes, seconds, moves in ((0, (over,), 0), (1, (over,), 5), (1, (over, over), 2), (1, (0.6,), 0)):
        late = Late(*seconds)
        game = OngoingGame(SMALL.start(), [late, Late()], clock=Clock(per_move=0.05), grace=0.3, strikes=strikes)
        game.sit_down()
        try:
            while len(game.moves) < 5:
                game.ask_bot()
        except Forfeit:
            assert game.loser == 0
        assert len(game.moves) == moves, (strikes, seconds)


def test_a_bank_that_is_overdrawn_by_a_forgiven_strike_is_empty() -> None:
    game = OngoingGame(
        SMALL.start(), [Late(0.08), Late()], clock=Clock(remaining=0.05, increment=1.0), grace=0.5, strikes=1
    )
    game.sit_down()
    game.ask_bot()
    assert game.clocks[0].remaining == 1.0
    assert game.strikes == [0, 1]


@needs_sandbox
def test_grace_reaches_the_sandbox(tmp_path: Path) -> None:
    late = hand_in(
        tmp_path, "Late", "import time\n        time.sleep(0.2 if len(position.played) < 2 else 0)\n        " + FIRST
    )
    clock = Clock(per_move=0.1)
    with hold([late, "greedy", "idiot"], clock=clock, play=False) as held:
        assert verdicts(held)["Late"].startswith("time: no answer in 0.1")
    with hold([late, "greedy", "idiot"], clock=clock, strikes=1, grace=2.0, play=False) as held:
        assert verdicts(held)["Late"] == ""


def supervisor_of(player: SandboxedBot) -> int:
    """The process 1 of a sandbox, as seen from outside."""
    assert player._sandbox is not None
    pid = player._sandbox._process.pid
    while b"bwrap" in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[0]:
        pid = int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])
    return pid


@needs_sandbox
def test_the_machine_was_late_and_not_the_bot(tmp_path: Path) -> None:
    """The sandbox is stopped from outside while the bot thinks."""
    nap = "import time\n        time.sleep(0.1)\n        " + FIRST
    path = hand_in(tmp_path, "Anna", nap)
    player = seat(str(path), SMALL)
    assert isinstance(player, SandboxedBot)
    try:
        player.learn((), 10.0)
        supervisor = supervisor_of(player)
        stop = threading.Timer(0.03, os.kill, (supervisor, signal.SIGSTOP))
        go_on = threading.Timer(0.8, os.kill, (supervisor, signal.SIGCONT))
        player.choose = _after(player.choose, stop, go_on)  # type: ignore[method-assign]
        played = play_game([player, bot("idiot", SMALL)], SMALL.start(), clock=Clock(per_move=0.3))
        go_on.join()
        assert (played.loser, played.machine_late) == (0, True), (played.reason, player.last_turn)
        assert player.last_turn.stalled > 0.3
    finally:
        close_bot(player)


def _after(choose: Any, *timers: threading.Timer) -> Any:
    """A method that starts timers at its first call."""

    def started(*arguments: Any) -> Any:
        for timer in timers:
            if not timer.is_alive() and not timer.finished.is_set():
                timer.start()
        return choose(*arguments)

    return started


@needs_sandbox
def test_a_bot_that_sleeps_is_late_itself(tmp_path: Path) -> None:
    path = hand_in(tmp_path, "Anna", "import time\n        time.sleep(5)")
    player = seat(str(path), SMALL)
    try:
        played = play_game([player, bot("idiot", SMALL)], SMALL.start(), clock=Clock(per_move=0.2))
    finally:
        close_bot(player)
    assert (played.loser, played.machine_late) == (0, False)


# ---------------------------------------------------------------------------------------------------------- debugging


@needs_sandbox
def test_a_moment_of_a_game_comes_back_in_this_process(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    anna = hand_in(tmp_path, "Anna", f"print('thinking', clock.remaining)\n        {FIRST}")
    with hold([anna, "idiot"], tmp_path / "e", clock=Clock(remaining=60.0)) as held:
        row = held.rows()[0]
        turns = [ply for ply in range(row.opening, row.plies) if row.bots[row.movers[ply]] == "Anna"]
        moment = find_moment(held.store, 1, turns[1])
        assert (moment.name, moment.played, len(moment.past)) == ("Anna", row.moves[turns[1]], 1)
        assert 59 < (moment.clock.remaining or 0) < 60
        for given in ("Anna", str(anna)):
            answer = prepare(held.store, moment, given).choose(moment.position, moment.clock)
            assert isinstance(answer, palabre.Move)
            assert answer.text == moment.played
        assert capsys.readouterr().out.count("thinking 59.") == 2
        with pytest.raises(PalabreError, match="it is the turn of 'Anna', not of 'idiot'"):
            prepare(held.store, moment, "idiot")
        with pytest.raises(PalabreError, match=r"there is no game 9 in .*; its games are 1 to 2"):
            find_moment(held.store, 9, 3)
        with pytest.raises(PalabreError, match=r"from ply 2 to \d+; 1 is not there"):
            find_moment(held.store, 1, 1)
        with pytest.raises(PalabreError, match="is over"):
            find_moment(held.store, 1, row.plies)


def test_bots_stay_loaded_as_far_as_memory_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palabre.arena.worker.free_megabytes", lambda: 16_000.0)
    assert (kept_bots(1), kept_bots(2), kept_bots(100)) == (200, 100, KEPT_BOTS)
    player = Player(
        Setup(SMALL.spec, 0, {f"idiot {seed}": (f"idiot:seed={seed}", Clock()) for seed in range(4)}, kept_bots=2)
    )
    first = player._bot("idiot 0", 0)
    assert player._bot("idiot 0", 0) is first
    player._bot("idiot 1", 0)
    player._bot("idiot 2", 0)
    assert player._bot("idiot 0", 0) is not first


def test_progress_is_told_while_it_is_played() -> None:
    seen: list[Progress] = []
    with hold(["greedy", "idiot"], play=False) as held:
        list(held.play(watcher=lambda row, progress: seen.append(replace(progress))))
    assert [one.done for one in seen] == [1, 2]
