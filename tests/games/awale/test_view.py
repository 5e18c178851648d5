"""Awalé's moves as stories: colours are sown in their order, and captures empty whole holes."""

from palabre.core.board import Saying
from tests.games.awale.test_rules import GAME, position


def travels(holes: str, move: str) -> list[list[tuple[str, str, int, str]]]:
    before = position(holes)
    told = GAME.view.story(before.state, before.move(move).code)
    return [
        [(travel.piece.cell, travel.piece.colour, travel.piece.count, travel.to) for travel in stage.travels]
        for stage in told
    ]


def test_transparent_seeds_are_sown_first_and_a_blue_move_sows_only_the_other_side() -> None:
    holes = "1:0.1.2 3:5.5.5 6:3.0.0 4:6.0.0"
    assert travels(holes, "1tb") == [
        [("1", "clear", 1, "2")],
        [("1", "clear", 1, "4")],
        [("1", "blue", 1, "6")],
    ]


def test_a_capture_empties_holes_of_all_their_colours_from_the_last_one_back() -> None:
    holes = "1:2.0.0 2:1.0.0 3:0.1.1 9:5.5.5 10:5.0.0"
    before = position(holes)
    assert travels(holes, "1r")[2:] == [
        [("3", "red", 1, "store 1"), ("3", "blue", 1, "store 1"), ("3", "clear", 1, "store 1")],
        [("2", "red", 2, "store 1")],
    ]
    assert GAME.view.tell(before.state, before.move("1r").code) == [
        Saying("sows", {"player": 0, "things": "seeds", "cell": "1", "count": 2}),
        Saying("takes", {"player": 0, "things": "seeds", "count": 5, "cells": ["2", "3"]}),
    ]
