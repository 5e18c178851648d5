"""Learner: a bot that learns from observations with a model of scikit-learn. A game defines what such a bot sees."""

import math
from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from palabre.bots.bot import Bot
from palabre.core import registry
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.observations import Observation, read_observations
from palabre.core.position import Position
from palabre.core.spec import FileParameter, Parameter
from palabre.core.words import say

if TYPE_CHECKING:
    pass

MODELS = ("neighbours", "bayes", "discriminant", "logistic", "vectors", "forest", "net")
IMITATE = "imitate"
AIMS = (IMITATE, "value")
INSTALL = "pip install 'palabre[learn]'"


class Learner(Bot):
    """Plays by what it has learnt, in one of two ways.

    To *imitate* is to learn which move the winners chose: the position goes in, a chance for each move comes out, and
    the likeliest legal move is played. The *value* of a position is the chance of the player to move to win, learnt
    from winners and losers; the move is played after which the opponent's is least. It searches no deeper.
    """

    needs_data = True

    @classmethod
    def parameters(cls, game: Game) -> Sequence[Parameter]:
        return (
            Parameter("model", "forest", MODELS, "what learns"),
            Parameter("aim", "value", AIMS, "what it learns: the winners' moves, or what a position is worth"),
            FileParameter("data", "a file of observations to learn from, instead of those given to all bots"),
        )

    @abstractmethod
    def features(self, position: Position) -> Sequence[float]:
        """The features of a position: numbers, as the player to move sees them."""

    def learn(self, data: Sequence[Observation], budget: float) -> None:
        file = self.options.word("data")
        if file:
            data = read_observations(registry.game(self.games[0]), Path(file))
        if not data:
            raise PalabreError(say("lesson.no_data", bot=self.spec))
        try:
            from palabre.bots.models import Model  # slow to import, and perhaps not installed
        except ImportError as error:
            raise PalabreError(say("lesson.no_models", bot=self.spec, command=INSTALL)) from error
        if self.imitates:
            examples = [(one.position, one.move.code) for one in data if one.won]
        else:
            examples = [(one.position, int(one.won)) for one in data]
        rows = [self.features(position) for position, _ in examples]
        classes = [meant for _, meant in examples]
        self.model = Model(self.options.word("model"), rows, classes, self.options.number("seed"))

    @property
    def imitates(self) -> bool:
        """Whether it has learnt which moves winners choose, and not what positions are worth."""
        return self.options.word("aim") == IMITATE

    def score_moves(self, position: Position) -> Sequence[float]:
        if self.imitates:
            chances = dict(zip(self.model.classes, self.model.chances([self.features(position)])[0], strict=True))
            return [float(chances.get(move.code, -math.inf)) for move in position.moves()]
        mover = position.to_move
        chances = {}
        unfinished = []
        for move in position.moves():
            after = position.play(move)
            if after.result is not None:
                chances[move] = 3 * after.result[mover] - 1  # a win above all chances, a loss below
            else:
                unfinished.append((move, after))
        if unfinished:
            for (move, after), chance in zip(unfinished, self.win_chances([a for _, a in unfinished]), strict=True):
                chances[move] = chance if after.to_move == mover else 1 - chance
        return [chances[move] for move in position.moves()]

    def win_chances(self, positions: Sequence[Position]) -> list[float]:
        """What it gives the player to move in positions of games that are not over."""
        chances = self.model.chances([self.features(position) for position in positions])
        if self.model.classes != [0, 1]:  # all in the data have won, or all have lost
            return [float(self.model.classes[0])] * len(positions)
        return [self.model.as_chance(float(number)) for number in chances[:, 1]]
