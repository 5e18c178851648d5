"""Events without games: each result is drawn from strengths and from the meeting alone, so order changes nothing."""

import random
from collections.abc import Mapping, Sequence

from palabre.arena.formats.common import Format
from palabre.arena.rows import Meeting, Outcome


def names_of(bots: int) -> list[str]:
    return [f"b{number:02}" for number in range(bots)]


def results(meetings: Sequence[Meeting], seed: int = 0, strengths: Mapping[str, float] | None = None) -> list[Outcome]:
    """The games of these meetings. A bot without a strength is as good as its name is early."""
    played = []
    for meeting in meetings:
        luck = random.Random(repr((seed, sorted(meeting.bots), meeting.repeat)))
        for lineup in meeting.lineups():
            power = [strengths[bot] if strengths else -0.3 * int(bot[1:]) for bot in lineup]
            scores = [round(4 * (own + luck.gauss(0, 1))) for own in power]
            best = scores.count(max(scores))
            shares = tuple(1 / best if score == max(scores) else 0.0 for score in scores)
            played.append(Outcome(meeting, lineup, shares, tuple(scores)))
    return played


def rounds_of(format: Format, names: Sequence[str], seed: int = 0, most: int = 400) -> list[list[Meeting]]:
    """All rounds of an event, played to its end."""
    played: list[Outcome] = []
    rounds: list[list[Meeting]] = []
    for _ in range(most):
        meetings = format.next_round(names, played)
        if not meetings:
            return rounds
        rounds.append(meetings)
        played += results(meetings, seed)
    raise AssertionError("the event does not end")
