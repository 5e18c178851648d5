"""A game as an environment of PettingZoo, in its agent environment cycle: one agent acts at a time."""

from typing import Any

from pettingzoo import AECEnv

from palabre.core.game import Game
from palabre.environments.shared import luck, observation, observation_space, play_or_lose, rewards
from palabre.play.game import OngoingGame


class PalabreAec(AECEnv):
    """All players of one game as agents, `player_0` first. An illegal action loses the game: the others share it."""

    def __init__(self, game: Game, seed: int, render_mode: str | None) -> None:
        from gymnasium import spaces

        super().__init__()
        # A class attribute in PettingZoo, which names an environment by it.
        self.metadata = {"name": game.spec, "render_modes": ["ansi"], "is_parallelizable": False}
        self.game = game
        self.render_mode = render_mode
        self.possible_agents = [f"player_{player}" for player in range(game.players)]
        self.observation_spaces = {agent: observation_space(game) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(game.rules.MOVE_CODES) for agent in self.possible_agents}
        self._seed, self._number = seed, 0
        self.ongoing = OngoingGame(game.start(luck(seed, 0)))

    def observation_space(self, agent: str) -> Any:
        """The space of what an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The codes of moves."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the next game, or with a seed the first one of that seed."""
        self._number += 1
        if seed is not None:
            self._seed, self._number = seed, 0
        self.ongoing = OngoingGame(self.game.start(luck(self._seed, self._number)))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.ongoing.position.to_move]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees."""
        return observation(self.ongoing.position, self.possible_agents.index(agent))

    def step(self, action: int | None) -> None:
        """Play an action of the agent whose turn it is; an agent whose game has ended is removed by None."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        play_or_lose(self.ongoing, action)
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        if self.ongoing.result is not None:
            self.rewards = dict(zip(self.possible_agents, rewards(self.ongoing.result), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self.agent_selection = self.agents[self.ongoing.position.to_move]

    def render(self) -> str | None:
        """The board as text if the render mode is "ansi"."""
        return str(self.ongoing.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is open."""
