"""What the arena itself costs: events beside a plain loop over the same games.

    python -m benchmarks.arena

Two figures. Bots that play at random, 60 of them on Avalam, each against each with both seats: 3,540 games, by the wall
clock on two cores. And the share of an event's processor time that goes into bots, for games that take half a second,
of many moves and of few: once for the engine in the process that plays, once for bots of others, in plain Python and in
sandboxes. Referee, store, the traffic between processes, their start, and the sandboxes are the rest. A bot in a
sandbox has processes of its own, whose time is its own. The time in its own code is printed besides.
"""

import contextlib
import os
import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import palabre
from palabre.arena.event import Event
from palabre.arena.lineups import fixed_list
from palabre.arena.openings import draw_openings, start_of
from palabre.arena.rows import BotRow, GameRow, RandomOpenings, Settings
from palabre.arena.store import open_store
from palabre.play.guard import teach
from palabre.play.referee import play_game
from palabre.sandbox.bubblewrap import why_not

CROWD, CROWD_GAME = 60, "avalam"
SAMPLE = 300  # games of the crowd in the plain loop
LONG_GAME, SHORT_GAME, GAMES = "awele", "avalam", 100
HALF_A_SECOND, CALIBRATION = 0.5, 5  # pairs of games
COUNTED = 50  # pairs of games to know how many moves a game has, between bots that answer at once
PLIES = 4
SANDBOX = "PALABRE_SANDBOX"
# Bots that report their processor time in nanoseconds where others report depth and nodes: that of their own code as
# the depth, and as the nodes that of their process, which in a sandbox also reads the question and writes the answer.
OURS = """\
import dataclasses, time
from palabre.bots.engine import Palabre

class Counted(Palabre):
    spent = 0.0

    def start(self, game, seat):
        begin = time.process_time()
        super().start(game, seat)
        self.spent = time.process_time() - begin

    def choose(self, position, clock):
        begin = time.process_time() - self.spent
        self.spent = 0.0
        move = super().choose(position, clock)
        spent = int(1e9 * (time.process_time() - begin))
        self.thought = dataclasses.replace(self.thought, depth=spent, nodes=spent)
        return move
"""
THEIRS = """\
import time
from palabre import Bot
from palabre.search.thought import Thought

class Counted(Bot):
    @classmethod
    def parameters(cls, game):
        from palabre import Parameter
        return [Parameter("microseconds", 1000, range(1, 10**7), "of its processor time for a move")]

    reported = 0.0

    def choose(self, position, clock):
        begin = time.process_time()
        until = begin + 1e-6 * self.options.number("microseconds")
        while time.process_time() < until:
            tried = position
            while not tried.is_over and time.process_time() < until:
                tried = tried.play(self.pick(tried.moves()))
        move = self.pick(position.moves())
        now = time.process_time()  # of the process of this game
        of_process, self.reported = now - self.reported, now
        self.thought = Thought(position, (move.code,), depth=int(1e9 * (now - begin)), nodes=int(1e9 * of_process))
        return move
"""
MOST_SECONDS, LEAST_SHARE = 60.0, 0.95
SHARE = "share of the processor in bots"
CROWD_TITLE, OURS_TITLE, THEIRS_TITLE = "60 bots that play at random", "ours, in process", "others, in sandboxes"


def event_seconds(specs: list[str], game: str, repeats: int, workers: int) -> tuple[list[GameRow], float, float]:
    """An event in a file: its games, seconds by the wall clock, and processor seconds of all its processes."""
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "event") as store:
        store.begin(Settings(game, "match", 0, RandomOpenings(PLIES)))
        store.admit([BotRow(spec, spec, "") for spec in specs])
        begin, used = time.perf_counter(), processor_seconds()
        games = list(Event(store, fixed_list(2, repeats), workers=workers).play())
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


def nodes_for_half_a_second(game: str) -> int:
    """Nodes for a move with which a game takes about half a second of this machine's processor."""
    nodes = 10_000
    for _ in range(2):
        seconds = loop_seconds((f"palabre:nodes={nodes}", f"palabre:nodes={nodes},seed=1"), game, CALIBRATION)
        nodes = max(100, int(nodes * HALF_A_SECOND / (seconds / (2 * CALIBRATION))))
    return nodes


