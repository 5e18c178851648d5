"""Formats of events: who meets whom, as a pure function of settings, names and what has been played.

A format is named by a spec such as `swiss:rounds=7`. Nothing here plays, stores or draws lots: the same settings, names
and outcomes give the same meetings, so that an interrupted event goes on as if it had not been interrupted.
"""

from collections.abc import Sequence

from palabre.arena.formats.adaptive import Adaptive
from palabre.arena.formats.common import Format
from palabre.arena.formats.course import Course
from palabre.arena.formats.gauntlet import Gauntlet
from palabre.arena.formats.knockout import Knockout
from palabre.arena.formats.pools import Pools
from palabre.arena.formats.roundrobin import RoundRobin
from palabre.arena.formats.swiss import Swiss
from palabre.core.errors import BadSpec, did_you_mean, listing
from palabre.core.spec import read_values
from palabre.core.words import say

FORMATS: dict[str, type[Format]] = {
    kind.name: kind for kind in (RoundRobin, Gauntlet, Swiss, Knockout, Pools, Adaptive, Course)
}


def read_format(spec: str, *, players: int = 2, staff: Sequence[str] = ()) -> Format:
    """The format that a spec names, for a game of so many players; a `BadSpec` lists what is valid.

    The bots of the staff are the opponents in a gauntlet that names no others.
    """
    name, _, items = spec.strip().partition(":")
    if name not in FORMATS:
        hint = did_you_mean(name, FORMATS)
        raise BadSpec(say("format.unknown", name=name, hint=hint, formats=listing(FORMATS)))
    kind = FORMATS[name]
    if kind.most_players is not None and players > kind.most_players:
        others = [name for name, other in FORMATS.items() if other.most_players is None]
        most = kind.most_players
        raise BadSpec(say("format.players", format=name, most=most, players=players, others=listing(others)))
    words = [word.strip() for word in items.split(",")] if items.strip() else []
    values = dict(read_values(name, words, {parameter.name: parameter for parameter in kind.parameters}))
    return kind.make(values, players, staff)
