"""Thought: what a search reports of a position; and `Search`, the interface that all searches share."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from palabre.core import verbs
from palabre.core.game import Game
from palabre.core.position import Move, Position
from palabre.core.stopping import StopToken
from palabre.search.clock import Clock
from palabre.search.values import PROVEN, PROVEN_ELSEWHERE, WIN, WON

if TYPE_CHECKING:  # it takes long to import, and few bots need it
    from palabre.evaluation.chances import ChanceCurve

AS_GOOD_AS_OVER = 999.0  # points of a game that is won or lost, in an unknown number of plies
SMALLEST_SHARE = 0.001  # an estimated share is never taken for a certain win or loss


@dataclass(frozen=True)
class Thought:
    """What a search thinks of a position, for one line: the best move, or the next best ones by `rank`.

    A search leaves what it does not know at its default: a tree search has no `cutoffs`, alpha-beta no `visits`.
    """

    position: Position
    codes: tuple[int, ...]  # the principal variation, as far as it is known: at least one move
    value: float = 0  # for the player to move, see `values`; searches that sample games give log-odds in points
    depth: int = 0  # plies
    nodes: int = 0  # positions searched, or games simulated
    seconds: float = 0.0
    rank: int = 1  # 1 for the best move, 2 for the next best, …
    is_complete: bool = False  # no evaluation was needed: a deeper search would find the same
    resolution: int = 1  # this much of the value is one point of the evaluation
    odds: float | None = None  # log-odds of winning per point, if the evaluation knows them
    curve: "ChanceCurve | None" = None  # turns values into chances, if it was calibrated; `odds` are a rougher guide
    swing: float = 0  # by how much the last plies of depth have changed the value
    shares: tuple[float, ...] | None = None  # each player's expected share of the game; they add up to 1
    visits: int = 0  # simulations that tried the move, including those kept from earlier moves
    ties: tuple[int, ...] = ()  # all moves of the same value, including this one, if the search reports them
    leaves: int = 0  # positions evaluated
    cutoffs: int = 0  # positions whose other moves were pruned

    @cached_property
    def line(self) -> tuple[Move, ...]:
        """The principal variation: the best play of all sides."""
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
    def best(self) -> tuple[Move, ...]:
        """The moves as good as this one, including itself, in order; a bot may pick one of them at random."""
        text = self.position.game.notation.move_to_text
        return tuple(Move(code, text(self.position.state, code)) for code in self.ties) or (self.move,)

    def __repr__(self) -> str:
        chance = "" if self.chance is None else f" ({self.chance:.0%})"
        line = " ".join(str(move) for move in self.line)
        return f"<Thought {self.rank}: {line}, {self.points:+.2f}{chance}, depth {self.depth}, {self.nodes:,} nodes>"

    @property
    def is_proven(self) -> bool:
        """Whether it is certain who wins, or that the game is drawn."""
        return abs(self.value) >= PROVEN or self.is_complete

    @property
    def proven_result(self) -> int | None:
        """1 if it is proven that the player to move wins, -1 that they lose, 0 that the win is shared, or None."""
        if not self.is_proven:
            return None
        return (self.value > 0) - (self.value < 0)

    @property
    def plies_to_win(self) -> int | None:
        """The plies to a proven win, negative for a proven loss, None if the distance is not known."""
        if abs(self.value) < WON:
            return None
        return int(WIN - abs(self.value)) * (1 if self.value > 0 else -1)

    @property
    def points(self) -> float:
        """The value in points of the evaluation; infinite for a win or loss at a known distance."""
        if self.plies_to_win is not None:
            return math.copysign(math.inf, self.value)
        if abs(self.value) >= PROVEN_ELSEWHERE:
            return math.copysign(AS_GOOD_AS_OVER, self.value)
        return self.value / self.resolution

    @property
    def chance(self) -> float | None:
        """The expected share of the player to move: 1 a win, 0 a loss, 0.5 a draw of two; None if unknown."""
        if abs(self.value) >= PROVEN:
            return 1.0 if self.value > 0 else 0.0
        if self.shares is not None:
            return self.shares[self.position.to_move]
        if self.is_complete and self.value == 0:
            return 0.5
        if self.curve is not None and abs(self.value) < PROVEN_ELSEWHERE:
            from palabre.evaluation.chances import phase

            return self.curve.chance(self.points, phase(self.position), self.nodes)
        return None if self.odds is None else share_of_points(self.points, 2, self.odds)

    @property
    def expected_shares(self) -> tuple[float, ...] | None:
        """Each player's expected share of the game, even if a search for two players reports only one chance."""
        if self.shares is not None or self.position.game.players != 2:
            return self.shares
        chance = self.chance
        if chance is None:
            return None
        return (chance, 1 - chance) if self.position.to_move == 0 else (1 - chance, chance)


Watch = Callable[[Thought], None]


class Search(Protocol):
    """The interface of all searches: principal variation search, MCTS, flat Monte Carlo, and the textbook ones."""

    stop_token: StopToken | None  # of a caller that may stop the next search before it begins

    def think(self, position: Position, clock: Clock, watch: Watch | None = None, lines: int = 1) -> Thought:
        """Search until the clock runs out and return the best line; the position has moves.

        While the search goes on, and when it ends, `watch` gets the best `lines` moves, from rank 1 on.
        """
        ...

    def stop(self) -> None:
        """End the search that is under way: `think` returns the best move so far. Called from another thread."""
        ...


class LastingSearch(Search, Protocol):
    """A search that keeps what it finds for the next move."""

    game: Game

    def new_game(self) -> None:
        """Forget everything: the next position is searched as by a new search. It takes little time."""
        ...


def thought_facts(thought: Thought) -> dict[str, Any]:
    """A thought as JSON has it, for programs and pages: numbers and texts, None for what is unknown.

    `points` and `proven` are for the player to move, `shares` for each player in the order of their seats. The points
    of a search that samples games are only its chance in another unit, and those of a game that is as good as over
    mean nothing: both are left out.
    """
    has_points = not thought.visits and not thought.is_proven and abs(thought.value) < PROVEN_ELSEWHERE
    shares = thought.expected_shares
    result, plies = thought.proven_result, thought.plies_to_win
    return {
        "rank": thought.rank,
        "move": thought.move.text,
        "line": [move.text for move in thought.line],
        "depth": thought.depth,
        "nodes": thought.nodes,
        "seconds": thought.seconds,
        "nodes_per_second": thought.nodes / thought.seconds if thought.seconds > 0 else None,
        "visits": thought.visits or None,
        "points": float(thought.points) if has_points else None,
        "chance": thought.chance,
        "shares": None if shares is None else list(shares),
        "proven": None if result is None else {"result": result, "plies": None if plies is None else abs(plies)},
    }


def points_of_share(share: float, players: int, odds: float) -> float:
    """The points of an evaluation with these log-odds a point that are worth a share: a fair share is worth 0."""
    share = min(max(share, SMALLEST_SHARE), 1 - SMALLEST_SHARE)
    return (math.log(share / (1 - share)) + math.log(players - 1)) / odds


def share_of_points(points: float, players: int, odds: float) -> float:
    """The reverse: the share that points of an evaluation are worth."""
    exponent = odds * points - math.log(players - 1)
    return 1 / (1 + math.exp(-exponent)) if exponent > -700 else 0.0


def report_lines(thoughts: Sequence[Thought], watch: Watch | None) -> None:
    """Call `watch`, if there is one, with each line."""
    if watch is not None:
        for thought in thoughts:
            watch(thought)
