"""What the engine's numbers mean: integers seen from the player to move.

± WIN - plies        a game that ends so many plies from the root, won or lost: the nearer win is the better one
± DECIDED + margin   a game that is still going on, but whose `margin_bounds` tells who wins and at least by how much
± PROVEN - 1 - plies a game that would end so many plies from the root, if no position is repeated on the way
anything smaller     an evaluation, in parts of a point; 0 is also a draw
"""

from typing import Any

from palabre.core.kernels import kernel
from palabre.core.verbs import FAR, to_move, win_draw_loss

MAX_PLY = 200  # plies
WIN = 1_000_000_000
WON = WIN - 2 * MAX_PLY  # from here on a value tells when the game ends
DECIDED = 900_000_000
PROVEN = DECIDED - FAR  # from here on a value is no opinion any more
PROVEN_ELSEWHERE = PROVEN - 4 * MAX_PLY  # and from here on it was proven elsewhere


@kernel
def terminal_value(state: Any, ply: int) -> int:
    """The value of an ended game, so many plies from the root."""
    return win_draw_loss(state, to_move(state)) * (WIN - ply)


@kernel
def decided(least: int, most: int) -> int:
    """The value of a game that will end ahead by `least` to `most`; 0 if that does not tell who wins."""
    if least > 0:
        return DECIDED + least
    if most < 0:
        return -DECIDED + most
    return 0


@kernel
def as_proven_elsewhere(value: int) -> int:
    """What a proof is worth that was found on another way to a position, where others had been before it."""
    size = abs(value)
    if size >= WON:
        size = PROVEN - 1 - (WIN - size)
    elif size >= PROVEN:
        size = PROVEN_ELSEWHERE + MAX_PLY
    return size if value > 0 else -size


@kernel
def counts_plies(value: int) -> bool:
    """Whether a value tells in how many plies a game will be won."""
    return value >= WON or PROVEN_ELSEWHERE <= value < PROVEN


@kernel
def to_table(value: int, ply: int) -> int:
    """A value as it is kept: the end counted in plies from the position, not from the root."""
    return value + ply if counts_plies(value) else value - ply if counts_plies(-value) else value


@kernel
def from_table(value: int, ply: int) -> int:
    """The reverse."""
    return value - ply if counts_plies(value) else value + ply if counts_plies(-value) else value
