"""`palabre`, the engine: alpha-beta as strong programs write it, for any game of two and any evaluation.

Iterative deepening with aspiration windows; principal variation search; a transposition table; moves ordered by what
the table says, what they win at once, killers and history; late moves looked at less deeply first. Values are integers
seen from the player to move. A won game is worth WIN minus the plies to its end, so that a shorter way is preferred to
a longer one and a loss is put off; a still shorter way may hide behind a reduced move until a deeper look.

For games of two and evaluations that see a position from both sides alike: what it is worth to one player is minus
what it is worth to the other.
"""

import threading
import time
from collections.abc import Callable, MutableSequence
from dataclasses import dataclass, replace
from typing import Any

from palabre.core.compiler import compiled, is_disabled, words
from palabre.core.game import Game
from palabre.core.kernels import kernel
from palabre.core.position import Move, Position
from palabre.core.verbs import is_over, key, legal_moves, move_buffer, play, repetition, settle, to_move
from palabre.evaluation.evaluate import evaluate, verdict
from palabre.evaluation.hints import gain
from palabre.evaluation.names import evaluations
from palabre.search.clock import Clock, time_limits
from palabre.search.table import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    NOTHING,
    bound_in,
    depth_in,
    keep,
    look_up,
    move_in,
    packed,
    value_in,
)

WIN = 1_000_000_000
DEEPEST = 200  # plies
LONGEST_LINE = 20  # plies of best play that are told
WON = WIN - 2 * DEEPEST  # from here on a value is a proven win
SCALE = 1000  # an evaluation of 1.0 is worth so much
NO_MOVE = 0xFFF

# The notebook of one searching thread, by index.
STOP, NODES, NODE_LIMIT, BEST, AGE, HISTORY_SIZE, PATH_LENGTH = range(7)
KILLERS = 16  # two for each ply
PATH = KILLERS + 2 * (DEEPEST + 2)  # repetition numbers of the game so far and of the line being looked at
LONGEST_PATH = 4096
HISTORY = PATH + LONGEST_PATH  # how often a move has refuted something, for each player
POLL = 1024  # nodes between two looks at the limit of nodes
ASPIRATION = SCALE // 2

# The order in which moves are looked at.
TABLE_FIRST, GAIN_UNIT, KILLER_BONUS, MOST_HISTORY = 1 << 50, 1 << 32, 1 << 30, 1 << 28

# Late-move reductions: from which depth and which move on, and when by two plies.
LATE_DEPTH, LATE_MOVE, VERY_LATE_MOVE = 3, 3, 8


