"""The kernels of Monte Carlo tree search: selection, expansion, playout and backup.

The search is UCT (Kocsis & Szepesvári, "Bandit based Monte-Carlo planning", 2006) for any game and any number of
players: the player to move takes the child with the highest upper confidence bound on their own share of the game.
Three techniques are added to it:

- *proofs*: score bounded MCTS (Cazenave & Saffidine 2010), the relative of MCTS-Solver (Winands et al. 2008) that knows
  draws: children that cannot improve on what is proven are not tried, and a proven win is taken at once;
- *heuristics*: implicit minimax backups (Lanctot et al. 2014), which mix a minimaxed evaluation into the mean share;
- *cut-offs*: early playout termination (Lorentz 2008), which ends a playout with the evaluation instead of a result.
"""

import math
from typing import Any, NamedTuple

from palabre.core.dice import roll, shake
from palabre.core.kernels import kernel
from palabre.core.system import now
from palabre.core.verbs import (
    award_remaining,
    evaluate,
    is_over,
    legal_moves,
    margin_bounds,
    move_buffer,
    play,
    players,
    repetition_key,
    share,
    to_move,
    win_draw_loss,
)
from palabre.evaluation.playout import random_game
from palabre.search.repetition import NOT_REPEATED, first_occurrence
from palabre.search.tree import (
    CHILDREN,
    COUNT_BITS,
    HEURISTIC,
    LOWER,
    MOVE,
    NODE,
    ROOT,
    SUM,
    UPPER,
    VISITS,
    WHOLE,
    Words,
    count_children,
    first_child,
    is_solved,
    share_of_result,
    write_node,
)

MAX_TREE_DEPTH = 120  # plies
LONGEST_PAST = 1024  # positions of the game so far that are compared with those in the tree
MOST_PLAYERS = 8
POLL = 16  # simulations between two readings of the clock
FULL_PLAYOUT = 10_000  # plies; as a cut-off it means that playouts go to the end of the game

# Indices of the worker, the words of one searching thread.
STOP = 0  # not 0: return after this simulation
DEADLINE = 1  # by `core.system.now`
SIMULATIONS = 2  # done so far
LIMIT = 3  # of simulations
USED = 4  # words of the tree that hold nodes
DICE = 5
PAST_LENGTH = 6  # positions of the game before the root
CHANGED = 7  # the depth of an expansion that changed what is known of its node, or 0
RESULT = 16  # each player's share of this simulation, in parts of WHOLE
TOTAL = RESULT + MOST_PLAYERS  # the sums of these shares over all simulations
LINE = TOTAL + MOST_PLAYERS  # the nodes from the root to the leaf
MOVERS = LINE + MAX_TREE_DEPTH + 2  # the players who made the moves to these nodes
PAST = MOVERS + MAX_TREE_DEPTH + 2  # repetition keys of the game so far and of the line
WORKER_WORDS = PAST + LONGEST_PAST + MAX_TREE_DEPTH + 2


class MctsParameters(NamedTuple):
    """What can be tuned. The defaults make it plain UCT with proofs; `mcts_parameters` has the values for a game."""

    exploration: float = 1.4  # the constant C of UCB1, whose theory has the square root of 2; 0 to 2
    heuristic_weight: float = 0.0  # alpha of implicit minimax backups: the part of the heuristic in a value; 0 to 1
    scale: float = 1.0  # the lead by the evaluation that is worth three quarters of a game; `Mcts` measures it
    cutoff: int = FULL_PLAYOUT  # plies after which a playout ends with the evaluation; 0 or more
    proofs: int = 1  # whether proven results are kept, 0 or 1
    # A leaf is expanded once it has a visit for every so many siblings: at its first visit in narrow games, later in
    # wide ones, where expansions are dear; 1 to 100.
    siblings_a_visit: int = 32
    first_play: float = 1000.0  # the value of an untried move without a heuristic: above 3 or so, all are tried first
    kept_words: int = 1 << 20  # words of a tree that are kept for the next move: to copy more would take too long
    forced_simulations: int = 256  # simulations of a forced move when a clock runs
    scale_games: int = 100  # random games from which `scale` is measured


@kernel
def search(state: Any, weights: Any, parameters: Any, tree: Words, worker: Words) -> None:
    """Simulate at least once, until a limit is reached, STOP is set or the result is proven.

    The game is not over at the root. A search that has reached its LIMIT can be called again with a higher one: it
    goes on as if it had never returned.
    """
    if tree[ROOT + CHILDREN] != 0:
        refresh(ROOT, to_move(state), to_move(state), players(state), parameters, tree)
    while True:
        simulate(state, weights, parameters, tree, worker)
        worker[SIMULATIONS] += 1
        if worker[SIMULATIONS] % POLL == 0 and now() >= worker[DEADLINE]:
            worker[STOP] = 1
        if worker[STOP] or worker[SIMULATIONS] >= worker[LIMIT] or is_solved(ROOT, tree):
            break


