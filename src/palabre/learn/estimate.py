"""What a learning will take, reported before it begins: positions a second, hours, and space on disk and in memory."""

import time
from typing import NamedTuple

from palabre.core.verbs import feature_limits, plies_left
from palabre.learn.generations import WINDOW, Learning
from palabre.learn.positions import Labelling

GAMES = 4  # played for the estimate
BYTES_ON_DISK = 4  # a word of a state, compressed
COLUMN_BYTES = 16  # the other columns of a position, compressed
EPOCHS = 15  # that a training takes, more or less
FLOPS = 6  # operations for each feature and lane of a position: the sums, and their slope by the rows
FLOPS_PER_SECOND = 1e10  # of NumPy on one core, more or less


class LearningEstimate(NamedTuple):
    """What a generation takes, roughly."""

    rate: float  # labelled positions a second and core
    seconds: float  # of self-play and training, and of a match of average length
    disk_bytes: int
    memory_bytes: int  # of training


def estimated(learning: Learning) -> LearningEstimate:
    """Play a few games, and return what a generation is likely to take."""
    settings, workers = learning.settings, learning.workers
    game, size = learning.game, feature_limits(learning.game.state_class).features
    how = Labelling(settings.game, learning.best(1), settings.nodes, settings.seed)
    how.positions(0, 1)  # compiles
    begin = time.process_time()
    rate = len(how.positions(1, GAMES)) / max(1e-6, time.process_time() - begin)
    cores = max(1, workers.processes)
    seconds = settings.positions / rate / cores
    seconds += EPOCHS * WINDOW * settings.positions * size * settings.lanes * FLOPS / FLOPS_PER_SECOND
    state = game.start().state
    per_move = settings.nodes / 1e6 if settings.gate_nodes else settings.gate_seconds
    seconds += settings.gate_games / 2 * plies_left(state) * per_move / cores
    return LearningEstimate(
        rate,
        seconds,
        settings.positions * (BYTES_ON_DISK * len(state) + COLUMN_BYTES),
        WINDOW * settings.positions * size,
    )
