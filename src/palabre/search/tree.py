"""The tree of Monte Carlo tree search, in one array.

A node is a move and the position after it, seen by its owner, the player who made the move. Its words, by index:

    CHILDREN       the place of its first child and the number of children; 0 before it is expanded
    MOVE           the move
    VISITS         simulations that went through it
    SUM            the owner's shares of these simulations, WHOLE for each won game
    HEURISTIC      the minimaxed evaluation of its subtree as the owner's share, from 0 to WHOLE
    LOWER, UPPER   proven bounds on the owner's result: -1 loss, 0 shared win, 1 win

A node is named by the place of its first word. New children are appended, so memory is never searched or freed. LOWER
and UPPER are the bounds of score bounded MCTS (Cazenave & Saffidine, "Score bounded Monte-Carlo tree search", 2010)
with the sign of the margin in place of the margin. Nothing is lost by this where only winning counts. A node whose
bounds are equal is solved.
"""

from collections.abc import MutableSequence

from palabre.core.kernels import kernel

CHILDREN, MOVE, VISITS, SUM, HEURISTIC, LOWER, UPPER = range(7)
NODE = 7  # words
ROOT = 0
WHOLE = 12 << 16  # a won game; a half, a third and a quarter of it are whole numbers, too
COUNT_BITS = 16  # of CHILDREN that hold the number of children

Words = MutableSequence[int]


@kernel
def first_child(node: int, tree: Words) -> int:
    return tree[node + CHILDREN] >> COUNT_BITS


@kernel
def count_children(node: int, tree: Words) -> int:
    return tree[node + CHILDREN] & (1 << COUNT_BITS) - 1


@kernel
def is_solved(node: int, tree: Words) -> bool:
    return tree[node + LOWER] == tree[node + UPPER]


@kernel
def write_node(node: int, move: int, heuristic: int, least: int, most: int, tree: Words) -> None:
    """Write a new node without children."""
    tree[node + CHILDREN] = tree[node + VISITS] = tree[node + SUM] = 0
    tree[node + MOVE] = move
    tree[node + HEURISTIC] = heuristic
    tree[node + LOWER] = least
    tree[node + UPPER] = most


@kernel
def share_of_result(result: int) -> int:
    """The share of two players' game, in parts of WHOLE, that a loss (-1), a draw (0) or a win (1) is worth."""
    return (result + 1) * WHOLE // 2