@kernel
def visit(
    state: Any,
    weights: Any,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    table: MutableSequence[int],
    notes: MutableSequence[int],
) -> int:
    """The value of a position for the player to move, searched `depth` plies deep.

    Exact if alpha < value < beta; at most alpha, or at least beta, otherwise. Meaningless once notes[STOP] is set.
    """
    # Step 1. Limits.
    notes[NODES] += 1
    if notes[NODES] % POLL == 0 and notes[NODES] >= notes[NODE_LIMIT]:
        notes[STOP] = 1
    if notes[STOP]:
        return 0

    # Step 2. The end of the game, by the rules or by a repeated position.
    if is_over(state):
        return outcome(state, ply)
    mark = repetition(state)
    if mark:
        if ply > 0 and is_on_path(mark, notes, ply):
            return outcome(settle(state), ply)
        notes[PATH + notes[PATH_LENGTH] + ply] = mark

    # Step 3. The horizon.
    if depth <= 0 or ply >= DEEPEST:
        return int(evaluate(weights, state, to_move(state)) * SCALE)

    # Step 4. No line can be worth more than winning on the next move, or less than having lost here.
    alpha = max(alpha, -WIN + ply)
    beta = min(beta, WIN - ply - 1)
    if alpha >= beta:
        return alpha

    # Step 5. What an earlier visit found.
    position_key = key(state)
    known = look_up(position_key, table)
    table_move = NO_MOVE
    if known != NOTHING:
        table_move = move_in(known)
        if ply > 0 and depth_in(known) >= depth:
            value = from_table(value_in(known), ply)
            bound = bound_in(known)
            if bound == EXACT or (bound == AT_LEAST and value >= beta) or (bound == AT_MOST and value <= alpha):
                return value

    # Step 6. The moves, and how promising they are.
    moves = move_buffer(state)
    promise = move_buffer(state)
    count = legal_moves(state, moves)
    history = HISTORY + to_move(state) * notes[HISTORY_SIZE]
    for index in range(count):
        move = moves[index]
        if move == table_move:
            promise[index] = TABLE_FIRST
        else:
            promise[index] = gain(state, move) * GAIN_UNIT + notes[history + move]
            if move == notes[KILLERS + 2 * ply] or move == notes[KILLERS + 2 * ply + 1]:
                promise[index] += KILLER_BONUS

    # Step 7. Look at them, the most promising first.
    best = -WIN
    best_move = NO_MOVE
    first_alpha = alpha
    for index in range(count):
        bring_best_forward(moves, promise, index, count)
        move = moves[index]
        child = play(state, move)
        quiet = promise[index] < GAIN_UNIT
        # A player whose opponent is skipped moves again: then the child's value is his own, not its negative.
        sign = 1 if to_move(child) == to_move(state) else -1

        # Step 8. The first move with the full window; the others only have to show that they are no better, the late
        # and quiet ones even at less depth.
        less = 0
        if depth >= LATE_DEPTH and index >= LATE_MOVE and quiet:
            less = 2 if index >= VERY_LATE_MOVE and depth > LATE_DEPTH else 1
        value = alpha + 1
        if index > 0:
            low, high = (alpha, alpha + 1) if sign > 0 else (-alpha - 1, -alpha)
            value = sign * visit(child, weights, depth - 1 - less, low, high, ply + 1, table, notes)
            if value > alpha and less > 0:
                value = sign * visit(child, weights, depth - 1, low, high, ply + 1, table, notes)
        if index == 0 or alpha < value < beta:
            low, high = (alpha, beta) if sign > 0 else (-beta, -alpha)
            value = sign * visit(child, weights, depth - 1, low, high, ply + 1, table, notes)
        if notes[STOP]:
            return 0

        # Step 9. Is it the best so far?
        if value > best:
            best = value
            best_move = move
            if ply == 0 and (index == 0 or value > alpha):
                notes[BEST] = move
            alpha = max(alpha, value)
            if alpha >= beta:
                if quiet:
                    remember_refutation(move, depth, ply, history, notes)
                break

    # Step 10. Remember what was found.
    bound = AT_LEAST if best >= beta else EXACT if best > first_alpha else AT_MOST
    keep(position_key, packed(best_move, bound, depth, notes[AGE], to_table(best, ply)), table)
    return best


@kernel
def outcome(state: Any, ply: int) -> int:
    """The value of an ended game for the player to move."""
    return verdict(state, to_move(state)) * (WIN - ply)


@kernel
def to_table(value: int, ply: int) -> int:
    """A value as it is kept: wins and losses counted in plies from the position, not from the root."""
    return value + ply if value >= WON else value - ply if value <= -WON else value


@kernel
def from_table(value: int, ply: int) -> int:
    """The reverse."""
    return value - ply if value >= WON else value + ply if value <= -WON else value


@kernel
def is_on_path(mark: int, notes: MutableSequence[int], ply: int) -> bool:
    """Whether a position has occurred in the game or on the line that led to it."""
    for place in range(PATH, PATH + notes[PATH_LENGTH] + ply):
        if notes[place] == mark:
            return True
    return False


@kernel
def bring_best_forward(moves: MutableSequence[int], promise: MutableSequence[int], place: int, count: int) -> None:
    """Swap the most promising of the moves from `place` on to it."""
    best = place
    for index in range(place + 1, count):
        if promise[index] > promise[best]:
            best = index
    moves[place], moves[best] = moves[best], moves[place]
    promise[place], promise[best] = promise[best], promise[place]


@kernel
def remember_refutation(move: int, depth: int, ply: int, history: int, notes: MutableSequence[int]) -> None:
    """A quiet move was too good for the opponent: look at it early in the neighbourhood."""
    if notes[KILLERS + 2 * ply] != move:
        notes[KILLERS + 2 * ply + 1] = notes[KILLERS + 2 * ply]
        notes[KILLERS + 2 * ply] = move
    notes[history + move] = min(MOST_HISTORY, notes[history + move] + depth * depth)


@dataclass(frozen=True)
class Thought:
    """What the engine thinks of a position after looking so deep."""

    move: Move
    value: int  # for the player to move, an evaluation of 1.0 being SCALE
    depth: int
    nodes: int
    seconds: float
    line: tuple[Move, ...]  # the best play for both sides, as far as it is known

    @property
    def plies_to_win(self) -> int | None:
        """How far away a proven win is, negative for a proven loss, None if nothing is proven."""
        if abs(self.value) < WON:
            return None
        return (WIN - abs(self.value)) * (1 if self.value > 0 else -1)


