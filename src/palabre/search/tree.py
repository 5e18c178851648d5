"""The tree of a Monte Carlo tree search, in one array: what is known of each move that has been considered.

A node is a move and the position after it, seen by the player who made the move. Its words, by index:

    CHILDREN   where the block of its children begins, and how many they are; 0 before it is expanded
    MOVE       the move
    VISITS     simulations that went through it
    SUM        what they were worth to its player, WHOLE for each won game
    HEURISTIC      what the evaluation says, looking as far ahead as the tree goes, from 0 to WHOLE
    LOWER, UPPER   how the game will end for its player, proven: -1 lost, 0 shared, 1 won

A node is named by the place of its first word. New children are put behind all that is there, so that a tree is made
and thrown away without any search for room. LOWER and UPPER are the bounds of Cazenave & Saffidine ("Score bounded
Monte-Carlo tree search", 2010) with the sign of the margin in place of the margin: where only winning counts, the sign
of the best margin is the best of the signs, and nothing is lost. Both equal, the node is solved.
"""

from collections.abc import MutableSequence

from palabre.core.kernels import kernel

CHILDREN, MOVE, VISITS, SUM, HEURISTIC, LOWER, UPPER = range(7)
NODE = 7  # words
ROOT = 0
WHOLE = 12 << 16  # a won game; a half, a third and a quarter of it are whole numbers, too
COUNT_BITS = 16
FIRST_PLAY = 1000.0  # what a move is worth that has not been tried, where nothing is known of it

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
    """A new node, not expanded."""
    tree[node + CHILDREN] = tree[node + VISITS] = tree[node + SUM] = 0
    tree[node + MOVE] = move
    tree[node + HEURISTIC] = heuristic
    tree[node + LOWER] = least
    tree[node + UPPER] = most


@kernel
def part_of(proven_result: int) -> int:
    """What an proven_result is worth, of two players: nothing, a half, or the whole game."""
    return (proven_result + 1) * WHOLE // 2
