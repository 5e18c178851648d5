"""What a search has found out about the position that the game has now reached: kept for the next move."""

from typing import Any

from palabre.core.kernels import kernel
from palabre.core.verbs import is_over, key, play
from palabre.search.tree import (
    CHILDREN,
    COUNT_BITS,
    LOWER,
    MOVE,
    NODE,
    ROOT,
    UPPER,
    VISITS,
    Words,
    count_children,
    first_child,
)

NOT_FOUND = -1


@kernel
def locate(state: Any, node: int, wanted: int, plies: int, tree: Words) -> int:
    """The node of the position with this key, at most so many plies below another one, or NOT_FOUND.

    It calls itself, and so is to be compiled as such: Numba's cache breaks recursion inside of another kernel.
    """
    if key(state) == wanted:
        return node
    if plies == 0 or is_over(state):
        return NOT_FOUND
    child = first_child(node, tree)
    for _ in range(count_children(node, tree)):
        if tree[child + VISITS] > 0:
            found = locate(play(state, tree[child + MOVE]), child, wanted, plies - 1, tree)
            if found != NOT_FOUND:
                return found
        child += NODE
    return NOT_FOUND


@kernel
def copy_below(node: int, most: int, tree: Words, room: Words) -> int:
    """Copy a node and what is below it to another array, where it becomes the root; how many words it fills.

    Breadth first, the copy itself being the queue (Cheney 1970): what exceeds `most` words are the deepest nodes.
    """
    copy_node(node, ROOT, tree, room)
    used = NODE
    scanned = ROOT
    while scanned < used:
        child = first_child(scanned, room)
        count = count_children(scanned, room)
        if used + count * NODE > most:
            room[scanned + CHILDREN] = 0
        elif count > 0:
            room[scanned + CHILDREN] = used << COUNT_BITS | count
            for _ in range(count):
                copy_node(child, used, tree, room)
                child += NODE
                used += NODE
        scanned += NODE
    room[ROOT + LOWER], room[ROOT + UPPER] = -1, 1  # the root is seen by another player: its children will tell
    return used


@kernel
def copy_node(source: int, target: int, tree: Words, room: Words) -> None:
    for word in range(NODE):
        room[target + word] = tree[source + word]