class Engine:
    """A player's memory and habits: the transposition table and history that live from move to move."""

    def __init__(self, game: Game, weights: Any, megabytes: int = 64) -> None:
        evaluations(game)  # loads what the game answers to `gain`, before anything is compiled
        self.game = game
        self.weights = weights
        self.age = 0
        self.table = _empty_table(megabytes)
        codes = int(game.rules.MOVE_CODES)
        self.notes = words([0] * (HISTORY + 2 * codes))
        self.notes[HISTORY_SIZE] = codes
        self._visit = compiled(visit, game, type(weights))

    def think(self, position: Position, clock: Clock, on_thought: Callable[[Thought], None] | None = None) -> Thought:
        """Look deeper and deeper until the clock says stop; the position has moves."""
        begin = time.perf_counter()
        notes = self.notes
        self.age = (self.age + 1) % 256
        notes[AGE], notes[STOP], notes[NODES], notes[BEST] = self.age, 0, 0, NO_MOVE
        notes[NODE_LIMIT] = clock.nodes if clock.nodes is not None else 1 << 62
        notes[PATH_LENGTH] = len(position.seen[:-1])
        for place, mark in enumerate(position.seen[:-1]):
            notes[PATH + place] = mark
        limits = time_limits(clock)
        timer = threading.Timer(limits.hard, self.stop) if limits.hard is not None else None
        if timer is not None:
            timer.daemon = True
            timer.start()
        moves = {move.code: move for move in position.moves()}
        thought = Thought(next(iter(moves.values())), 0, 0, 0, 0.0, ())
        try:
            for depth in range(1, min(clock.depth or DEEPEST, DEEPEST) + 1):
                value = self._look(position.state, depth, thought.value)
                if notes[STOP]:
                    if notes[BEST] in moves:  # the unfinished look has already found something better
                        thought = replace(thought, move=moves[notes[BEST]])
                    break
                seconds = time.perf_counter() - begin
                thought = Thought(moves[int(notes[BEST])], value, depth, int(notes[NODES]), seconds, ())
                if on_thought is not None:
                    on_thought(replace(thought, line=self._line(position, thought)))
                if self._is_enough(thought, len(moves), limits.soft, clock):
                    break
        finally:
            if timer is not None:
                timer.cancel()
        line = self._line(position, thought)
        return replace(thought, line=line, nodes=int(notes[NODES]), seconds=time.perf_counter() - begin)

    def stop(self) -> None:
        """End the search that is under way; called from another thread."""
        self.notes[STOP] = 1

    def _look(self, state: Any, depth: int, expected: int) -> int:
        """One iteration: first through a narrow window round the value of the last one, then through wider ones."""
        margin = ASPIRATION if depth >= 4 else 2 * WIN
        low, high = max(-WIN, expected - margin), min(WIN, expected + margin)
        while True:
            value = int(self._visit(state, self.weights, depth, low, high, 0, self.table, self.notes))
            if self.notes[STOP] or low < value < high:
                return value
            margin *= 4
            if value <= low:
                low = max(-WIN, expected - margin)
            else:
                high = min(WIN, expected + margin)
            if low == -WIN and high == WIN and (value <= -WIN or value >= WIN):
                return value

    def _is_enough(self, thought: Thought, choices: int, soft: float | None, clock: Clock) -> bool:
        """Whether to play now rather than look one ply deeper."""
        if thought.plies_to_win is not None and abs(thought.plies_to_win) <= thought.depth:
            return True
        if soft is None:
            return False
        return thought.seconds >= soft or (choices == 1 and clock.depth is None)

    def _line(self, position: Position, thought: Thought) -> tuple[Move, ...]:
        """The move and the best play after it that the table remembers; not all of it, for this is plain Python."""
        line = [thought.move]
        position = position.play(thought.move)
        while len(line) < min(thought.depth, LONGEST_LINE) and not position.is_over:
            entry = int(look_up(key(position.state), self.table))
            found = [move for move in position.moves() if move.code == move_in(entry)] if entry != NOTHING else []
            if not found:
                break
            line.append(found[0])
            position = position.play(found[0])
        return tuple(line)


def _empty_table(megabytes: int) -> Any:
    """Room for a transposition table, a power of two words long."""
    length = 1 << (megabytes * 1024 * 1024 // 8).bit_length() - 1
    if is_disabled():
        return [0] * min(length, 1 << 12)
    import numpy as np

    table = np.empty(length, dtype=np.int64)
    table.fill(0)  # written to now: the system would hand out the pages one by one, on the clock of the first search
    return table
