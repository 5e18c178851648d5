"""Tree reuse: the part of a tree below the position that the game has reached is kept for the next move."""

from palabre.core.kernels import kernel
from palabre.core.verbs import State, is_over, key, play
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
def locate(state: State, node: int, wanted: int, plies: int, tree: Words) -> int:
    """The node of the position with the key `wanted`, at most `plies` below `node`, or NOT_FOUND.

    It calls itself, so it must be an entry kernel: Numba's cache breaks a recursion inside another kernel.
    """
    if key(state) == wanted:
        return node
    if plies == 0 or is_over(state):
        return NOT_FOUND
    child = first_child(node, tree)
    for _ in range(count_children(node, tree)):
        if tree[child + VISITS] > 0:
            node = locate(play(state, tree[child + MOVE]), child, wanted, plies - 1, tree)
            if node != NOT_FOUND:
                return node
        child += NODE
    return NOT_FOUND


@kernel
def copy_below(node: int, most: int, tree: Words, room: Words) -> int:
    """Copy a subtree to another array, where its top becomes the root; returns the words it fills.

    The copy is breadth first and is itself the queue (Cheney 1970), so what exceeds `most` words are the deepest nodes.
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
    room[ROOT + LOWER], room[ROOT + UPPER] = -1, 1  # the root has another owner: its bounds follow from its children
    return used


@kernel
def copy_node(source: int, target: int, tree: Words, room: Words) -> None:
    for word in range(NODE):
        room[target + word] = tree[source + word]
