"""`--time` and `--clock`: how long players may think, as people write it."""

import re
from typing import Annotated

import typer

from palabre.cli.output import a_number
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.words import own_words
from palabre.search.clock import Clock

say = own_words(__file__)

USUAL = "usual"
SHORTEST, LONGEST = 0.001, 86400.0  # seconds
# 15:00, 900 or 2.5, and after a plus sign what every move adds.
CLOCK = re.compile(r"(?:([0-9]{1,4}):([0-5][0-9])|([0-9]{1,5}(?:\.[0-9]+)?))(?:\+([0-9]{1,5}(?:\.[0-9]+)?))?")

TimePerMove = Annotated[
    float | None,
    typer.Option(
        "--time", metavar="S", callback=a_number, min=SHORTEST, max=LONGEST, help="Seconds per move for a bot."
    ),
]
TimePerGame = Annotated[
    str | None,
    typer.Option(
        "--clock",
        metavar="M:SS[+S]",
        help="Time per game for a bot, and increment in seconds: 15:00, 3:00+2; or usual.",
    ),
]

TimesPerMove = Annotated[
    str | None,
    typer.Option("--time", metavar="S[,S…]", help="Seconds per move, or one value for each bot: 0.1,1."),
]
TimesPerGame = Annotated[
    str | None,
    typer.Option(
        "--clock",
        metavar="M:SS[+S]",
        help="Time per game, and increment in seconds: 15:00, 3:00+2; or usual. Or one for each bot: 1:00,5:00.",
    ),
]


def read_clocks(game: Game, bots: int, per_move: str | None, per_game: str | None) -> list[Clock]:
    """The clock with which each bot begins a game; a `PalabreError` says what is wrong with a text."""
    moves = _for_each("--time", per_move, bots)
    games = _for_each("--clock", per_game, bots)
    return [
        read_clock(game, None if seconds is None else _seconds(seconds), clock)
        for seconds, clock in zip(moves, games, strict=True)
    ]


def _for_each(option: str, text: str | None, bots: int) -> list[str | None]:
    given = [None] if text is None else [word.strip() for word in text.split(",")]
    if len(given) not in (1, bots):
        raise PalabreError(say("clock.times", option=option, text=str(text), given=len(given), bots=bots))
    return list(given) * (bots // len(given)) if len(given) == 1 else list(given)


def _seconds(text: str) -> float:
    if not re.fullmatch(r"[0-9]{1,5}(\.[0-9]+)?", text) or not SHORTEST <= float(text) <= LONGEST:
        raise PalabreError(say("clock.per_move", text=text, least=SHORTEST, most=LONGEST))
    return float(text)


def read_clock(game: Game, per_move: float | None, per_game: str | None) -> Clock:
    """The clock with which every player begins; a `PalabreError` says what is wrong with a text."""
    if per_game is None:
        return Clock(per_move=per_move)
    if per_game == USUAL:
        usual = game.facts.presets[game.options.preset].clock
        if usual is None:
            raise PalabreError(say("clock.no_usual", game=game.spec))
        return Clock(per_move=per_move, remaining=usual)
    match = CLOCK.fullmatch(per_game)
    if match is None:
        raise PalabreError(say("clock.form", text=per_game))
    minutes, of_minute, seconds, increment = match.groups()
    remaining = float(seconds) if seconds else 60.0 * int(minutes) + int(of_minute)
    if not 0 < remaining <= LONGEST:
        raise PalabreError(say("clock.range", text=per_game, most=LONGEST))
    return Clock(per_move=per_move, remaining=remaining, increment=float(increment or 0))
