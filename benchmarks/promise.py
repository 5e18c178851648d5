"""Whether the engine keeps its time, as a driver sees it: through UGI, both sides by one process, on busy processors.

    python -m benchmarks.promise [--searches 2000] [--threads 1] [--stops 200] [--games awele,abalone]

Each game of ours is played by one `palabre ugi` that is asked for both sides in turn, from a new game on, with limits
of 5 to 200 ms a move and never an `isready`. As many processes as there are processors do nothing but count meanwhile.
Promised: 99.9 % of the moves come within their limit and 15 ms, none later than 50 ms after it, each from a search.
Then, with nothing else running, the engine gets a stop; promised is an answer within 20 ms.

The time is measured from the driver's `go` to its reading `bestmove`, so it includes the pipe and both processes.

A program can be late because it computed for too long, or because it was not running: other programs had the
processors, or the host of a virtual machine did. Beside each answer that came too late stands for how much of the time
the engine had a processor, and how much the host took (Linux counts the latter in steps of 10 ms, all processors
together). An engine that had one for less than its limit did not compute for too long.
"""

import argparse
import contextlib
import multiprocessing
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import palabre
from palabre.core import registry

SHORTEST, LONGEST = 0.005, 0.2  # seconds
USUAL_LATE, MOST_LATE = 0.015, 0.05
LATE_STOP = 0.02
BENCH_SEARCHES, BENCH_STOPS = 500, 100  # in `make bench`, which has about a minute for them
MOVES_TITLE, STOPS_TITLE = "moves on busy processors", "stops"
IN_TIME, LATE, NONE = "in time, %", "late, %", "without a search, %"
LEAST_IN_TIME = 99.9  # per cent of the moves
NO_SEARCH = -1
CPU_CLOCK = 2  # of a process, in the number that Linux and POSIX give its clock
STEAL = 8  # the number, in the first line of /proc/stat, of the time that the host has taken


class Delay(NamedTuple):
    """How late an answer came, and what the engine and the host did meanwhile; in seconds."""

    late: float  # negative for one that came before its limit
    limit: float
    running: float  # for how long the engine had a processor
    stolen: float  # what the host took from all processors, from the question to the answer
    depth: int  # how deep the search was; NO_SEARCH for a move of an engine that was not ready
    asked: str  # the game and the number of the move


def count_for_ever() -> None:
    """Keep a processor busy."""
    while True:
        pass


@contextlib.contextmanager
def busy_processors() -> Iterator[None]:
    """Have every processor busy with something else."""
    workers = [multiprocessing.Process(target=count_for_ever, daemon=True) for _ in range(os.cpu_count() or 1)]
    for worker in workers:
        worker.start()
    try:
        yield
    finally:
        for worker in workers:
            worker.kill()


def stolen() -> float:
    """Seconds that the host has taken from all processors so far; 0 where that is not known."""
    try:
        fields = Path("/proc/stat").read_text("ascii").split()
    except OSError:
        return 0.0
    return int(fields[STEAL]) / os.sysconf("SC_CLK_TCK")


def processor_time(process: int) -> float:
    """Seconds that a process has had a processor for so far, all its threads together; 0 where that is not known."""
    try:
        return time.clock_gettime(~process << 3 | CPU_CLOCK)
    except (AttributeError, OSError):
        return 0.0


