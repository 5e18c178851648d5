"""Bots that learn from observations: in this process, in workers, in sandboxes, within their time."""

import contextlib
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

import palabre
from palabre.arena.championship import Championship, Plan
from palabre.arena.debugging import find_moment, prepare
from palabre.arena.match import Match
from palabre.arena.store import read_store
from palabre.bots.bot import Bot
from palabre.core.observations import Observation, from_cells
from palabre.play.failures import Limits
from palabre.play.guard import LEARNING_SECONDS, NO_DATA, Lesson, teach
from palabre.sandbox.players import seat
from palabre.sandbox.proxy import SandboxedBot
from tests.arena.clocks import HeldClock
from tests.arena.needs import needs_sandbox
from tests.command import PATIENCE
from tests.core.test_observations import won_games
from tests.messages import holds, refuses

GAME = palabre.game("awele")
ROWS = [row for rows in won_games(GAME, 2) for row in rows]
OBSERVATIONS = from_cells(GAME, [row.cells for row in ROWS])

# Plays the pit that the winners chose most often, and tells what it has been given.
STUDENT = """
import collections
from palabre import Bot

class Student(Bot):
    name = "Student"
    authors = ("Anna",)

    def learn(self, data, budget):
        self.chosen = collections.Counter(one.move.code for one in data if one.won)
        first = data[0] if data else None
        told = first and (first.position.text, first.cells, first.game)
        print("learnt", len(data), budget, *(told or ()), flush=True)

    def score_moves(self, position):
        return [self.chosen[move.code] for move in position.moves()]
"""
SLOW = STUDENT.replace("        first =", "        import time; time.sleep(1e6)\n        first =").replace(
    "Student", "Slow"
)


def written(tmp_path: Path, source: str, name: str = "student.py") -> str:
    file = tmp_path / name
    file.write_text(source, encoding="utf-8")
    return str(file)


def test_a_lesson_is_known_by_its_rows() -> None:
    lesson = Lesson(OBSERVATIONS)
    assert lesson.title.startswith(f"{len(OBSERVATIONS)} observations ")
    assert Lesson(OBSERVATIONS[:-1]).title != lesson.title
    assert Lesson().title == NO_DATA


def test_a_bot_in_this_process_that_takes_too_long_is_told_so() -> None:
    now = HeldClock()

    class Sleeper(Bot):
        spec = "sleeper"

        def learn(self, data: object, budget: float) -> None:
            now.sleep(0.2)

    teach(Sleeper(), Lesson((), 0.2), now=now)
    with refuses("lesson.late", bot="sleeper", allowed=0.1):
        teach(Sleeper(), Lesson((), 0.1), now=now)


