"""What the environments of other libraries share: first positions by seed, observations, rewards."""

import importlib.util
from collections.abc import Sequence
from typing import Any

from palabre.core.bits import combine, signed
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.core.verbs import FAR
from palabre.core.words import say
from palabre.environments.arrays import dense, planes
from palabre.environments.stepping import reward
from palabre.play.game import OngoingGame

GAMES = 29  # the family of seeds of the games of an environment


def need(package: str, extra: str) -> None:
    """Refuse to go on without a package that an extra of Palabre installs."""
    if importlib.util.find_spec(package) is None:
        raise PalabreError(say("environment.missing", package=package, command=f"pip install 'palabre[{extra}]'"))


def luck(seed: int, number: int) -> int:
    """What decides the luck of a game: the seed of its environment and the number of games since it was given."""
    return combine(combine(GAMES, signed(seed)), number)


def observation_space(game: Game) -> Any:
    """The space of what players see, with the names that PettingZoo has given the parts."""
    import numpy as np
    from gymnasium import spaces

    facts = planes(game)
    codes = int(game.rules.MOVE_CODES)
    return spaces.Dict(
        {
            "observation": spaces.Box(0, FAR, (len(facts.planes), len(facts.cells)), np.float32),
            "action_mask": spaces.Box(0, 1, (codes,), np.int8),
        }
    )


def observation(position: Position, seat: int) -> dict[str, Any]:
    """What a player sees: the planes from their seat, and the legal actions, none while it is not their turn."""
    import numpy as np

    mask = np.zeros(position.game.rules.MOVE_CODES, np.int8)
    if position.to_move == seat:
        mask[[move.code for move in position.moves()]] = 1
    return {"observation": dense(position, seat), "action_mask": mask}


def rewards(result: Sequence[float]) -> list[float]:
    """The reward of each player for the shares of an ended game."""
    return [reward(share, len(result)) for share in result]


def play_or_lose(ongoing: OngoingGame, action: object) -> None:
    """Play the move with this code; if it is illegal, the player to move has lost."""
    position = ongoing.position
    move = next((move for move in position.moves() if move.code == action), None)
    if move is None:
        ongoing.lose(position.to_move, say("environment.illegal", action=str(action), position=position.text))
    else:
        ongoing.play(move)
