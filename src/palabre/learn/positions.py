"""Labelled positions of games of the engine against itself: a data set as columns, kept as one NPZ file.

    numpy.load("positions.npz")["states"]      one row of words for each position, the fields of the game's state
                               ["values"]      what the search found for the player to move, in points
                               ["proofs"]      1, 0, -1: the search proves a win, a draw, a loss for them; 2: nothing
                               ["results"]     their share of the game; NaN for a position beside the game
                               ["plies"], ["games"], ["seats"], ["keys"]

No two rows have the same key: of equal positions, one of a game stays rather than one beside it.
"""

import copy
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from palabre.compile.compiler import compiled, integers
from palabre.core import registry
from palabre.core.bits import combine
from palabre.core.errors import PalabreError
from palabre.core.verbs import weight_classes
from palabre.core.words import say
from palabre.evaluation.names import evaluation
from palabre.learn.labelling import (
    COLUMNS,
    KEY,
    MOST_PLIES,
    PLY,
    PROOF,
    RESULT,
    SEAT,
    UNKNOWN,
    VALUE,
    label_game,
)
from palabre.search.engine import DEFAULT_RESOLUTION
from palabre.search.engine_parameters import EngineParameters
from palabre.search.parameters import parameters_for
from palabre.search.table import clear, new_table
from palabre.search.values import PROVEN_ELSEWHERE
from palabre.search.worker import new_worker

POSITIONS = "positions.npz"  # the usual name of a file
MEMORY = 2  # megabytes of the transposition table; games of few nodes need no more
LABELS = 19  # the family of seeds of these games
BALANCED = math.log(9)  # log-odds of the most that one side may be ahead after the opening: 90 %
USUAL_ODDS = 1.0  # log-odds for a point, of evaluations that do not say


@dataclass(frozen=True)
class Positions:
    """Columns of labelled positions, all of the same length."""

    states: NDArray[np.int64]
    values: NDArray[np.float32]
    proofs: NDArray[np.int8]
    results: NDArray[np.float32]
    plies: NDArray[np.int16]
    games: NDArray[np.int32]
    seats: NDArray[np.int8]
    keys: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.keys)

    def at(self, places: NDArray[Any]) -> "Positions":
        """The positions at these places."""
        return Positions(*(column[places] for column in self.columns()))

    def columns(self) -> list[NDArray[Any]]:
        """All columns, in the order of the fields."""
        return [getattr(self, field.name) for field in fields(self)]

    def without_repeats(self) -> "Positions":
        """One of every group of equal positions, in the same order: the first one that has a result, if any has."""
        order = np.argsort(np.isnan(self.results), kind="stable")
        _, first = np.unique(self.keys[order], return_index=True)
        return self.at(np.sort(order[first]))

    def to_bytes(self) -> bytes:
        """The content of an NPZ file."""
        buffer = io.BytesIO()
        names = (field.name for field in fields(self))
        columns: dict[str, Any] = dict(zip(names, self.columns(), strict=True))
        np.savez_compressed(buffer, **columns)
        return buffer.getvalue()


def joined(parts: Sequence[Positions]) -> Positions:
    """The positions of all parts, one after the other."""
    return Positions(*(np.concatenate(columns) for columns in zip(*(part.columns() for part in parts), strict=True)))


def read_positions(content: bytes | Path) -> Positions:
    """The positions of an NPZ file, or of its content; a `PalabreError` if it is not one. Nothing is unpickled."""
    name = "NPZ" if isinstance(content, bytes) else content
    try:
        source = io.BytesIO(content if isinstance(content, bytes) else content.read_bytes())
        with np.load(source, allow_pickle=False) as columns:
            return Positions(**{field.name: columns[field.name] for field in fields(Positions)})
    except (OSError, ValueError, KeyError, EOFError, AttributeError, BadZipFile) as error:
        raise PalabreError(say("learn.no_positions", file=name, error=error)) from error


@dataclass(frozen=True)
class Labelling:
    """How games are played and labelled. Equal settings give the same positions, in any process."""

    spec: str
    evaluation: str  # a name or a file
    nodes: int
    seed: int

    def positions(self, first: int, count: int) -> Positions:
        """The labelled positions of the games with these numbers."""
        player = _labeller(self)
        return joined([player.play(number) for number in range(first, first + count)])


class Labeller:
    """Plays and labels games: what a process needs for that, made once."""

    def __init__(self, how: Labelling) -> None:
        self.how = how
        self.game = registry.game(how.spec)
        self.weights: Any = evaluation(self.game, how.evaluation)
        self.resolution = int(getattr(self.weights, "resolution", DEFAULT_RESOLUTION))
        odds = float(getattr(self.weights, "odds", USUAL_ODDS))
        self.most_lead = int(BALANCED / odds * self.resolution)
        parameters = parameters_for(self.game, "palabre", EngineParameters())
        self.worker = new_worker(self.game, self.resolution, 0, parameters)
        self.new_worker = copy.copy(self.worker)
        self.table = new_table(MEMORY)
        self.size = len(self.game.start().state) + COLUMNS
        self.rows = integers([0] * (2 * MOST_PLIES * self.size))
        self._label_game = compiled(label_game, self.game, *weight_classes(self.weights))

    def play(self, number: int) -> Positions:
        """The positions of the game with this number."""
        seed = combine(combine(LABELS, self.how.seed), number)
        clear(self.table)
        self.worker[:] = self.new_worker
        count = self._label_game(
            self.game.start(seed).state,
            self.weights,
            self.how.nodes,
            self.most_lead,
            seed,
            self.rows,
            self.table,
            self.worker,
        )
        rows = np.array(self.rows[: count * self.size], dtype=np.int64).reshape(count, self.size)
        return self._columns(rows, number)

    def _columns(self, rows: NDArray[np.int64], number: int) -> Positions:
        states, labels = rows[:, :-COLUMNS], rows[:, -COLUMNS:]
        values = np.clip(labels[:, VALUE], -PROVEN_ELSEWHERE, PROVEN_ELSEWHERE) / self.resolution
        results = np.where(labels[:, RESULT] == UNKNOWN, np.nan, (labels[:, RESULT] + 1) / 2)
        return Positions(
            states,
            values.astype(np.float32),
            labels[:, PROOF].astype(np.int8),
            results.astype(np.float32),
            labels[:, PLY].astype(np.int16),
            np.full(len(rows), number, dtype=np.int32),
            labels[:, SEAT].astype(np.int8),
            labels[:, KEY],
        )


@cache
def _labeller(how: Labelling) -> Labeller:
    return Labeller(how)
