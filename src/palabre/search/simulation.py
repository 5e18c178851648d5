"""One simulation of a Monte Carlo tree search: down the tree, a random game from there, and back up.

UCT (Kocsis & Szepesvári 2006), for any game and any number of players: each player at his turn takes the move with the
most promising upper bound on his own part of the game. What is added to it:

- *proofs*: moves whose proven_result is known are not tried in vain, and a winning one is taken at once;
- *heuristics*: implicit minimax backups (Lanctot et al. 2014), an evaluation mixed into the mean of the playouts;
- *cut-offs*: a playout may end early, with the evaluation instead of a result.
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
    is_stale,
    legal_moves,
    margin_bounds,
    move_buffer,
    play,
    players,
    random_move,
    repetition_key,
    share,
    to_move,
    win_draw_loss,
)
from palabre.search.tree import (
    CHILDREN,
    COUNT_BITS,
    FIRST_PLAY,
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
    part_of,
    write_node,
)

MAX_TREE_DEPTH = 120  # plies of the tree
LONGEST_PAST = 1024  # positions of the game so far that can be repeated
MOST_PLAYERS = 8
POLL = 16  # simulations between two looks at the clock
TO_THE_END = 10_000  # plies of a playout; no game of ours is that long
NODES_A_VISIT = 32  # a node is expanded when its visits have paid for it: once in narrow games, more often in wide ones

# The notebook of a searching thread, by index.
STOP, DEADLINE, SIMULATIONS, LIMIT, USED, DICE, PAST_LENGTH, GROWN = range(8)
RESULT = 16  # what this simulation is worth to each player
TOTAL = RESULT + MOST_PLAYERS  # the same, of all of them
LINE = TOTAL + MOST_PLAYERS  # the nodes from the root to the leaf
MOVERS = LINE + MAX_TREE_DEPTH + 2  # and the players who made these moves
PAST = MOVERS + MAX_TREE_DEPTH + 2  # repetition numbers of the game so far and of the line
WORKER_WORDS = PAST + LONGEST_PAST + MAX_TREE_DEPTH + 2  # words


class MctsParameters(NamedTuple):
    """What can be chosen about a search; what is not chosen makes it plain UCT that sees what is proven."""

    exploration: float = math.sqrt(2)
    heuristic_weight: float = 0.0  # the part of a heuristic in a move's value; 0 for none
    scale: float = 1.0  # the evaluation of a usual lead: it is worth three quarters of a game
    cutoff: int = TO_THE_END  # plies after which a playout ends with the evaluation
    proofs: int = 1  # whether proven outcomes are kept, 0 or 1


@kernel
def search(state: Any, weights: Any, parameters: Any, tree: Words, worker: Words) -> None:
    """Simulate at least once, until a limit is reached, somebody says stop, or the proven_result is proven.

    The root is not over.
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
    # Step 1. Down the tree, and one expansion if the leaf is ripe for it.
    node = ROOT
    depth = 0
    siblings = 0
    worker[LINE] = ROOT
    worker[MOVERS] = to_move(state)
    worker[GROWN] = 0
    while depth < MAX_TREE_DEPTH and not is_solved(node, tree):
        player = to_move(state)
        if tree[node + CHILDREN] == 0:
            if tree[node + VISITS] * NODES_A_VISIT < siblings:
                break
            worker[PAST + worker[PAST_LENGTH] + depth] = repetition_key(state)
            expand(state, node, depth, weights, parameters, tree, worker)
            if tree[node + CHILDREN] == 0:
                break
            worker[GROWN] = (
                depth if refresh(node, worker[MOVERS + depth], player, players(state), parameters, tree) else 0
            )
        else:
            siblings = count_children(node, tree)
            node = most_promising(node, worker[MOVERS + depth], player, players(state), parameters, tree, worker)
            worker[PAST + worker[PAST_LENGTH] + depth] = repetition_key(state)
            depth += 1
            worker[LINE + depth] = node
            worker[MOVERS + depth] = player
            state = play(state, tree[node + MOVE])

    # Step 2. What it is worth to each player.
    if is_over(state) or not is_told_by_proof(node, players(state), tree):
        playout(state, weights, parameters, worker)

    # Step 3. Back up to the root.
    has_changed = True
    for place in range(depth, -1, -1):
        node = worker[LINE + place]
        player = worker[MOVERS + place]
        if place < worker[GROWN] and has_changed:
            has_changed = refresh(node, player, worker[MOVERS + place + 1], players(state), parameters, tree)
        keep_to_proof(node, player, players(state), tree, worker)
        tree[node + VISITS] += 1
        tree[node + SUM] += worker[RESULT + player]
    for player in range(players(state)):
        worker[TOTAL + player] += worker[RESULT + player]


