"""What the sandbox costs: `python -m benchmarks.sandbox` plays the same bot in process and in a sandbox, in turn.

A move in the sandbox is a message in, a wake-up, the answer, and a stop of all its processes. The figure is the median
over many moves of a bot that answers at once, less the median in process. Run it on an idle machine.

It is measured twice: with referee and sandbox on one processor, where they only ever take turns, and wherever the
system puts them, where each message may have to wake another processor.
"""

import contextlib
import os
import statistics
import tempfile
import time
from pathlib import Path

import palabre
from palabre.bots.bot import Bot
from palabre.bots.specs import bot
from palabre.play.failures import Limits
from palabre.sandbox.bubblewrap import why_not
from palabre.sandbox.players import close_bot, seat
from palabre.search.clock import Clock

SOURCE = """
from palabre import Bot

class First(Bot):
    def choose(self, position, clock):
        return position.moves()[0]
"""
GOAL = 200.0  # microseconds for a move
COST = "the sandbox costs, µs"
CLOCK = Clock(per_move=10.0)


def measure(games: int, processors: tuple[int, ...], spec: str = "awele") -> dict[str, float]:
    """Medians on these processors: microseconds for a move, milliseconds to begin a game and to load a bot."""
    game = palabre.game(spec)
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, processors)
    with contextlib.ExitStack() as stack:
        stack.callback(os.sched_setaffinity, 0, before)
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        file = Path(folder) / "first.py"
        file.write_text(SOURCE, encoding="utf-8")
        Path(folder).chmod(0o755)
        inside, outside = seat(str(file), game, limits=Limits(processors=processors)), bot(str(file), game)
        begin = time.perf_counter()
        inside.learn((), 10.0)
        loading = time.perf_counter() - begin
        moves: dict[Bot, list[float]] = {inside: [], outside: []}
        starts: dict[Bot, list[float]] = {inside: [], outside: []}
        for seed in range(games):
            for player in (inside, outside):
                _play(player, game, seed, moves[player], starts[player])
        assert len(moves[inside]) == len(moves[outside])
        close_bot(inside)
    medians = {player: statistics.median(times) for player, times in moves.items()}
    return {
        "moves": len(moves[inside]),
        "in process, µs": 1e6 * medians[outside],
        "in a sandbox, µs": 1e6 * medians[inside],
        COST: 1e6 * (medians[inside] - medians[outside]),
        "nine moves in ten, µs": 1e6 * statistics.quantiles(moves[inside], n=10)[-1],
        "to begin a game, ms": 1e3 * statistics.median(starts[inside]),
        "to load a bot, ms": 1e3 * loading,
    }


def _play(player: Bot, game: palabre.Game, seed: int, moves: list[float], starts: list[float]) -> None:
    """Play a game in which the player moves for both sides, and note the seconds."""
    begin = time.perf_counter()
    player.sit_down(game, 0, seed)
    starts.append(time.perf_counter() - begin)
    position = game.start(seed)
    while not position.is_over:
        begin = time.perf_counter()
        move = player.choose(position, CLOCK)
        moves.append(time.perf_counter() - begin)
        position = position.play(move)
    player.end_game(position)


def measure_all(games: int = 40) -> dict[str, dict[str, float]]:
    """On one processor and on all; nothing where there are no sandboxes."""
    processors = tuple(sorted(os.sched_getaffinity(0)))
    places = {"one processor": processors[:1], "any processor": processors}
    return {} if why_not() is not None else {title: measure(games, chosen) for title, chosen in places.items()}


def goals(figures: dict[str, dict[str, float]]) -> list[tuple[str, float, float, bool]]:
    """What is wanted: title, figure, goal, and whether it is met."""
    return [
        (f"Sandbox, µs for a move, {title}, at most", part[COST], GOAL, part[COST] <= GOAL)
        for title, part in figures.items()
    ]


def markdown(figures: dict[str, dict[str, float]]) -> str:
    """The figures as a table."""
    lines = ["| sandbox | figure | |", "|---|---|---|"]
    lines += [f"| {title} | {name} | {value:,.1f} |" for title, part in figures.items() for name, value in part.items()]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    print(markdown(measure_all()) if why_not() is None else why_not())