@kernel
def simulate(state: Any, weights: Any, parameters: Any, tree: Words, worker: Words) -> None:
    """One simulation from the root."""
    # Step 1. Selection, down to a leaf, which is expanded once if it has enough visits.
    node = ROOT
    depth = 0
    siblings = 0
    worker[LINE] = ROOT
    worker[MOVERS] = to_move(state)
    worker[CHANGED] = 0
    while depth < MAX_TREE_DEPTH and not is_solved(node, tree):
        player = to_move(state)
        if tree[node + CHILDREN] == 0:
            if tree[node + VISITS] * parameters.siblings_a_visit < siblings:
                break
            worker[PAST + worker[PAST_LENGTH] + depth] = repetition_key(state)
            expand(state, node, depth, weights, parameters, tree, worker)
            if tree[node + CHILDREN] == 0:
                break
            has_changed = refresh(node, worker[MOVERS + depth], player, players(state), parameters, tree)
            worker[CHANGED] = depth if has_changed else 0
        else:
            siblings = count_children(node, tree)
            node = most_promising(node, worker[MOVERS + depth], player, players(state), parameters, tree, worker)
            worker[PAST + worker[PAST_LENGTH] + depth] = repetition_key(state)
            depth += 1
            worker[LINE + depth] = node
            worker[MOVERS + depth] = player
            state = play(state, tree[node + MOVE])

    # Step 2. Playout, unless a proof has every player's share; `keep_to_proof` writes those below.
    if players(state) > 2 and is_repetition(repetition_key(state), depth, worker):
        state = award_remaining(state)
    if is_over(state) or not has_proven_shares(node, players(state), tree):
        playout(state, weights, parameters, worker)

    # Step 3. Backup to the root: bounds and heuristics as far as they change, visits and shares everywhere.
    has_changed = True
    for place in range(depth, -1, -1):
        node = worker[LINE + place]
        player = worker[MOVERS + place]
        if place < worker[CHANGED] and has_changed:
            has_changed = refresh(node, player, worker[MOVERS + place + 1], players(state), parameters, tree)
        keep_to_proof(node, player, players(state), tree, worker)
        tree[node + VISITS] += 1
        tree[node + SUM] += worker[RESULT + player]
    for player in range(players(state)):
        worker[TOTAL + player] += worker[RESULT + player]


@kernel
def most_promising(node: int, owner: int, player: int, seats: int, parameters: Any, tree: Words, worker: Words) -> int:
    """The child with the highest upper confidence bound for the player to move; `owner` moved to the node."""
    sure = proven_for(node, owner, player, seats, tree)
    exploration = parameters.exploration * math.sqrt(math.log(max(1, tree[node + VISITS])))
    first = first_child(node, tree)
    count = count_children(node, tree)
    worker[DICE] = shake(worker[DICE])
    child = first + NODE * roll(worker[DICE], count)  # the first to be compared is random: ties are broken fairly
    end = first + NODE * count
    best = child
    best_value = -1.0
    for _ in range(count):
        if tree[child + UPPER] > sure:  # other children cannot improve on what is proven
            visits = tree[child + VISITS]
            value = parameters.first_play
            if visits > 0:
                value = tree[child + SUM] / (visits * WHOLE)
            if parameters.heuristic_weight > 0.0:
                heuristic = tree[child + HEURISTIC] / WHOLE
                value = heuristic if visits == 0 else value + parameters.heuristic_weight * (heuristic - value)
            value += exploration / math.sqrt(max(1, visits))
            if value > best_value:
                best_value = value
                best = child
        child += NODE
        if child == end:
            child = first
    return best


@kernel
def proven_for(node: int, owner: int, player: int, seats: int, tree: Words) -> int:
    """The least result that is proven for the player to move at a node, given the bounds for its owner."""
    if owner == player:
        return tree[node + LOWER]
    return -tree[node + UPPER] if seats == 2 else -1


