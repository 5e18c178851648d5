"""`palabre reproduce`: runs, is stopped and goes on, judges, and writes its pages."""

import json
import re
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from palabre.arena.outcome import Meeting, Outcome
from palabre.arena.store import read_store
from palabre.core import registry
from palabre.core.errors import PalabreError
from palabre.experiments.experiment import Games
from palabre.experiments.find import all_experiments, experiments_of, find
from palabre.experiments.results import Results
from palabre.experiments.run import measure, state, until_precise
from tests.command import PLAIN, end, palabre, running, wait_until
from tests.experiments import small
from tests.messages import refuses
from tests.sentences import tells
from tests.take_away import source

pytestmark = pytest.mark.processes


@pytest.fixture
def game_file(tmp_path: Path) -> Path:
    """Somebody's game with an experiment."""
    file = tmp_path / "take_away.py"
    file.write_text(source() + "\n\n" + Path(small.__file__).read_text(encoding="utf-8"), encoding="utf-8")
    return file


def reproduce(game_file: Path, *arguments: str) -> list[dict[str, Any]]:
    folder = game_file.parent
    given = ("--data", str(folder / "data"), "--output", str(folder / "pages"), "--workers", "1", "--json")
    done = palabre("reproduce", str(game_file), *given, *arguments, settings=PLAIN)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def test_an_experiment_is_played_judged_and_written(game_file: Path) -> None:
    [found] = reproduce(game_file)
    [experiment] = experiments_of(registry.game(str(game_file)))
    folder = game_file.parent / "data" / "take-away"
    assert state(experiment.experiment, experiment.game, folder).startswith("done: ")
    assert [claim["verdict"] for claim in found["claims"]] == ["confirmed", "confirmed"]
    [games] = found["games"]
    assert games["is_finished"]
    assert games["half_width"] <= 0.03 or games["games"] == 200
    page = (game_file.parent / "pages" / "take-away-duel.md").read_text(encoding="utf-8")
    assert "| Thinking helps. | 9 of 10 games |" in page
    assert "**confirmed**" in page
    assert "palabre reproduce take-away-duel" in page
    assert "<svg" in (game_file.parent / "pages" / "take-away-duel.svg").read_text(encoding="utf-8")
    index = (game_file.parent / "pages" / "index.md").read_text(encoding="utf-8")
    assert "[Take-Away: who wins?](take-away-duel.md)" in index


def test_a_run_that_was_killed_goes_on_and_ends_as_if_it_had_not_been(game_file: Path, tmp_path: Path) -> None:
    [whole] = reproduce(game_file)
    other = tmp_path / "other"
    event = other / "take-away" / "duel.event"
    arguments = ("reproduce", str(game_file), "--data", str(other), "--output", str(tmp_path / "again"), "--json")
    for by in (signal.SIGKILL, signal.SIGINT):
        before = _count(event)
        with running(*arguments, "--workers", "1", settings=PLAIN) as process:
            wait_until(lambda before=before: _count(event) > before)  # type: ignore[misc]
            end(process, by)
    [experiment] = experiments_of(registry.game(str(game_file)))
    assert re.fullmatch(r"\d+ games", state(experiment.experiment, experiment.game, event.parent))
    assert 0 < _count(event) < _count(tmp_path / "data" / "take-away" / "duel.event")
    done = palabre(*arguments, settings=PLAIN)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [{**whole, "games": [{**whole["games"][0], "last": _last(done.stdout)}]}]


def _count(event: Path) -> int:
    try:
        with read_store(event) as store:
            return store.count_games()
    except PalabreError:  # it has not begun
        return 0


def _last(printed: str) -> str:
    return str(json.loads(printed)[0]["games"][0]["last"])


def test_the_list_says_how_far_experiments_have_come(tmp_path: Path) -> None:
    done = palabre("reproduce", "--data", str(tmp_path), "--json")
    listed = json.loads(done.stdout)
    assert [one["name"] for one in listed] == [found.name for found in all_experiments()]
    assert {one["state"] for one in listed} == {"not begun"}


def test_an_unknown_name_gets_the_names_that_there_are() -> None:
    with refuses("experiment.unknown", name="nonsense"):
        find("nonsense")


# ------------------------------------------------------------------------------------------------------------- steps


def test_all_line_ups_play_until_the_widest_interval_is_narrow() -> None:
    names = ["a", "b", "c"]
    next_round = until_precise(Games("three", dict.fromkeys(names, "random")), 2, 1000)
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
    next_round = until_precise(Games("two", {"a": "random", "b": "random"}), 2, 40)
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


