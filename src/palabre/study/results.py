"""The results of the steps of an experiment, as its claims and tables ask for them."""

import dataclasses
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from palabre.arena.rows import GameRow, Outcome
from palabre.arena.store import read_store
from palabre.core import registry
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.observations import Observation
from palabre.core.words import say
from palabre.play.guard import Lesson
from palabre.study.experiment import QUICK_GAMES, Experiment, Games, Row, schedule, widest
from palabre.study.judging import Estimate, difference_estimate, share_estimate

Played = TypeVar("Played", GameRow, Outcome)


class Results:
    """The results of an experiment whose steps are kept in a folder.

    `most`, `quick` and `observations` are those of the run.
    """

    def __init__(
        self,
        experiment: Experiment,
        folder: Path,
        *,
        most: int | None = None,
        quick: bool = False,
        observations: Sequence[Observation] = (),
    ) -> None:
        self.experiment, self.folder, self.quick = experiment, folder, quick
        self.data = Lesson(observations).title if observations else None  # what bots learnt from, with a digest
        self._most = most
        self._games: dict[str, list[GameRow]] = {}

    # ------------------------------------------------------------------------------------------------ how it was run

    def game(self, step: str) -> Game:
        """The game that is played in a step."""
        return registry.game(self._step(step).game or self.experiment.game)

    def bots(self, step: str) -> dict[str, str]:
        """The specs of the bots of a step, by what results call them."""
        wanted = self._step(step)
        return {**wanted.bots, **wanted.quick} if self.quick else dict(wanted.bots)

    def most(self, step: str) -> int:
        """The most games of a line-up in a step."""
        return self._most or (QUICK_GAMES if self.quick else self._step(step).most)

    def is_balanced(self, step: str) -> bool:
        """Whether openings are drawn again that are nearly decided: not in a quick run, where that takes longest."""
        return self._step(step).balanced and not self.quick

    def is_finished(self, step: str) -> bool:
        """Whether all games of a step, or all cases of a measurement, are there."""
        wanted = self.experiment.step(step)
        if not isinstance(wanted, Games):
            return len(self.rows(step)) == len((wanted.quick or wanted.cases[:1]) if self.quick else wanted.cases)
        if not self.file(step).exists():
            return False
        names, played = self._entered(step)
        seats = self.game(step).players
        return not schedule(wanted, seats, -(-self.most(step) // seats))(names, played)

    def half_width(self, step: str) -> float | None:
        """Half the width of the widest 95 % interval of a score; None for a format, and before the first games."""
        names, played = self._entered(step)
        wanted = self._step(step)
        return widest(wanted.lineups(names, self.game(step).players), played) if played and not wanted.format else None

    # ---------------------------------------------------------------------------------------------------- the results

    def file(self, step: str) -> Path:
        """The file of a step: an event, which `palabre.read_store` reads, or the rows of a measurement as JSON."""
        ending = "event" if isinstance(self.experiment.step(step), Games) else "json"
        return self.folder / f"{step}.{ending}"

    def games(self, step: str) -> list[GameRow]:
        """The games of a step, in which bots have the names that the step gives them."""
        if step not in self._games:
            wanted = self._step(step)
            with read_store(self.file(step)) as store:
                called = dict(zip((bot.name for bot in store.bots()), wanted.bots, strict=True))
                self._games[step] = [_renamed(row, called) for row in store.games()]
        return self._games[step]

    def openings(self, step: str) -> list[list[GameRow]]:
        """The games of a step by opening, those openings that all line-ups have played from all seats."""
        return self._complete(step, self.games(step))

    def rows(self, step: str) -> list[Row]:
        """The rows of a measurement, each with its case, in the order of the cases."""
        return [{**one["case"], **one["found"]} for one in read_rows(self.file(step))["rows"]]

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
        """The mean share of a bot; only against one opponent, or only as the player in one seat (from 0).

        Openings are what is independent: the games of one count once.
        """
        openings = self._played(step)
        return share_estimate([mean_share(games, bot, against=against, seat=seat) for games in openings])

    def seat_share(self, step: str, seat: int = 0) -> Estimate:
        """The mean share of the player in a seat: whether it is an advantage."""
        return share_estimate([sum(row.shares[seat] for row in games) / len(games) for games in self._played(step)])

    def difference(self, step: str, difference: Callable[[Sequence[GameRow]], float]) -> Estimate:
        """The mean of a difference of shares, between -1 and 1, of the games of an opening."""
        return difference_estimate([difference(games) for games in self._played(step)])

    def _played(self, step: str) -> list[list[GameRow]]:
        openings = self.openings(step)
        if not openings:
            raise PalabreError(say("experiment.not_played", step=step))
        return openings

    def _step(self, step: str) -> Games:
        wanted = self.experiment.step(step)
        if not isinstance(wanted, Games):
            raise PalabreError(say("experiment.no_games", step=step))
        return wanted

    def _entered(self, step: str) -> tuple[list[str], list[Outcome]]:
        """The bots and games of a step by the names in its event, on which its schedule depends."""
        with read_store(self.file(step), trusted=True) as store:
            names, played = [bot.name for bot in store.bots()], store.outcomes()
        if self._step(step).format:
            return names, played
        return names, [outcome for games in self._complete(step, played) for outcome in games]

    def _complete(self, step: str, rows: Sequence[Played]) -> list[list[Played]]:
        """Games by opening, those openings that all line-ups have played from all seats."""
        wanted, seats = self._step(step), self.game(step).players
        by_opening: dict[int, list[Played]] = {}
        for row in rows:
            by_opening.setdefault(row.meeting.repeat, []).append(row)
        complete = seats * len(wanted.lineups(list(wanted.bots), seats))
        return [games for _, games in sorted(by_opening.items()) if len(games) == complete]


def mean_share(games: Sequence[GameRow], bot: str, *, against: str | None = None, seat: int | None = None) -> float:
    """The mean share of a bot in some games; only against one opponent, or only in one seat (from 0)."""
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
    kept: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return kept


def _renamed(row: GameRow, called: dict[str, str]) -> GameRow:
    meeting = row.meeting._replace(bots=tuple(called[name] for name in row.meeting.bots))
    return dataclasses.replace(row, meeting=meeting, bots=tuple(called[name] for name in row.bots))
