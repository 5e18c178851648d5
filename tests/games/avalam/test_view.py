"""Avalam's moves as stories: a tower is carried whole, and what it settles is told."""

from palabre.core.board import Saying
from tests.games.avalam.test_rules import at, upper


def test_a_tower_is_carried_whole_and_settles_its_neighbours() -> None:
    before = at("official", upper("..Ab"))
    move = before.move("d1c1")
    (stage,) = before.game.view.story(before.state, move.code)
    (travel,) = stage.travels
    assert (travel.piece.cell, travel.piece.player, travel.piece.height, travel.to) == ("d1", 1, 2, "c1")
    assert before.game.view.tell(before.state, move.code) == [
        Saying("stacks", {"player": 0, "origin": "d1", "target": "c1", "height": 3}),
        Saying("settles", {"player": 1, "cell": "c1"}),
    ]
