"""Running an experiment: its steps one after another, each continued where it was stopped.

Games are played by whoever the caller says, so that there is one place in Palabre where an event is run.
"""

import contextlib
import json
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import as_completed
from pathlib import Path
from typing import Any

from palabre import __version__
from palabre.arena.event import NextRound
from palabre.arena.formats import read_format
from palabre.arena.match import Match
from palabre.arena.outcome import Meeting, Outcome
from palabre.arena.parcels import Parcels
from palabre.arena.result import interval_95, meeting_scores
from palabre.arena.store import read_store
from palabre.core import registry
from palabre.core.database import lock_file
from palabre.core.errors import PalabreError
from palabre.core.files import replace_file
from palabre.core.game import Game
from palabre.core.observations import Cells, Observation
from palabre.core.words import say
from palabre.experiments.code import code_of
from palabre.experiments.experiment import QUICK_GAMES, Experiment, Games, Measurement
from palabre.experiments.find import experiments_of
from palabre.experiments.results import Results, read_rows
from palabre.play.guard import Lesson
from palabre.workers.calls import calls

BATCH = 16  # openings before the first look at the precision
PART = 8  # later batches are this part of the openings so far

Play = Callable[[Match, Games], None]  # plays the games of a step's match that are missing
Tell = Callable[[str, int, int], None]  # is told which measurement goes on, and how many of how many cases are done


def run(
    experiment: Experiment,
    game: Game,
    folder: Path,
    play: Play,
    *,
    most: int | None = None,
    quick: bool = False,
    again: Sequence[str] = (),
    workers: int = 1,
    on: str | None = None,
    tell: Tell | None = None,
    observations: Sequence[Observation] = (),
) -> Results:
    """Run the steps that are missing in a folder, which is made if need be, and return what all have found.

    A line-up plays at most `most` games if that is given, and otherwise as many as its step says. With `quick` it is
    just enough to see that everything works. `again` names bots that have changed, whose games are played again.
    Bots that learn do so from `observations`. So many workers measure here; or, with `on`, all cores of a Ray cluster.
    """
    make_folder(folder)
    results = Results(experiment, folder)
    for step in experiment.steps:
        if isinstance(step, Games):
            file = results.event(step.name)
            with open_match(step, game, file, most, quick=quick, again=again, observations=observations) as match:
                play(match, step)
        else:
            file = folder / f"{step.name}.json"
            measure(step, game, file, workers, quick=quick, on=on, tell=tell, observations=observations)
    return results


def make_folder(folder: Path) -> None:
    """Make a folder if it is not there; a `PalabreError` says why it cannot be done."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PalabreError(say("experiment.unwritable", folder=folder, error=error.strerror)) from error


def open_match(
    step: Games,
    game: Game,
    file: Path,
    most: int | None = None,
    *,
    quick: bool = False,
    again: Sequence[str] = (),
    observations: Sequence[Observation] = (),
) -> Match:
    """The match of a step, as far as it has been played."""
    variant = registry.game(step.game) if step.game else game
    seats = variant.players
    openings = -(-(most or (QUICK_GAMES if quick else step.most)) // seats)
    bots = {**step.bots, **step.quick} if quick else step.bots
    known = _names_in(file) if again else set()
    return Match(
        [bots[name] for name in step.bots],
        variant,
        openings * seats,
        clocks=step.clock,
        seed=step.seed,
        plies=step.plies,
        balanced=step.balanced and not quick,  # judging openings takes longer than a quick game
        file=file,
        again=[name for name in again if name in known],
        title=f"experiment {step.format}".strip(),
        next_round=schedule(step, seats, openings),
        lesson=Lesson(observations),
    )


def schedule(step: Games, seats: int, most: int) -> NextRound:
    """Who meets whom, on at most so many openings."""
    return read_format(step.format, players=seats).next_round if step.format else until_precise(step, seats, most)


def until_precise(step: Games, seats: int, most: int) -> NextRound:
    """The format of an experiment: all line-ups play the same openings, in batches, until all scores are precise."""

    def next_round(names: Sequence[str], played: Sequence[Outcome]) -> list[Meeting]:
        tables = step.lineups(names, seats)
        openings = len(played) // (len(tables) * seats)
        if openings and widest(tables, played) <= step.precision:
            return []
        count = min(max(BATCH, openings // PART), most - openings)
        number = played[-1].meeting.round + 1 if played else 0
        return [Meeting(number, table, openings + new) for new in range(count) for table in tables]

    return next_round


def widest(tables: Sequence[tuple[str, ...]], played: Sequence[Outcome]) -> float:
    """Half the width of the widest 95 % interval of a line-up's score."""
    halves = []
    for table in tables:
        pairs = list(meeting_scores(table[0], [game for game in played if game.meeting.bots == table]))
        low, high = interval_95(sum(pairs) / len(pairs) if pairs else 0.5, pairs)
        halves.append((high - low) / 2)
    return max(halves)


