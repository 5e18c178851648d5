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
from array import array
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from palabre.core import verbs
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.kernels import answer, kernel
from palabre.core.lanes import (
    ROW_BYTES,
    WORDS_IN_ROW,
    add_lanes,
    load_lanes,
    load_real,
    load_word,
    squared_dot,
)
from palabre.core.memory import Memory
from palabre.core.verbs import Rows, State, evaluate, features, is_over, phase, row_buffer, to_move
from palabre.core.words import say
from palabre.evaluation.positions import fixed_positions

if TYPE_CHECKING:
    from palabre.evaluation.net_file import Quantised

# What the memory of a net begins with, by place in words. Its rows follow at the next multiple of 64 bytes.
ALL_ROWS = 0  # how many rows there are in memory
FIRST = 1  # the number of the first of a net's own
CHUNKS = 2  # how many times 32 lanes there are
ROWS_IN_CHUNK = 3
FEATURES = 4  # rows of features in a chunk
SKIP = 5  # the factor of the base
OUT_SCALE = 6  # points for one unit of the output
ODDS = 7  # log-odds of winning for each point; not part of the value
OUT_BIASES = 8  # one for each phase


class Net(NamedTuple):
    """The weights of a net: where they are in memory, and the weights of the evaluation that it adds to.

    They are few, because a search hands them from position to position.
    """

    memory: int
    base: Any

    @property
    def odds(self) -> float:
        """The log-odds of winning for each point."""
        return load_real(self.memory, ODDS)


def net_weights(net: "Quantised", base: verbs.Weights) -> Net:
    """A net as weights of an evaluation, over the weights of its base."""
    header = net.header
    first = -(-(OUT_BIASES + header.phases) // WORDS_IN_ROW)
    rows = first + header.chunks * header.rows_in_chunk
    numbers = array("q", [rows, first, header.chunks, header.rows_in_chunk, header.features])
    reals = array("d", [header.skip, header.out_scale, header.odds])
    head = numbers.tobytes() + reals.tobytes() + array("q", net.out_bias).tobytes()
    return Net(Memory(head.ljust(ROW_BYTES * first, b"\0") + net.halves), base)


def refuse_net(weights: verbs.Weights) -> None:
    """Refuse a net where the weights of a formula are wanted."""
    if isinstance(weights, Net):
        raise PalabreError(say("fit.net"))


@answer(evaluate)
def learned(weights: Net, state: State, player: int) -> float:
    """What the base says, times its factor, and what the net adds for the player to move; the base alone at the end."""
    base = evaluate(weights.base, state, player)
    if is_over(state):
        return base
    rows = row_buffer(state)
    seen = load_real(weights.memory, OUT_SCALE) * output(weights.memory, rows, features(state, rows), phase(state))
    return load_real(weights.memory, SKIP) * base + (seen if player == to_move(state) else -seen)


@kernel
def output(memory: int, rows: Rows, count: int, phase: int) -> int:
    """The integer that a net makes of a position's features: its bias, and what each lane adds to it.

    The first number of a chunk is that of its biases; the rows of the features follow, then those of the phases.
    """
    total = load_word(memory, OUT_BIASES + phase)
    first = load_word(memory, FIRST)
    step, weights = load_word(memory, ROWS_IN_CHUNK), load_word(memory, FEATURES) + 1 + phase
    chunks = load_word(memory, CHUNKS)
    if chunks & 1:
        lanes = load_lanes(memory, first)
        for place in range(count):
            lanes = add_lanes(lanes, load_lanes(memory, first + 1 + rows[place]))
        total += squared_dot(lanes, load_lanes(memory, first + weights))
        first += step
    for _ in range(chunks >> 1):  # two at a time, which halves the work of finding the rows
        second = first + step
        lanes, others = load_lanes(memory, first), load_lanes(memory, second)
        for place in range(count):
            lanes = add_lanes(lanes, load_lanes(memory, first + 1 + rows[place]))
            others = add_lanes(others, load_lanes(memory, second + 1 + rows[place]))
        total += squared_dot(lanes, load_lanes(memory, first + weights))
        total += squared_dot(others, load_lanes(memory, second + weights))
        first = second + step
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
