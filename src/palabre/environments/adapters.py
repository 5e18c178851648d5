"""Games as the environments of other libraries, which are extras: nothing of theirs is imported before it is needed."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from palabre.bots.specs import bot
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.given import described, given_integer
from palabre.core.words import say
from palabre.environments.shared import need
from palabre.laws.first_use import given_game
from palabre.search.clock import Clock

if TYPE_CHECKING:
    from palabre.environments.aec import PalabreAec
    from palabre.environments.single import PalabreEnv


def pettingzoo_env(game: Game | str | Path, *, seed: int = 0, render_mode: str | None = None) -> "PalabreAec":
    """A game as an AEC environment of PettingZoo (extra `pettingzoo`), with an agent for each player.

    An agent sees a dictionary of `observation`, the dense planes from its seat, and `action_mask`. Rewards come at the
    end: 1 for a win, and a sum of 0. An illegal action loses, and the others share the game. Without a seed, `reset`
    begins the next game of the last seed.
    """
    need("pettingzoo", "pettingzoo")
    given_integer("pettingzoo_env", "seed", seed)
    from palabre.environments.aec import PalabreAec

    return PalabreAec(given_game(game), seed, render_mode)


def gymnasium_env(
    game: Game | str | Path,
    opponent: str = "random",
    *,
    seat: int | None = None,
    clock: Clock | None = None,
    seed: int = 0,
    render_mode: str | None = None,
) -> "PalabreEnv":
    """A game as an environment of Gymnasium (extra `gymnasium`) for one player, against a bot in every other seat.

    The player has the same `seat` in all games, or without one each in turn. `clock` limits the bots' moves; limits in
    nodes or depth make games that can be repeated. Observations, rewards, seeds and illegal actions are those of
    `pettingzoo_env`; the dictionary of facts has the `seat`, and says `why_ended` if a player lost by a mistake.
    """
    need("gymnasium", "gymnasium")
    given_integer("gymnasium_env", "seed", seed)
    chosen = given_game(game)
    if seat is not None and seat not in range(chosen.players):
        raise PalabreError(say("environment.seat", given=described(seat), most=chosen.players - 1))
    from palabre.environments.single import PalabreEnv

    bots = [bot(opponent, chosen) for _ in range(chosen.players - 1)]
    return PalabreEnv(chosen, bots, seat, clock or Clock(), seed, render_mode)


def openspiel_game(game: Game | str | Path, *, seed: int = 0) -> Any:
    """A game as a Python game of OpenSpiel (extra `openspiel`), a `pyspiel.Game`.

    The seed decides the first position, so the game itself has no chance nodes. The game is registered under a name
    made from its spec, `game.get_type().short_name`; after that, `pyspiel.load_game` knows it in this process.
    """
    need("pyspiel", "openspiel")
    given_integer("openspiel_game", "seed", seed)
    from palabre.environments import openspiel

    return openspiel.load(given_game(game), seed)
