"""Avalam's moves as stories: a tower is carried whole, and what it settles is told."""

from palabre.core import registry
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


def test_a_move_that_helps_the_opponent_says_whose_the_tower_is() -> None:
    start = registry.game("avalam:official").start()
    told = {move.text: start.game.view.tell(start.state, move.code) for move in start.moves()}
    assert told["f9g9"][1:] == [Saying("gives", {"player": 1, "cell": "g9"})]
    assert told["g9f9"][1:] == []