def microseconds_for_half_a_second(game: str) -> int:
    """Processor time for a move with which a game of the bots of others takes half a second."""
    with counted(THEIRS, "microseconds=1", in_sandbox=False) as pair:
        rows, *_ = event_seconds(pair, game, COUNTED, 0)
    moves = sum(row.plies - row.opening for row in rows) / len(rows)
    return int(1e6 * HALF_A_SECOND / moves)


@contextlib.contextmanager
def counted(source: str, option: str, *, in_sandbox: bool) -> Iterator[list[str]]:
    """Two bots with this source, in sandboxes or in the processes that play."""
    with tempfile.TemporaryDirectory() as folder:
        bot = Path(folder) / "counted.py"
        bot.write_text(source, encoding="utf-8")
        Path(folder).chmod(0o755)
        before = os.environ.pop(SANDBOX, None)
        if not in_sandbox:
            os.environ[SANDBOX] = "off"
        try:
            yield [f"{bot}:{option}", f"{bot}:{option},seed=1"]
        finally:
            os.environ.pop(SANDBOX, None)
            if before is not None:
                os.environ[SANDBOX] = before


def share_in_bots(pair: list[str], game: str, workers: int) -> dict[str, float]:
    """Games of bots that report their time: how long they take, and which share of all processor time is theirs."""
    rows, wall, used = event_seconds(pair, game, GAMES // 2, workers)
    assert not any(row.forfeit is not None for row in rows), rows[0].ending
    in_code = sum(1e-9 * spent for row in rows for spent in row.depths if spent is not None)
    in_processes = sum(1e-9 * spent for row in rows for spent in row.nodes if spent is not None)
    return {
        "games": len(rows),
        "plies a game": sum(row.plies for row in rows) / len(rows),
        "processor seconds for a game": used / len(rows),
        "wall seconds": wall,
        SHARE: in_processes / used,
        "share in their own code": in_code / used,
    }


def measure(workers: int | None = None) -> dict[str, dict[str, float]]:
    """The crowd beside a plain loop, and the share of bots, ours and those in sandboxes."""
    processes = workers or os.cpu_count() or 1
    rows, wall, used = event_seconds([f"idiot:seed={n}" for n in range(CROWD)], CROWD_GAME, 1, processes)
    loop = loop_seconds(("idiot:seed=0", "idiot:seed=1"), CROWD_GAME, SAMPLE // 2)
    figures: dict[str, dict[str, float]] = {
        CROWD_TITLE: {
            "games": len(rows),
            "processor seconds": used,
            "processor seconds of a plain loop": loop * len(rows) / SAMPLE,
            "wall seconds": wall,
        }
    }
    for game in (LONG_GAME, SHORT_GAME):
        with counted(OURS, f"nodes={nodes_for_half_a_second(game)}", in_sandbox=False) as pair:
            figures[f"{OURS_TITLE}, {game}"] = share_in_bots(pair, game, processes)
        if why_not() is None:
            with counted(THEIRS, f"microseconds={microseconds_for_half_a_second(game)}", in_sandbox=True) as pair:
                figures[f"{THEIRS_TITLE}, {game}"] = share_in_bots(pair, game, processes)
    return figures


def goals(figures: dict[str, dict[str, float]]) -> list[tuple[str, float, float, bool]]:
    """What is wanted: title, figure, goal, and whether it is met."""
    wall = figures[CROWD_TITLE]["wall seconds"]
    shares = [(f"Arena, share in bots, {title}", part[SHARE]) for title, part in figures.items() if SHARE in part]
    return [
        ("Arena, seconds for 3,540 games of 60 bots, at most", wall, MOST_SECONDS, wall < MOST_SECONDS),
        *((title, share, LEAST_SHARE, share >= LEAST_SHARE) for title, share in shares),
    ]


def markdown(figures: dict[str, dict[str, float]]) -> str:
    """The figures as a table."""
    lines = ["| arena | figure | |", "|---|---|---|"]
    lines += [f"| {title} | {name} | {value:,.3g} |" for title, part in figures.items() for name, value in part.items()]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    print(markdown(measure()))
