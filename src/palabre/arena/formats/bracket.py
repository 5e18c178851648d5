"""The bracket of a knock-out: who meets whom in which stage, who has won and why.

A tie is played in meetings, each worth 1, ½ or 0 by the games in it. The best of N wins: the tie ends when the rest of
the N meetings cannot change the winner. If all N leave it level, extra meetings follow one by one, and when they are
used up, the better seed goes through: a lot that everybody could have known before.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from palabre.arena.formats.common import seated
from palabre.arena.rows import Meeting, Outcome
from palabre.arena.standings import points_of_meeting
from palabre.core.words import Message, say

Decided = Literal["bye", "meetings", "extra meetings", "seed"]


@dataclass(frozen=True)
class Tie:
    """Two bots of which one goes on."""

    stage: int  # from 0
    first: str  # the better seed
    second: str | None  # None if the first has a bye
    points: tuple[float, float]  # in meetings
    meetings: int
    winner: str | None  # None while it is not decided
    decided: Decided | None


@dataclass(frozen=True)
class Rules:
    """How ties are played, and what their meetings are called."""

    best_of: int
    extra: int
    first_round: int  # number of the event's round in which the knock-out begins
    first_repeat: int  # number of the first meeting, after those that bots may have had before

    def repeat(self, stage: int, number: int) -> int:
        """The number of a meeting: each stage and each meeting of a tie has another opening."""
        return self.first_repeat + stage * (self.best_of + self.extra) + number


def bracket(seeds: Sequence[str], meetings: Mapping[Meeting, Sequence[Outcome]], rules: Rules) -> list[Tie]:
    """All ties that are known, stage by stage, given the complete meetings of the event."""
    ties: list[Tie] = []
    entrants: list[str | None] = [seeds[seed] if seed < len(seeds) else None for seed in _order(len(seeds))]
    for stage in range(_stages(len(seeds))):
        pairs = zip(entrants[::2], entrants[1::2], strict=True)
        coming = [_tie(stage, one, other, seeds, meetings, rules) for one, other in pairs]
        ties += coming
        if any(tie.winner is None for tie in coming):
            break
        entrants = [tie.winner for tie in coming]
    return ties


def next_meetings(ties: Sequence[Tie], rules: Rules, number: int) -> list[Meeting]:
    """The meetings that the open ties need next, in this round of the event: as many as it takes to decide them."""
    meetings = []
    for tie in ties:
        if tie.winner is None and tie.second is not None:
            lead, left = abs(tie.points[0] - tie.points[1]), rules.best_of - tie.meetings
            more = math.floor((left - lead) / 2) + 1 if left > 0 else 1
            for played in range(tie.meetings, tie.meetings + more):
                meetings.append(seated((tie.first, tie.second), number, rules.repeat(tie.stage, played)))
    return meetings


def places(seeds: Sequence[str], ties: Sequence[Tie]) -> dict[str, int]:
    """The place of each bot: one more than the number of bots that got farther or are still in."""
    lost = {tie.first if tie.winner == tie.second else tie.second: tie.stage for tie in ties if tie.winner is not None}
    stages = _stages(len(seeds))
    reached = {seed: lost.get(seed, stages) for seed in seeds}
    return {seed: 1 + sum(other > reached[seed] for other in reached.values()) for seed in seeds}


def notes(ties: Sequence[Tie]) -> list[str]:
    """Ties that were not decided by the best of N."""
    return [str(_close(tie)) for tie in ties if tie.decided in ("extra meetings", "seed")]


def _close(tie: Tie) -> Message:
    loser = tie.second if tie.winner == tie.first else tie.first
    id = "format.through_seed" if tie.decided == "seed" else "format.through_extra"
    return say(id, winner=tie.winner, stage=tie.stage + 1, loser=loser, meetings=tie.meetings)


def count_meetings(bots: int, rules: Rules) -> tuple[int, int]:
    """The least and the greatest number of meetings."""
    return (bots - 1) * (rules.best_of // 2 + 1), (bots - 1) * (rules.best_of + rules.extra)


def _tie(
    stage: int,
    one: str | None,
    other: str | None,
    seeds: Sequence[str],
    meetings: Mapping[Meeting, Sequence[Outcome]],
    rules: Rules,
) -> Tie:
    first, *rest = sorted((bot for bot in (one, other) if bot is not None), key=seeds.index)
    if not rest:
        return Tie(stage, first, None, (0.0, 0.0), 0, first, "bye")
    second = rest[0]
    wanted = {rules.repeat(stage, number) for number in range(rules.best_of + rules.extra)}
    won, lost, played = 0.0, 0.0, 0
    for meeting, games in meetings.items():
        if set(meeting.bots) == {first, second} and meeting.repeat in wanted and meeting.round >= rules.first_round:
            points = points_of_meeting(games, "shares")
            gap = points[first] - points[second]
            won, lost, played = won + (gap > 0) + (gap == 0) / 2, lost + (gap < 0) + (gap == 0) / 2, played + 1
    winner: str | None = None
    decided: Decided | None = None
    if abs(won - lost) > max(rules.best_of - played, 0):
        winner, decided = first if won > lost else second, "meetings" if played <= rules.best_of else "extra meetings"
    elif played >= rules.best_of + rules.extra:
        winner, decided = first, "seed"
    return Tie(stage, first, second, (won, lost), played, winner, decided)


def _stages(bots: int) -> int:
    return math.ceil(math.log2(bots)) if bots > 1 else 0


def _order(bots: int) -> list[int]:
    """The seeds in the order of the bracket: the best two can meet in the final only, the best four in the semi-finals,
    and the best have the byes."""
    order = [0]
    while len(order) < bots:
        size = 2 * len(order)
        order = [seed for one in order for seed in (one, size - 1 - one)]
    return order
