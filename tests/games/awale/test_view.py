"""Awalé's moves as stories: colours are sown in their order, and captures empty whole holes."""

import pytest

from palabre.core.board import Saying
from palabre.core.words import LANGUAGES
from palabre.games.awale.notation import say
from palabre.games.awale.view import SEED_COLOURS
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
    colours = [say("piece.seeds.red", count=3), say("piece.seeds.blue", count=1), say("piece.seeds.clear", count=1)]
    assert GAME.view.tell(before.state, before.move("1r").code) == [
        Saying("sows_colours", {"player": 0, "cell": "1", "colours": [say("piece.seeds.red", count=2)]}),
        Saying("takes_colours", {"player": 0, "cells": ["2", "3"], "colours": colours}),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_names_the_colours_that_are_played(language: str) -> None:
    before = position("1:2.1.2 9:5.5.5 10:5.0.0")
    words, counts = GAME.words(language), {"red": 2, "blue": 1, "clear": 2}
    for move, colours in (("1r", ["red"]), ("1b", ["blue"]), ("1tr", ["red", "clear"]), ("1tb", ["blue", "clear"])):
        [sows, *_] = GAME.view.tell(before.state, before.move(move).code)
        told = words.saying(sows.id, sows.params)
        for colour in SEED_COLOURS:
            assert (say(f"piece.seeds.{colour}", count=counts[colour]).text(language) in told) is (colour in colours)
