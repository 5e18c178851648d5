"""The bot of the Awélé course project: one that learns from observations."""

from collections.abc import Sequence

from palabre.author import Game, Parameter, Position
from palabre.bots.bot import Bot
from palabre.bots.learner import Learner
from palabre.games.awele.evaluation import seeds_captured
from palabre.games.awele.rules import PITS, State, seeds_in, taken


class AweleLearner(Learner):
    """Awélé: sees the pits and the lead, and with `tactics` what each player could take at once."""

    summary = "Awélé: learns from observations to imitate winners, or what a position is worth"
    games = ("awele",)

    @classmethod
    def parameters(cls, game: Game) -> Sequence[Parameter]:
        seen = Parameter("sees", "tactics", ("pits", "tactics"), "the pits alone, or also what could be taken at once")
        return (*super().parameters(game), seen)

    def features(self, position: Position) -> list[float]:
        state = position.state
        seen = [seeds_in(side, pit) for side in (state.own, state.other) for pit in range(PITS)]
        # Who has taken more says nothing of how to take more, so one who imitates does not look.
        lead = [] if self.imitates else [taken(state.own) - taken(state.other)]
        if self.options.word("sees") == "pits":
            return [*seen, *lead]
        opponent = State(state.other, state.own, 1 - state.player, state.quiet, state.rules)
        return [*seen, *lead, *captures(state), *captures(opponent)]


def captures(state: State) -> list[int]:
    """How many seeds the player to move would take from each of their pits."""
    return [seeds_captured(state, pit) if seeds_in(state.own, pit) else 0 for pit in range(PITS)]


BOTS: dict[str, type[Bot]] = {"learner": AweleLearner}
