"""Honest cross-validation of bots that learn from observations: a whole game is left out, and not single rows.

Rows of one game follow from each other. A bot that has seen the row before and the row after knows the one between, so
a random split of rows would flatter it. Games also share their first moves: a row whose position the other games have,
too, is not asked about.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from palabre.arena.result import student_95
from palabre.bots.bot import Bot
from palabre.core.observations import Observation
from palabre.core.position import Move
from palabre.play.guard import LEARNING_SECONDS
from palabre.search.clock import Clock


class Fold(NamedTuple):
    """One game to be asked about, and the others to learn from."""

    lesson: list[Observation]
    questions: list[Observation]


def folds(observations: Sequence[Observation]) -> Iterator[Fold]:
    """A fold for each game."""
    for game in sorted({one.game for one in observations}):
        lesson = [one for one in observations if one.game != game]
        known = {one.cells[:-2] for one in lesson}
        yield Fold(lesson, [one for one in observations if one.game == game and one.cells[:-2] not in known])


@dataclass(frozen=True)
class Hits:
    """How many questions were answered rightly, game by game; a guess among several counts in part."""

    right: tuple[float, ...]
    asked: tuple[int, ...]

    @property
    def share(self) -> float:
        """The share of right answers."""
        return sum(self.right) / sum(self.asked)

    @property
    def interval(self) -> tuple[float, float]:
        """Its 95 % interval: games are what is independent, and there are few of them (Student's t)."""
        games = len(self.asked)
        if games < 2:
            return 0.0, 1.0
        residuals = [right - self.share * asked for right, asked in zip(self.right, self.asked, strict=True)]
        error = math.sqrt(games / (games - 1) * sum(residual**2 for residual in residuals)) / sum(self.asked)
        margin = student_95(games - 1) * error
        return max(0.0, self.share - margin), min(1.0, self.share + margin)


def count_hits(per_game: Sequence[Sequence[float]]) -> Hits:
    """The hits in lists of answers, 1 for a right and 0 for a wrong one; a game without questions is left out."""
    asked = [answers for answers in per_game if answers]
    return Hits(tuple(math.fsum(answers) for answers in asked), tuple(len(answers) for answers in asked))


def move_hits(make: Callable[[], Bot], observations: Sequence[Observation]) -> Hits:
    """How often a bot would have chosen the winners' moves in games that it has not learnt from."""
    hits = []
    for lesson, questions in folds(observations):
        player = make()
        player.learn(lesson, LEARNING_SECONDS)
        player.sit_down(observations[0].position.game, 0)
        hits.append([float(_code(player, one) == one.move.code) for one in questions if one.won])
    return count_hits(hits)


def _code(player: Bot, one: Observation) -> int:
    answer = player.choose(one.position, Clock())
    return (answer if isinstance(answer, Move) else one.position.move(answer)).code
