"""`palabre`, the engine: iterative deepening over principal variation search, for any game of two and any evaluation.

Each iteration looks one ply deeper, through a narrow window round the value of the last one. With several threads all
search the same position and share the transposition table, a little out of step: what one finds helps the others.

A won game is won by the shortest way. The first proof of a win may miss a shorter one, for late moves are looked at
less deeply; the next iteration looks through a window in which only the length of the win is in question, and there
nothing is reduced and no guess accepted.
"""

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from palabre.compile.compiler import compiled, is_disabled
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.core.system import now
from palabre.search.clock import Clock, TimeLimits, own_moves_left, spare, time_limits
from palabre.search.ordering import age_history
from palabre.search.pvs import principal_variation, search_root
from palabre.search.thought import Thought
from palabre.search.values import MAX_PLY, WIN, WON
from palabre.search.worker import (
    AGE,
    ASPIRATION,
    BEST,
    DEADLINE,
    EXCLUDED,
    EXCLUDED_MOVES,
    GUESSES,
    LAST_POLL,
    LINE,
    LONGEST_PATH,
    LONGEST_PAUSE,
    MOST_EXCLUDED,
    NO_LIMIT,
    NO_MOVE,
    NODE_LIMIT,
    NODES,
    OLDEST,
    PATH,
    PATH_LENGTH,
    ROOT_PLAYER,
    SAFETY_MARGIN,
    STOP,
    new_worker,
)

USUAL_RESOLUTION = 1000  # parts of a point that are told apart, where an evaluation has no `resolution`
PV_LENGTH = 20  # plies of best play that are told
# An iteration first looks through a window round the last value: to both sides at least a point divided by
WINDOW = 2
SWINGS = 2  # and so many times what the last iterations have changed it by; older ones count less and less
FIRST_NARROW = 4  # the iteration from which on windows are narrow
PAUSE_FADING = 32  # a long pause is forgotten by this part with every search
CACHE_LINE = 8  # words
OnThought = Callable[[Thought], None]


