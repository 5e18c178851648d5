"""The labelled positions of one generation: played by all workers, in parts that are files until the set is whole.

A part has the games of consecutive numbers. Parts are taken in their order until there are enough positions, so the set
is the same whatever the number of workers, and whenever the command was interrupted.
"""

import base64
import itertools
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from palabre.arena.parcels import Parcels
from palabre.core.errors import PalabreError
from palabre.core.files import replace_file
from palabre.core.words import say
from palabre.learn.positions import POSITIONS, Labelling, Positions, joined, read_positions
from palabre.learn.selfplay import CLUSTER_GAMES, in_order
from palabre.workers.calls import calls

GAMES_IN_PART = 16

PARTS = "parts"
EMPTY_PARTS = 20  # in a row, after which a game is given up that yields no positions

OnPositions = Callable[[int], None]  # called with the number of positions so far


@dataclass(frozen=True)
class Workers:
    """Who does the work: so many processes, or the cores of a Ray cluster."""

    processes: int = 1
    on: str | None = None


def labelled_positions(
    folder: Path, how: Labelling, wanted: int, workers: Workers, on_positions: OnPositions = lambda count: None
) -> Positions:
    """The positions of a generation, at least so many before repeats are taken out; those in the folder are kept."""
    whole = folder / POSITIONS
    if whole.exists():
        return read_positions(whole)
    parts = folder / PARTS
    parts.mkdir(parents=True, exist_ok=True)
    collected, count, empty = [], 0, 0
    for part in _parts(parts, how, workers):
        collected.append(part)
        count += len(part)
        empty = 0 if len(part) else empty + 1
        if empty == EMPTY_PARTS:
            raise PalabreError(say("learn.no_games", game=how.spec))
        on_positions(count)
        if count >= wanted:
            break
    positions = joined(collected).without_repeats()
    replace_file(whole, positions.to_bytes())
    shutil.rmtree(parts)
    return positions


def _parts(folder: Path, how: Labelling, workers: Workers) -> Iterator[Positions]:
    """Parts without an end: those that were kept, then others, which are kept as they come."""
    number = 0
    while _part_file(folder, number).exists():
        yield read_positions(_part_file(folder, number))
        number += 1
    for content in _played(how, number, workers):
        part = read_positions(content)
        replace_file(_part_file(folder, number), content)
        number += 1
        yield part


def _part_file(folder: Path, number: int) -> Path:
    return folder / f"{number:06}.npz"


def _played(how: Labelling, first: int, workers: Workers) -> Iterator[bytes]:
    """The parts from a number on, as the content of files."""
    yield how.positions(first * GAMES_IN_PART, GAMES_IN_PART).to_bytes()  # compiles: the others find the code on disk
    numbers = itertools.count(first + 1)
    if workers.on is None and workers.processes == 1:
        for number in numbers:
            yield how.positions(number * GAMES_IN_PART, GAMES_IN_PART).to_bytes()
    archives, settings = None, (how.spec, how.evaluation, how.nodes, how.seed)
    if workers.on is not None:
        parcels = Parcels()
        settings = (parcels.game(how.spec), parcels.file(how.evaluation), how.nodes, how.seed)
        archives = parcels.archives
    with calls(workers.processes, workers.on, archives) as submit:
        ahead = workers.processes if workers.on is None else CLUSTER_GAMES
        for text in in_order(lambda number: submit(part_of, *settings, number), numbers, ahead):
            yield base64.b64decode(text)


def part_of(spec: str, evaluation: str, nodes: int, seed: int, number: int) -> str:
    """A part in letters, called in another process or on another machine."""
    part = Labelling(spec, evaluation, nodes, seed).positions(number * GAMES_IN_PART, GAMES_IN_PART)
    return base64.b64encode(part.to_bytes()).decode("ascii")
