"""Awélé: twelve pits, 48 seeds."""

from palabre.author import GameFacts, Parameter, Preset

GAME = GameFacts(
    "awele",
    "Awélé",
    "sow the seeds of a pit round the board, capture twos and threes; 12 pits, 48 seeds",
    Preset(
        "course",
        "ends early when few seeds are left, leftovers go to nobody",
        Parameter("stop", 6, range(0, 49), "the game ends when fewer seeds than this are on the board"),
        Parameter("stagnation", 1000, range(1, 10001), "the game ends after this many plies without a capture"),
        title="the course project's rules",
    ),
    Preset(
        "abapa",
        "a repeated position ends the game, each side keeps its seeds",
        title="the international rules",
        official=True,
    ),
    unit="seeds",
)
