"""The root of the textbook searches: every move to one depth, or iterative deepening until time is up.

A textbook search values the positions after each move; `TextbookSearch` finds the moves with the highest values. Such a
search reports its moves and their values, but no principal variation, and it proves nothing: what a position at the end
of a line is worth is the evaluation's business.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import MutableSequence, Sequence
from dataclasses import replace
from functools import cache

from palabre.compile.compiler import compiled, integers
from palabre.core.game import Game
from palabre.core.kernels import kernel
from palabre.core.position import Move, Position
from palabre.core.stopping import StopToken, is_set
from palabre.core.system import now
from palabre.core.verbs import State, Weights, weight_classes
from palabre.evaluation.playout import usual_lead
from palabre.search.clock import NO_LIMIT, Clock, TimeLimits, own_moves_left, time_limits
from palabre.search.thought import Thought, Watch, report_lines, share_of_points

# Indices of the counters. HORIZON counts the leaves at which the game was not over.
NODES, LEAVES, CUTOFFS, HORIZON = range(4)
# The limits stand there, too: nanoseconds by `core.system.now`, nodes, and whether to stop.
DEADLINE, NODE_LIMIT, STOP = 4, 5, 6
COUNTERS = 7

INFINITY = 1e30
MAX_DEPTH = 30  # plies; no textbook search gets that far but at the end of a game
POLL_INTERVAL = 16  # nodes between two looks at the clock; a Monte Carlo evaluation may take half a millisecond
SCALE_GAMES = 20  # random games that show what a lead is worth, where the evaluation does not know
USUAL_LEAD_ODDS = math.log(3)  # log-odds of a usual lead, which is worth three quarters of a game

Child = tuple[Move, State]  # a move and the state after it
Values = tuple[float, ...]


@kernel
def is_time_up(counters: MutableSequence[int]) -> bool:
    """Whether to stop; a search asks at every node."""
    if counters[NODES] % POLL_INTERVAL == 0 and now() >= counters[DEADLINE]:
        counters[STOP] = 1
    if counters[NODES] > counters[NODE_LIMIT]:
        counters[STOP] = 1
    return counters[STOP] != 0


class TextbookSearch(ABC):
    """A search to a depth, with any evaluation; its value is in points of the evaluation."""

    def __init__(self, game: Game, weights: Weights) -> None:
        self.game = game
        self.weights = weights
        self.counters = integers([0] * COUNTERS)
        self.stop_token: StopToken | None = None

    @abstractmethod
    def values(self, state: State, depth: int, alpha: float, player: int) -> Values:
        """The value of a position for the player at the root alone, or for each player, where the search has it.

        A value of at most alpha may be an upper bound. Whatever is returned once STOP is set is ignored.
        """

    def think(self, position: Position, clock: Clock, watch: Watch | None = None, lines: int = 1) -> Thought:
        """Search deeper and deeper until the clock runs out; the position has moves.

        Shallow iterations are left out where they serve nothing: there is no `watch`, and only the depth is limited.
        """
        begin = now()
        limits = time_limits(clock, own_moves_left(position))
        self._prepare(clock, limits, begin)
        counters = self.counters
        children = [(move, position.play(move).state) for move in position.moves()]
        lines = min(lines, len(children))
        best = [Thought(position, (move.code,), rank=n + 1) for n, (move, _) in enumerate(children[:lines])]
        deepest = min(clock.depth or MAX_DEPTH, MAX_DEPTH)
        may_stop = limits.hard is not None or clock.nodes is not None or self.stop_token is not None
        has_steps = watch is not None or may_stop
        for depth in range(1 if has_steps else deepest, deepest + 1):
            counters[HORIZON] = 0
            values = self._search_root(children, position.to_move, depth, lines)
            # If the search is cut short, the best move so far stands: the best moves of the last iteration come first.
            is_first = depth == 1 or not has_steps
            is_useful = not counters[STOP] or (len(values) > 0 and (lines == 1 or is_first))
            if is_useful:
                best = self._thoughts(position, values, depth, lines, begin)
                report_lines(best, watch)
            if self._is_enough(children, limits, clock, begin) or is_set(self.stop_token):
                break
            children.sort(key=lambda child: -values[child[0]][0] if child[0] in values else math.inf)
        return replace(best[0], nodes=int(counters[NODES]) + 1, seconds=(now() - begin) / 1e9)

    def stop(self) -> None:
        """End the search that is under way; may be called from another thread."""
        self.counters[STOP] = 1

    def _prepare(self, clock: Clock, limits: TimeLimits, begin: int) -> None:
        for index in range(COUNTERS):
            self.counters[index] = 0
        self.counters[DEADLINE] = NO_LIMIT if limits.hard is None else begin + int(limits.hard * 1e9)
        self.counters[NODE_LIMIT] = NO_LIMIT if clock.nodes is None else clock.nodes

    def _search_root(
        self, children: Sequence[Child], player: int, depth: int, lines: int
    ) -> dict[Move, tuple[float, Values]]:
        """The moves that are at least as good as the best `lines`, each with its value and those of all players."""
        candidates: dict[Move, tuple[float, Values]] = {}
        for move, after in children:
            best = sorted((value for value, _ in candidates.values()), reverse=True)
            lowest = best[lines - 1] if len(best) >= lines else -INFINITY
            # The window begins just below the lowest value that counts: a move that equals it differs from a worse one.
            values = self.values(after, depth - 1, math.nextafter(lowest, -math.inf), player)
            if self.counters[STOP]:
                break
            value = values[player] if len(values) > 1 else values[0]
            if value >= lowest:
                candidates[move] = value, values
        return candidates

    def _thoughts(
        self, position: Position, values: dict[Move, tuple[float, Values]], depth: int, lines: int, begin: int
    ) -> list[Thought]:
        """The best moves in order; equal ones in the order of their codes."""
        counted = (int(self.counters[index]) for index in (NODES, LEAVES, CUTOFFS))
        nodes, leaves, cutoffs = counted
        ranked = sorted(values, key=lambda move: (-values[move][0], move.code))[:lines]
        return [
            Thought(
                position,
                (move.code,),
                values[move][0],
                depth,
                nodes + 1,
                (now() - begin) / 1e9,
                rank,
                odds=getattr(self.weights, "odds", None),
                shares=self._shares(position.to_move, values[move][1]),
                ties=tuple(sorted(other.code for other in values if values[other][0] == values[move][0])),
                leaves=leaves,
                cutoffs=cutoffs,
            )
            for rank, move in enumerate(ranked, start=1)
        ]

    def _shares(self, player: int, values: Values) -> tuple[float, ...] | None:
        """Each player's expected share, in a game of more than two: `chance` is that of two.

        A search with only one player's value has no opinion about the others: they get equal shares.
        """
        players = self.game.players
        if players == 2:
            return None
        odds = odds_of_point(self.game, self.weights)
        if len(values) > 1:
            parts = [share_of_points(value, players, odds) for value in values]
            return tuple(part / (sum(parts) or 1) for part in parts)
        own = share_of_points(values[0], players, odds)
        return tuple(own if seat == player else (1 - own) / (players - 1) for seat in range(players))

    def _is_enough(self, children: Sequence[Child], limits: TimeLimits, clock: Clock, begin: int) -> bool:
        """Whether to answer now rather than search one ply deeper."""
        if self.counters[STOP] or self.counters[HORIZON] == 0:
            return True
        if limits.soft is None:
            return False
        is_forced = len(children) == 1 and clock.depth is None
        return is_forced or now() - begin >= limits.soft * 1e9


@cache
def odds_of_point(game: Game, weights: Weights) -> float:
    """The log-odds of winning for each point of an evaluation; where it does not know them, from its usual lead."""
    known = getattr(weights, "odds", None)
    if known is not None:
        return float(known)
    lead = float(compiled(usual_lead, game, *weight_classes(weights))(game.start().state, weights, 1, SCALE_GAMES))
    return USUAL_LEAD_ODDS / (lead or 1.0)
