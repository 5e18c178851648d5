"""How long a player may think: what a bot is told before each move."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Clock:
    """The limits for the next move; those that are None do not hold."""

    per_move: float | None = None  # seconds for this move
    remaining: float | None = None  # seconds for the rest of the game
    increment: float = 0.0  # seconds added after each move
    depth: int | None = None  # plies to look ahead
    nodes: int | None = None  # positions to look at: the same seed then gives the same move
