"""Running an experiment: its steps one after another, each resumed where it was stopped."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from palabre.arena.event import EventProgress
from palabre.arena.match import Match
from palabre.arena.rows import GameRow
from palabre.arena.store import read_store
from palabre.core.errors import PalabreError
from palabre.core.observations import Observation
from palabre.core.system import usable_cores
from palabre.core.words import say
from palabre.laws.first_use import given_game
from palabre.play.guard import Lesson
from palabre.study.experiment import Experiment, Games, schedule
from palabre.study.measuring import Report, measure
from palabre.study.results import Results
from palabre.workers.cluster.connection import check_cluster


def run(
    experiment: Experiment,
    folder: Path,
    *,
    most: int | None = None,
    quick: bool = False,
    again: Sequence[str] = (),
    workers: int | None = None,
    on: str | None = None,
    on_progress: Callable[[str, int, int, float | None], None] | None = None,
    observations: Sequence[Observation] = (),
) -> Results:
    """Run the steps of an experiment that are missing in a folder, which is made if need be, and return the results.

    Games and measurements are kept as they end, so the same call resumes. A line-up plays at most `most` games, by
    default as many as its step says; a `quick` run is just enough to see that everything works. `again` names bots that
    have changed, whose games are played again. `workers` processes play and measure, by default one for each core; 0
    does all in this process. With `on`, "ray" or "ray://HOST:PORT", the cores of a Ray cluster do, and `workers` is the
    most of them that play. Bots learn from `observations`. After each game and each case, `on_progress` gets the name
    of the step, how many are done, how many are scheduled so far, and the seconds that these still take, if known.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PalabreError(say("experiment.unwritable", folder=folder, error=error.strerror)) from error
    if on is not None:
        check_cluster(on)
    results = Results(experiment, folder, most=most, quick=quick, observations=observations)
    for step in experiment.steps:
        report = partial(on_progress or (lambda *_: None), step.name)
        if isinstance(step, Games):
            _play(results, step, again, Lesson(observations), workers, on, report)
        else:
            game, file = given_game(experiment.game), results.file(step.name)
            measure(step, game, file, workers, on, report, quick=quick, observations=observations)
    return results


def _play(
    results: Results,
    step: Games,
    again: Sequence[str],
    lesson: Lesson,
    workers: int | None,
    on: str | None,
    report: Report,
) -> None:
    """Play the games of a step that are missing."""

    def watch(row: GameRow, progress: EventProgress) -> None:
        report(progress.done, progress.scheduled, progress.seconds_left)

    with open_match(results, step, again, lesson) as match:
        if workers is None:
            threads = max(int(bot.options.get("threads", 1)) for bot in match.bots)
            workers = 0 if on is not None else max(1, usable_cores() // threads)
        for _ in match.play(workers, on=on, in_thread=True, watcher=watch):
            pass


def open_match(results: Results, step: Games, again: Sequence[str] = (), lesson: Lesson | None = None) -> Match:
    """The match of a step, as far as it has been played."""
    game = given_game(step.game or results.experiment.game)
    openings = -(-results.most(step.name) // game.players)
    bots, file = results.bots(step.name), results.file(step.name)
    known: set[str] = set()
    if again and file.exists():
        with read_store(file, trusted=True) as store:
            known = {bot.name for bot in store.bots()}
    return Match(
        [bots[name] for name in step.bots],
        game,
        openings * game.players,
        clocks=step.clock,
        seed=step.seed,
        plies=step.plies,
        balanced=results.is_balanced(step.name),
        file=file,
        again=[name for name in again if name in known],
        title=f"experiment {step.format}".strip(),
        next_round=schedule(step, game.players, openings),
        lesson=lesson,
    )
