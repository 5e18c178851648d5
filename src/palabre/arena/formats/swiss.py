"""Swiss: in each round bots with about as many points meet, and no bot meets another twice.

The rounds are paired by the FIDE Dutch system; py4swiss is the engine. A meeting has both seats, so colours count for
nothing: the engine gets the same ones for all bots. And it knows only wins, draws and losses, while a meeting
can be worth ¾; so it gets the points as if they were an acceleration, which it adds without asking why.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from palabre.arena.formats.common import REPEATS, Format, seated
from palabre.arena.rows import Meeting, Outcome
from palabre.arena.standings import SWISS_TIE_BREAKS, TieBreak, complete_meetings, points_of_meeting
from palabre.core.errors import PalabreError
from palabre.core.spec import Parameter
from palabre.core.words import say

AUTOMATIC = 0


@dataclass(frozen=True)
class Swiss(Format):
    """Rounds by the Dutch system; with an odd number of bots one has a bye, which counts as won, and no bot twice.

    The event ends early if no round can be drawn in which no bot meets an old opponent; with half as many rounds as
    bots that cannot happen.
    """

    name: ClassVar[str] = "swiss"
    summary: ClassVar[str] = "in each round, bots with about the same points meet"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("rounds", AUTOMATIC, range(0, 1000), "number of rounds; 0 for two more than a knock-out would need"),
        REPEATS,
    )
    tie_breaks: ClassVar[tuple[TieBreak, ...]] = SWISS_TIE_BREAKS
    most_players: ClassVar[int | None] = 2
    takes_staff: ClassVar[bool] = False

    rounds: int = AUTOMATIC
    repeats: int = 1

    def draw(self, names: Sequence[str], before: Sequence[Outcome], number: int) -> list[Meeting]:
        if number >= self.rounds_for(names):
            return []
        history = _history(names, before, number)
        pairs = _pair(names, history, _points(names, before, history, self.repeats), self.rounds_for(names))
        # Another opening in each round: all bots get to know it at the same time.
        repeats = range(number * self.repeats, (number + 1) * self.repeats)
        return [seated(pair, number, repeat) for repeat in repeats for pair in pairs]

    def rounds_for(self, names: Sequence[str]) -> int:
        """The number of rounds: never more than there are opponents, and byes."""
        most = len(names) - 1 + len(names) % 2
        return min(self.rounds or math.ceil(math.log2(len(names))) + 2, most)

    def count_meetings(self, names: Sequence[str]) -> tuple[int, int]:
        most = self.rounds_for(names) * (len(names) // 2) * self.repeats
        sure = min(self.rounds_for(names), math.ceil(len(names) / 2)) * (len(names) // 2) * self.repeats
        return sure, most

    def byes(self, names: Sequence[str], played: Iterable[Outcome]) -> dict[str, int]:
        """A round without a meeting is a bye, worth as many meetings as the others played in it."""
        complete = complete_meetings(played)
        byes: dict[str, int] = {}
        for number in range(1 + max((meeting.round for meeting in complete), default=-1)):
            met = [bot for meeting in complete if meeting.round == number for bot in meeting.bots]
            resting = [name for name in names if name not in met]
            if len(resting) == 1 and len(met) == (len(names) - 1) * self.repeats:
                byes[resting[0]] = byes.get(resting[0], 0) + self.repeats
        return byes


def _history(names: Sequence[str], before: Sequence[Outcome], number: int) -> list[dict[str, str | None]]:
    """For each round that has been played, the opponent of each bot, None for a bye."""
    history = []
    for past in range(number):
        met: dict[str, str | None] = {}
        for meeting in {game.meeting for game in before if game.meeting.round == past}:
            met |= dict(zip(meeting.bots, meeting.bots[::-1], strict=True))
        resting = [name for name in names if name not in met]
        if len(resting) > 1 or not met.keys() <= set(names):
            raise PalabreError(say("format.other_bots", round=past + 1, format="swiss"))
        history.append(met | dict.fromkeys(resting))
    return history


def _points(
    names: Sequence[str], before: Sequence[Outcome], history: Sequence[Mapping[str, str | None]], repeats: int
) -> dict[str, list[float]]:
    """The points of each bot before each round, and now."""
    gained = [dict.fromkeys(names, 0.0) for _ in history]
    for number, met in enumerate(history):
        for name, opponent in met.items():
            if opponent is None:
                gained[number][name] = 2.0 * repeats
    for meeting, games in complete_meetings(before).items():
        for name, points in points_of_meeting(games, "shares").items():
            gained[meeting.round][name] += points
    return {name: [sum(one[name] for one in gained[:number]) for number in range(len(history) + 1)] for name in names}


def _pair(
    names: Sequence[str],
    history: Sequence[Mapping[str, str | None]],
    points: Mapping[str, Sequence[float]],
    rounds: int,
) -> list[tuple[str, str]]:
    """The pairs of the next round; none if there is no way to pair all."""
    # py4swiss loads pydantic, which takes longer than all the rest.
    from py4swiss.engines import DutchEngine
    from py4swiss.engines.common import PairingError
    from py4swiss.trf import ParsedTrf
    from py4swiss.trf.codes import PlayerCode
    from py4swiss.trf.results import ColorToken, ResultToken, RoundResult, ScoringPointSystem, ScoringPointSystemCode
    from py4swiss.trf.sections import PlayerSection, XSection

    number_of = {name: number for number, name in enumerate(names, start=1)}
    bye = RoundResult(id=0, color=ColorToken.BYE_OR_NOT_PAIRED, result=ResultToken.PAIRING_ALLOCATED_BYE)
    colours = (ColorToken.WHITE, ColorToken.BLACK)

    def results(name: str) -> list[RoundResult]:
        return [
            bye
            if opponent is None
            else RoundResult(id=number_of[opponent], color=colours[past % 2], result=ResultToken.LOSS)
            for past, opponent in enumerate(met[name] for met in history)
        ]

    no_points = ScoringPointSystem()
    no_points.apply_code(ScoringPointSystemCode.PAIRING_ALLOCATED_BYE, 0)
    event = ParsedTrf(
        player_sections=[
            PlayerSection(
                code=PlayerCode.PLAYER,
                starting_number=number_of[name],
                points_times_ten=0,
                rank=number_of[name],
                results=results(name),
            )
            for name in names
        ],
        x_section=XSection(
            number_of_rounds=rounds,
            scoring_point_system=no_points,
            accelerations={number_of[name]: [round(10 * value) for value in points[name]] for name in names},
        ),
    )
    try:
        pairings = DutchEngine.generate_pairings(event)
    except PairingError:
        return []
    return [(names[pair.white - 1], names[pair.black - 1]) for pair in pairings if pair.black]
