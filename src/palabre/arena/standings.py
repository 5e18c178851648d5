"""Points tables as leagues and courses use them: points, tie-breaks with names, and the cross-table.

Only meetings whose games have all been played count, so everybody has sat in every seat as often.

| points | what they count |
|---|---|
| `shares` | 1 for a game won, ½ for a draw of two, 1/k for each of k players who share a win |
| `wins` | 1 for a game won alone |
| `meetings` | 3 for a meeting won, 1 for a drawn one; the *scores* of its games are added up to decide it |
| `margin` | own score minus the mean of the others' scores, in each game |
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from palabre.arena.rows import Meeting, Outcome

Points = Literal["shares", "wins", "meetings", "margin"]
TieBreak = Literal["direct", "sonneborn-berger", "buchholz", "wins", "margin"]

WON, DRAWN = 3.0, 1.0  # points for a meeting, as in the course and in football
ROUND_ROBIN_TIE_BREAKS: tuple[TieBreak, ...] = ("direct", "sonneborn-berger", "wins", "margin")
SWISS_TIE_BREAKS: tuple[TieBreak, ...] = ("buchholz", "sonneborn-berger", "direct", "wins")
COURSE_TIE_BREAKS: tuple[TieBreak, ...] = ("margin", "direct", "wins")


@dataclass(frozen=True)
class Row:
    """One bot in the table."""

    rank: int | None  # equal bots share a rank; None for a bot that does not compete
    bot: str
    points: float
    tie_breaks: tuple[tuple[TieBreak, float], ...]  # in the order in which they decide
    games: int
    wins: int
    draws: int  # shared wins
    losses: int
    forfeits: int  # among the losses
    score_for: int  # what the scoreboards showed, summed up
    score_against: int  # the same of all opponents
    byes: int
    group: int | None = None  # the rank of the best bot with as many points: tie-breaks decide ranks, not marks


@dataclass(frozen=True)
class CrossCell:
    """What a bot did against another: in how many games it came before it, beside it and behind it."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float | None:
        """The share of the points; None where they did not meet."""
        return (self.wins + self.draws / 2) / self.games if self.games else None


def complete_meetings(outcomes: Iterable[Outcome]) -> dict[Meeting, list[Outcome]]:
    """The games of each meeting that has been played in all rotations of the seats, in the order of the rotations."""
    games_of: dict[Meeting, dict[tuple[str, ...], Outcome]] = {}
    for outcome in outcomes:
        games_of.setdefault(outcome.meeting, {})[outcome.bots] = outcome
    return {
        meeting: [games[lineup] for lineup in meeting.lineups()]
        for meeting, games in games_of.items()
        if all(lineup in games for lineup in meeting.lineups())
    }


def points_of_meeting(games: Sequence[Outcome], points: Points) -> dict[str, float]:
    """What the bots of a meeting get for it."""
    bots = games[0].bots
    if points == "meetings":
        return _points_by_scores(games)
    worth: dict[Points, Callable[[Outcome, int], float]] = {
        "shares": lambda game, seat: game.shares[seat],
        "wins": lambda game, seat: float(game.shares[seat] == 1),
        "margin": margin,
    }
    return {bot: sum(worth[points](game, game.bots.index(bot)) for game in games) for bot in bots}


def _points_by_scores(games: Sequence[Outcome]) -> dict[str, float]:
    """Points for the highest sum of scores. A forfeit leaves no scores to add, so it decides before them: the bots with
    the fewest forfeits come first. If all failed in all games, no bot gets anything."""
    bots = games[0].bots

    def forfeits(bot: str) -> int:
        return sum(game.forfeit is not None and game.bots[game.forfeit] == bot for game in games)

    def total(bot: str) -> int:
        return sum(game.scores[game.bots.index(bot)] for game in games if game.forfeit is None)

    best = max((-forfeits(bot), total(bot)) for bot in bots)
    first = [bot for bot in bots if (-forfeits(bot), total(bot)) == best]
    failed = not any(sum(game.shares) for game in games)
    worth = 0.0 if failed else WON if len(first) == 1 else DRAWN
    return {bot: worth if bot in first else 0.0 for bot in bots}


def margin(game: Outcome, seat: int) -> float:
    """The score minus the mean of the others'; nothing in a forfeited game, whose scores say nothing."""
    if game.forfeit is not None:
        return 0.0
    others = sum(game.scores) - game.scores[seat]
    return game.scores[seat] - others / (len(game.scores) - 1)


