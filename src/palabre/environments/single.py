"""A game as an environment of Gymnasium: one player learns, bots have the other seats."""

from typing import Any

import gymnasium
from gymnasium import spaces

from palabre.bots.bot import Bot
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.core.words import text_of
from palabre.environments.shared import luck, observation, observation_space, play_or_lose, rewards
from palabre.play.failures import Forfeit
from palabre.play.game import OngoingGame
from palabre.search.clock import Clock


class PalabreEnv(gymnasium.Env[dict[str, Any], int]):
    """One seat of a game against bots. An illegal action loses the game, and so does a bot that fails."""

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 (as Gymnasium declares it)

    def __init__(
        self, game: Game, bots: list[Bot], seat: int | None, clock: Clock, seed: int, render_mode: str | None
    ) -> None:
        self.game = game
        self.render_mode = render_mode
        self.observation_space = observation_space(game)
        self.action_space = spaces.Discrete(game.rules.MOVE_CODES)  # type: ignore[assignment]
        self.seat = seat or 0  # of the player who learns, in the present game
        self._bots, self._usual_seat, self._clock = bots, seat, clock
        self._seed, self._number = seed, -1
        self.ongoing: OngoingGame | None = None

    @property
    def position(self) -> Position:
        """The position on the board; before the first `reset`, that of the first game."""
        return self.game.start(luck(self._seed, 0)) if self.ongoing is None else self.ongoing.position

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin the next game, or with a seed the first one of that seed; bots play until it is the learner's turn."""
        super().reset(seed=seed)
        self.close()
        self._number += 1
        if seed is not None:
            self._seed, self._number = seed, 0
        self.seat = self._number % self.game.players if self._usual_seat is None else self._usual_seat
        chance = luck(self._seed, self._number)
        seats: list[Bot | None] = [*self._bots[: self.seat], None, *self._bots[self.seat :]]
        self.ongoing = OngoingGame(self.game.start(chance), seats, clock=self._clock, seed=chance)
        self.ongoing.sit_down()
        self._ask_bots(self.ongoing)
        return self._seen(self.ongoing)

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Play an action and the answers of the bots; the reward comes at the end of the game."""
        if self.ongoing is None:
            raise gymnasium.error.ResetNeeded("call reset() first")
        if not self.ongoing.is_over:  # a bot may have lost it before the learner's first turn
            play_or_lose(self.ongoing, action)
            self._ask_bots(self.ongoing)
        seen, facts = self._seen(self.ongoing)
        result = self.ongoing.result
        return seen, 0.0 if result is None else rewards(result)[self.seat], result is not None, False, facts

    def render(self) -> str | None:
        """The board as text if the render mode is "ansi"."""
        return str(self.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """End the game for the bots."""
        if self.ongoing is not None:
            self.ongoing.get_up()
            self.ongoing = None

    def _ask_bots(self, ongoing: OngoingGame) -> None:
        while not ongoing.is_over and ongoing.bot_to_move is not None:
            try:
                ongoing.ask_bot()
            except Forfeit:
                return  # the game is over: the bot has lost it

    def _seen(self, ongoing: OngoingGame) -> tuple[dict[str, Any], dict[str, Any]]:
        """What the learner sees, and what else there is to know: their seat, and why the game has ended early."""
        facts: dict[str, Any] = {"seat": self.seat}
        if ongoing.why_ended is not None:
            facts["why_ended"] = text_of(ongoing.why_ended)
        return observation(ongoing.position, self.seat), facts
