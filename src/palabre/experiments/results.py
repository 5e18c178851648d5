"""What the steps of an experiment have found, as its claims and tables ask for it."""

import dataclasses
import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from palabre.arena.outcome import Outcome
from palabre.arena.rows import GameRow
from palabre.arena.store import read_store
from palabre.core.errors import PalabreError
from palabre.core.words import say
from palabre.experiments.experiment import Experiment, Games, Row
from palabre.experiments.judging import Estimate, difference_estimate, share_estimate


class Results:
    """The results of an experiment whose steps lie in a folder."""

    def __init__(self, experiment: Experiment, folder: Path) -> None:
        self.experiment = experiment
        self.folder = folder
        self.games = cache(self._games)
        self.openings = cache(self._openings)

    def event(self, step: str) -> Path:
        """The file of a step with games."""
        return self.folder / f"{step}.event"

    def entered(self, step: str) -> tuple[list[str], list[Outcome]]:
        """The bots and games of a step by the names in its event, on which the schedule of a format depends."""
        with read_store(self.event(step)) as store:
            return [bot.name for bot in store.bots()], [row.outcome for row in store.games()]

    def _games(self, step: str) -> list[GameRow]:
        """The games of a step, in which bots have the names that the step gives them."""
        wanted = self.experiment.step(step)
        if not isinstance(wanted, Games):
            raise PalabreError(say("experiment.no_games", step=step))
        with read_store(self.event(step)) as store:
            called = dict(zip((bot.name for bot in store.bots()), wanted.bots, strict=True))
            return [_renamed(row, called) for row in store.games()]

    def _openings(self, step: str) -> list[list[GameRow]]:
        """The games of a step by opening, those openings that all line-ups have played from all seats."""
        rows = self.games(step)
        found: dict[int, list[GameRow]] = {}
        for row in rows:
            found.setdefault(row.meeting.repeat, []).append(row)
        if not rows:
            return []
        wanted = self.experiment.step(step)
        assert isinstance(wanted, Games)
        seats = len(rows[0].bots)
        complete = seats * len(wanted.lineups(list(wanted.bots), seats))
        return [games for _, games in sorted(found.items()) if len(games) == complete]

    def rows(self, step: str) -> list[Row]:
        """The rows of a measurement, each with its case, in the order of the cases."""
        return [{**one["case"], **one["found"]} for one in read_rows(self.folder / f"{step}.json")["rows"]]

    def seconds(self, step: str, bot: str) -> list[float]:
        """The time of each move of a bot."""
        return [
            seconds
            for row in self.games(step)
            for seat, name in enumerate(row.bots)
            if name == bot
            for seconds in row.seconds_of(seat)
        ]

    def searches(self, step: str, bot: str) -> list[tuple[int, int | None]]:
        """The nodes and the depth of each move for which a bot searched."""
        return [
            (nodes, depth)
            for row in self.games(step)
            for mover, nodes, depth in zip(row.movers, row.nodes, row.depths, strict=True)
            if row.bots[mover] == bot and nodes
        ]

    def score(self, step: str, bot: str, *, against: str | None = None, seat: int | None = None) -> Estimate:
        """The mean share of a bot; only against one opponent, or only as the player in one seat (from 0)."""

        def share(games: Sequence[GameRow]) -> float:
            return mean_share(games, bot, against=against, seat=seat)

        return self.over_openings(step, share)

    def seat_share(self, step: str, seat: int = 0) -> Estimate:
        """The mean share of whoever has a seat: whether it is an advantage."""
        return self.over_openings(step, lambda games: sum(row.shares[seat] for row in games) / len(games))

    def over_openings(self, step: str, share: Callable[[Sequence[GameRow]], float]) -> Estimate:
        """The mean of a share, between 0 and 1, of the games of an opening; openings are what is independent."""
        return share_estimate([share(games) for games in self._played(step)])

    def difference(self, step: str, difference: Callable[[Sequence[GameRow]], float]) -> Estimate:
        """The mean of a difference of shares, between -1 and 1, of the games of an opening."""
        return difference_estimate([difference(games) for games in self._played(step)])

    def _played(self, step: str) -> list[list[GameRow]]:
        found = self.openings(step)
        if not found:
            raise PalabreError(say("experiment.not_played", step=step))
        return found


def mean_share(games: Sequence[GameRow], bot: str, *, against: str | None = None, seat: int | None = None) -> float:
    """The mean share of a bot in the games of an opening."""
    shares = [
        share
        for row in games
        if against is None or against in row.bots
        for place, (name, share) in enumerate(zip(row.bots, row.shares, strict=True))
        if name == bot and seat in (None, place)
    ]
    if not shares:
        raise PalabreError(say("experiment.stranger", bot=bot))
    return sum(shares) / len(shares)


def read_rows(file: Path) -> dict[str, Any]:
    """What is kept of a measurement; nothing if it has not begun."""
    if not file.exists():
        return {"digest": "", "rows": []}
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def _renamed(row: GameRow, called: dict[str, str]) -> GameRow:
    meeting = row.meeting._replace(bots=tuple(called[name] for name in row.meeting.bots))
    return dataclasses.replace(row, meeting=meeting, bots=tuple(called[name] for name in row.bots))
