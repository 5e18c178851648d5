"""What the arena itself costs: events beside a plain loop over the same games.

    python -m benchmarks.arena

Two figures. Bots that play at random, 60 of them on Avalam, each against each with both seats: 3,540 games, by the wall
clock on two cores. And the share of an event's processor time that goes into bots, for games that take half a second;
referee, store, the traffic between processes and their start are the rest.
"""

import os
import resource
import tempfile
import time
from pathlib import Path

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
SEARCHER_GAME, SEARCHER_GAMES = "awele", 80
HALF_A_SECOND, CALIBRATION = 0.5, 5  # pairs of games
PLIES = 4
SANDBOX = "PALABRE_SANDBOX"
# The engine, in the process that plays. After each game it adds the processor time of its own to a file.
COUNTED = """\
import time
from palabre.bots.engine import Palabre

class Counted(Palabre):
    spent = 0.0

    def start(self, game, seat):
        begin = time.process_time()
        super().start(game, seat)
        self.spent += time.process_time() - begin

    def choose(self, position, clock):
        begin = time.process_time()
        move = super().choose(position, clock)
        self.spent += time.process_time() - begin
        return move

    def end_game(self, position):
        with open({file!r}, "a") as out:
            out.write(f"{{self.spent}}\\n")
        self.spent = 0.0
"""
MOST_SECONDS, LEAST_SHARE = 60.0, 0.95


def event_seconds(specs: list[str], game: str, repeats: int, workers: int) -> tuple[int, float, float]:
    """An event in a file: games, seconds by the wall clock, and processor seconds of all its processes."""
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "event") as store:
        store.begin(Settings(game, "match", 0, {"kind": "random", "plies": PLIES}))
        store.admit([BotRow(spec, spec, "") for spec in specs])
        begin, used = time.perf_counter(), processor_seconds()
        games = sum(1 for _ in Event(store, fixed_list(2, repeats), workers=workers).play())
        return games, time.perf_counter() - begin, processor_seconds() - used


def loop_seconds(specs: tuple[str, str], game: str, pairs: int) -> float:
    """Processor seconds of pairs of games in a plain loop, in this process."""
    played = palabre.game(game)
    bots = [palabre.bot(spec, played) for spec in specs]
    for bot in bots:
        teach(bot)
        bot.sit_down(played, 0)  # compiled before the clock starts
    begin = time.process_time()
    for opening in draw_openings(played, pairs, PLIES, 0):
        for seats in (bots, bots[::-1]):
            play_game(seats, start_of(played, opening), opening=opening.moves)
    return time.process_time() - begin


def processor_seconds() -> float:
    """Of this process and of all that it has started and that have ended."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def nodes_for_half_a_second() -> int:
    """Nodes for a move with which a game takes about half a second of this machine's processor."""
    nodes = 10_000
    for _ in range(2):
        seconds = loop_seconds((f"palabre:nodes={nodes}", f"palabre:nodes={nodes},seed=1"), SEARCHER_GAME, CALIBRATION)
        nodes = max(100, int(nodes * HALF_A_SECOND / (seconds / (2 * CALIBRATION))))
    return nodes


def searchers(nodes: int, workers: int) -> dict[str, float]:
    """Games of the engine: how long they take, and which share of the processor's time its own code gets."""
    with tempfile.TemporaryDirectory() as folder:
        spent, bot = Path(folder) / "spent", Path(folder) / "counted.py"
        bot.write_text(COUNTED.format(file=str(spent)), encoding="utf-8")
        pair = [f"{bot}:nodes={nodes}", f"{bot}:nodes={nodes},seed=1"]
        before = os.environ.get(SANDBOX)
        os.environ[SANDBOX] = "off"  # as our own bots play, which this one is
        try:
            games, wall, used = event_seconds(pair, SEARCHER_GAME, SEARCHER_GAMES // 2, workers)
        finally:
            del os.environ[SANDBOX]
            if before is not None:
                os.environ[SANDBOX] = before
        in_bots = sum(float(line) for line in spent.read_text(encoding="utf-8").split())
    return {
        "games of searchers": games,
        "nodes a move": nodes,
        "processor seconds for a game": used / games,
        "wall seconds of searchers": wall,
        "share of the event in bots": in_bots / used,
    }


def measure(workers: int | None = None) -> dict[str, float]:
    """Both figures, the first beside a plain loop."""
    processes = workers or os.cpu_count() or 1
    games, wall, used = event_seconds([f"idiot:seed={n}" for n in range(CROWD)], CROWD_GAME, 1, processes)
    loop = loop_seconds(("idiot:seed=0", "idiot:seed=1"), CROWD_GAME, SAMPLE // 2)
    return {
        "workers": processes,
        "games of the crowd": games,
        "wall seconds": wall,
        "processor seconds": used,
        "processor seconds of a plain loop": loop * games / SAMPLE,
        **searchers(nodes_for_half_a_second(), processes),
    }


def goals(found: dict[str, float]) -> list[tuple[str, float, float, bool]]:
    """What is wanted: title, figure, goal, and whether it is met."""
    wall, share = found["wall seconds"], found["share of the event in bots"]
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
