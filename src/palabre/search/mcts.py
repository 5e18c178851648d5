"""Monte Carlo tree search as a player's mind: trees that live from move to move, limits, and what it thinks.

With several threads each grows a tree of its own with its own dice, and their counts are added up in the end: nothing
is shared, so nothing has to be locked, and the same seed and number of simulations give the same move.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Thread
from typing import Any

from palabre.compile.compiler import compiled, is_disabled, words
from palabre.core.bits import combine
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.position import Move, Position
from palabre.core.system import now
from palabre.core.verbs import is_over, key, play
from palabre.search.clock import Clock, own_moves_left, thinking_time
from palabre.search.reuse import NOT_FOUND, copy_below, locate
from palabre.search.simulation import (
    DEADLINE,
    DICE,
    LIMIT,
    LONGEST_PAST,
    MOST_PLAYERS,
    PAST,
    PAST_LENGTH,
    SIMULATIONS,
    STOP,
    TOTAL,
    USED,
    WORKER_WORDS,
    MctsParameters,
    search,
    usual_lead,
)
from palabre.search.tree import (
    LOWER,
    MOVE,
    NODE,
    ROOT,
    SUM,
    UPPER,
    VISITS,
    WHOLE,
    count_children,
    first_child,
    part_of,
    write_node,
)

NO_LIMIT = 1 << 62  # as a deadline or a number of simulations
PV_LENGTH = 12  # plies of best play that are told
ENOUGH_FOR_ONE = 256  # simulations, where there is only one move and a clock runs
MOST_KEPT = 1 << 20  # words of a tree that are taken along to the next move: copying more would take too long
SAMPLE = 100  # random games that tell how large the evaluation's values are


@dataclass(frozen=True)
class Estimate:
    """What the search thinks of a position."""

    move: Move
    visits: int  # simulations that tried the move, those kept from earlier moves included
    chances: tuple[float, ...]  # each player's part of the games simulated now
    proven_result: (
        int | None
    )  # 1 if the player to move wins for certain, 0 if he shares, -1 if he loses; None if not proven
    simulations: int
    seconds: float
    line: tuple[Move, ...]  # the moves that were tried most, beginning with this one


@dataclass(frozen=True)
class Choice:
    """What is known of one move, in all trees together."""

    code: int
    visits: int
    value: int
    least: int
    most: int


class TreeWorker:
    """One thread's tree and notebook."""

    def __init__(self, game: Game, length: int) -> None:
        self.tree, self.room = _empty(length), _empty(length)
        self.worker = words([0] * WORKER_WORDS)
        self.root: Position | None = None  # whose tree it is
        self._locate = compiled(locate, game)
        self._copy_below = compiled(copy_below, game)

    def prepare(self, position: Position, simulations: int, deadline: int, dice: int) -> None:
        """Be ready to search a position: what is known of it is kept, all else is forgotten."""
        used = self._kept(position)
        if used:
            self.tree, self.room = self.room, self.tree
        else:
            write_node(ROOT, 0, 0, -1, 1, self.tree)
        self.root = position
        worker = self.worker
        worker[TOTAL:] = words([0] * (len(worker) - TOTAL))
        worker[STOP], worker[SIMULATIONS], worker[LIMIT], worker[DEADLINE] = 0, 0, simulations, deadline
        worker[USED], worker[DICE] = used or NODE, dice
        past = position.seen[:-1][-LONGEST_PAST:]
        worker[PAST_LENGTH] = len(past)
        for place, mark in enumerate(past):
            worker[PAST + place] = mark

    def _kept(self, position: Position) -> int:
        """How much of the tree is about this position, and now in `room`: a game has gone on from the last root."""
        if self.root is None or position.seen[: len(self.root.seen)] != self.root.seen:
            return 0
        plies = position.game.players
        node = self._locate(self.root.state, ROOT, key(position.state), plies, self.tree)
        if node == NOT_FOUND:
            return 0
        return int(self._copy_below(node, min(len(self.room), MOST_KEPT), self.tree, self.room))


