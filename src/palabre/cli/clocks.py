"""`--time` and `--clock`: how long players may think, as people write it."""

import re
from typing import Annotated

import typer

from palabre.cli.output import a_number
from palabre.core.errors import PalabreError, clip
from palabre.core.game import Game
from palabre.search.clock import Clock

USUAL = "usual"
LONGEST = 86400.0  # seconds
# 15:00, 900 or 2.5, and after a plus sign what every move adds.
CLOCK = re.compile(r"(?:([0-9]{1,4}):([0-5][0-9])|([0-9]{1,5}(?:\.[0-9]+)?))(?:\+([0-9]{1,5}(?:\.[0-9]+)?))?")

TimePerMove = Annotated[
    float | None,
    typer.Option(
        "--time", metavar="S", callback=a_number, min=0.001, max=LONGEST, help="Seconds a bot has for a move."
    ),
]
TimePerGame = Annotated[
    str | None,
    typer.Option(
        "--clock",
        metavar="M:SS[+S]",
        help="Time a bot has for a game, and seconds added after each move: 15:00, 3:00+2; or usual.",
    ),
]


def read_clock(game: Game, per_move: float | None, per_game: str | None) -> Clock:
    """The clock with which every player begins; a `PalabreError` says what is wrong with a text."""
    if per_game is None:
        return Clock(per_move=per_move)
    if per_game == USUAL:
        usual = game.facts.presets[game.options.preset].clock
        if usual is None:
            raise PalabreError(f"{game.spec} has no usual clock; give a time, as in --clock 15:00")
        return Clock(per_move=per_move, remaining=usual)
    found = CLOCK.fullmatch(per_game)
    if found is None:
        raise PalabreError(
            f"--clock {clip(per_game)} is not valid; give minutes:seconds, as in 15:00 or 3:00+2, or usual"
        )
    minutes, of_minute, seconds, increment = found.groups()
    remaining = float(seconds) if seconds else 60.0 * int(minutes) + int(of_minute)
    if not 0 < remaining <= LONGEST:
        raise PalabreError(
            f"--clock {clip(per_game)} is not valid; a game takes more than 0 and at most {LONGEST:.0f} s"
        )
    return Clock(per_move=per_move, remaining=remaining, increment=float(increment or 0))