def state(experiment: Experiment, game: Game, folder: Path) -> str:
    """How far an experiment has come, in a few words."""
    words, is_done = [], True
    for step in experiment.steps:
        if isinstance(step, Measurement):
            done = len(read_rows(folder / f"{step.name}.json")["rows"])
            words += [f"{done} of {len(step.cases)} cases"] if done else []
            is_done &= done == len(step.cases)
            continue
        file = folder / f"{step.name}.event"
        is_done &= file.exists()
        if file.exists():
            with read_store(file, trusted=True) as store:
                words.append(f"{store.count_games():,} games")
                names, seats = [bot.name for bot in store.bots()], store.game().players
                is_done &= not schedule(step, seats, step.most // seats)(names, store.outcomes())
    return f"{'done: ' if is_done else ''}{', '.join(words) or 'not begun'}"


def _names_in(file: Path) -> set[str]:
    """The bots of an event, if it has begun."""
    if not file.exists():
        return set()
    with read_store(file, trusted=True) as store:
        return {bot.name for bot in store.bots()}


# ------------------------------------------------------------------------------------------------------- measurements


def measure(
    step: Measurement,
    game: Game,
    file: Path,
    workers: int = 1,
    *,
    quick: bool = False,
    on: str | None = None,
    tell: Tell | None = None,
    observations: Sequence[Observation] = (),
) -> None:
    """Measure the cases that are missing in a file. If the sources have changed since, all of them are missing."""
    cases = list((step.quick or step.cases[:1]) if quick else step.cases)
    with lock_file(file, say("experiment.in_use", file=file)):
        rows = [one.cells for one in observations] if step.learns else []
        kept, digest = read_rows(file), _digest(step, game, rows)
        known = {_key(one["case"]): one for one in kept["rows"] if kept["digest"] == digest}
        missing = [case for case in cases if _key(case) not in known]

        def keep() -> None:
            done = [known[_key(case)] for case in cases if _key(case) in known]
            replace_file(file, json.dumps({"digest": digest, "rows": done}, indent=1) + "\n")

        keep()  # without cases that the step no longer has
        with contextlib.closing(_measured(step, game, missing, workers, rows, on)) as measured:
            for number, (case, found) in enumerate(measured, start=1):
                known[_key(case)] = {"case": dict(case), "found": dict(found)}
                keep()
                if tell is not None:
                    tell(step.name, len(cases) - len(missing) + number, len(cases))


def _measured(
    step: Measurement,
    game: Game,
    cases: Sequence[Mapping[str, Any]],
    workers: int,
    rows: Sequence[Cells],
    on: str | None,
) -> Generator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Each case with what was found, as it is found."""
    if not cases:
        return
    given = {"rows": rows} if step.learns else {}
    yield cases[0], step.measure(**cases[0], **given)  # compiles, so that the other processes find the code on disk
    if step.is_timed or len(cases) < 3 or (workers <= 1 and on is None):
        for case in cases[1:]:
            yield case, step.measure(**case, **given)
        return
    parcels = Parcels()
    spec = game.spec if on is None else parcels.game(game.spec)
    with calls(workers, on, parcels.archives) as submit:
        running = {submit(measure_case, spec, step.name, dict(case), given): case for case in cases[1:]}
        for done in as_completed(running):
            yield running[done], done.result()


def measure_case(spec: str, step: str, case: Mapping[str, Any], given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Measure a case of a step of a game's experiments, for whoever calls from another process or machine."""
    steps = (one for found in experiments_of(registry.game(spec)) for one in found.experiment.steps)
    wanted = next(one for one in steps if one.name == step)
    assert isinstance(wanted, Measurement)
    return wanted.measure(**case, **given)


def _digest(step: Measurement, game: Game, rows: Sequence[Cells]) -> str:
    """A digest of what decides the results: the code that measures, its material, the game and our version."""
    from palabre.compile.digest import source_digest  # slow to import, and not needed to list experiments

    said = json.dumps([__version__, game.spec, code_of(step.measure), *rows])
    return source_digest(game.sources(), said)


def _key(case: Mapping[str, Any]) -> str:
    return json.dumps(dict(case), sort_keys=True)
