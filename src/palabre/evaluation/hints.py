"""What a game can tell a search beyond its rules: a verb with an answer for games that say nothing."""

from typing import Any

from palabre.core.kernels import verb_with_default


@verb_with_default
def gain(state: Any, move: int) -> int:
    """What a move wins at once, in points of the score or any other unit: the higher, the sooner it is looked at.

    A move that wins nothing (0 or less) is quiet: a search may look at it less deeply.
    """
    return 0
