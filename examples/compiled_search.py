"""A search of your own in machine code: a kernel in the file of a bot, compiled for any game of two players.

    palabre match examples/compiled_search.py alphabeta --game awele
    palabre match examples/compiled_search.py examples/compiled_search.py:depth=4 --game avalam

A kernel is a function of numbers, tuples and arrays; it asks the game by verbs (docs/game_reference.md), and the
game's rules are compiled into it. It also runs as plain Python, with NUMBA_DISABLE_JIT=1.
"""

from collections.abc import MutableSequence, Sequence

from palabre import Bot, Clock, Game, Move, Parameter, Position, compiled, integers
from palabre.author import State, is_over, kernel, legal_moves, move_buffer, play, score, share, to_move

WIN = 1 << 20  # more than any lead
INFINITY = 1 << 30
BEST, NODES = 0, 1  # what the search leaves in the array `found`


@kernel
def value(state: State, player: int) -> int:
    """What a position is worth to a player; the place for an evaluation of your own."""
    if is_over(state):
        return int(WIN * (share(state, player) - share(state, 1 - player)))
    return score(state, player) - score(state, 1 - player)


@kernel
def search(state: State, depth: int, alpha: int, beta: int, player: int, found: MutableSequence[int]) -> int:
    """Alpha-beta: the value of a position for a player, exact if it is between alpha and beta."""
    found[NODES] += 1
    if depth == 0 or is_over(state):
        return value(state, player)
    moves = move_buffer(state)
    for index in range(legal_moves(state, moves)):
        reply = search(play(state, moves[index]), depth - 1, alpha, beta, player, found)
        if to_move(state) == player:
            alpha = max(alpha, reply)
        else:
            beta = min(beta, reply)
        if alpha >= beta:
            break
    return alpha if to_move(state) == player else beta


@kernel
def choose(state: State, depth: int, found: MutableSequence[int]) -> int:
    """Leave the code of the first best move in `found`, and return its value."""
    player = to_move(state)
    moves = move_buffer(state)
    best = -INFINITY
    for index in range(legal_moves(state, moves)):
        reply = search(play(state, moves[index]), depth - 1, best, INFINITY, player, found)
        if reply > best:
            best = reply
            found[BEST] = moves[index]
    return best


class CompiledSearch(Bot):
    """Alpha-beta to a fixed depth, in machine code."""

    name = "compiled search"  # in a championship
    authors = ("Palabre",)
    summary = "alpha-beta in machine code, from a file of its own"
    most_players = 2

    @classmethod
    def parameters(cls, game: Game) -> Sequence[Parameter]:
        return [Parameter("depth", 6, range(1, 30), "plies to search")]

    def start(self, game: Game, seat: int) -> None:
        """Compile for this game now, while no clock runs."""
        self.kernel = compiled(choose, game)
        self.found = integers([0, 0])
        position = game.start()
        if not position.is_over:
            self.kernel(position.state, 1, self.found)

    def choose(self, position: Position, clock: Clock) -> Move:
        self.kernel(position.state, self.options.number("depth"), self.found)
        return next(move for move in position.moves() if move.code == self.found[BEST])
