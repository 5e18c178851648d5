"""A sequential test, played: pairs of games in batches, until it is decided whether one bot is better than another.

What the pairs say is in `sprt.py`. The games alone decide how large the batches are, so the same seed plays the same
test with any number of workers, and an event that was stopped goes on.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from palabre.arena.match import Match, check_pairing, given_match
from palabre.arena.result import MatchResult, pair_counts
from palabre.arena.rows import Meeting, Outcome
from palabre.arena.sprt import Sprt, sprt
from palabre.core.game import Game
from palabre.core.given import given_count, given_path
from palabre.search.clock import Clock

BATCH = 16  # pairs before the first look
PART = 8  # later batches are this part of the pairs so far, so that workers seldom wait for the last game of one
MOST_GAMES = 100_000  # after so many, a test is given up


@dataclass(frozen=True)
class Hypotheses:
    """What is to be decided between, and with which error rates."""

    elo0: float
    elo1: float
    alpha: float
    beta: float

    def judge(self, pairs: Sequence[int]) -> Sprt:
        """What the numbers of pairs worth 0, ¼, ½, ¾ and 1 say."""
        return sprt(pairs, elo0=self.elo0, elo1=self.elo1, alpha=self.alpha, beta=self.beta)

    def title(self) -> str:
        """What an event is called that decides between them."""
        return f"sprt {self.elo0:g} {self.elo1:g} {self.alpha:g} {self.beta:g}"


def next_batch(
    names: Sequence[str], played: Sequence[Outcome], wanted: Hypotheses, most: int, *, new: str
) -> list[Meeting]:
    """The format of the test: the next pairs, at most so many in all; none if it is decided."""
    counts = pair_counts(new, played)
    pairs = sum(counts)
    if wanted.judge(counts).decision != "continue":
        return []
    count = min(max(BATCH, pairs // PART), most - pairs)
    number = 0 if not played else played[-1].meeting.round + 1
    return [Meeting(number, (names[0], names[1]), repeat) for repeat in range(pairs, pairs + count)]


def sprt_match(new: str, old: str, game: Game, wanted: Hypotheses, max_games: int, **settings: Any) -> Match:
    """The match that plays the test, with further settings of a `Match`; wrong error rates are refused now."""
    wanted.judge((0, 0, 0, 0, 0))
    match = Match(
        (new, old),
        game,
        max_games,
        title=wanted.title(),
        next_round=lambda names, played: next_batch(names, played, wanted, max_games // 2, new=match.bots[0].name),
        **settings,
    )
    return match


def play_sprt(
    new: str,
    old: str,
    game: Game | str | Path,
    *,
    elo0: float = 0.0,
    elo1: float = 10.0,
    alpha: float = 0.05,
    beta: float = 0.05,
    max_games: int = MOST_GAMES,
    clock: Clock | None = None,
    seed: int = 0,
    balanced: bool = True,
    workers: int = 0,
    file: str | Path | None = None,
) -> tuple[Sprt, MatchResult]:
    """Play pairs of games until it is decided whether the new bot is `elo1` better than the old one, or only `elo0`.

    Returns what the test says, and the result of the match. `alpha` is the probability of accepting H1 when H0 is true,
    `beta` that of accepting H0 when H1 is true. After `max_games` the test stops undecided. All other arguments are
    those of `play_match`.
    """
    checked = check_pairing("play_sprt", (new, old), game)
    given_count("play_sprt", "max_games", max_games, 2)
    given_match("play_sprt", clock, seed, workers)
    path = None if file is None else given_path("play_sprt", file)
    wanted = Hypotheses(elo0, elo1, alpha, beta)
    settings = {"clocks": clock, "seed": seed, "balanced": balanced, "file": path}
    with sprt_match(new, old, checked, wanted, max_games // 2 * 2, **settings) as match:
        for _ in match.play(workers):
            pass
        result = match.result()
        return wanted.judge(result.pairs), result
