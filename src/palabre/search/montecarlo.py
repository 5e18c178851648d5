"""Flat Monte Carlo: as many random games after each move as there is time for, and the move that won most; no tree."""

from dataclasses import dataclass
from typing import Any

from palabre.compile.compiler import compiled, words
from palabre.core.bits import mix
from palabre.core.dice import shake
from palabre.core.kernels import kernel
from palabre.core.position import Move, Position
from palabre.core.system import now
from palabre.core.verbs import Moves, legal_moves, move_buffer, play, share, to_move
from palabre.evaluation.playout import random_game
from palabre.search.clock import Clock, own_moves_left, thinking_time

WHOLE = 12  # a won game; a half, a third and a quarter of it are whole numbers, too
NO_LIMIT = 1 << 62


@kernel
def sample(state: Any, rounds: int, deadline: int, dice: int, tally: Moves) -> None:
    """Play one random game after each move, and again, and write two words for each move: games, and parts won.

    The first round is played to its end, whatever the time.
    """
    moves = move_buffer(state)
    count = legal_moves(state, moves)
    player = to_move(state)
    for number in range(rounds):
        for index in range(count):
            if number > 0 and now() >= deadline:
                return
            dice = shake(dice)
            end = random_game(play(state, moves[index]), mix(dice))[0]
            tally[2 * index] += 1
            tally[2 * index + 1] += int(share(end, player) * WHOLE)


@dataclass(frozen=True)
class Sample:
    """What came of the random games after each move."""

    best: tuple[Move, ...]  # the moves that won most, more than one if they won equally much
    shares: dict[Move, float]  # of the games after each move, the part that the player to move has won
    games: int


def search(position: Position, clock: Clock, seed: int = 0) -> Sample:
    """Sample the moves of a position until the clock says stop; `clock.nodes` limits the games. It has moves.

    A position that this move repeats ends some games at once: then the share is the result, not a sample.
    """
    begin = now()
    run = compiled(sample, position.game)
    moves = position.moves()
    tally = words([0] * 2 * len(moves))
    seconds = thinking_time(clock, own_moves_left(position))
    deadline = NO_LIMIT if seconds is None else begin + int(seconds * 1e9)
    rounds = NO_LIMIT if clock.nodes is None else max(1, clock.nodes // len(moves))
    run(position.state, rounds, deadline, seed, tally)
    shares = {move: int(tally[2 * n + 1]) / (int(tally[2 * n]) * WHOLE) for n, move in enumerate(moves)}
    if position.seen:
        after = {move: position.play(move).result for move in moves}
        shares.update({move: result[position.to_move] for move, result in after.items() if result is not None})
    best = max(shares.values())
    games = sum(int(count) for count in tally[::2])
    return Sample(tuple(move for move, share in shares.items() if share == best), shares, games)
