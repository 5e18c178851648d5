"""Outcome and Meeting: what schedules, ratings and reports need to know of games.

A meeting is the unit of everything: the same bots play from one opening once in each rotation of the seats, which for
two players is the usual pair of games. Its games are not independent, so errors are clustered by meeting.
"""

from typing import NamedTuple

from palabre.play.finished import Integer, Share, Whole


class Meeting(NamedTuple):
    """Bots that play from one opening, in each rotation of the seats."""

    round: Whole  # from 0; a round is drawn when the one before it has been played
    bots: tuple[str, ...]  # names, in the seats of the first game
    repeat: Whole  # from 0: which of the meetings between these bots this is; it decides opening and luck

    def lineups(self) -> list[tuple[str, ...]]:
        """Who sits where in each of its games: every rotation of the seats."""
        return [self.bots[turn:] + self.bots[:turn] for turn in range(len(self.bots))]


class Outcome(NamedTuple):
    """A finished game."""

    meeting: Meeting
    bots: tuple[str, ...]  # names, by seat
    shares: tuple[Share, ...]  # by seat: 1 for a win, 0 for a loss, 1/k for each of k players who share
    scores: tuple[Integer, ...]  # by seat, in the last position
    forfeit: Whole | None = None  # the seat that lost by an error, an illegal move or too much time
