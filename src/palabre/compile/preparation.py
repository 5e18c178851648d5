"""Progress messages while a kernel is compiled: how long it will take, and how far it is.

Both go by the bytecode of the kernel and of all that it calls. The time also goes by how fast this machine has compiled
before, or most machines do, and grows if it turns out to take longer.
"""

import contextlib
import json
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType

from palabre.compile import cache
from palabre.core.files import replace_file
from palabre.core.kernels import KERNELS, Verb
from palabre.core.words import say

log = logging.getLogger(__name__)

USUAL_SPEED = 2000.0  # bytes of bytecode a second, on a machine that has compiled nothing yet
MOST_SPEEDS = 9  # that are remembered: other programs may have slowed one of them down
CERTAIN = 0.2  # the part after which the time so far predicts how long all of it takes
WHOLE = 0.3  # the part of the time that goes into the kernel as a whole, when each function in it has been made

_announced: set[tuple[str, type]] = (
    set()
)  # titles and states of games: one message for each, however many kernels it has


@contextmanager
def reported(title: str, kernel: FunctionType, *classes: type) -> Iterator[Callable[[str], None]]:
    """Log that a kernel is being compiled, the first time for each game, and then how far it is.

    Call what it yields with the qualified name of each function that has been compiled. Progress is in records of level
    DEBUG with an attribute `fraction`, from 0 to 1, and `seconds`, what all of it takes.
    """
    lengths = outline(kernel, *classes)
    total = sum(lengths.values())
    seconds = expected_seconds(total)
    if (title, classes[0]) not in _announced:
        _announced.add((title, classes[0]))
        log.info("%s", say("compile.preparing", title=title, seconds=max(1, round(seconds))))
    begin = time.perf_counter()

    def report(fraction: float) -> None:
        passed = time.perf_counter() - begin
        whole = max(seconds, passed / fraction) if fraction >= CERTAIN else seconds
        log.debug("preparing %s", title, extra={"fraction": fraction, "seconds": whole})

    def is_made(name: str) -> None:
        lengths.pop(name, None)
        report((1 - WHOLE) * (1 - sum(lengths.values()) / total))

    report(0.0)
    try:
        yield is_made
        remember(total, time.perf_counter() - begin)
    finally:
        report(1.0)


def outline(kernel: FunctionType, *classes: type) -> dict[str, int]:
    """The functions that a kernel calls for these classes of states and weights, with the length of their bytecode.

    The names are qualified names, as Numba writes them. What Numba adds of its own is not among them.
    """
    waiting = [kernel]
    lengths: dict[FunctionType, int] = {}
    while waiting:
        function = waiting.pop()
        if function in lengths:
            continue
        codes = list(_codes(function.__code__))
        lengths[function] = sum(len(code.co_code) for code in codes)
        for name in {name for code in codes for name in code.co_names}:
            called = function.__globals__.get(name)
            if isinstance(called, Verb):
                answers = [called.answers[kind] for kind in classes if kind in called.answers]
                waiting += answers or [called.default]
            elif isinstance(called, FunctionType) and called in KERNELS:
                waiting.append(called)
    return {function.__qualname__: length for function, length in lengths.items()}


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A function's code, and that of the functions in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def seconds_for(kernel: FunctionType, *classes: type) -> float:
    """How long this machine takes to compile a kernel for these classes of states and weights, about."""
    return expected_seconds(sum(outline(kernel, *classes).values()))


def expected_seconds(length: int) -> float:
    """How long this machine takes to compile so much bytecode, about."""
    speeds = sorted(_speeds()) or [USUAL_SPEED]
    return length / speeds[len(speeds) // 2]


def remember(length: int, seconds: float) -> None:
    """Remember how long it has taken to compile so much bytecode; it is no harm if that fails."""
    with contextlib.suppress(OSError):
        replace_file(cache.root() / "speeds.json", json.dumps([*_speeds(), length / seconds][-MOST_SPEEDS:]))


def _speeds() -> list[float]:
    """What is remembered, in bytes of bytecode a second."""
    try:
        known = json.loads((cache.root() / "speeds.json").read_text("utf-8"))
        return [float(speed) for speed in known if float(speed) > 0]
    except (OSError, ValueError, TypeError):  # there is nothing yet, or it is damaged
        return []
