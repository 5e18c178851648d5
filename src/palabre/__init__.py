"""Palabre: a workbench for board-game AI.

import palabre
position = palabre.game("awele").start()
position = position.play("C")
"""

from palabre.core.errors import BadSpec, IllegalMove, ImpossiblePosition, PalabreError, UnreadableText
from palabre.core.game import Game
from palabre.core.position import Move, Position
from palabre.core.registry import game

__version__ = "0.1.0"

__all__ = [
    "BadSpec",
    "Game",
    "IllegalMove",
    "ImpossiblePosition",
    "Move",
    "PalabreError",
    "Position",
    "UnreadableText",
    "game",
]