def standings(
    outcomes: Iterable[Outcome],
    names: Sequence[str],
    *,
    points: Points = "shares",
    tie_breaks: Sequence[TieBreak] = ROUND_ROBIN_TIE_BREAKS,
    staff: Iterable[str] = (),
    against_staff: bool = False,
    byes: Mapping[str, int] | None = None,
    places: Mapping[str, int] | None = None,
) -> list[Row]:
    """The table of these bots, the best first; what is equal in points and all tie-breaks shares a rank.

    Bots of the staff stand at the end of the table, without a rank. Games against them bring points only with
    `against_staff`. A bye is worth a meeting won. `places` overrides the points, as where a knock-out has decided.
    """
    staff, given, places = set(staff), byes or {}, places or {}
    meetings = complete_meetings(outcomes)
    counted = {
        meeting: games for meeting, games in meetings.items() if against_staff or not staff.intersection(meeting.bots)
    }
    table = _Table(names, counted, points, given)
    by_all = _Table(names, meetings, points, {}) if staff and not against_staff else table
    rows = []
    for bot in names:
        source = by_all if bot in staff else table
        values = tuple((tie_break, source.tie_break(tie_break, bot)) for tie_break in tie_breaks)
        rows.append(source.row(bot, values))

    def key(row: Row) -> tuple[float, ...]:
        # Rounded, so that sums that are equal on paper are equal here.
        keys = (row.points, *(value for _, value in row.tie_breaks))
        return (places.get(row.bot, len(names)), *(-round(value, 6) for value in keys))

    rows.sort(key=lambda row: (row.bot in staff, key(row), row.bot))
    competing = [key(row) for row in rows if row.bot not in staff]
    groups = [ranked[:2] for ranked in competing]
    return [
        row
        if row.bot in staff
        else replace(row, rank=1 + competing.index(key(row)), group=1 + groups.index(key(row)[:2]))
        for row in rows
    ]


def cross_table(outcomes: Iterable[Outcome], names: Sequence[str]) -> dict[tuple[str, str], CrossCell]:
    """For each bot and each other: how often it came before it in games at one board."""
    counts = {(bot, other): [0, 0, 0] for bot in names for other in names if bot != other}
    for games in complete_meetings(outcomes).values():
        for game in games:
            for bot, share in zip(game.bots, game.shares, strict=True):
                for other, its in zip(game.bots, game.shares, strict=True):
                    if (bot, other) in counts:
                        # A share of nothing for both is a loss for both: they failed.
                        result = 0 if share > its else 1 if share == its and any(game.shares) else 2
                        counts[bot, other][result] += 1
    return {pair: CrossCell(*count) for pair, count in counts.items()}


class _Table:
    """Points and meetings of an event, from which rows and tie-breaks are read."""

    def __init__(
        self,
        names: Sequence[str],
        meetings: Mapping[Meeting, Sequence[Outcome]],
        points: Points,
        byes: Mapping[str, int],
    ) -> None:
        self.byes = byes
        self.meetings = {meeting: points_of_meeting(games, points) for meeting, games in meetings.items()}
        self.games: dict[str, list[tuple[Outcome, int]]] = {bot: [] for bot in names}
        # A bye is worth a meeting won.
        players = max((len(meeting.bots) for meeting in meetings), default=2)
        bye = {"shares": float(players), "wins": float(players), "meetings": WON, "margin": 0.0}[points]
        self.points = defaultdict(float, {bot: byes.get(bot, 0) * bye for bot in names})  # of others none count
        self.met: dict[str, list[tuple[Meeting, float]]] = {bot: [] for bot in names}
        for meeting, games in meetings.items():
            for bot in meeting.bots:
                if bot in self.games:
                    self.games[bot] += [(game, game.bots.index(bot)) for game in games]
                    self.met[bot].append((meeting, self.meetings[meeting][bot]))
                    self.points[bot] += self.meetings[meeting][bot]

    def row(self, bot: str, tie_breaks: tuple[tuple[TieBreak, float], ...]) -> Row:
        games = self.games[bot]
        wins = sum(game.shares[seat] == 1 for game, seat in games)
        draws = sum(0 < game.shares[seat] < 1 for game, seat in games)
        return Row(
            rank=None,
            bot=bot,
            points=self.points[bot],
            tie_breaks=tie_breaks,
            games=len(games),
            wins=wins,
            draws=draws,
            losses=len(games) - wins - draws,
            forfeits=sum(game.forfeit == seat for game, seat in games),
            score_for=sum(game.scores[seat] for game, seat in games),
            score_against=sum(sum(game.scores) - game.scores[seat] for game, seat in games),
            byes=self.byes.get(bot, 0),
        )

    def tie_break(self, tie_break: TieBreak, bot: str) -> float:
        """The value of a tie-break; a higher one is better."""
        if tie_break == "wins":
            return float(sum(game.shares[seat] == 1 for game, seat in self.games[bot]))
        if tie_break == "margin":
            return sum(margin(game, seat) for game, seat in self.games[bot])
        others = [
            (other, gained, self.meetings[meeting][other])
            for meeting, gained in self.met[bot]
            for other in meeting.bots
            if other != bot
        ]
        if tie_break == "direct":
            # Points in meetings with bots that have as many points in all.
            equal = [gained for other, gained, _ in others if abs(self.points[other] - self.points[bot]) < 1e-6]
            return sum(equal)
        if tie_break == "buchholz":
            return sum(self.points[other] for other, _, _ in others)
        # Sonneborn–Berger: the points of those that were beaten, and of the others the part that was won against them.
        return sum(
            self.points[other] * gained / (gained + theirs) for other, gained, theirs in others if gained + theirs > 0
        )
