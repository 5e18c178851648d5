"""Championships: who enters, who is admitted, what is played, and what the table says."""

import shutil
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import palabre
from palabre.arena.debugging import find_moment, prepare
from palabre.arena.event import EventProgress
from palabre.arena.games import GameQueue
from palabre.arena.playing import KEPT_BOTS, Player, Setup, kept_bots
from palabre.arena.rows import BotRow
from palabre.arena.trial import examine
from palabre.bots.bot import Bot
from palabre.core.words import say
from palabre.play.failures import SandboxBroken
from palabre.sandbox.players import seat
from palabre.search.clock import Clock
from palabre.web.report.write import write_report
from tests.arena.championships import BOT, FIRST, LAST, SMALL, hand_in, hold, verdicts
from tests.arena.needs import needs_sandbox
from tests.command import PATIENCE
from tests.messages import holds, refuses
from tests.sentences import tells

pytestmark = pytest.mark.processes

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
        why = {bot.name: bot.why_rejected(SMALL.words().home) for bot in held.bots}
        assert [name for name, reason in told.items() if not reason] == ["Anna", "Bert", "Carl", "greedy", "idiot"]
        holds(why["two"], "submission.several_bots", path="two.py", number=2)
        holds(why["Dora"], "forfeit.raised_at", kind="ZeroDivisionError", file="Dora.py", line="8")
        holds(why["Dora"], "trial.forfeit", player=1, plies=0)
        holds(why["Emil"], "error.illegal_move", move="nonsense")
        holds(why["fritz"], "submission.no_kind", path="fritz.rar")
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
        write_report(held.store, tmp_path / "report", "friday")
    assert "Traceback" not in (tmp_path / "report" / "public" / "index.html").read_text()
    private = [path.read_text() for path in (tmp_path / "report" / "private").glob("bot-*/index.html")]
    [dora] = [page for page in private if "Dora</h1>" in page]
    assert tells(dora, "forfeit.raised_at", kind="ZeroDivisionError")
    assert "Mark: 0." in dora
    assert "Traceback" in dora


@needs_sandbox
def test_a_submission_does_not_see_the_files_of_others(tmp_path: Path) -> None:
    hand_in(tmp_path, "Anna")
    thief = hand_in(tmp_path, "Thief")
    thief.write_text("import Anna\n" + thief.read_text())
    with hold([tmp_path, "greedy"], play=False) as held:
        [thief_row] = [bot for bot in held.bots if bot.name == "Thief"]
        holds(thief_row.why_rejected(), "spec.unloadable", file="Thief.py")
        assert "No module named 'Anna'" in thief_row.reason


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
    with refuses("event.no_bots", folder=tmp_path / "empty"):
        hold([tmp_path / "empty"])
    with refuses("format.too_few", format="round-robin", least=2, bots=1):
        hold(["greedy"])
    with refuses("spec.no_bot", name="gready"):
        hold(["gready", "idiot"])
    with refuses("event.all_compete", format="swiss"):
        hold(["greedy", "idiot"], staff=["random"], format="swiss")
    with refuses("marks.unknown", spec="best"):
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
    with refuses("event.bot_changed", bot="Bert"):
        hold([folder], event)
    with hold([folder], event, again=["Bert"]) as held:
        superseded = [row.superseded for row in held.rows(superseded=True) if "Bert" in row.bots]
        assert superseded == ["bot changed", None] * 4
    (folder / "Carl.py").rename(tmp_path / "Carl.py")
    with refuses("event.lost", bot="Carl"):
        hold([folder], event)
    with hold([folder], event, withdrawn=["Carl"]) as held:
        assert {name for row in held.rows() for name in row.bots} == {"Anna", "Bert"}
        assert "Carl" not in {line.bot.name for line in held.leaderboard().lines}
    with refuses("event.still_given", bot="Anna"):
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
            raise SandboxBroken(say("sandbox.broken", how=say("sandbox.ended")))
        return seat(spec, game, **options)

    monkeypatch.setattr("palabre.arena.playing.seat", broken_seat)
    monkeypatch.setattr("palabre.arena.trial.seat", broken_seat)
    found = examine(BotRow("seven", "idiot:seed=7", ""), "idiot:seed=7", SMALL)
    holds(found.reason, "trial.no_sandbox", times=3)
    holds(found.reason, "sandbox.ended")
    assert len(tried) == 3
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


def test_until_a_time_whole_rounds_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game takes one second of the clock, a round has six, and there are 20 seconds."""
    monkeypatch.setattr(GameQueue, "game_seconds", 1.0)
    with hold(["greedy", "idiot", "idiot:seed=9"], format="round-robin:repeats=300", play=False) as held:
        list(held.play(until=20.0, now=lambda: len(held.rows())))
        assert not held.is_finished
        assert [row.meeting.round for row in held.rows()] == [0] * 6 + [1] * 6 + [2] * 6
        list(held.play(until=20.0, now=lambda: 21.0))
        assert len(held.rows()) == 18


# ---------------------------------------------------------------------------------------------------------- debugging


@needs_sandbox
def test_a_moment_of_a_game_comes_back_in_this_process(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    anna = hand_in(tmp_path, "Anna", f"print('thinking', clock.remaining)\n        {FIRST}")
    with hold([anna, "idiot"], tmp_path / "e", clock=Clock(remaining=9 * PATIENCE)) as held:
        row = held.rows()[0]
        turns = [ply for ply in range(row.opening, row.plies) if row.bots[row.movers[ply]] == "Anna"]
        moment = find_moment(held.store, 1, turns[1])
        assert (moment.name, moment.played, len(moment.past)) == ("Anna", row.moves[turns[1]], 1)
        assert 0 < (moment.clock.remaining or 0) < 9 * PATIENCE
        for given in ("Anna", str(anna)):
            answer = prepare(held.store, moment, given, trusted=True).choose(moment.position, moment.clock)
            assert isinstance(answer, palabre.Move)
            assert answer.text == moment.played
        assert capsys.readouterr().out.count(f"thinking {moment.clock.remaining}\n") == 2
        with refuses("debug.other_turn", bot="Anna", other="idiot"):
            prepare(held.store, moment, "idiot")
        with refuses("record.no_game", number=9, games=2):
            find_moment(held.store, 9, 3)
        with refuses("debug.no_turn", ply=1, number=1, least=2):
            find_moment(held.store, 1, 1)
        with refuses("debug.over", number=1, ply=row.plies):
            find_moment(held.store, 1, row.plies)


def test_bots_stay_loaded_as_far_as_memory_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palabre.arena.playing.free_megabytes", lambda: 16_000.0)
    assert (kept_bots(1), kept_bots(2), kept_bots(100)) == (200, 100, KEPT_BOTS)
    monkeypatch.setattr("palabre.arena.playing.kept_bots", lambda workers: 2)
    player = Player(Setup(SMALL.spec, 0, {f"idiot {seed}": (f"idiot:seed={seed}", Clock()) for seed in range(4)}))
    first = player._bot("idiot 0", 0)
    assert player._bot("idiot 0", 0) is first
    player._bot("idiot 1", 0)
    player._bot("idiot 2", 0)
    assert player._bot("idiot 0", 0) is not first


def test_progress_is_told_while_it_is_played() -> None:
    seen: list[EventProgress] = []
    with hold(["greedy", "idiot"], play=False) as held:
        list(held.play(watcher=lambda row, progress: seen.append(replace(progress))))
    assert [one.done for one in seen] == [1, 2]
