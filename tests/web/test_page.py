"""Positions as the page shows them: who sits where, and places as texts."""

import pytest

import palabre
from palabre.core import registry
from palabre.web.page import ground_of


@pytest.mark.parametrize(("spec", "bottom"), [("awele", 0), ("abalone", 1), ("avalam", 0), ("examples/othello.py", 0)])
def test_the_player_at_the_lower_edge_owns_the_lowest_cells_and_pieces(spec: str, bottom: int) -> None:
    assert ground_of(palabre.game(spec)).bottom == bottom


@pytest.mark.parametrize("name", registry.names())
def test_every_player_has_a_sign_and_a_colour(name: str) -> None:
    game = palabre.game(name)
    ground = ground_of(game)
    assert len(ground.swatches) == len(set(ground.colours)) == len(ground.colours) == game.players
