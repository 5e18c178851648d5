"""What the engine says while it thinks and when it is done."""

import math
from dataclasses import dataclass
from functools import cached_property

from palabre.core import verbs
from palabre.core.position import Move, Position
from palabre.core.verbs import points
from palabre.search.values import DECIDED, PROVEN, PROVEN_ELSEWHERE, WIN, WON

AS_GOOD_AS_OVER = 999.0  # points that are told where only a repeated position could save a game


@dataclass(frozen=True)
class Thought:
    """What the engine thinks of a position after looking so deep."""

    position: Position
    codes: tuple[int, ...]  # the best play for both sides, as far as it is known: at least a move
    value: int = 0  # for the player to move; see `values`
    depth: int = 0
    nodes: int = 0
    seconds: float = 0.0
    rank: int = 1  # 1 for the best move, 2 for the next best, …
    is_complete: bool = False  # no guess was needed: a deeper look would find the same
    resolution: int = 1  # a point of the evaluation is worth so much of the value
    odds: float | None = None  # log-odds of winning for each point, where the evaluation knows them
    swing: int = 0  # by how much the last plies of depth have changed the value

    @cached_property
    def line(self) -> tuple[Move, ...]:
        """The best play for both sides, as moves."""
        state, moves = self.position.state, []
        for code in self.codes:
            moves.append(Move(code, self.position.game.notation.move_to_text(state, code)))
            state = verbs.play(state, code)
        return tuple(moves)

    @property
    def move(self) -> Move:
        """The move to play."""
        return self.line[0]

    @property
    def is_proven(self) -> bool:
        """Whether it is certain who wins, or that nobody does."""
        return abs(self.value) >= PROVEN or self.is_complete

    @property
    def plies_to_win(self) -> int | None:
        """How far away a proven win is, negative for a proven loss, None if that is not known."""
        if abs(self.value) < WON:
            return None
        return (WIN - abs(self.value)) * (1 if self.value > 0 else -1)

    @property
    def margin(self) -> int | None:
        """By how many points a decided game will be won at least, negative for a loss; None for any other."""
        if not PROVEN <= abs(self.value) < WON:
            return None
        standing = (abs(self.value) - DECIDED) * (1 if self.value > 0 else -1)
        return int(points(self.position.state, standing))

    @property
    def points(self) -> float:
        """The value in points of the evaluation; of a decided game its margin; an endless number for one that ends."""
        if self.plies_to_win is not None:
            return math.copysign(math.inf, self.value)
        if abs(self.value) >= PROVEN_ELSEWHERE and self.margin is None:
            return math.copysign(AS_GOOD_AS_OVER, self.value)
        return float(self.margin) if self.margin is not None else self.value / self.resolution

    @property
    def chance(self) -> float | None:
        """The chance of the player to move, 1 a win, 0 a loss, a draw half of it; None if nobody knows."""
        if abs(self.value) >= PROVEN:
            return 1.0 if self.value > 0 else 0.0
        if self.is_complete and self.value == 0:
            return 0.5
        return None if self.odds is None else 1 / (1 + math.exp(-self.odds * self.points))