@kernel
def most_promising(node: int, owner: int, player: int, seats: int, parameters: Any, tree: Words, worker: Words) -> int:
    """The child that a player looks at next, `owner` being the player of the node."""
    sure = sure_of(node, owner, player, seats, tree)
    exploration = parameters.exploration * math.sqrt(math.log(max(1, tree[node + VISITS])))
    first = first_child(node, tree)
    count = count_children(node, tree)
    worker[DICE] = shake(worker[DICE])
    child = first + NODE * roll(
        worker[DICE], count
    )  # looks at the children from a random one on: ties are broken fairly
    end = first + NODE * count
    best = child
    best_value = -1.0
    for _ in range(count):
        if tree[child + UPPER] > sure:  # others cannot give him more than he has
            visits = tree[child + VISITS]
            value = FIRST_PLAY
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
def sure_of(node: int, owner: int, player: int, seats: int, tree: Words) -> int:
    """What the player to move at a node is sure of, by what is proven for its owner."""
    if owner == player:
        return tree[node + LOWER]
    return -tree[node + UPPER] if seats == 2 else -1


@kernel
def expand(state: Any, node: int, depth: int, weights: Any, parameters: Any, tree: Words, worker: Words) -> None:
    """Add the children of a node, unless the memory is full."""
    moves = move_buffer(state)
    count = legal_moves(state, moves)
    first = worker[USED]
    if first + count * NODE > len(tree):
        return
    player = to_move(state)
    child = first
    for index in range(count):
        after = play(state, moves[index])
        mark = repetition_key(after)
        if mark and is_on_path(mark, depth, worker):
            after = award_remaining(after)
        heuristic = chance_of(after, weights, parameters, player) if parameters.heuristic_weight > 0.0 else 0
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
def sign(number: int) -> int:
    return 1 if number > 0 else -1 if number < 0 else 0


@kernel
def is_on_path(mark: int, depth: int, worker: Words) -> bool:
    """Whether a position has occurred in the game or on the line down to this depth."""
    for place in range(PAST, PAST + worker[PAST_LENGTH] + depth + 1):
        if worker[place] == mark:
            return True
    return False


@kernel
def refresh(node: int, owner: int, player: int, seats: int, parameters: Any, tree: Words) -> bool:
    """Take over what the children of a node have learnt, `player` being to move there; whether that is anything new.

    With more than two players, what is good for one says little about another: only that he who can win, will.
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
def is_told_by_proof(node: int, seats: int, tree: Words) -> bool:
    """Whether what is proven tells every player's part: of two the other's, of more only that nobody else has won."""
    return is_solved(node, tree) and (seats == 2 or tree[node + LOWER] > 0)


@kernel
def keep_to_proof(node: int, owner: int, seats: int, tree: Words, worker: Words) -> None:
    """Correct the result by what is proven for a node's player: nobody will be worse off than he can be sure to be.

    Moves that cannot give a player more than he is sure of are not tried any more, and so do not speak for themselves.
    """
    if seats == 2:
        own = min(max(worker[RESULT + owner], part_of(tree[node + LOWER])), part_of(tree[node + UPPER]))
        worker[RESULT + owner] = own
        worker[RESULT + 1 - owner] = WHOLE - own
    elif tree[node + LOWER] > 0:
        for player in range(seats):
            worker[RESULT + player] = WHOLE if player == owner else 0


@kernel
def playout(state: Any, weights: Any, parameters: Any, worker: Words) -> None:
    """Play on at random and write what came of it; a long game may be ended by the evaluation."""
    dice = worker[DICE]
    plies = 0
    while not is_over(state) and plies < parameters.cutoff:
        if is_stale(state):
            state = award_remaining(state)
        else:
            dice = shake(dice)
            move = random_move(state, dice)
            state = play(state, move)
            plies += 1
    worker[DICE] = dice
    if is_over(state):
        for player in range(players(state)):
            worker[RESULT + player] = int(share(state, player) * WHOLE)
    else:
        write_chances(state, weights, parameters, worker)


@kernel
def write_chances(state: Any, weights: Any, parameters: Any, worker: Words) -> None:
    """The result of a game that is not over: each player's chance by the evaluation, all of them adding up to one."""
    total = 0
    for player in range(players(state)):
        worker[RESULT + player] = chance_of(state, weights, parameters, player)
        total += worker[RESULT + player]
    for player in range(players(state)):
        worker[RESULT + player] = worker[RESULT + player] * WHOLE // max(1, total)


@kernel
def chance_of(state: Any, weights: Any, parameters: Any, player: int) -> int:
    """An evaluation as a part of a game."""
    value = evaluate(weights, state, player)
    return int((0.5 + 0.5 * value / (abs(value) + parameters.scale)) * WHOLE)


@kernel
def usual_lead(state: Any, weights: Any, dice: int, games: int) -> float:
    """How far apart the evaluation sees the players in random games: the mean over all positions, as a distance."""
    total = 0.0
    count = 0
    for _ in range(games):
        current = state
        while not is_over(current):
            if is_stale(current):
                current = award_remaining(current)
            else:
                total += abs(evaluate(weights, current, 0))
                count += 1
                dice = shake(dice)
                current = play(current, random_move(current, dice))
    return total / max(1, count)