class Engine:
    """An engine in a process of its own, and how late it answers."""

    def __init__(self, game: str, threads: int) -> None:
        self.game = game
        command = [sys.executable, "-m", "palabre", "ugi", game, "--bot", f"palabre:threads={threads}"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1
        )
        self.say("ugi")
        self.read("ugiok")

    def say(self, *lines: str) -> None:
        assert self.process.stdin is not None
        for line in lines:
            print(line, file=self.process.stdin, flush=True)

    def read(self, word: str) -> list[str]:
        """The lines up to and with the one that begins with a word."""
        assert self.process.stdout is not None
        lines = [self.process.stdout.readline()]
        while not lines[-1].startswith(word):
            assert lines[-1], "the engine has ended"
            lines.append(self.process.stdout.readline())
        return lines

    def answer(self, question: str, limit: float, number: int) -> tuple[str, Delay]:
        """The move with this number, which answers a question, and how much later than its limit it came."""
        stolen_before, begin = stolen(), time.perf_counter()
        running_before = processor_time(self.process.pid)
        self.say(question)
        lines = self.read("bestmove")
        late = time.perf_counter() - begin - limit
        running = processor_time(self.process.pid) - running_before
        depths = [int(line.split()[2]) for line in lines if line.startswith("info depth")]
        is_plain = any(line.endswith("without a search\n") for line in lines)
        depth = NO_SEARCH if is_plain else max(depths, default=0)
        taken = stolen() - stolen_before
        return lines[-1].split()[1], Delay(late, limit, running, taken, depth, f"{self.game}, move {number}")

    def leave(self) -> None:
        self.say("quit")
        self.process.wait()


def lateness(name: str, moves: int, threads: int) -> list[Delay]:
    """How late each move of one process came that plays both sides of a game, and of the next."""
    first = Engine(name, threads)  # compiles, if that has never been done
    first.say("isready")
    first.read("readyok")
    first.leave()
    chance = random.Random(name)
    delays: list[Delay] = []
    with busy_processors():
        engine = Engine(name, threads)
        position = palabre.game(name).start()
        engine.say("uginewgame")
        while len(delays) < moves:
            if position.is_over:
                position = palabre.game(name).start()
                engine.say("uginewgame")
            played = " ".join(move.text for move in position.played)
            engine.say(f"position startpos moves {played}" if played else "position startpos")
            milliseconds = round(1000 * chance.uniform(SHORTEST, LONGEST))
            move, delay = engine.answer(f"go movetime {milliseconds}", milliseconds / 1000, len(position.played) + 1)
            position = position.play(move)
            delays.append(delay)
        engine.leave()
    return delays


def stop_delays(name: str, stops: int, threads: int) -> list[Delay]:
    """How long after `stop` each answer came."""
    engine = Engine(name, threads)
    chance = random.Random(name)
    delays = []
    for _ in range(stops):
        engine.say("isready", "position startpos", "go infinite")
        engine.read("readyok")
        time.sleep(chance.uniform(SHORTEST, LONGEST))
        delays.append(engine.answer("stop", 0.0, 1)[1])
    engine.leave()
    return delays


def figures(moves: list[Delay], stops: list[Delay]) -> dict[str, dict[str, float]]:
    """How many answers kept what is promised, in per cent."""

    def share(delays: list[Delay], holds: Callable[[Delay], bool]) -> float:
        return 100 * sum(map(holds, delays)) / len(delays)

    return {
        MOVES_TITLE: {
            "asked": len(moves),
            IN_TIME: share(moves, lambda delay: delay.late <= USUAL_LATE),
            LATE: share(moves, lambda delay: delay.late > MOST_LATE),
            NONE: share(moves, lambda delay: delay.depth < 1),
        },
        STOPS_TITLE: {
            "asked": len(stops),
            IN_TIME: share(stops, lambda delay: delay.late <= LATE_STOP),
        },
    }


