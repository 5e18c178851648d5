"""Penguins' moves as stories: a slide, then the fish are eaten and the tile sinks."""

import palabre
from palabre.core.board import Saying
from palabre.core.position import Position
from tests.games.penguins.test_rules import ENDGAME, FLOCKS


def travels(before: Position, move: str) -> list[list[tuple[str, str, str]]]:
    told = before.game.view.story(before.state, before.move(move).code)
    return [[(travel.piece.cell, travel.piece.kind, travel.to) for travel in stage.travels] for stage in told]


def sayings(before: Position, move: str) -> list[Saying]:
    found: list[Saying] = before.game.view.tell(before.state, before.move(move).code)
    return found


def test_a_penguin_appears_and_eats() -> None:
    start = palabre.game("penguins").start()
    move = start.moves()[0].text
    assert travels(start, move) == [[("", "penguin", move)], [(move, "fish", "")]]
    assert sayings(start, move) == [
        Saying("places", {"player": 0, "cell": move}),
        Saying("takes", {"player": 0, "count": 1, "things": "fish", "cells": [move]}),
    ]


def test_a_penguin_slides_then_eats_while_the_tile_it_left_sinks() -> None:
    position = palabre.game("penguins").start()
    while len(position.moves()[0].text) == 2:
        position = position.play(position.moves()[0])
    move = position.moves()[0].text
    left, target = move[:2], move[2:]
    assert travels(position, move) == [[(left, "penguin", target)], [(target, "fish", ""), (left, "tile", "")]]
    assert sayings(position, move)[0] == Saying("moves", {"player": position.to_move, "origin": left, "target": target})


def test_whoever_is_shut_in_or_skipped_is_named() -> None:
    board = ENDGAME.replace("1110000", "1230000")
    before = palabre.game("penguins").position(f"{board} {FLOCKS} 47,48 29,29 1")
    assert sayings(before, "a1a2")[2:] == [Saying("skipped", {"player": 1})]
    assert sayings(before.play("a1a2"), "a2a3")[2:] == [Saying("settles", {"player": 0, "cell": "a3"})]
