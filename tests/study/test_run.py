"""Experiments run, are stopped, resume, and end as if they had not been stopped."""

import contextlib
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import palabre
from palabre.arena.rows import Meeting, Outcome
from palabre.arena.store import read_store
from palabre.core import registry
from palabre.core.errors import PalabreError
from palabre.study import Experiment, Games, Measurement, Results, run
from palabre.study.experiment import schedule
from palabre.study.measuring import measure
from tests.command import PLAIN, end, environment, wait_until
from tests.messages import refuses
from tests.study import small
from tests.take_away import source

ROOT = Path(__file__).parents[2]


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A game of somebody's, with little to compile."""
    file = tmp_path / "take_away.py"
    file.write_text(source(), encoding="utf-8")
    return file


@contextlib.contextmanager
def program(*words: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A Python program under way, as plain Python; it is killed in the end."""
    command = [sys.executable, *words]
    pipe, settings = subprocess.PIPE, environment(None, **PLAIN)
    with subprocess.Popen(command, cwd=ROOT, env=settings, stdout=pipe, stderr=pipe) as process:
        try:
            yield process
        finally:
            process.kill()


def timeless(results: Results) -> dict[str, Any]:
    """What an experiment has found, without times and dates."""
    games = [replace(row, seconds=(), started="", duration=0.0) for row in results.games("duel")]
    return {"games": games, "squares": results.rows("squares")}


@pytest.mark.processes
def test_a_run_that_was_killed_resumes_and_ends_as_if_it_had_not_been(
    game: Path, tmp_path: Path, plain_python: None
) -> None:
    experiment = small.experiment(game)
    calls: list[tuple[str, int, int]] = []
    whole = run(
        experiment,
        tmp_path / "whole",
        workers=0,
        on_progress=lambda step, done, total, _: calls.append((step, done, total)),
    )
    assert [claim.judge(whole).verdict for claim in experiment.claims] == ["confirmed", "confirmed"]
    games = len(whole.games("duel"))
    half = whole.half_width("duel")
    assert half is not None
    assert half <= 0.03 or games == 200
    assert [done for step, done, _ in calls if step == "duel"] == list(range(1, games + 1))
    assert calls[-5:] == [("squares", number, 5) for number in range(1, 6)]

    folder = tmp_path / "stopped"
    for by in (signal.SIGKILL, signal.SIGINT):
        before = count(folder)
        with program("-m", "tests.study.small", str(game), str(folder), "1") as process:
            wait_until(lambda before=before: count(folder) > before)  # type: ignore[misc]
            end(process, by)
    assert 0 < count(folder) < games
    assert not Results(experiment, folder).is_finished("duel")
    again = run(experiment, folder, workers=2)
    assert timeless(again) == timeless(whole)
    assert all(again.is_finished(step.name) for step in experiment.steps)


def count(folder: Path) -> int:
    try:
        with read_store(folder / "duel.event") as store:
            return store.count_games()
    except PalabreError:  # it has not begun
        return 0


def test_a_folder_that_cannot_be_made_is_named(game: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with refuses("experiment.unwritable", folder=tmp_path / "file" / "data"):
        run(small.experiment(game), tmp_path / "file" / "data")


# ------------------------------------------------------------------------------------------------------------- games


def test_all_line_ups_play_until_the_widest_interval_is_narrow() -> None:
    names = ["a", "b", "c"]
    next_round = schedule(Games("three", dict.fromkeys(names, "random")), 2, 1000)
    played: list[Outcome] = []
    while meetings := next_round(names, played):
        # `a` wins all its games; b and c share theirs, so their interval is the widest for long.
        for meeting in meetings:
            for bots in meeting.lineups():
                shares = tuple({"a": 1.0}.get(name, 0.0 if "a" in bots else 0.5) for name in bots)
                played.append(Outcome(meeting, bots, shares, (0, 0)))
    openings = {outcome.meeting.repeat for outcome in played}
    assert len(played) == 6 * len(openings)
    # Of a kind of pair that has not occurred in n, the chance may be 1 - 0.025 ** (1 / n): 121 openings for ± 3 %.
    assert 60 <= len(openings) <= 140
    assert len({outcome.meeting for outcome in played}) == 3 * len(openings)


def test_a_cap_ends_a_line_up_that_is_never_precise() -> None:
    next_round = schedule(Games("two", {"a": "random", "b": "random"}), 2, 40)
    played: list[Outcome] = []
    rounds = 0
    while meetings := next_round(["a", "b"], played):
        rounds += 1
        for meeting in meetings:
            share = float(meeting.repeat % 2)
            played += [
                Outcome(meeting, bots, (share, 1 - share) if bots[0] == "a" else (1 - share, share), (0, 0))
                for bots in meeting.lineups()
            ]
    assert len(played) == 80
    assert rounds == 3


def test_only_the_pairings_of_a_step_meet() -> None:
    bots = {"x": "greedy", "y": "random", "z": "greedy:seed=1"}
    step = Games("some", bots, pairings=(("y", "x"), ("z", "y")))
    assert step.lineups(["1", "2", "3"], 2) == [("1", "2"), ("2", "3")]
    [first, second] = schedule(step, 2, 1)(["1", "2", "3"], [])
    assert (first, second) == (Meeting(0, ("1", "2"), 0), Meeting(0, ("2", "3"), 0))


# ------------------------------------------------------------------------------------------------------ measurements


def rows(file: Path) -> list[int]:
    return [row["found"]["square"] for row in json.loads(file.read_text(encoding="utf-8"))["rows"]]


@pytest.mark.processes
def test_a_measurement_resumes_where_it_stopped(tmp_path: Path, small_game: Path) -> None:
    game, file = registry.game(str(small_game)), tmp_path / "squares.json"
    calls: list[tuple[int, int]] = []

    def report(done: int, cases: int, seconds_left: float | None) -> None:
        calls.append((done, cases))

    measure(small.SQUARES, game, file, 0, None, report, quick=True)
    measure(small.SQUARES, game, file, 0, None, report)
    measure(small.SQUARES, game, file, 0, None, report)
    assert calls == [(1, 1), *((number, 5) for number in (2, 3, 4, 5))]
    assert rows(file) == [0, 1, 4, 9, 16]
    changed = json.loads(file.read_text(encoding="utf-8")) | {"digest": "of other sources"}
    file.write_text(json.dumps(changed), encoding="utf-8")
    measure(small.SQUARES, game, file, 2, None, report)
    assert calls[-5:] == [(number, 5) for number in (1, 2, 3, 4, 5)]
    assert rows(file) == [0, 1, 4, 9, 16]


def test_cases_that_a_measurement_no_longer_has_are_forgotten(tmp_path: Path, small_game: Path) -> None:
    game, file = registry.game(str(small_game)), tmp_path / "squares.json"
    measure(small.SQUARES, game, file)
    measure(replace(small.SQUARES, cases=small.SQUARES.cases[:2]), game, file)
    assert rows(file) == [0, 1]


def count_observations(observations: list[object]) -> dict[str, int]:
    """What a measurement that learns is given."""
    return {"observations": len(observations)}


def test_a_measurement_that_learns_gets_the_observations(tmp_path: Path, plain_python: None) -> None:
    [record] = palabre.self_play("awele", 1, nodes=20)
    observations = palabre.observed(record)
    step = Measurement("count", count_observations, [{}], learns=True)
    experiment = Experiment(name="learning", game="awele", steps=[step], claims=[])
    results = run(experiment, tmp_path, workers=0, observations=observations)
    assert results.rows("count") == [{"observations": len(observations)}]
    assert results.data is not None
    assert results.data.startswith(f"{len(observations)} observations ")
    fewer = run(experiment, tmp_path, workers=0, observations=observations[1:])
    assert fewer.rows("count") == [{"observations": len(observations) - 1}]


PATIENT = '''
import os
import sys
import time
from pathlib import Path

from palabre.study import Experiment, Measurement, run


def wait(number: int, folder: str) -> dict[str, int]:
    """The first case, which is measured before the others, is done at once; the others take all day."""
    if number:
        Path(folder, f"{os.getpid()}.pid").touch()
        time.sleep(86400)
    return {}


if __name__ == "__main__":
    game, folder = sys.argv[1:]
    cases = [{"number": number, "folder": folder} for number in range(4)]
    steps = [Measurement("waiting", wait, cases)]
    run(Experiment(name="patience", game=game, steps=steps, claims=[]), Path(folder), workers=2)
'''


@pytest.mark.processes
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends processes with their parent")
@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGKILL])
def test_measurements_under_way_end_with_the_program(by: signal.Signals, game: Path, tmp_path: Path) -> None:
    (tmp_path / "patient.py").write_text(PATIENT, encoding="utf-8")

    def measuring() -> list[str]:
        return [one.stem for one in tmp_path.glob("*.pid") if Path("/proc", one.stem).exists()]

    with program(str(tmp_path / "patient.py"), str(game), str(tmp_path)) as process:
        wait_until(lambda: len(measuring()) == 2)
        end(process, by)
    wait_until(lambda: not measuring())
    assert process.returncode != 0
    kept = json.loads((tmp_path / "waiting.json").read_text(encoding="utf-8"))
    assert [row["case"]["number"] for row in kept["rows"]] == [0]
