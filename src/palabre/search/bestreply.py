"""Best-reply search: of all the others only one, the one who can hurt most, thinks about his reply.

Between two moves of the player who searches, all the others together are one opponent, who has the choice of all moves
of all of them, and looks for the worst. So own moves come up every second ply, however many play, and alpha-beta prunes
as with two (Schadd and Winands, "Best reply search for multiplayer games", 2011).

There, those who do not reply are skipped. That leads to positions that no game has, and in Penguins to wrong ones: who
never moves melts no ice and is in nobody's way later. Here they play on, each the move that promises most at first
sight, as in the variant BRS+ (Esser, Gras, Winands, Schadd and Lanctot, 2013): the highest `gain`, then the highest
score, then the first. Such moves cost no depth. With two players this is alpha-beta.
"""

from collections.abc import MutableSequence
from typing import Any

from palabre.compile.compiler import compiled
from palabre.core.kernels import kernel
from palabre.core.position import Position
from palabre.core.verbs import evaluate, gain, is_over, legal_moves, move_buffer, play, score, to_move
from palabre.search.deepening import Valued, is_time_up, to_depth
from palabre.search.minimax import INFINITY
from palabre.search.report import CUTOFFS, HORIZON, LEAVES, NODES, Report

# Who has had his turn since the player who searches: a bit for each, and one more if the reply has been made.
NOBODY, REPLIED = 0, 1 << 8


@kernel
def bestreply(
    state: Any,
    weights: Any,
    depth: int,
    alpha: float,
    beta: float,
    player: int,
    turns: int,
    counters: MutableSequence[int],
) -> float:
    """What a position is worth to a player, exactly if that is between alpha and beta, and otherwise a bound.

    Meaningless once time is up.
    """
    counters[NODES] += 1
    if is_time_up(counters):
        return 0.0
    mover = to_move(state)
    # A round is over when the player is to move again; or somebody else for the second time, if the player is skipped.
    if mover == player or turns & 1 << mover:
        turns = NOBODY
    if turns & REPLIED and not is_over(state):
        after = play(state, at_first_sight(state))
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
    # Or he leaves the reply to somebody after him, if there is one.
    after = play(state, at_first_sight(state))
    follower = to_move(after)
    if not is_over(after) and follower != player and not turns & 1 << follower:
        best = min(best, bestreply(after, weights, depth, alpha, beta, player, turns, counters))
    return best


@kernel
def at_first_sight(state: Any) -> int:
    """The move that promises most without looking ahead; the game is not over."""
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
        points = score(play(state, move), player)
        if promise > best_gain or points > best_score:
            best_move, best_gain, best_score = move, promise, points
    return best_move


def search(position: Position, weights: Any, depth: int) -> Report:
    """The best legal moves by best-reply search, all that are worth the same among them; the position has moves."""
    return to_depth(valued(position, weights), position, depth)


def valued(position: Position, weights: Any) -> Valued:
    """What best-reply search says of the positions after a move, to the player who makes it."""
    run = compiled(bestreply, position.game, type(weights))

    def value(state: Any, depth: int, alpha: float, counters: Any) -> float:
        return float(run(state, weights, depth, alpha, INFINITY, position.to_move, NOBODY, counters))

    return value
