"""The two worlds of a kernel: plain Python, and compiled (plain again under NUMBA_DISABLE_JIT=1)."""

from collections.abc import Callable
from typing import Any

from palabre.compile.compiler import compiled, integers
from palabre.core.game import Game


def both(function: Callable[..., Any], game: Game, *arguments: Any, size: int) -> list[list[int]]:
    """What a kernel writes to its last argument, so many words: as plain Python, and compiled for a game."""
    plain, fast = [0] * size, integers([0] * size)
    function(*arguments, plain)
    compiled(function, game)(*arguments, fast)
    return [plain, [int(word) for word in fast]]
