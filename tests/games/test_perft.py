"""Perft tables: every block of every file in tests/perft, compiled and as plain Python."""

from pathlib import Path
from typing import NamedTuple

import pytest

import palabre
from palabre.compile.compiler import is_disabled
from palabre.core import registry
from palabre.search.perft import count_sequences, divide
from tests.specs import EXAMPLE

TABLES = Path(__file__).parents[1] / "perft"
# What is counted by default; `pytest --deep` counts everything.
MOST_COMPILED, MOST_PLAIN = 30_000_000, 6_000


class Row(NamedTuple):
    name: str
    spec: str
    position: str
    depth: int
    nodes: int
    work: int  # the largest number of nodes up to this depth: late in a game, deeper layers can be smaller


def rows() -> list[Row]:
    """All rows of all tables."""
    found = []
    for file in sorted(TABLES.glob("*.perft")):
        for block in file.read_text(encoding="utf-8").split("\n\n"):
            lines = [line.split(" ", 1) for line in block.splitlines() if line and not line.startswith("#")]
            facts = {word: rest for word, rest in lines if word != "perft"}
            work = 0
            for word, rest in lines:
                if word == "perft":
                    depth, nodes = (int(number) for number in rest.split())
                    work = max(work, nodes)
                    found.append(Row(facts["id"], facts["spec"], facts["position"], depth, nodes, work))
    return found


@pytest.mark.kernels
@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row.spec} {row.name} {row.depth}")
def test_the_table_holds(row: Row, request: pytest.FixtureRequest) -> None:
    most = MOST_PLAIN if is_disabled() else MOST_COMPILED
    if row.work > most and not request.config.getoption("--deep"):
        pytest.skip("more nodes than the default run counts; pytest --deep counts them")
    game = palabre.game(row.spec)
    position = game.start() if row.position == "start" else game.position(row.position)
    assert count_sequences(position, row.depth) == row.nodes


def test_every_preset_of_every_game_has_a_table() -> None:
    tabled = {palabre.game(row.spec).options.preset + palabre.game(row.spec).facts.name for row in rows()}
    wanted = {preset + name for name in registry.names() for preset in registry.facts(name).presets}
    assert wanted - tabled == set()


@pytest.mark.kernels
@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_divide_adds_up_to_perft(depth: int) -> None:
    for spec in ("awele", "awele:abapa", EXAMPLE):
        start = palabre.game(spec).start()
        assert sum(divide(start, depth).values()) == count_sequences(start, depth)


@pytest.mark.slow
def test_connect_four_has_its_known_numbers() -> None:
    """The counts that authors of Connect Four programs publish and compare."""
    known = [7, 49, 343, 2401, 16807, 117649, 823536, 5673234]
    start = palabre.game(EXAMPLE).start()
    assert [count_sequences(start, depth) for depth in range(1, len(known) + 1)] == known


def test_a_repeated_position_ends_a_sequence() -> None:
    """One seed a side, running round: the position comes back after twelve plies and no sequence is longer."""
    start = palabre.game("awele:abapa").position("1,0,0,0,0,0/1,0,0,0,0,0 23,23 1 0")
    assert [count_sequences(start, depth) for depth in (1, 11, 12, 13)] == _by_positions(start, (1, 11, 12, 13))


def _by_positions(start: palabre.Position, depths: tuple[int, ...]) -> list[int]:
    layer, counts = [start], {0: 1}
    for depth in range(1, max(depths) + 1):
        layer = [position.play(move) for position in layer for move in position.moves()]
        counts[depth] = len(layer)
    return [counts[depth] for depth in depths]