def test_a_measurement_goes_on_where_it_stopped(tmp_path: Path, game_file: Path) -> None:
    game = registry.game(str(game_file))
    [found] = experiments_of(game)
    experiment = found.experiment
    step = experiment.step("squares")
    assert not isinstance(step, Games)
    told: list[tuple[str, int, int]] = []
    file = tmp_path / "squares.json"
    measure(step, game, file, quick=True, tell=lambda *words: told.append(words))
    measure(step, game, file, tell=lambda *words: told.append(words))
    measure(step, game, file, tell=lambda *words: told.append(words))
    assert told == [("squares", 1, 1), *(("squares", number, 5) for number in (2, 3, 4, 5))]
    assert [row["square"] for row in Results(experiment, tmp_path).rows("squares")] == [0, 1, 4, 9, 16]
    changed = json.loads(file.read_text(encoding="utf-8")) | {"digest": "of other sources"}
    file.write_text(json.dumps(changed), encoding="utf-8")
    measure(step, game, file, workers=2, tell=lambda *words: told.append(words))
    assert told[-5:] == [("squares", number, 5) for number in (1, 2, 3, 4, 5)]
    assert [row["square"] for row in Results(experiment, tmp_path).rows("squares")] == [0, 1, 4, 9, 16]


def test_cases_that_a_measurement_no_longer_has_are_forgotten(tmp_path: Path, small_game: Path) -> None:
    game = registry.game(str(small_game))
    [experiment] = small.EXPERIMENTS
    step = experiment.step("squares")
    assert not isinstance(step, Games)
    file = tmp_path / "squares.json"
    measure(step, game, file)
    measure(replace(step, cases=step.cases[:2]), game, file)
    assert [row["square"] for row in Results(experiment, tmp_path).rows("squares")] == [0, 1]


# ------------------------------------------------------------------------------------------------- what comes with us


@pytest.mark.parametrize("name", [found.name for found in all_experiments()])
def test_every_experiment_runs_quickly(name: str, tmp_path: Path) -> None:
    given = ("--data", str(tmp_path / "data"), "--output", str(tmp_path), "--workers", "1", "--json")
    done = palabre("reproduce", name, "--quick", *given, settings=PLAIN)
    assert done.returncode == 0, done.stderr
    [found] = json.loads(done.stdout)
    assert found["quick"]
    assert all(claim["verdict"] in ("confirmed", "refuted", "undecided") for claim in found["claims"])
    assert (tmp_path / f"{name}.md").read_text(encoding="utf-8").startswith("# ")


def test_names_of_experiments_and_steps_are_names_of_files() -> None:
    for found in all_experiments():
        steps = [step.name for step in found.experiment.steps]
        for name in (found.experiment.name, *steps):
            assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name), name


def test_steps_of_one_name_in_a_game_are_one_step() -> None:
    steps: dict[tuple[str, str], object] = {}
    for found in all_experiments():
        for step in found.experiment.steps:
            assert steps.setdefault((found.game.spec, step.name), step) is step


def test_a_game_without_experiments_has_none(small_game: Path) -> None:
    assert experiments_of(registry.game(str(small_game))) == []
    with pytest.raises(PalabreError, match="defines no EXPERIMENTS"):
        find(str(small_game))


def test_only_the_pairings_of_a_step_meet() -> None:
    bots = {"x": "greedy", "y": "random", "z": "greedy:seed=1"}
    step = Games("some", bots, pairings=(("y", "x"), ("z", "y")))
    assert step.lineups(["1", "2", "3"], 2) == [("1", "2"), ("2", "3")]
    [first, second] = until_precise(step, 2, 1)(["1", "2", "3"], [])
    assert (first, second) == (Meeting(0, ("1", "2"), 0), Meeting(0, ("2", "3"), 0))


# ---------------------------------------------------------------------------------------------------------- stopping

PATIENT = '''
import os
import time
from pathlib import Path

from palabre.experiments.experiment import Experiment, Measurement


def wait(number: int, folder: str) -> dict[str, int]:
    """The first case, which is measured before the others, is done at once; the others take all day."""
    if number:
        Path(folder, f"{os.getpid()}.pid").touch()
        time.sleep(86400)
    return {}


EXPERIMENTS = (
    Experiment(
        name="patience",
        title="",
        question="",
        steps=[Measurement("waiting", wait, [{"number": number, "folder": FOLDER} for number in range(4)])],
        claims=[],
        minutes=1440,
    ),
)
'''


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends processes with their parent")
@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGKILL])
def test_measurements_under_way_end_with_the_command(by: signal.Signals, tmp_path: Path) -> None:
    file = tmp_path / "take_away.py"
    file.write_text(f"{source()}\n\nFOLDER = {str(tmp_path)!r}\n{PATIENT}", encoding="utf-8")
    given = ("--data", str(tmp_path / "data"), "--output", str(tmp_path / "pages"), "--workers", "2")

    def measuring() -> list[str]:
        return [one.stem for one in tmp_path.glob("*.pid") if Path("/proc", one.stem).exists()]

    with running("reproduce", str(file), *given, settings=PLAIN) as process:
        wait_until(lambda: len(measuring()) == 2)
        _, told = end(process, by)
    wait_until(lambda: not measuring())
    assert process.returncode != 0
    if by is signal.SIGINT:
        assert tells(" ".join(told.split()), "experiment.stopped", name="take-away-patience")
    kept = json.loads((tmp_path / "data" / "take-away" / "waiting.json").read_text(encoding="utf-8"))
    assert [row["case"]["number"] for row in kept["rows"]] == [0]
