"""Awélé as a game of easyAI; importing it needs `easyAI`."""

from collections.abc import Sequence

from easyAI import TwoPlayerGame

from benchmarks.list_awele import ListAwele


class EasyAwele(TwoPlayerGame):
    """The methods easyAI asks of a game; it counts players from 1 and passes the turn itself, after `make_move`."""

    evaluated = 0  # positions, by all games together: easyAI's searches work on copies

    def __init__(self, players: Sequence[object]) -> None:
        self.players = players
        self.current_player = 1
        self.awele = ListAwele()

    def possible_moves(self) -> list[int]:
        """The legal pits of the player to move."""
        return self.awele.moves

    def make_move(self, move: int) -> None:
        """Play a pit."""
        self.awele.play(move)

    def is_over(self) -> bool:
        """Whether the game has ended."""
        return not self.awele.moves

    def scoring(self) -> int:
        """The lead in seeds of the player to move, for easyAI's searches."""
        type(self).evaluated += 1
        own, other = self.current_player - 1, 2 - self.current_player
        return self.awele.stores[own] - self.awele.stores[other]
