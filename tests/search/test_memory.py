"""Kernels take no memory from the heap, however many positions they go through."""

import importlib
from typing import Any

import pytest

import palabre
from palabre.compile.compiler import compiled, integers, is_disabled
from palabre.core import registry
from palabre.evaluation.playout import PER_PLAYER, WINS, playouts
from palabre.search.perft import perft
from tests.specs import EXAMPLE

pytestmark = pytest.mark.skipif(is_disabled(), reason="plain Python takes memory for everything")


@pytest.mark.parametrize("spec", [*registry.names(), EXAMPLE])
def test_nothing_is_allocated_per_move(spec: str) -> None:
    runtime: Any = importlib.import_module("numba.core.runtime")
    statistics: Any = importlib.import_module("numba.core.runtime._nrt_python")
    game = palabre.game(spec)
    state = game.start(3).state
    tally = integers([0] * (WINS + PER_PLAYER * game.players))
    count, play = compiled(perft, game), compiled(playouts, game)

    def allocations(depth: int, games: int) -> int:
        """Including those for crossing the border between Python and compiled code."""
        before = runtime.rtsys.get_allocation_stats().alloc
        count(state, depth)
        play(state, 0, games, 0, tally)
        return int(runtime.rtsys.get_allocation_stats().alloc - before)

    statistics.memsys_enable_stats()
    try:
        allocations(1, 1)  # compiles
        assert allocations(3, 50) == allocations(1, 1) < 5
    finally:
        statistics.memsys_disable_stats()
