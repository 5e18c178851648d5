"""Opponents for people: who plays a level of a game, and when a bot knows that it has lost."""

from collections.abc import Sequence
from typing import Protocol

from palabre.bots.analysis import default_bot
from palabre.bots.levels import LEVEL, STRONGEST
from palabre.core.errors import BadSpec
from palabre.core.game import Game
from palabre.core.words import say

USUAL_LEVEL = 3  # a newcomer can beat it, and it still takes a win that it sees
HOPELESS = 0.02  # a winning chance below this is no hope
LONG_ENOUGH = 3  # own moves in a row without hope: a single one may have been misjudged
LEAST_RESIGNING_LEVEL = 4  # lower levels misjudge too much, and their opponents are to learn how a game is won


def opponent(game: Game, level: int | str = USUAL_LEVEL) -> str:
    """The spec of the bot that plays a level, from 1 (a beginner) to 10 (full strength), of a game.

    It is the bot that also analyses the game: the engine where it knows what its points are worth, else tree search.
    """
    if LEVEL.accept(level) is None:
        raise BadSpec(say("spec.no_level", level=level, strongest=STRONGEST))
    return f"{default_bot(game)}:level={level}"


class Outlook(Protocol):
    """What a bot expects of a game: a `Thought`, or a part of one."""

    @property
    def chance(self) -> float | None: ...
    @property
    def proven_result(self) -> int | None: ...


def is_hopeless(outlooks: Sequence[Outlook | None], level: int = STRONGEST, players: int = 2) -> bool:
    """Whether a bot may resign, given what it thought at its own moves so far, the last one last (`Bot.thought`).

    Its loss is proven, or its chance was below HOPELESS at the last LONG_ENOUGH moves. It plays on if it does not know
    its chance, and with more than two players, whose game it would decide. Bots in the arena never resign: this is for
    people, who need not play out a game that is won.
    """
    if not outlooks or outlooks[-1] is None or level < LEAST_RESIGNING_LEVEL or players > 2:
        return False
    lately = [None if outlook is None else outlook.chance for outlook in outlooks[-LONG_ENOUGH:]]
    has_no_hope = all(chance is not None and chance < HOPELESS for chance in lately)
    return outlooks[-1].proven_result == -1 or (has_no_hope and len(lately) == LONG_ENOUGH)