class Mcts:
    """A player's memory and parameters."""

    def __init__(
        self,
        game: Game,
        weights: Any,
        parameters: MctsParameters,
        megabytes: int = 64,
        threads: int = 1,
        *,
        reuse: bool = True,
    ) -> None:
        if game.players > MOST_PLAYERS:
            raise PalabreError(f"{game.spec} has {game.players} players; the search is for at most {MOST_PLAYERS}")
        self.game = game
        self.weights = weights
        self.reuse = reuse
        lead = float(compiled(usual_lead, game, type(weights))(game.start().state, weights, 1, SAMPLE))
        self.parameters = parameters._replace(scale=lead or 1.0)
        self.workers = [TreeWorker(game, megabytes * 1024 * 1024 // 16 // threads) for _ in range(threads)]
        self._search = compiled(search, game, type(weights), MctsParameters)
        self._compile()

    def _compile(self) -> None:
        """Have all code now, when no clock runs."""
        position = self.game.start()
        if not position.is_over:
            self.think(position, Clock(nodes=1))
            self.think(position, Clock(nodes=1))  # now there is a tree to keep
        for worker_tree in self.workers:
            worker_tree.root = None

    def think(self, position: Position, clock: Clock, seed: int = 0) -> Estimate:
        """Simulate games until the clock says stop; the position has moves. `clock.nodes` limits the simulations."""
        begin = now()
        moves = {move.code: move for move in position.moves()}
        seconds = thinking_time(clock, own_moves_left(position))
        deadline = NO_LIMIT if seconds is None else begin + int(seconds * 1e9)
        simulations = NO_LIMIT if clock.nodes is None else -(-clock.nodes // len(self.workers))
        if len(moves) == 1 and seconds is not None:
            simulations = min(simulations, ENOUGH_FOR_ONE)
        for number, worker_tree in enumerate(self.workers):
            if not self.reuse:
                worker_tree.root = None
            worker_tree.prepare(position, simulations, deadline, combine(combine(1, seed), number))
        self._grow(position.state)
        return self._estimate(position, moves, begin)

    def stop(self) -> None:
        """End the search that is under way; called from another thread."""
        for worker_tree in self.workers:
            worker_tree.worker[STOP] = 1

    def _grow(self, state: Any) -> None:
        """Let every thread search; this one is the first of them."""
        first, *others = self.workers
        work = [
            Thread(target=self._search, args=(state, self.weights, self.parameters, it.tree, it.worker))
            for it in others
        ]
        for thread in work:
            thread.start()
        self._search(state, self.weights, self.parameters, first.tree, first.worker)
        for thread in work:
            thread.join()

    def _estimate(self, position: Position, moves: dict[int, Move], begin: int) -> Estimate:
        choices = [
            added_up(same)
            for same in zip(*(choices_at(ROOT, worker_tree.tree) for worker_tree in self.workers), strict=True)
        ]
        best = favourite(choices)
        sure = max(choice.least for choice in choices)
        proven_result = sure if sure == max(choice.most for choice in choices) else None
        simulations = sum(int(worker_tree.worker[SIMULATIONS]) for worker_tree in self.workers)
        move = moves[best.code]
        line = self._line(position, move)
        chances = self._chances(position.to_move, proven_result, simulations)
        return Estimate(move, best.visits, chances, proven_result, simulations, (now() - begin) / 1e9, line)

    def _chances(self, player: int, proven_result: int | None, simulations: int) -> tuple[float, ...]:
        """Each player's part of the game: as it is proven, or else as it was in the simulations."""
        seats = range(self.game.players)
        if proven_result is not None and (len(seats) == 2 or proven_result == 1):
            own = (proven_result + 1) / 2
            return tuple(own if seat == player else (1 - own) / (len(seats) - 1) for seat in seats)
        totals = (sum(int(worker_tree.worker[TOTAL + seat]) for worker_tree in self.workers) for seat in seats)
        return tuple(total / (simulations * WHOLE) for total in totals)

    def _line(self, position: Position, move: Move) -> tuple[Move, ...]:
        """The move, and what was tried most after it in the first tree."""
        tree = self.workers[0].tree
        line: list[Move] = []
        state, node, code = position.state, ROOT, move.code
        while True:
            line.append(Move(code, self.game.notation.move_to_text(state, code)))
            node = next(child for child in children(node, tree) if tree[child + MOVE] == code)
            state = play(state, code)
            choices = choices_at(node, tree)
            if is_over(state) or len(line) == PV_LENGTH or not any(choice.visits for choice in choices):
                return tuple(line)
            code = favourite(choices).code


def children(node: int, tree: Any) -> range:
    """The nodes below a node."""
    first = first_child(node, tree)
    return range(first, first + NODE * count_children(node, tree), NODE)


def choices_at(node: int, tree: Any) -> list[Choice]:
    """What is known of each move in the position of a node."""
    wanted = (MOVE, VISITS, SUM, LOWER, UPPER)
    return [Choice(*(int(tree[child + word]) for word in wanted)) for child in children(node, tree)]


def added_up(same: Sequence[Choice]) -> Choice:
    """What several trees know of the same move."""
    return Choice(
        same[0].code,
        sum(choice.visits for choice in same),
        sum(choice.value for choice in same),
        max(choice.least for choice in same),
        min(choice.most for choice in same),
    )


def favourite(choices: Sequence[Choice]) -> Choice:
    """The move to play: what was tried most of all that may be better than what is sure, or else what is sure.

    A proven win is taken, a proven loss only if there is nothing else, a proven draw if the others look no better.
    """
    sure = max(choice.least for choice in choices)
    safe = max((choice for choice in choices if choice.least == sure), key=lambda choice: (choice.most, choice.visits))
    better = [choice for choice in choices if choice.most > sure]
    if not better:
        return safe
    best = max(better, key=lambda choice: (choice.visits, choice.value))
    return safe if sure >= 0 and best.value <= best.visits * part_of(sure) else best


def _empty(length: int) -> Any:
    """Room for a tree of so many words."""
    if is_disabled():
        return [0] * min(length, 1 << 14)
    import numpy as np

    tree = np.empty(length, dtype=np.int64)
    tree.fill(0)  # written to now: the system would hand out the pages one by one, on the clock of the first search
    return tree
