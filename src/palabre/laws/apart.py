"""The check in a process of its own, with bounds checks: even a crash or an endless loop becomes a sentence."""

import queue
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import Struct

from palabre.compile.compiler import is_disabled
from palabre.core import registry
from palabre.core.culprit import in_one_line
from palabre.core.errors import PalabreError
from palabre.core.given import given_count, given_function, given_integer, given_seconds
from palabre.core.plain import from_plain, to_plain
from palabre.core.words import Message, own_words
from palabre.laws.check import Laws
from palabre.laws.inquiry import LawBroken
from palabre.workers.job import Lane
from palabre.workers.local import LocalCrew
from palabre.workers.messages import Exit, Task, TaskFailed
from palabre.workers.pool import Pool
from palabre.workers.service import NO_SETUP, Running, stateless

say = own_words(__file__)

BOUNDS_CHECKS = {"NUMBA_BOUNDSCHECK": "1"}
COMPILING = 600.0  # seconds that compiling, and starting Python, may take on a busy machine
NO_RULE = ("step.python", "step.compiling", "step.elsewhere")  # steps in which no rule is asked

OnStep = Callable[[Message, int], None]  # called with what is being done and how many positions have been checked


class CheckStep(Struct, frozen=True):
    """What is being done, and where."""

    id: str  # of a message
    where: str


class Checked(Struct, frozen=True):
    """How much was checked, and the law that is broken, if one is."""

    games: int = 0
    positions: int = 0
    closely: int = 0
    compiled: bool = False
    broken: Any = None  # a message as plain data

    @property
    def law(self) -> Message | None:
        """The law that is broken, as a message."""
        law: Message | None = from_plain(self.broken)
        return law


class CheckGame(Task[Checked], frozen=True):
    """Check a game along so many random games from a seed, or quickly for so many seconds."""

    RESULT = Checked
    REPORT = CheckStep

    game: str
    games: int = 0
    seed: int = 0
    seconds: float | None = None


def check_apart(task: CheckGame, patience: float, on_step: OnStep) -> Checked:
    """Check a game; raises `PalabreError` if it cannot be loaded. A rule may take so many seconds to answer."""
    lane = Lane(LocalCrew(__name__, NO_SETUP, 1, environment=BOUNDS_CHECKS), most_deaths=1)
    steps: queue.SimpleQueue[CheckStep | None] = queue.SimpleQueue()
    last, seen = CheckStep("step.python", ""), 0
    with Pool(lane) as pool:
        job = pool.submit(lane, task, on_progress=steps.put)
        job.when_done(lambda job: steps.put(None))
        try:
            while True:
                is_ending = last.id in NO_RULE or not lane.workers  # or beginning
                try:
                    step = steps.get(timeout=COMPILING if is_ending else patience)
                except queue.Empty:
                    if lane.workers:
                        return broken(say("apart.silent", seconds=patience, place=_place(last)))
                    continue
                if step is None:
                    return job.result()
                last = step
                seen += step.id == "step.position"  # later steps come back to the same positions
                on_step(say(step.id), seen)
        except TaskFailed as error:
            if error.exit is None:
                raise PalabreError(error.message) from None
            return broken(_death(error.exit, _place(last)))


def check_game(
    spec: str | Path,
    games: int = 50,
    *,
    seed: int = 0,
    patience: float = 30.0,
    on_step: OnStep | None = None,
) -> Checked:
    """Check in a process of its own that a game obeys the laws that everything else relies on, along random games.

    A `PalabreError` says why a game cannot be loaded. A rule may take `patience` seconds to return. `on_step` is called
    with what is being done, a message, and how many positions have been seen.
    """
    given_count("check_game", "games", games)
    given_integer("check_game", "seed", seed)
    given_seconds("check_game", "patience", patience)
    given_function("check_game", "on_step", on_step)
    return check_apart(CheckGame(str(spec), games, seed), patience, on_step or (lambda doing, seen: None))


def broken(law: Message | str) -> Checked:
    """The result for a game that breaks a law."""
    return Checked(broken=to_plain(law))


def _place(last: CheckStep) -> Message:
    if last.where:
        return say("apart.doing_in", doing=say(last.id), where=last.where)
    return say("apart.doing", doing=say(last.id))


def _death(exit: Exit, place: Message) -> Message:
    """How a process died, and what that usually means."""
    code = exit.status or 0
    if code >= 0:
        output = say("apart.said", words=exit.stderr_tail[-1]) if exit.stderr_tail else ""
        return say("apart.exited", code=code, said=output, place=place)
    names = {each.value: each.name for each in signal.Signals}
    return say("apart.crashed", signal=names.get(-code, f"signal {-code}"), place=place)


# -------------------------------------------------------------------------------------------------------- in the worker


def check(state: None, task: CheckGame, running: Running) -> Checked:
    """Check a game."""

    def on_step(id: str, where: str) -> None:
        running.report(CheckStep(id, where))

    on_step("step.loading", "")
    try:
        laws, games = Laws(registry.game(task.game), on_step), task.games
        if task.seconds is None:
            laws.look_closely(games, task.seed)
        else:
            games = laws.look_quickly(task.seconds)
    except LawBroken as error:
        return broken(error.message)
    except PalabreError:
        raise
    except Exception as error:  # a mistake that no law checks; its author still learns where it is
        return broken(say("asked.unforeseen", error=in_one_line(error)))
    return Checked(games, laws.positions, len(laws.visited), not is_disabled())


SERVICE = stateless({CheckGame: check})
