"""Fixed random positions of a game, in which its evaluations and features are compared."""

from collections.abc import Iterator

from palabre.core import verbs
from palabre.core.bits import combine
from palabre.core.dice import roll, shake
from palabre.core.game import Game

GAMES, PLIES = 20, 60
SEEDS = 17  # the family of their seeds


def fixed_positions(game: Game) -> Iterator[verbs.State]:
    """The positions of some random games, the first positions left out; the same at every call."""
    for number in range(GAMES):
        luck = combine(SEEDS, number)
        state = game.start(luck).state
        for _ in range(PLIES):
            if verbs.is_over(state):
                break
            moves = verbs.move_buffer(state)
            luck = shake(luck)
            state = verbs.play(state, moves[roll(luck, verbs.legal_moves(state, moves))])
            yield state