class Engine:
    """A player's memory and habits: the transposition table and the workers, which live from move to move."""

    def __init__(self, game: Game, weights: Any, megabytes: int = 64, threads: int = 1, without: int = 0) -> None:
        self.game = game
        self.weights = weights
        self.resolution = int(getattr(weights, "resolution", USUAL_RESOLUTION))
        self.without = without
        self.age = 0
        self.table = _empty_table(megabytes)
        self.workers = [new_worker(game, self.resolution, without) for _ in range(threads)]
        self.helpers: list[threading.Thread] = []
        self._search_root = compiled(search_root, game, type(weights))
        self._principal_variation = compiled(principal_variation, game)
        self._age_history = compiled(age_history, game)

    def think(self, position: Position, clock: Clock, on_thought: OnThought | None = None, lines: int = 1) -> Thought:
        """Look deeper and deeper until the clock says stop; the position has moves.

        `on_thought` hears of each iteration, once for each of the best `lines` moves.
        """
        begin = now()
        limits = time_limits(clock, own_moves_left(position))
        self._prepare_workers(position, clock, limits, begin)
        worker = self.workers[0]
        deepest = min(clock.depth or MAX_PLY, MAX_PLY)
        lines = min(lines, len(position.moves()), MOST_EXCLUDED)
        for number, helper in enumerate(self.workers[1:]):
            thread = threading.Thread(target=self._help, args=(position, helper, deepest, number), daemon=True)
            self.helpers.append(thread)
            thread.start()
        found = [
            Thought(position, (move.code,), rank=rank + 1, resolution=self.resolution, odds=self._odds)
            for rank, move in enumerate(position.moves()[:lines])
        ]
        try:
            for depth in range(1, deepest + 1):
                for rank in range(lines):
                    self._exclude(found[:rank], worker)
                    thought = self._deepen(found[rank], depth, worker)
                    if worker[STOP]:
                        break
                    found[rank] = replace(thought, nodes=self._nodes(), seconds=(now() - begin) / 1e9)
                if worker[STOP]:
                    if (
                        lines == 1 and worker[BEST] != NO_MOVE
                    ):  # the unfinished search_root has found something, maybe better
                        found[0] = self._with_line(found[0], int(worker[BEST]), worker)
                    break
                found.sort(key=lambda thought: -thought.value)
                found = [replace(thought, rank=rank + 1) for rank, thought in enumerate(found)]
                if on_thought is not None:
                    for thought in found:
                        on_thought(thought)
                if self._is_enough(found, limits, clock):
                    break
        finally:
            self.stop()
        return replace(found[0], nodes=self._nodes(), seconds=(now() - begin) / 1e9)

    def stop(self) -> None:
        """End the search that is under way; may be called from another thread."""
        for worker in self.workers:
            worker[STOP] = 1

    @property
    def _odds(self) -> float | None:
        return getattr(self.weights, "odds", None)

    def _nodes(self) -> int:
        return sum(int(worker[NODES]) for worker in self.workers)

    def _prepare_workers(self, position: Position, clock: Clock, limits: TimeLimits, begin: int) -> None:
        """Write the limits and the past of the game into every thread's notebook."""
        for thread in self.helpers:
            thread.join()  # told to stop long ago; waiting for them then would have been on the clock
        self.helpers.clear()
        self.age = (self.age + 1) % 256
        past = position.seen[:-1][-(LONGEST_PATH - MAX_PLY - 2) :]
        for worker in self.workers:
            self._age_history(worker)
            worker[AGE], worker[STOP], worker[NODES], worker[BEST] = self.age, 0, 0, NO_MOVE
            worker[NODE_LIMIT] = NO_LIMIT if clock.nodes is None else clock.nodes
            worker[DEADLINE] = NO_LIMIT if limits.hard is None else begin + int(limits.hard * 1e9)
            worker[SAFETY_MARGIN] = int(spare(limits) * 1e9)
            worker[LONGEST_PAUSE] -= worker[LONGEST_PAUSE] // PAUSE_FADING
            worker[ROOT_PLAYER], worker[OLDEST], worker[EXCLUDED] = position.to_move, NO_LIMIT, 0
            worker[PATH_LENGTH] = len(past)
            for place, mark in enumerate(past):
                worker[PATH + place] = mark

    def _exclude(self, better: list[Thought], worker: Any) -> None:
        """Leave the moves of better lines out at the root."""
        worker[EXCLUDED] = len(better)
        for place, thought in enumerate(better):
            worker[EXCLUDED_MOVES + place] = thought.codes[0]

    def _deepen(self, last: Thought, depth: int, worker: Any) -> Thought:
        """One iteration: first through a narrow window round the value of the last one, then through an open one."""
        worker[LAST_POLL] = now()
        is_narrow = depth >= FIRST_NARROW and not self.without & ASPIRATION
        margin = max(1, self.resolution // WINDOW, SWINGS * last.swing) if is_narrow else 2 * WIN
        low, high = max(-WIN, last.value - margin), min(WIN, last.value + margin)
        if last.value >= WON:
            low, high = WON, WIN
        elif last.value <= -WON:
            low, high = -WIN, -WON
        while True:
            guesses = int(worker[GUESSES])
            value = int(self._search_root(last.position.state, self.weights, depth, low, high, self.table, worker))
            if worker[STOP]:
                return last
            if value <= low and low > -WIN:
                low = -WIN
            elif value >= high and high < WIN:
                high = WIN
            else:
                break
        swing = max(abs(value - last.value), last.swing * 3 // 4)
        found = replace(last, value=value, depth=depth, swing=swing, is_complete=int(worker[GUESSES]) == guesses)
        return self._with_line(found, int(worker[BEST]), worker)

    def _with_line(self, thought: Thought, move: int, worker: Any) -> Thought:
        """The thought with a move and the best play after it that the table remembers."""
        worker[LINE] = move
        length = int(
            self._principal_variation(thought.position.state, min(max(1, thought.depth), PV_LENGTH), self.table, worker)
        )
        return replace(thought, codes=tuple(int(worker[LINE + ply]) for ply in range(length)))

    def _help(self, position: Position, worker: Any, deepest: int, number: int) -> None:
        """What a further thread does: the same search, half of the threads a ply ahead."""
        thought = Thought(position, (NO_MOVE,))
        for depth in range(1 + (number + 1) % 2, deepest + 1):
            thought = self._deepen(thought, depth, worker)
            if worker[STOP]:
                break

    def _is_enough(self, found: list[Thought], limits: TimeLimits, clock: Clock) -> bool:
        """Whether to play now rather than search_root one ply deeper."""
        if all(self._is_final(thought) for thought in found):
            return True
        if limits.soft is None:
            return False
        has_no_choice = len(found[0].position.moves()) == 1 and clock.depth is None
        return found[0].seconds >= limits.soft or has_no_choice

    def _is_final(self, thought: Thought) -> bool:
        """Whether a deeper search_root would change nothing: all was proven, or a win of this length at this depth."""
        plies = thought.plies_to_win
        return thought.is_complete or (plies is not None and abs(plies) < thought.depth)


def _empty_table(megabytes: int) -> Any:
    """Room for a transposition table, a power of two words long."""
    length = 1 << (megabytes * 1024 * 1024 // 8).bit_length() - 1
    if is_disabled():
        return [0] * min(length, 1 << 12)
    import numpy as np

    room = np.empty(length + CACHE_LINE, dtype=np.int64)
    first = -(room.ctypes.data // 8) % CACHE_LINE  # no bucket may lie in two lines of the processor's cache
    table = room[first : first + length]
    table.fill(0)  # written to now: the system would hand out the pages one by one, on the clock of the first search
    return table
