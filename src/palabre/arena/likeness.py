"""Bots that are the same: by their files, or by every move that they played. It is reported, and not punished."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from palabre.arena.rows import GameRow

LEAST_POSITIONS = 20  # that two bots must both have met before it says something that they played alike


class SameMoves(NamedTuple):
    """Two bots that played the same move in every position that both met."""

    bots: tuple[str, str]
    positions: int


def same_files(digests: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Groups of bots whose files are the same, given a fingerprint for each name."""
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for name, digest in digests.items():
        if digest:
            groups[digest].append(name)
    return [tuple(group) for group in groups.values() if len(group) > 1]


def same_moves(games: Iterable[GameRow], names: Sequence[str], least: int = LEAST_POSITIONS) -> list[SameMoves]:
    """Pairs of bots that chose the same move in all positions that both met, if these were not few.

    Positions are the same here if the games were the same up to them. A bot that chose differently in one position is
    like no other.
    """
    chosen: dict[str, dict[int, str | None]] = {name: {} for name in names}
    for row in games:
        history = hash(row.start)
        for ply, (mover, move) in enumerate(zip(row.movers, row.moves, strict=True)):
            own = chosen.get(row.bots[mover])
            if ply >= row.opening and own is not None:
                own[history] = move if own.get(history, move) == move else None
            history = hash((history, move))
    alike = []
    for one, other in combinations(names, 2):
        common = chosen[one].keys() & chosen[other].keys()
        if len(common) >= least and all(chosen[one][key] == chosen[other][key] is not None for key in common):
            alike.append(SameMoves((one, other), len(common)))
    return alike
