"""Awélé's moves as stories: every seed that is sown, every pit that is captured."""

import palabre
from palabre.core.board import Saying

GAME = palabre.game("awele")


def travels(text: str, move: str) -> list[list[tuple[str, int, str]]]:
    """Where seeds come from, how many they are, and where they go, stage by stage."""
    position = GAME.position(text)
    told = GAME.view.story(position.state, position.move(move).code)
    return [[(travel.piece.cell, travel.piece.count, travel.to) for travel in stage.travels] for stage in told]


def sayings(text: str, move: str) -> list[Saying]:
    position = GAME.position(text)
    found: list[Saying] = GAME.view.tell(position.state, position.move(move).code)
    return found


def test_seeds_are_sown_one_by_one_then_captured_pits_are_emptied_from_the_last_back() -> None:
    text = "0,0,0,0,0,3/1,2,5,0,0,0 18,19 1 0"
    assert travels(text, "F") == [
        [("F", 1, "a")],
        [("F", 1, "b")],
        [("F", 1, "c")],
    ]
    ripe = "0,0,0,0,0,3/1,2,2,5,0,0 17,18 1 0"
    assert travels(ripe, "F")[3:] == [[("c", 3, "store 1")], [("b", 3, "store 1")], [("a", 2, "store 1")]]
    assert sayings(ripe, "F") == [
        Saying("sows", {"player": 0, "things": "seeds", "cell": "F", "count": 3}),
        Saying("takes", {"player": 0, "things": "seeds", "count": 8, "cells": ["a", "b", "c"]}),
    ]


def test_a_long_sowing_skips_the_pit_it_comes_from() -> None:
    text = "12,0,0,0,0,0/0,0,0,0,0,1 17,18 1 0"
    sown = [stage[0][2] for stage in travels(text, "A")]
    assert sown[:12] == [*"BCDEFabcdef", "B"]


def test_a_grand_slam_takes_nothing_and_says_so() -> None:
    text = "4,0,0,0,0,2/1,1,0,0,0,0 20,20 1 0"
    assert travels(text, "F") == [[("F", 1, "a")], [("F", 1, "b")]]
    assert sayings(text, "F")[1:] == [Saying("takes_nothing", {"player": 0, "things": "seeds", "count": 4})]
