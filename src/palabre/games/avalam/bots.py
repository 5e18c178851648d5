"""The bot of the Avalam course project: `divine`."""

from collections.abc import Sequence

from palabre.author import Game, Parameter, Weights
from palabre.bots.bot import Bot
from palabre.bots.textbook import Searcher, depth_parameter
from palabre.evaluation.names import evaluation


class Divine(Searcher):
    """Avalam: its evaluation knows which towers are safe for ever and which can be captured."""

    summary = "Avalam: alpha-beta that knows safe and vulnerable towers"
    games = ("avalam",)

    @classmethod
    def parameters(cls, game: Game) -> Sequence[Parameter]:
        return (depth_parameter(4),)

    def evaluation(self, game: Game) -> Weights:
        return evaluation(game, "divine")


BOTS: dict[str, type[Bot]] = {"divine": Divine}