@kernel
def expand(state: Any, node: int, depth: int, weights: Any, parameters: Any, tree: Words, worker: Words) -> None:
    """Add the children of a node, unless the tree is full."""
    moves = move_buffer(state)
    count = legal_moves(state, moves)
    first = worker[USED]
    if first + count * NODE > len(tree):
        return
    player = to_move(state)
    child = first
    for index in range(count):
        after = play(state, moves[index])
        if is_repetition(repetition_key(after), depth + 1, worker):
            after = award_remaining(after)
        heuristic = evaluated_share(after, weights, parameters, player) if parameters.heuristic_weight > 0.0 else 0
        least, most = -1, 1
        if is_over(after):
            least = most = win_draw_loss(after, player)
        elif parameters.proofs and players(state) == 2:
            low, high = margin_bounds(after)
            if to_move(after) != player:
                low, high = -high, -low
            least, most = sign(low), sign(high)
        write_node(child, moves[index], heuristic, least, most, tree)
        child += NODE
    worker[USED] = child
    tree[node + CHILDREN] = first << COUNT_BITS | count


@kernel
def is_repetition(mark: int, depth: int, worker: Words) -> bool:
    """Whether a position at a depth of the line has come up before, on the line or in the game so far."""
    return mark != 0 and first_occurrence(mark, worker, PAST, PAST + worker[PAST_LENGTH] + depth) != NOT_REPEATED


@kernel
def sign(number: int) -> int:
    return 1 if number > 0 else -1 if number < 0 else 0


@kernel
def refresh(node: int, owner: int, player: int, seats: int, parameters: Any, tree: Words) -> bool:
    """Update the bounds and the heuristic of a node from its children; whether anything has changed.

    `player` is to move at the node and `owner` moved to it. With more than two players, the bounds of one player say
    little about another: only that a player who can win, will.
    """
    least, most, heuristic = -1, -1, 0
    child = first_child(node, tree)
    for _ in range(count_children(node, tree)):
        least = max(least, tree[child + LOWER])
        most = max(most, tree[child + UPPER])
        heuristic = max(heuristic, tree[child + HEURISTIC])
        child += NODE
    if owner != player:
        least, most = -most, -least
        heuristic = WHOLE - heuristic
        if seats > 2:
            least, most = -1, 1 if most > -1 else -1
            heuristic = tree[node + HEURISTIC]
    if parameters.proofs == 0:
        least, most = tree[node + LOWER], tree[node + UPPER]
    least, most = max(least, tree[node + LOWER]), min(most, tree[node + UPPER])
    is_new = least != tree[node + LOWER] or most != tree[node + UPPER] or heuristic != tree[node + HEURISTIC]
    tree[node + LOWER] = least
    tree[node + UPPER] = most
    tree[node + HEURISTIC] = heuristic
    return is_new


@kernel
def has_proven_shares(node: int, seats: int, tree: Words) -> bool:
    """Whether a proof has every player's share: with two players any proof, with more only that of a win."""
    return is_solved(node, tree) and (seats == 2 or tree[node + LOWER] > 0)


@kernel
def keep_to_proof(node: int, owner: int, seats: int, tree: Words, worker: Words) -> None:
    """Keep the shares of a simulation within what is proven for the owner of a node.

    Children that cannot improve on a proven result are no longer tried, so their simulations cannot show it.
    """
    if seats == 2:
        low, high = share_of_result(tree[node + LOWER]), share_of_result(tree[node + UPPER])
        own = min(max(worker[RESULT + owner], low), high)
        worker[RESULT + owner] = own
        worker[RESULT + 1 - owner] = WHOLE - own
    elif tree[node + LOWER] > 0:
        for player in range(seats):
            worker[RESULT + player] = WHOLE if player == owner else 0


@kernel
def playout(state: Any, weights: Any, parameters: Any, worker: Words) -> None:
    """Play a random game and write each player's share of it, by the evaluation if the cut-off ends it."""
    end, _plies, worker[DICE] = random_game(state, worker[DICE], parameters.cutoff)
    if is_over(end):
        for player in range(players(end)):
            worker[RESULT + player] = int(share(end, player) * WHOLE)
    else:
        write_evaluated_shares(end, weights, parameters, worker)


@kernel
def write_evaluated_shares(state: Any, weights: Any, parameters: Any, worker: Words) -> None:
    """Write each player's share of a game that is not over by the evaluation; they add up to one game."""
    total = 0
    for player in range(players(state)):
        worker[RESULT + player] = evaluated_share(state, weights, parameters, player)
        total += worker[RESULT + player]
    for player in range(players(state)):
        worker[RESULT + player] = worker[RESULT + player] * WHOLE // max(1, total)


@kernel
def evaluated_share(state: Any, weights: Any, parameters: Any, player: int) -> int:
    """The evaluation as a share of the game, in parts of WHOLE."""
    value = evaluate(weights, state, player)
    return int((0.5 + 0.5 * value / (abs(value) + parameters.scale)) * WHOLE)
