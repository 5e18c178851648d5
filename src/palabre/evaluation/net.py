"""Nets: evaluations that are learned from games, over the features that a game says a position has.

A net is small, because a search asks for it millions of times a second. It has 32, 64 or 128 lanes. Each feature has a
row with a 16-bit weight for each lane; the rows of a position's features are added to the biases. Each sum is clamped
and squared, which is a layer of *squared clipped ReLU* as in Stockfish's NNUE
(https://official-stockfish.github.io/docs/nnue-pytorch-wiki/docs/nnue.html), and multiplied by an output weight, which
depends on the phase of the game. The net adds to another evaluation of the game, its *base*, which has a learned
factor: trained on few games, a net alone is far weaker than beside what is known of the game.

All sums are of integers, so a net has the same value in plain Python, in compiled code, and on any processor.
"""

import hashlib
from functools import cache
from typing import Any, NamedTuple

from palabre.core import verbs
from palabre.core.game import Game
from palabre.core.kernels import answer, kernel
from palabre.core.lanes import Memory, add_lanes, load_lanes, load_word, squared_dot
from palabre.core.verbs import Rows, State, evaluate, features, is_over, phase, row_buffer, to_move
from palabre.evaluation.net_file import Quantised, first_row, memory_content
from palabre.evaluation.positions import fixed_positions

OUT_BIASES = 1  # where in memory, in words, the output biases begin


class Net(NamedTuple):
    """The weights of a net. Most of them are in memory that this tuple has the address of."""

    memory: int
    first: int  # the row in memory where the first 32 lanes begin
    chunks: int  # how many times 32 lanes there are
    features: int  # rows of features in a chunk
    rows: int  # all rows of a chunk
    out_scale: float  # points for one unit of the output
    skip: float  # the factor of the base
    odds: float  # log-odds of winning for each point; not part of the value
    base: Any  # the weights of another evaluation of the game


def net_weights(net: Quantised, base: verbs.Weights) -> Net:
    """A net as weights of an evaluation, over the weights of its base."""
    header = net.header
    return Net(
        Memory(memory_content(net)),
        first_row(header.phases),
        header.chunks,
        header.features,
        header.rows_in_chunk,
        header.out_scale,
        header.skip,
        header.odds,
        base,
    )


@answer(evaluate)
def learned(weights: Net, state: State, player: int) -> float:
    """The value for the player to move, turned for any other; the base alone values an ended game."""
    if is_over(state):
        return evaluate(weights.base, state, player)
    rows = row_buffer(state)
    count = features(state, rows)
    value = weights.skip * evaluate(weights.base, state, to_move(state))
    value += weights.out_scale * output(weights, rows, count, phase(state))
    return value if player == to_move(state) else -value


@kernel
def output(weights: Net, rows: Rows, count: int, phase: int) -> int:
    """The integer that the net makes of a position's features: its bias, and what each lane adds to it."""
    total = load_word(weights.memory, OUT_BIASES + phase)
    first = weights.first
    for _ in range(weights.chunks):
        lanes = load_lanes(weights.memory, first)
        for place in range(count):
            lanes = add_lanes(lanes, load_lanes(weights.memory, first + 1 + rows[place]))
        total += squared_dot(lanes, load_lanes(weights.memory, first + 1 + weights.features + phase))
        first += weights.rows
    return total


@cache
def features_fingerprint(game: Game) -> str:
    """A digest of what a game's features say of fixed random positions, and of their numbers.

    A net belongs to one definition of the features. Edits that change no feature change no fingerprint.
    """
    usual = Game(game.module, game.facts.read_options(game.options.preset))
    digest = hashlib.sha256(repr(verbs.feature_limits(game.state_class)).encode())
    for state in fixed_positions(usual):
        rows = verbs.row_buffer(state)
        seen = sorted(rows[: verbs.features(state, rows)])
        digest.update(f"{seen} {verbs.phase(state)}\n".encode())
    return digest.hexdigest()[:16]
