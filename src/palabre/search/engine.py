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
from palabre.core.instant import now
from palabre.core.position import Position
from palabre.search.clock import Clock, TimeLimits, own_moves_left, spare, time_limits
from palabre.search.notebook import (
    AGE,
    ASPIRATION,
    BEST,
    DEADLINE,
    GUESSES,
    LINE,
    LONGEST_PATH,
    LOOKED,
    MOST_SKIPPED,
    NEVER,
    NO_MOVE,
    NODE_LIMIT,
    NODES,
    OLDEST,
    PATH,
    PATH_LENGTH,
    PAUSE,
    SKIP_LIST,
    SKIPPED,
    SPARE,
    STOP,
    VIEWER,
    new_notebook,
)
from palabre.search.ordering import fade
from palabre.search.pvs import follow, look
from palabre.search.thought import Thought
from palabre.search.values import DEEPEST, WIN, WON

USUAL_RESOLUTION = 1000  # parts of a point that are told apart, where an evaluation has no `resolution`
LONGEST_LINE = 20  # plies of best play that are told
# An iteration first looks through a window round the last value: to both sides at least a point divided by
WINDOW = 2
SWINGS = 2  # and so many times what the last iterations have changed it by; older ones count less and less
FIRST_NARROW = 4  # the iteration from which on windows are narrow
PAUSE_FADING = 32  # a long pause is forgotten by this part with every search
CACHE_LINE = 8  # words
OnThought = Callable[[Thought], None]


class Engine:
    """A player's memory and habits: the transposition table and the notebooks, which live from move to move."""

    def __init__(self, game: Game, weights: Any, megabytes: int = 64, threads: int = 1, without: int = 0) -> None:
        self.game = game
        self.weights = weights
        self.resolution = int(getattr(weights, "resolution", USUAL_RESOLUTION))
        self.without = without
        self.age = 0
        self.table = _empty_table(megabytes)
        self.notebooks = [new_notebook(game, self.resolution, without) for _ in range(threads)]
        self.helpers: list[threading.Thread] = []
        self._look = compiled(look, game, type(weights))
        self._follow = compiled(follow, game)
        self._fade = compiled(fade, game)

    def think(self, position: Position, clock: Clock, on_thought: OnThought | None = None, lines: int = 1) -> Thought:
        """Look deeper and deeper until the clock says stop; the position has moves.

        `on_thought` hears of each iteration, once for each of the best `lines` moves.
        """
        begin = now()
        limits = time_limits(clock, own_moves_left(position))
        self._open_notebooks(position, clock, limits, begin)
        notes = self.notebooks[0]
        deepest = min(clock.depth or DEEPEST, DEEPEST)
        lines = min(lines, len(position.moves()), MOST_SKIPPED)
        for number, helper in enumerate(self.notebooks[1:]):
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
                    self._skip(found[:rank], notes)
                    thought = self._deepen(found[rank], depth, notes)
                    if notes[STOP]:
                        break
                    found[rank] = replace(thought, nodes=self._nodes(), seconds=(now() - begin) / 1e9)
                if notes[STOP]:
                    if lines == 1 and notes[BEST] != NO_MOVE:  # the unfinished look has found something, maybe better
                        found[0] = self._with_line(found[0], int(notes[BEST]), notes)
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
        for notes in self.notebooks:
            notes[STOP] = 1

    @property
    def _odds(self) -> float | None:
        return getattr(self.weights, "odds", None)

    def _nodes(self) -> int:
        return sum(int(notes[NODES]) for notes in self.notebooks)

    def _open_notebooks(self, position: Position, clock: Clock, limits: TimeLimits, begin: int) -> None:
        """Write the limits and the past of the game into every thread's notebook."""
        for thread in self.helpers:
            thread.join()  # told to stop long ago; waiting for them then would have been on the clock
        self.helpers.clear()
        self.age = (self.age + 1) % 256
        past = position.seen[:-1][-(LONGEST_PATH - DEEPEST - 2) :]
        for notes in self.notebooks:
            self._fade(notes)
            notes[AGE], notes[STOP], notes[NODES], notes[BEST] = self.age, 0, 0, NO_MOVE
            notes[NODE_LIMIT] = NEVER if clock.nodes is None else clock.nodes
            notes[DEADLINE] = NEVER if limits.hard is None else begin + int(limits.hard * 1e9)
            notes[SPARE] = int(spare(limits) * 1e9)
            notes[PAUSE] -= notes[PAUSE] // PAUSE_FADING
            notes[VIEWER], notes[OLDEST], notes[SKIPPED] = position.to_move, NEVER, 0
            notes[PATH_LENGTH] = len(past)
            for place, mark in enumerate(past):
                notes[PATH + place] = mark

    def _skip(self, better: list[Thought], notes: Any) -> None:
        """Leave the moves of better lines out at the root."""
        notes[SKIPPED] = len(better)
        for place, thought in enumerate(better):
            notes[SKIP_LIST + place] = thought.codes[0]

    def _deepen(self, last: Thought, depth: int, notes: Any) -> Thought:
        """One iteration: first through a narrow window round the value of the last one, then through an open one."""
        notes[LOOKED] = now()
        is_narrow = depth >= FIRST_NARROW and not self.without & ASPIRATION
        margin = max(1, self.resolution // WINDOW, SWINGS * last.swing) if is_narrow else 2 * WIN
        low, high = max(-WIN, last.value - margin), min(WIN, last.value + margin)
        if last.value >= WON:
            low, high = WON, WIN
        elif last.value <= -WON:
            low, high = -WIN, -WON
        while True:
            guesses = int(notes[GUESSES])
            value = int(self._look(last.position.state, self.weights, depth, low, high, self.table, notes))
            if notes[STOP]:
                return last
            if value <= low and low > -WIN:
                low = -WIN
            elif value >= high and high < WIN:
                high = WIN
            else:
                break
        swing = max(abs(value - last.value), last.swing * 3 // 4)
        found = replace(last, value=value, depth=depth, swing=swing, is_complete=int(notes[GUESSES]) == guesses)
        return self._with_line(found, int(notes[BEST]), notes)

    def _with_line(self, thought: Thought, move: int, notes: Any) -> Thought:
        """The thought with a move and the best play after it that the table remembers."""
        notes[LINE] = move
        length = int(self._follow(thought.position.state, min(max(1, thought.depth), LONGEST_LINE), self.table, notes))
        return replace(thought, codes=tuple(int(notes[LINE + ply]) for ply in range(length)))

    def _help(self, position: Position, notes: Any, deepest: int, number: int) -> None:
        """What a further thread does: the same search, half of the threads a ply ahead."""
        thought = Thought(position, (NO_MOVE,))
        for depth in range(1 + (number + 1) % 2, deepest + 1):
            thought = self._deepen(thought, depth, notes)
            if notes[STOP]:
                break

    def _is_enough(self, found: list[Thought], limits: TimeLimits, clock: Clock) -> bool:
        """Whether to play now rather than look one ply deeper."""
        if all(self._is_final(thought) for thought in found):
            return True
        if limits.soft is None:
            return False
        has_no_choice = len(found[0].position.moves()) == 1 and clock.depth is None
        return found[0].seconds >= limits.soft or has_no_choice

    def _is_final(self, thought: Thought) -> bool:
        """Whether a deeper look would change nothing: all was proven, or a win of this length at this depth."""
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