def measure() -> dict[str, dict[str, float]]:
    """The figures of all games together, from fewer searches than the program alone asks for."""
    names = registry.names()
    moves = [delay for name in names for delay in lateness(name, BENCH_SEARCHES // len(names), 1)]
    stops = [delay for name in names for delay in stop_delays(name, BENCH_STOPS // len(names), 1)]
    return figures(moves, stops)


def goals(figures: dict[str, dict[str, float]]) -> list[tuple[str, float, float, bool]]:
    """What is promised: title, figure, goal, and whether it is met."""
    moves, stops = figures[MOVES_TITLE], figures[STOPS_TITLE]
    return [
        ("Time, % of moves within 15 ms, at least", moves[IN_TIME], LEAST_IN_TIME, moves[IN_TIME] >= LEAST_IN_TIME),
        ("Time, % of moves later than 50 ms", moves[LATE], 0.0, moves[LATE] == 0),
        ("Time, % of moves without a search", moves[NONE], 0.0, moves[NONE] == 0),
        ("Time, % of stops within 20 ms", stops[IN_TIME], 100.0, stops[IN_TIME] == 100),
    ]


def markdown(figures: dict[str, dict[str, float]]) -> str:
    """The figures as a table."""
    lines = ["| time promised | figure | |", "|---|---|---|"]
    lines += [f"| {title} | {name} | {value:,.4g} |" for title, part in figures.items() for name, value in part.items()]
    return "\n".join([*lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.promise", description=__doc__.split("\n")[0])
    parser.add_argument("--searches", type=int, default=2000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--stops", type=int, default=200)
    parser.add_argument("--games", default=",".join(registry.names()))
    options = parser.parse_args()
    names = options.games.split(",")
    begin, stolen_before = time.perf_counter(), stolen()
    late: list[Delay] = []
    for name in names:
        delays = lateness(name, -(-options.searches // len(names)), options.threads)
        late += delays
        depth = sum(max(0, delay.depth) for delay in delays) / len(delays)
        print(f"{name}: {describe_times(delays)}; mean depth {depth:.1f}")
    late.sort()
    kept = sum(delay.late <= USUAL_LATE for delay in late) / len(late)
    print(
        f"{len(late)} moves, {options.threads} thread(s), all {os.cpu_count()} processors busy: {describe_times(late)},"
    )
    print(f"{100 * kept:.2f} % within 15 ms of the limit (promised 99.9),")
    print(f"{sum(delay.late > MOST_LATE for delay in late)} later than 50 ms (promised none),")
    print(f"{sum(delay.depth < 1 for delay in late)} without a search, or from one that did not finish depth 1 (none)")
    print_late(late, USUAL_LATE)
    for delay in late:
        if delay.depth < 1:
            searched = "without a search" if delay.depth == NO_SEARCH else "depth 0"
            print(f"  {searched}: {delay.asked}, {1000 * delay.limit:.0f} ms, {in_ms(delay.late)}")
    if options.stops:
        delays = sorted(
            d for name in names for d in stop_delays(name, -(-options.stops // len(names)), options.threads)
        )
        print(f"{len(delays)} times stop: {describe_times(delays)},")
        print(f"{sum(delay.late > LATE_STOP for delay in delays)} later than 20 ms (promised none)")
        print_late(delays, LATE_STOP)
    had = (time.perf_counter() - begin) * (os.cpu_count() or 1)
    print(f"the host took {100 * (stolen() - stolen_before) / had:.1f} % of the processors' time")
    if hasattr(os, "getloadavg"):
        print(f"load average in the end: {os.getloadavg()[0]:.1f}, of which {os.cpu_count()} are this program's own")


def describe_times(delays: list[Delay]) -> str:
    """The median, the 99.9th percentile and the latest of some delays."""
    late = sorted(delay.late for delay in delays)
    tail = late[max(0, int(0.999 * len(late)) - 1)]
    return f"median {in_ms(late[len(late) // 2])}, 99.9 % {in_ms(tail)}, latest {in_ms(late[-1])}"


def in_ms(seconds: float) -> str:
    return f"{1000 * seconds:+.1f} ms"


def print_late(delays: list[Delay], limit: float) -> None:
    """Say of each answer that came later than that what the engine and the host did meanwhile."""
    for delay in delays:
        if delay.late > limit:
            whole = f"{1000 * delay.running:.0f} of {1000 * (delay.limit + delay.late):.0f} ms"
            host = f"the host took {1000 * delay.stolen:.0f} ms"
            print(f"  {in_ms(delay.late)} ({delay.asked}): the engine had a processor for {whole}, {host}")


if __name__ == "__main__":
    main()
