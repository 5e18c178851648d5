"""The repetition scan: where a position has occurred before, in the game or on the line that is being searched."""

from collections.abc import MutableSequence

from palabre.core.kernels import kernel

NOT_REPEATED = -1


@kernel
def first_occurrence(key: int, words: MutableSequence[int], first: int, end: int) -> int:
    """The earliest place from `first` up to, not including, `end` that holds a `repetition_key`, or NOT_REPEATED."""
    for place in range(first, end):
        if words[place] == key:
            return place
    return NOT_REPEATED
