"""Bots that are the same: by their files, or by every move that they played. It is told, and punished by nobody."""

import ast
import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from palabre.arena.rows import GameRow
from palabre.arena.submission import TOML
from palabre.core.source import parse

LEAST_POSITIONS = 20  # that two bots must both have met before it says something that they played alike


class SameMoves(NamedTuple):
    """Two bots that played the same move in every position that both met."""

    bots: tuple[str, str]
    positions: int


def fingerprint(folder: Path) -> str:
    """A digest of what is in a folder that is the same for a copy under other names.

    The names of files do not count, nor comments, nor what a Python class says of its name and authors.
    """
    parts = sorted(_content(file) for file in folder.rglob("*") if file.is_file() and file.name != TOML)
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _content(file: Path) -> str:
    content = file.read_bytes()
    if file.suffix == ".py":
        try:
            tree = parse(content)
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef):
                    node.name, node.body = "", [part for part in node.body if not _names_somebody(part)]
            content = ast.dump(tree).encode()
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            pass  # as it is, then
    return hashlib.sha256(content).hexdigest()


def _names_somebody(statement: ast.stmt) -> bool:
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    return any(isinstance(target, ast.Name) and target.id in ("name", "authors") for target in targets)


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
    like nobody.
    """
    chosen: dict[str, dict[int, str | None]] = {name: {} for name in names}
    for row in games:
        history = hash(row.start)
        for ply, (mover, move) in enumerate(zip(row.movers, row.moves, strict=True)):
            own = chosen.get(row.bots[mover])
            if ply >= row.opening and own is not None:
                own[history] = move if own.get(history, move) == move else None
            history = hash((history, move))
    found = []
    for one, other in combinations(names, 2):
        common = chosen[one].keys() & chosen[other].keys()
        if len(common) >= least and all(chosen[one][key] == chosen[other][key] is not None for key in common):
            found.append(SameMoves((one, other), len(common)))
    return found
