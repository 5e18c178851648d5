"""Analysing many positions on all cores: `palabre.analyse_many`.

Compiled searches run in parallel in threads, which start at once. Each thread keeps one bot for each game and empties
its table before each position, so no answer depends on what was analysed before, or where.
"""

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor

from palabre.bots.analysis import Lines, analysing_bot, given_limits, think_lines
from palabre.bots.bot import SearchBot
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.given import described, given_function, given_limit, given_position
from palabre.core.position import Position
from palabre.core.system import usable_cores
from palabre.core.words import say
from palabre.search.clock import AnalysisClock
from palabre.search.thought import Thought

ENTRIES_PER_NODE = 4  # a table with so much room loses next to nothing
ENTRY_BYTES = 16
MEGABYTES = 64  # of the default table, which is enough for about a million nodes


def analyse_many(
    positions: Iterable[Position],
    time: float | None = None,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    lines: int = 1,
    bot: str | None = None,
    workers: int | None = None,
    on_progress: Callable[[], None] | None = None,
) -> list[list[Thought]]:
    """What a bot thinks of each position, as `analyse` reports it, in the order of the positions.

    The limits are those of `analyse`, for each position. `workers` threads analyse, by default one for each core. With
    a limit of nodes or depth the answers depend neither on the order of the positions nor on the number of workers. By
    default the bot is that of `analyse`, with a table as large as the limit of nodes requires. `on_progress` is called
    after each position, in the caller's thread.
    """
    if isinstance(positions, Position | str) or not isinstance(positions, Iterable):
        raise PalabreError(say("given.positions_wanted", given=described(positions)))
    given = list(positions)
    for position in given:
        given_position("analyse_many", position)
    limits = given_limits("analyse_many", time, depth, nodes, lines)
    given_limit("analyse_many", "workers", workers)
    given_function("analyse_many", "on_progress", on_progress)
    if bot is not None and not isinstance(bot, str):
        raise PalabreError(say("given.bot_of_each", given=described(bot)))
    with _Team(bot, limits, lines) as team, ThreadPoolExecutor(workers or usable_cores()) as pool:
        analyses = []
        try:
            for thoughts in pool.map(team.analyse, given):
                analyses.append(thoughts)
                if on_progress is not None:
                    on_progress()
        except BaseException:
            team.stop()
            pool.shutdown(cancel_futures=True)
            raise
    return analyses


class _Team:
    """The bots of the threads."""

    def __init__(self, spec: str | None, limits: AnalysisClock, lines: int) -> None:
        self._spec, self._limits, self._lines = spec, limits, lines
        self._own = threading.local()
        self._making = threading.Lock()  # so that only one of them compiles
        self._bots: list[SearchBot] = []
        self._is_stopped = False

    def __enter__(self) -> "_Team":
        return self

    def __exit__(self, *_: object) -> None:
        self._bots.clear()

    def stop(self) -> None:
        """End the searches under way."""
        self._is_stopped = True
        for player in self._bots:
            player.stop()

    def analyse(self, position: Position) -> list[Thought]:
        """What this thread's bot thinks of a position."""
        player = self._bot(position.game)
        if position.is_over or self._is_stopped:
            return []
        player.sit_down(position.game, position.to_move)

        def check(_: Thought) -> None:
            if self._is_stopped:  # since before its search began
                player.stop()

        return list(think_lines(player, position, self._limits, self._lines, Lines(check)))

    def _bot(self, game: Game) -> SearchBot:
        known: dict[str, SearchBot] = self._own.__dict__.setdefault("bots", {})
        if game.spec not in known:
            with self._making:
                memory = None if self._spec else _megabytes(self._limits.nodes)
                player = analysing_bot(self._spec, game, to_depth=self._limits.depth is not None, memory=memory)
                player.sit_down(game, 0)  # compiled before any clock starts
                self._bots.append(player)
            known[game.spec] = player
        return known[game.spec]


def _megabytes(nodes: int | None) -> int | None:
    """The table that fits a limit, if there is one: emptying a large one takes longer than a short search."""
    return None if nodes is None else min(-(-nodes * ENTRIES_PER_NODE * ENTRY_BYTES >> 20) or 1, MEGABYTES)
