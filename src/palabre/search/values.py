"""What the engine's values mean: integers from the point of view of the player to move.

± WIN - plies        the game ends that many plies from the root, won or lost: a nearer win is worth more
± DECIDED + margin   the game goes on, but its `margin_bounds` show who wins, and by how much at least
± PROVEN - 1 - plies the game would end that many plies from the root if no position were repeated on the way
anything smaller     an evaluation, in parts of a point; 0 is also a draw
"""

from palabre.core.kernels import kernel
from palabre.core.verbs import FAR, State, to_move, win_draw_loss

MAX_PLY = 200  # no line is searched beyond this ply
WIN = 1_000_000_000
WON = WIN - 2 * MAX_PLY  # values from here on have the number of plies to the end
DECIDED = 900_000_000
PROVEN = DECIDED - FAR  # values from here on are proven
PROVEN_ELSEWHERE = PROVEN - 4 * MAX_PLY  # values from here to PROVEN were proven on another path to the position


@kernel
def terminal_value(state: State, ply: int) -> int:
    """The value of a game that has ended, `ply` plies from the root."""
    return win_draw_loss(state, to_move(state)) * (WIN - ply)


@kernel
def decided(least: int, most: int) -> int:
    """The value of a game that will end ahead by `least` to `most`; 0 if the bounds leave the winner open."""
    if least > 0:
        return DECIDED + least
    if most < 0:
        return -DECIDED + most
    return 0


@kernel
def as_proven_elsewhere(value: int) -> int:
    """What a value is worth if its proof is from another path to the position.

    Such a proof may lead through a position that would be a repetition on this path: the graph-history interaction
    problem (Kishimoto and Müller, "A General Solution to the Graph History Interaction Problem", 2004).
    """
    size = abs(value)
    if size >= WON:
        size = PROVEN - 1 - (WIN - size)
    elif size >= PROVEN:
        size = PROVEN_ELSEWHERE + MAX_PLY
    return size if value > 0 else -size


@kernel
def counts_plies(value: int) -> bool:
    """Whether a value has the number of plies to the win."""
    return value >= WON or PROVEN_ELSEWHERE <= value < PROVEN


@kernel
def to_table(value: int, ply: int) -> int:
    """A value as the table keeps it: with the end counted in plies from the position, not from the root."""
    return value + ply if counts_plies(value) else value - ply if counts_plies(-value) else value


@kernel
def from_table(value: int, ply: int) -> int:
    """The reverse of `to_table`."""
    return value - ply if counts_plies(value) else value + ply if counts_plies(-value) else value
