"""What a move does, told and in motion: the steps lead from each position to the next, in every game."""

import json
import random
import re
from collections.abc import Iterator

import pytest

import palabre
from palabre.core import board
from palabre.core.board import Cell, Piece, Saying, Travel
from palabre.core.position import Position
from palabre.draw.frames import contents
from palabre.draw.motion import Step, motion
from palabre.draw.story import Touched, before_last, last_move, sayings, stages, touched
from tests.specs import all_specs

CONNECT_FOUR, OTHELLO, TAKE_AWAY = "examples/connect_four.py", "examples/othello.py", "tests/take_away.py"


def random_game(spec: str, seed: int) -> Iterator[tuple[Position, Position]]:
    """The moves of a random game, each as the position before it and the one after."""
    dice = random.Random(seed)
    before = palabre.game(spec).start(seed)
    while not before.is_over:
        after = before.play(dice.choice(before.moves()))
        yield before, after
        before = after


def played(spec: str, *moves: str, start: str | None = None) -> tuple[Position, Position]:
    """The positions before and after the last of some moves."""
    game = palabre.game(spec)
    after = game.start() if start is None else game.position(start)
    before = after
    for move in moves:
        before, after = after, after.play(move)
    return before, after


def names(position: Position, marked: Touched) -> tuple[list[str], list[str]]:
    cells: list[Cell] = position.game.view.cells(position.game.options)
    return [cells[at].name for at in marked["origins"]], [cells[at].name for at in marked["targets"]]


def flights(position: Position, step: Step) -> list[tuple[str | None, str | None]]:
    """Where the flights of a step go, by the names of the cells."""
    cells: list[Cell] = position.game.view.cells(position.game.options)
    ends = [(flight["from"], flight["to"]) for flight in step["flights"]]
    return [(None if a is None else cells[a].name, None if b is None else cells[b].name) for a, b in ends]


@pytest.mark.parametrize("spec", [*all_specs(), CONNECT_FOUR, OTHELLO, TAKE_AWAY])
def test_the_steps_of_every_move_end_in_the_next_position(spec: str) -> None:
    for number, (before, after) in enumerate(random_game(spec, seed=3)):
        if number > 60 and not after.is_over:
            continue
        shown = contents(before)
        steps = motion(before, stages(before, after))
        for step in steps:
            for cell, look in [*step["lift"], *step["then"]]:
                shown[cell] = look
            assert step["weight"] > 0
            assert all(flight["from"] != flight["to"] and flight["look"] for flight in step["flights"])
        assert shown == contents(after)
        assert len(json.loads(json.dumps(steps))) == len(steps)
        assert sayings(before, after)


@pytest.mark.parametrize("spec", [*all_specs(), CONNECT_FOUR, OTHELLO])
def test_what_is_told_is_in_the_table_of_sayings(spec: str) -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([\w, ]+) \|", str(board.__doc__), re.MULTILINE)
    table = {name: set(params.split(", ")) for name, params in rows}
    for before, after in random_game(spec, seed=8):
        for saying in sayings(before, after):
            assert set(saying.params) == table[saying.id]


def test_a_piece_is_lifted_from_its_cell_before_it_flies() -> None:
    before, after = played("awele", "A")
    first, *others = motion(before, stages(before, after))
    assert flights(after, first) == [("A", "B")]
    assert [flights(after, step)[0][1] for step in others] == ["C", "D", "E"]
    lifted = dict(first["lift"])
    cells = [cell.name for cell in after.game.view.cells(after.game.options)]
    assert lifted[cells.index("A")].count("<use") == 3
    assert dict(first["then"])[cells.index("B")].count("<use") == 5
    assert sum(step["weight"] for step in [first, *others]) == 4


def test_a_capture_flies_to_the_store_and_an_ending_collects_what_is_left() -> None:
    before, after = played("awele:abapa", "F", start="1,0,0,0,0,1/1,0,3,0,0,0 24,18 1 0")
    *_, capture, collected = motion(before, stages(before, after))
    assert flights(after, capture) == [("a", "store 1")]
    assert flights(after, collected) == [("A", "store 1"), ("c", "store 2")]
    assert sayings(before, after)[1:] == [
        Saying("takes", {"player": 0, "things": "seeds", "count": 2, "cells": ["a"]}),
        Saying("collects", {"player": 0, "count": 1, "things": "seeds"}),
        Saying("collects", {"player": 1, "count": 3, "things": "seeds"}),
    ]


def test_without_a_story_a_new_piece_appears_and_one_that_is_turned_stays() -> None:
    before, after = played(OTHELLO, "d3")
    (step,) = motion(before, stages(before, after))
    assert flights(after, step) == [(None, "d3")]
    assert len(step["then"]) == 2
    assert names(after, touched(after.game, stages(before, after))) == ([], ["d3"])


def test_without_a_story_what_is_gone_leaves() -> None:
    before, after = played(TAKE_AWAY, "2")
    (stage,) = stages(before, after)
    assert stage.travels == [Travel(Piece("heap", "seeds", count=2, colour="brown"), "")]
    assert sayings(before, after) == [Saying("plays", {"player": 0, "move": "2"})]


def test_without_a_story_a_piece_that_is_gone_here_and_new_there_has_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(palabre.game("abalone").view, "story")
    before, after = played("abalone", "g5f5")
    (step,) = motion(before, stages(before, after))
    assert flights(after, step) == [("g5", "f5")]


def test_a_pass_moves_nothing_and_is_told() -> None:
    start = "12....../......../......../...11.../...11.../......../......../........ 2"
    before, after = played(OTHELLO, "pass", start=start)
    assert motion(before, stages(before, after)) == []
    assert sayings(before, after) == [Saying("passes", {"player": 1})]
    assert before.game.view.clicks(before.state, after.played[-1].code) == [("pass",)]
    assert last_move(after) == {"origins": [], "targets": []}


def test_the_last_move_is_where_it_came_from_and_where_it_went() -> None:
    assert last_move(palabre.game("awele").start()) == {"origins": [], "targets": []}
    before, after = played("awele", "C", "d", "A")
    assert names(after, last_move(after)) == (["A"], ["B", "C", "D", "E", "F"])
    assert before_last(after) == before
    _, after = played("abalone", "g5f5", "c5d5")
    assert names(after, last_move(after)) == (["c5"], ["d5"])
    _, after = played("abalone", "i5h5")
    assert names(after, last_move(after)) == (["i5"], ["f5", "g5", "h5"])
    _, after = played("avalam", "c1d1")
    assert names(after, last_move(after)) == (["c1"], ["d1"])
