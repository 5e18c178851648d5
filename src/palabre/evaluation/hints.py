"""What a game can tell a search beyond its rules: verbs with an answer for games that say nothing."""

from typing import Any

from palabre.core.kernels import verb_with_default
from palabre.core.verbs import Moves

FAR = 1 << 20  # more than any standing
USUAL_PLIES = 60  # that a game is expected to have yet where nothing is known about it


@verb_with_default
def gain(state: Any, move: int) -> int:
    """What a move wins at once, in points of the score or any other unit: the higher, the sooner it is looked at.

    A move that wins nothing (0 or less) is quiet: a search may look at it less deeply.
    """
    return 0


@verb_with_default
def late_moves_count(state: Any) -> bool:
    """Whether a move that comes late in the order is as likely as others to turn the game.

    Then a search does not look at it less deeply.
    """
    return False


@verb_with_default
def outlook(state: Any) -> tuple[int, int]:
    """The least and the most by which the player to move can end ahead of the other, in standing; for games of two.

    Never a guess: bounds that hold however both play. Equal ones tell how the game ends. The game is not over.
    """
    return -FAR, FAR


@verb_with_default
def points(state: Any, margin: int) -> int:
    """A difference of standings in points of the scoreboard, what breaks ties left out."""
    return margin


@verb_with_default
def loud_moves(state: Any, moves: Moves) -> int:
    """Write the moves that must be looked at before a position can be evaluated, and return how many there are."""
    return 0


@verb_with_default
def plies_left(state: Any) -> int:
    """How many plies the game is likely to have yet, for planning time; never more than the rules allow."""
    return USUAL_PLIES
