"""How long a championship will take, and how much memory, before it is played."""

import statistics
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from palabre.arena.formats.common import Format
from palabre.arena.playing import kept_bots
from palabre.arena.rows import GameRow
from palabre.arena.trial import Verdict
from palabre.core.game import Game
from palabre.core.system import own_megabytes

RANDOM_GAMES = 5  # from which the length of games is guessed, if the admission test has not seen any whole one


@dataclass(frozen=True)
class ChampionshipEstimate:
    """What a championship needs."""

    least_games: int  # some formats end when all is decided
    most_games: int
    played: int  # of them, so far
    game_seconds: float | None  # for a game; None if nothing has been measured
    workers: int
    megabytes: float | None  # at most, as far as the bots have shown; None if nothing has been measured

    @property
    def seconds(self) -> float | None:
        """Until the end, at most."""
        left = max(0, self.most_games - self.played)
        return None if self.game_seconds is None else self.game_seconds * left / max(1, self.workers)


def estimate(
    form: Format,
    names: Sequence[str],
    game: Game,
    verdicts: Collection[Verdict],
    played: Sequence[GameRow],
    workers: int,
) -> ChampionshipEstimate:
    """What is known from the games of the event so far, or else from the admission test."""
    least, most = form.count_meetings(names)
    return ChampionshipEstimate(
        least * game.players,
        most * game.players,
        len(played),
        _game_seconds(game, verdicts, played),
        workers,
        _megabytes(verdicts, workers),
    )


def _game_seconds(game: Game, verdicts: Collection[Verdict], played: Sequence[GameRow]) -> float | None:
    if played:
        return statistics.fmean(row.duration for row in played)
    paces = [verdict.seconds / verdict.moves for verdict in verdicts if verdict.moves]
    if not paces:
        return None
    plies = [length for verdict in verdicts for length in verdict.plies] or [
        _length(game, n) for n in range(RANDOM_GAMES)
    ]
    return statistics.fmean(paces) * statistics.fmean(plies)


def _length(game: Game, seed: int) -> int:
    """The length of a random game."""
    from palabre.arena.openings import random_opening

    return len(random_opening(game.start(), 10_000, seed)) + 1


def _megabytes(verdicts: Collection[Verdict], workers: int) -> float | None:
    """A worker keeps its latest bots loaded."""
    used = sorted((verdict.megabytes for verdict in verdicts if verdict.megabytes), reverse=True)
    if not used:
        return None
    return max(1, workers) * (own_megabytes() + sum(used[: kept_bots(workers)]))
