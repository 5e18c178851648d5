"""Best-reply search: only one of the opponents, the one who can hurt most, searches for a reply.

Between two moves of the player at the root, all opponents together are one, who has all their moves to choose from and
minimises the value. So the player's own moves come up every second ply, however many play, and alpha-beta prunes as
with two players (Schadd & Winands, "Best reply search for multiplayer games", 2011).

In that paper, opponents who do not reply are skipped. This leads to positions that no game has, and in many games to
misleading ones: a player who never moves uses nothing up and is in no one's way later. Here they play on, each the
move that looks best without search, as in BRS+ (Esser, Gras, Winands, Schadd & Lanctot 2013): the highest `gain`, then
the highest score, then the first. Such moves cost no depth. With two players this is alpha-beta.
"""

from collections.abc import MutableSequence

from palabre.compile.compiler import compiled
from palabre.core.game import Game
from palabre.core.kernels import kernel
from palabre.core.verbs import (
    State,
    Weights,
    evaluate,
    gain,
    is_over,
    legal_moves,
    move_buffer,
    play,
    score,
    to_move,
    weight_classes,
)
from palabre.search.deepening import CUTOFFS, HORIZON, INFINITY, LEAVES, NODES, TextbookSearch, Values, is_time_up

# The players who have moved since the player at the root did, a bit for each, and one more bit once one has replied.
NO_ONE, REPLIED = 0, 1 << 8


@kernel
def bestreply(
    state: State,
    weights: Weights,
    depth: int,
    alpha: float,
    beta: float,
    player: int,
    turns: int,
    counters: MutableSequence[int],
) -> float:
    """The value of a position for a player, exact if it is between alpha and beta, and otherwise a bound.

    Meaningless once time is up.
    """
    counters[NODES] += 1
    if is_time_up(counters):
        return 0.0
    mover = to_move(state)
    # A round ends when the player is to move again, or another player for the second time, if the player was passed.
    if mover == player or turns & 1 << mover:
        turns = NO_ONE
    if turns & REPLIED and not is_over(state):
        after = play(state, static_best_move(state))
        return bestreply(after, weights, depth, alpha, beta, player, turns | 1 << mover, counters)
    if depth == 0 or is_over(state):
        counters[LEAVES] += 1
        counters[HORIZON] += 0 if is_over(state) else 1
        return evaluate(weights, state, player)

    moves = move_buffer(state)
    count = legal_moves(state, moves)
    if mover == player:
        best = -INFINITY
        for index in range(count):
            after = play(state, moves[index])
            best = max(best, bestreply(after, weights, depth - 1, alpha, beta, player, turns, counters))
            alpha = max(alpha, best)
            if alpha >= beta:
                counters[CUTOFFS] += 1
                return best
        return best

    best = INFINITY
    turns |= 1 << mover
    for index in range(count):
        after = play(state, moves[index])
        best = min(best, bestreply(after, weights, depth - 1, alpha, beta, player, turns | REPLIED, counters))
        beta = min(beta, best)
        if alpha >= beta:
            counters[CUTOFFS] += 1
            return best
    # The mover may also leave the reply to an opponent after them.
    after = play(state, static_best_move(state))
    follower = to_move(after)
    if not is_over(after) and follower != player and not turns & 1 << follower:
        best = min(best, bestreply(after, weights, depth, alpha, beta, player, turns, counters))
    return best


@kernel
def static_best_move(state: State) -> int:
    """The move that looks best without search; the game is not over."""
    moves = move_buffer(state)
    count = legal_moves(state, moves)
    player = to_move(state)
    best_move = moves[0]
    best_gain = gain(state, best_move)
    best_score = score(play(state, best_move), player)
    for index in range(1, count):
        move = moves[index]
        promise = gain(state, move)
        if promise < best_gain:
            continue
        reached = score(play(state, move), player)
        if promise > best_gain or reached > best_score:
            best_move, best_gain, best_score = move, promise, reached
    return best_move


class BestReply(TextbookSearch):
    """Expects one opponent at a time to play against the player at the root."""

    def __init__(self, game: Game, weights: Weights) -> None:
        super().__init__(game, weights)
        self._bestreply = compiled(bestreply, game, *weight_classes(weights))

    def values(self, state: State, depth: int, alpha: float, player: int) -> Values:
        arguments = (depth, alpha, INFINITY, player, NO_ONE, self.counters)
        return (float(self._bestreply(state, self.weights, *arguments)),)