@pytest.mark.parametrize("workers", [0, 1])
def test_the_bots_of_a_match_get_the_observations(
    tmp_path: Path, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALABRE_SANDBOX", "off")
    said: list[str] = []
    bots = (written(tmp_path, STUDENT), "idiot")
    with Match(bots, GAME, 2, balanced=False, lesson=Lesson(OBSERVATIONS, 7.0)) as match:
        rows = list(match.play(workers, on_output=said.append))
    assert [row.forfeit for row in rows] == [None, None]
    if workers:  # what bots print in this process goes elsewhere
        first = OBSERVATIONS[0]
        assert f"learnt {len(ROWS)} 7.0 {first.position.text} {first.cells} {first.game}" in "\n".join(said)


@needs_sandbox
def test_so_do_bots_in_sandboxes(tmp_path: Path) -> None:
    player = seat(written(tmp_path, STUDENT), GAME, untrusted=True)
    assert isinstance(player, SandboxedBot)
    teach(player, Lesson(OBSERVATIONS, 7.0))
    first = OBSERVATIONS[0]
    assert f"learnt {len(ROWS)} 7.0 {first.position.text} {first.cells} {first.game}" in player.output_tail
    player.close()


@needs_sandbox
def test_a_bot_in_a_sandbox_can_learn_with_scikit_learn(tmp_path: Path) -> None:
    source = STUDENT.replace(
        "        first =",
        "        from sklearn.ensemble import RandomForestClassifier\n"
        "        rows = [[int(cell) for cell in one.cells[:12]] for one in data]\n"
        "        self.model = RandomForestClassifier(10, random_state=0).fit(rows, [one.move.code for one in data])\n"
        "        first =",
    )
    player = seat(written(tmp_path, source), GAME, untrusted=True)
    teach(player, Lesson(OBSERVATIONS, 60.0))
    player.sit_down(GAME, 0)
    assert str(player.choose(GAME.start(), palabre.Clock(per_move=PATIENCE))) in "ABCDEF"
    assert isinstance(player, SandboxedBot)
    player.end_game(GAME.start())
    sandbox = player._sandbox
    player.sit_down(GAME, 0)
    assert player._sandbox is sandbox  # it need not learn again for its second game
    player.close()


@needs_sandbox
def test_a_bot_in_a_sandbox_is_stopped_when_its_time_for_learning_is_over(tmp_path: Path) -> None:
    player = seat(written(tmp_path, SLOW), GAME, limits=Limits(loading=PATIENCE), untrusted=True)
    with refuses("lesson.failed") as caught:
        teach(player, Lesson(OBSERVATIONS, 0.3))
    holds(caught.value.message, "forfeit.no_end_of_learning", allowed=0.3)


@needs_sandbox
def test_the_verdict_of_a_championship_says_so(tmp_path: Path) -> None:
    hurried = Plan(GAME, "course:repeats=1", balanced=False, lesson=Lesson(OBSERVATIONS, 0.5))
    with Championship(hurried, [written(tmp_path, SLOW, "slow.py"), "idiot"], None) as held:
        [verdict] = held.examine()
        assert not verdict.is_admitted
        holds(verdict.reason, "forfeit.no_end_of_learning", allowed=0.5)
    bots = [written(tmp_path, STUDENT), "idiot"]
    plan = replace(hurried, lesson=Lesson(OBSERVATIONS, PATIENCE))
    file = tmp_path / "some.event"
    with Championship(plan, bots, file) as held:
        [verdict] = held.examine()
        assert verdict.is_admitted, verdict
        held.admit()
        assert {row.forfeit for row in held.play(0)} == {None}
    with refuses("event.other_setting", name="--data", before=Lesson(OBSERVATIONS).title, now=NO_DATA):
        Championship(replace(plan, lesson=Lesson((), PATIENCE)), bots, file)
    with refuses("event.other_setting", name="--learning-time", before=PATIENCE, now=LEARNING_SECONDS):
        Championship(replace(plan, lesson=Lesson(OBSERVATIONS)), bots, file)


def test_who_debugs_a_bot_must_give_the_same_observations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALABRE_SANDBOX", "off")
    path, file = written(tmp_path, STUDENT), tmp_path / "some.event"
    with Match((path, "idiot"), GAME, 2, balanced=False, lesson=Lesson(OBSERVATIONS), file=file) as match:
        list(match.play())
    with read_store(file, trusted=True) as store:
        ply = next(ply for ply in (4, 5) if find_moment(store, 1, ply).name == path)
        moment = find_moment(store, 1, ply)
        with refuses("debug.other_lesson", before=Lesson(OBSERVATIONS).title, now=NO_DATA):
            prepare(store, moment, path)
        made = prepare(store, moment, path, OBSERVATIONS)
        assert made.choose(moment.position, moment.clock).text == moment.played  # type: ignore[union-attr]


def test_old_events_have_learnt_from_nothing(tmp_path: Path) -> None:
    file = tmp_path / "some.event"
    with Match(("greedy", "idiot"), GAME, 2, balanced=False, file=file) as match:
        list(match.play())
    with contextlib.closing(sqlite3.connect(file)) as database, database:
        assert database.execute("DELETE FROM settings WHERE key IN ('data', 'learning')").rowcount == 2
    with read_store(file, trusted=True) as store:
        assert store.settings.data == NO_DATA
    with Match(("greedy", "idiot"), GAME, 2, balanced=False, file=file) as match:
        assert len(list(match.rows())) == 2


def test_observations_are_what_they_say() -> None:
    assert all(isinstance(one, Observation) for one in OBSERVATIONS)
    assert {one.move in one.position.moves() for one in OBSERVATIONS} == {True}
