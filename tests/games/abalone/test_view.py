"""Abalone's moves as stories: lines that move together, and marbles that end in a tray."""

import random

from palabre.core.board import Saying
from palabre.core.game import Game
from tests.games.abalone.test_rules import COURSE, OFFICIAL, SUICIDE, board


def travels(game: Game, text: str, move: str) -> list[tuple[str, int | None, str]]:
    position = game.position(text)
    (stage,) = game.view.story(position.state, position.move(move).code)
    return [(travel.piece.cell, travel.piece.player, travel.to) for travel in stage.travels]


def sayings(game: Game, text: str, move: str) -> list[Saying]:
    position = game.position(text)
    found: list[Saying] = game.view.tell(position.state, position.move(move).code)
    return found


def test_a_line_and_what_it_pushes_move_together() -> None:
    text = board("......./......../..1112.../......../.......")
    assert travels(COURSE, text, "e3e4") == [("e3", 0, "e4"), ("e4", 0, "e5"), ("e5", 0, "e6"), ("e6", 1, "e7")]
    assert sayings(COURSE, text, "e3e4") == [
        Saying("steps", {"player": 0, "things": "marbles", "count": 3, "cells": ["e4", "e5", "e6"]}),
        Saying("pushes", {"player": 0, "things": "marbles", "count": 1, "cells": ["e7"]}),
    ]


def test_a_marble_that_is_pushed_off_goes_to_the_tray_of_the_pusher() -> None:
    text = board("......./......../.....1112/......../.......")
    assert travels(COURSE, text, "e6e7")[-1] == ("e9", 1, "tray 1")
    assert sayings(COURSE, text, "e6e7")[1:] == [
        Saying("pushes_off", {"player": 0, "things": "marbles", "cell": "e9"}),
    ]


def test_a_marble_dropped_of_ones_own_accord_goes_to_the_tray_of_the_other() -> None:
    text = board("......./......../.......11/......../.......")
    assert travels(SUICIDE, text, "e8e9") == [("e8", 0, "e9"), ("e9", 0, "tray 2")]
    assert sayings(SUICIDE, text, "e8e9")[1:] == [Saying("drops", {"player": 0, "things": "marbles", "cell": "e9"})]


def test_every_move_along_a_line_can_be_dragged_by_its_rear_marble() -> None:
    dice = random.Random(4)
    for game in (COURSE, SUICIDE, OFFICIAL):
        position = game.start()
        while not position.is_over and position.ply < 30:
            for move in position.moves():
                paths = game.view.clicks(position.state, move.code)
                if len(move.text) < 6:
                    assert [path[0] for path in paths if len(path) == 2] == [move.text[:2]]
                else:
                    assert {len(path) for path in paths} == {3}
            position = position.play(dice.choice(position.moves()))


def test_a_side_step_moves_every_marble_of_the_group() -> None:
    text = board("......./......../..111..../......../.......")
    assert travels(OFFICIAL, text, "e3e5f4") == [("e3", 0, "f4"), ("e4", 0, "f5"), ("e5", 0, "f6")]
