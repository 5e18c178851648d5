"""Awélé as a Python game of OpenSpiel, registered as `palabre_list_awele`; importing it needs `pyspiel`."""

from collections.abc import Mapping

import pyspiel

from benchmarks.list_awele import ListAwele

GAME_TYPE = pyspiel.GameType(
    short_name="palabre_list_awele",
    long_name="Awélé in plain Python",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
    parameter_specification={},
)
GAME_INFO = pyspiel.GameInfo(
    num_distinct_actions=6,
    max_chance_outcomes=0,
    num_players=2,
    min_utility=-1.0,
    max_utility=1.0,
    utility_sum=0.0,
    max_game_length=25_000,  # at most 24 captures, fewer than 1000 plies before each
)


class AweleGame(pyspiel.Game):
    """The game object that OpenSpiel asks for positions."""

    def __init__(self, params: Mapping[str, object] | None = None) -> None:
        super().__init__(GAME_TYPE, GAME_INFO, dict(params or {}))

    def new_initial_state(self) -> "AweleState":
        """The start of a game."""
        return AweleState(self)


class AweleState(pyspiel.State):
    """One game under way, behind the methods that OpenSpiel's C++ calls."""

    def __init__(self, game: AweleGame) -> None:
        super().__init__(game)
        self.awele = ListAwele()

    def current_player(self) -> int:
        """The player to move, or OpenSpiel's mark of an ended game."""
        return self.awele.player if self.awele.moves else int(pyspiel.PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return not self.awele.moves

    def _legal_actions(self, player: int) -> list[int]:
        return self.awele.moves

    def _apply_action(self, action: int) -> None:
        self.awele.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return ("ABCDEF", "abcdef")[player][action]

    def returns(self) -> list[float]:
        """1 for the winner, -1 for the loser, 0 for both in a draw or while the game runs."""
        first, second = self.awele.stores
        value = 0.0 if self.awele.moves else float((first > second) - (first < second))
        return [value, -value]

    def __str__(self) -> str:
        """The pits, the stores and the player to move."""
        return f"{self.awele.pits} {self.awele.stores} {self.awele.player + 1}"


pyspiel.register_game(GAME_TYPE, AweleGame)
