"""What the arena itself costs: events beside a plain loop over the same games.

    python -m benchmarks.arena

Two figures. Bots that play at random, 60 of them on Avalam, each against each with both seats: 3,540 games, by the wall
clock on two cores. And the share of an event's processor time that goes into bots, for games that take half a second;
referee, store and the traffic between processes are the rest. What workers need to start is told apart.
"""

import os
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import palabre
from palabre.arena.event import Event
from palabre.arena.guard import teach
from palabre.arena.lineups import fixed_list
from palabre.arena.openings import draw_openings, start_of
from palabre.arena.referee import play_game
from palabre.arena.rows import BotRow, Settings
from palabre.arena.store import open_store

CROWD, CROWD_GAME = 60, "avalam"
SAMPLE = 300  # games of the crowd in the plain loop
# On one core a game takes about half a second.
SEARCHER, SEARCHER_GAME, SEARCHER_GAMES = "palabre:nodes={nodes}", "awele", 40
HALF_A_SECOND, CALIBRATION = 0.5, 5  # pairs of games
PLIES = 4
MOST_SECONDS, LEAST_SHARE = 60.0, 0.95


def event_seconds(specs: list[str], game: str, repeats: int, workers: int) -> tuple[int, float, float]:
    """An event in a file: games, seconds by the wall clock, and processor seconds of all its processes."""
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "event") as store:
        store.begin(Settings(game, "match", 0, {"kind": "random", "plies": PLIES}))
        store.admit([BotRow(spec, spec, "") for spec in specs])
        begin, used = time.perf_counter(), processor_seconds()
        games = sum(1 for _ in Event(store, fixed_list(2, repeats), workers=workers).play())
        return games, time.perf_counter() - begin, processor_seconds() - used


def loop_seconds(specs: tuple[str, str], game: str, pairs: int) -> tuple[float, float]:
    """Pairs of games in a plain loop, in this process: processor seconds of all, and of the bots' moves alone."""
    played = palabre.game(game)
    bots = [palabre.bot(spec, played) for spec in specs]
    in_bots: list[float] = []
    for bot in bots:
        teach(bot)
        bot.sit_down(played, 0)  # compiled before the clock starts
        bot.choose = _timed(bot.choose, in_bots)  # type: ignore[method-assign]
        bot.start = _timed(bot.start, in_bots)  # type: ignore[method-assign]
    begin = time.process_time()
    for opening in draw_openings(played, pairs, PLIES, 0):
        for seats in (bots, bots[::-1]):
            play_game(seats, start_of(played, opening), opening=opening.moves)
    return time.process_time() - begin, sum(in_bots)


def _timed(hook: Callable[..., Any], spent: list[float]) -> Callable[..., Any]:
    def timed(*arguments: Any) -> Any:
        begin = time.process_time()
        answer = hook(*arguments)
        spent.append(time.process_time() - begin)
        return answer

    return timed


def processor_seconds() -> float:
    """Of this process and of all that it has started and that have ended."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def nodes_for_half_a_second() -> int:
    """Nodes for a move with which a game takes about half a second of this machine's processor."""
    nodes = 10_000
    for _ in range(2):
        pair = (SEARCHER.format(nodes=nodes), SEARCHER.format(nodes=nodes) + ",seed=1")
        seconds, _ = loop_seconds(pair, SEARCHER_GAME, CALIBRATION)
        nodes = max(100, int(nodes * HALF_A_SECOND / (seconds / (2 * CALIBRATION))))
    return nodes


def measure(workers: int | None = None) -> dict[str, float]:
    """Both figures, each beside a plain loop."""
    processes = workers or os.cpu_count() or 1
    games, wall, used = event_seconds([f"idiot:seed={n}" for n in range(CROWD)], CROWD_GAME, 1, processes)
    loop, _ = loop_seconds(("idiot:seed=0", "idiot:seed=1"), CROWD_GAME, SAMPLE // 2)
    nodes = nodes_for_half_a_second()
    pair = (SEARCHER.format(nodes=nodes), SEARCHER.format(nodes=nodes) + ",seed=1")
    few, _, starting = event_seconds(list(pair), SEARCHER_GAME, processes, processes)
    many, many_wall, many_used = event_seconds(list(pair), SEARCHER_GAME, SEARCHER_GAMES // 2, processes)
    long_loop, in_bots = loop_seconds(pair, SEARCHER_GAME, SEARCHER_GAMES // 2)
    return {
        "workers": processes,
        "games of the crowd": games,
        "wall seconds": wall,
        "processor seconds": used,
        "processor seconds of a plain loop": loop * games / SAMPLE,
        "games of searchers": many,
        "nodes a move": nodes,
        "wall seconds of searchers": many_wall,
        "processor seconds of searchers": many_used,
        "processor seconds of searchers in a plain loop": long_loop,
        "processor seconds to start": starting - few * long_loop / many,
        "share of a plain loop in bots": in_bots / long_loop,
        "share of the event in bots, once started": in_bots / many * (many - few) / (many_used - starting),
    }


def goals(found: dict[str, float]) -> list[tuple[str, float, float, bool]]:
    """What is wanted: title, figure, goal, and whether it is met."""
    wall, share = found["wall seconds"], found["share of the event in bots, once started"]
    return [
        ("Arena, seconds for 3,540 games of 60 bots, at most", wall, MOST_SECONDS, wall < MOST_SECONDS),
        ("Arena, share of the processor that goes into bots", share, LEAST_SHARE, share >= LEAST_SHARE),
    ]


def markdown(found: dict[str, float]) -> str:
    """The figures as a table."""
    lines = ["| arena | figure |", "|---|---|"]
    lines += [f"| {name} | {value:,.3g} |" for name, value in found.items()]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    print(markdown(measure()))
