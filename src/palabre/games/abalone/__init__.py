"""Abalone: a hexagon of 61 cells, fourteen marbles a side."""

from palabre.author import GameFacts, Parameter, Preset

# Rows i to a, from the top; 1 and 2 are the players' marbles.
LAYOUTS = {
    "classic": "11111/111111/..111../......../........./......../..222../222222/22222",
    "alien": "2.2.2/.2112./.21212./...22.../........./...11.../.12121./.1221./1.1.1",
    "belgian-daisy": "11.22/111222/.11.22./......../........./......../.22.11./222111/22.11",
    "german-daisy": "...../11..22/111.222/.11..22./........./.22..11./222.111/22..11/.....",
}
_LAYOUT = Parameter("layout", "classic", tuple(LAYOUTS), "the starting position of the marbles")
_TURNS = "the game ends after this many plies, counting both players"

GAME = GameFacts(
    "abalone",
    "Abalone",
    "push the enemy's marbles off a hexagon of 61 cells; 14 marbles a side",
    Preset(
        "course",
        "no side-steps, 50 plies, a tie goes to the marbles nearer the centre",
        _LAYOUT,
        Parameter("turns", 50, range(1, 10001), _TURNS),
        Parameter("suicide", "no", ("no", "yes"), "whether a group may push its own front marble off the board"),
        title="the course project's rules",
        clock=900.0,
    ),
    Preset(
        "official",
        "side-steps, six marbles win, a tie at the limit is a draw",
        _LAYOUT,
        Parameter("turns", 400, range(1, 10001), _TURNS),
        title="the official rules",
        official=True,
    ),
    unit="marbles",
)
