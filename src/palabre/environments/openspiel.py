"""A game as a Python game of OpenSpiel. Importing this module needs OpenSpiel.

OpenSpiel knows games by name, in one registry of the process: each spec is registered there once, when it is first
asked for. Chance is only in the first position, which the parameter `seed` decides; the game itself is deterministic.
"""

import re
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.core.verbs import MANY_PLIES
from palabre.core.words import say
from palabre.environments.arrays import dense, planes
from palabre.environments.shared import rewards


def load(game: Game, seed: int) -> Any:
    """The game, registered if it is not yet."""
    name = short_name(game)
    if name not in pyspiel.registered_names():
        _register(game, name)
    loaded = pyspiel.load_game(name, {"seed": seed})
    if loaded.game != game:
        raise PalabreError(say("environment.same_name", name=name, game=game.spec, other=loaded.game.spec))
    return loaded


def short_name(game: Game) -> str:
    """What OpenSpiel calls a game: `palabre_` and its spec, with an underscore for each sign that is no letter."""
    return "palabre_" + re.sub(r"\W", "_", game.spec)


def _register(game: Game, name: str) -> None:
    kind = pyspiel.GameType(
        short_name=name,
        long_name=f"{game.title} ({game.spec})",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.players,
        min_num_players=game.players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"seed": 0},
    )
    facts = pyspiel.GameInfo(
        num_distinct_actions=game.rules.MOVE_CODES,
        max_chance_outcomes=0,
        num_players=game.players,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=MANY_PLIES,
    )

    class Registered(PalabreGame):
        """The class of this spec: OpenSpiel makes a game from nothing but a class and parameters."""

        def __init__(self, params: dict[str, Any] | None = None) -> None:
            super().__init__(kind, facts, params or {})
            self.game = game
            self.seed = int((params or {}).get("seed", 0))

    pyspiel.register_game(kind, Registered)


class PalabreGame(pyspiel.Game):
    """A game that OpenSpiel asks for positions."""

    game: Game
    seed: int

    def new_initial_state(self, state: None = None) -> "PalabreState":
        """The first position of the seed."""
        return PalabreState(self, self.game.start(self.seed))

    def make_py_observer(self, kind: Any = None, params: dict[str, Any] | None = None) -> Any:
        """What writes the observations of a position."""
        if kind is None or (kind.public_info and not kind.perfect_recall):
            return PlanesObserver(self.game)
        return IIGObserverForPublicInfoGame(kind, params)


class PalabreState(pyspiel.State):
    """A position behind the methods that OpenSpiel calls."""

    def __init__(self, game: PalabreGame, position: Position) -> None:
        super().__init__(game)
        self.position = position

    def current_player(self) -> int:
        """The player to move, or OpenSpiel's mark of an ended game."""
        return int(pyspiel.PlayerId.TERMINAL) if self.position.is_over else self.position.to_move

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position.is_over

    def returns(self) -> list[float]:
        """The rewards of an ended game, 0 for all before the end."""
        result = self.position.result
        return [0.0] * self.position.game.players if result is None else rewards(result)

    def _legal_actions(self, player: int) -> list[int]:
        return [move.code for move in self.position.moves()]

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play(next(move for move in self.position.moves() if move.code == action))

    def _action_to_string(self, player: int, action: int) -> str:
        return str(self.position.game.notation.move_to_text(self.position.state, action))

    def __str__(self) -> str:
        """The position in one line."""
        return self.position.text


class PlanesObserver:
    """The dense planes of a position, as OpenSpiel's `PyObserver` has them."""

    def __init__(self, game: Game) -> None:
        facts = planes(game)
        shape = (len(facts.planes), len(facts.cells))
        self.tensor = np.zeros(shape[0] * shape[1], np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: PalabreState, player: int) -> None:
        """Fill the tensor with what this player sees."""
        self.dict["observation"][:] = dense(state.position, player)

    def string_from(self, state: PalabreState, player: int) -> str:
        """The position in one line, which is the same for all players."""
        return state.position.text
