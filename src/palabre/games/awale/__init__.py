"""Awalé with three colours: sixteen holes, 96 seeds."""

from palabre.author import GameFacts, Preset

GAME = GameFacts(
    "awale",
    "Awalé, three colours",
    "sow red, blue or transparent seeds round a ring of holes, capture twos and threes; 16 holes, 96 seeds",
    Preset(
        "course",
        "ends at 49 seeds, below 10 on the board, or after 400 plies",
        title="the course project's rules",
    ),
    unit="seeds",
)
