"""Penguins: sixty ice tiles, a hundred fish, two to four players."""

from palabre.author import GameFacts, Parameter, Preset

GAME = GameFacts(
    "penguins",
    "Penguins",
    "slide over the ice, take the fish, and the tile you leave vanishes; 60 tiles, 2 to 4 players",
    Preset(
        "course",
        "tiles shuffled by the seed, penguins placed in turn on one-fish tiles",
        Parameter("players", 2, range(2, 5), "number of players; each has 4, 3 or 2 penguins"),
        title="the course project's rules",
    ),
    unit="fish",
)
