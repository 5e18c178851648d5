"""What an event from the browser is to be, and who plays it: a match or a championship of the arena."""

import math
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from palabre.arena.championship import Championship, Plan
from palabre.arena.formats import FORMATS, read_format
from palabre.arena.match import Match
from palabre.arena.rows import BotRow
from palabre.core import registry
from palabre.core.errors import BadSpec, PalabreError, listing
from palabre.core.words import Message, say
from palabre.search.clock import Clock
from palabre.web.messages import FormatChoice

MATCH = "match"
GAUNTLET = "gauntlet"


class EventPlan(Struct, frozen=True):
    """All that the games of an event depend on. It is kept in the event's file, so that the event can go on later."""

    game: str  # its spec
    format: str  # match, or the spec of a format
    bots: list[str]  # their specs
    games: int  # for each line-up of a match
    seconds: float | None
    seed: int
    staff: list[str] = []  # the fixed opponents of a gauntlet

    @property
    def clock(self) -> Clock:
        """With which every bot begins a game."""
        return Clock(per_move=self.seconds)


def format_choices() -> list[FormatChoice]:
    """The formats that can be chosen."""
    named = [FormatChoice(name, kind.most_players) for name, kind in FORMATS.items()]
    return [FormatChoice(MATCH, None), *named]


def make_plan(
    game: str, players: int, format: str, bots: list[str], games: int, seconds: float | None, seed: int
) -> EventPlan:
    """The plan for about so many games of each line-up; a `PalabreError` says what is wrong.

    Every opening is played from every seat, so the number of games is rounded up. The first bots are the fixed
    opponents of a gauntlet, as many as sit at a board with a challenger.
    """
    if format not in (MATCH, *FORMATS):
        raise BadSpec(say("format.unknown", name=format, hint="", formats=listing((MATCH, *FORMATS))))
    repeats = math.ceil(games / players)
    if format == MATCH:
        if len(bots) < 2:
            raise BadSpec(say("event.two_bots"))
        return EventPlan(game, MATCH, bots, repeats * players, seconds, seed)
    fixed = players - 1 if format == GAUNTLET else 0
    names = [f"{number}. {spec}" for number, spec in enumerate(bots)]  # unique, as they will be in the event
    spec = _spec_of(format, repeats, math.comb(len(bots), players))
    read_format(spec, players=players, staff=names[:fixed]).check(names)
    return EventPlan(game, spec, bots[fixed:], repeats * players, seconds, seed, bots[:fixed])


def _spec_of(format: str, repeats: int, lineups: int) -> str:
    """The spec of a format in which the same bots meet about so many times."""
    wanted = {
        "repeats": repeats,
        "best_of": repeats + 1 - repeats % 2,  # odd, so that one of them wins
        "meetings": repeats * lineups,
    }
    items = []
    for parameter in FORMATS[format].parameters:
        if parameter.name in wanted and isinstance(parameter.choices, range):
            items.append(f"{parameter.name}={min(wanted[parameter.name], parameter.choices[-1])}")
    return f"{format}:{','.join(items)}"


def open_event(plan: EventPlan, file: Path) -> Match | Championship:
    """The match or championship of a plan, begun or gone on with; use it in a `with` statement."""
    game = registry.game(plan.game)
    if plan.format == MATCH:
        return Match(plan.bots, game, plan.games, clocks=plan.clock, seed=plan.seed, file=file)
    held = Championship(Plan(game, plan.format, plan.clock, plan.seed), plan.bots, file, staff=plan.staff)
    try:
        for _ in held.examine():
            pass
        held.admit()
    except BaseException as error:
        held.store.close()
        if isinstance(error, PalabreError):
            raise PalabreError(_with_verdicts(error.message, held.bots, game.words().home)) from error
        raise
    return held


def _with_verdicts(told: Message | str, bots: Sequence[BotRow], home: str) -> Message | str:
    """Why an event cannot begin, and which bots were rejected for what: no page shows them otherwise."""
    for row in bots:
        if row.state == "rejected":
            told = say("event.also_rejected", error=told, bot=row.name, reason=row.why_rejected(home))
    return told
