"""States as words in a row: how a kernel keeps many boards in one array of integers.

A state of `w` fields takes `w` words from its place on. Compiled code builds the state from them without a call.
"""

from collections.abc import MutableSequence

from palabre.core.kernels import kernel
from palabre.core.verbs import SameState, State


def read_state(like: SameState, words: MutableSequence[int], place: int) -> SameState:
    """The state in the words from this place on; `like` is any state of the game."""
    return type(like)(*map(int, words[place : place + len(like)]))


@kernel
def write_state(state: State, words: MutableSequence[int], place: int) -> None:
    """Write the words of a state from this place on."""
    index = place
    for word in state:
        words[index] = word
        index += 1
