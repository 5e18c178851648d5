"""The lessons for players: every position is one, and what a lesson says of its move is so."""

import re
from pathlib import Path

import pytest

import palabre
from palabre.bots.review import MISTAKES
from palabre.core import registry
from palabre.core.position import Position
from palabre.core.words import LANGUAGES
from palabre.draw import rulebook, svg

GAMES = Path(palabre.__file__).parent / "games"
DEPTHS = {"abalone": 5, "awale": 7}  # plies; the positions of the other games are solved, or nearly, at 10

# What the pages tell: game and lesson, moves, the scores after them, and the result if the game is then over.
TOLD: list[tuple[str, int, str, tuple[int, int], tuple[float, float] | None]] = [
    ("awele", 1, "F", (20, 10), None),
    ("awele", 1, "C", (15, 10), None),
    ("awele", 2, "B f", (12, 11), None),
    ("awele", 2, "C f", (12, 16), None),
    ("awele", 3, "F", (15, 7), None),
    ("awele", 4, "E", (21, 19), None),
    ("awele", 4, "F", (19, 19), None),
    ("awele", 5, "A f", (26, 22), (1, 0)),
    ("awele", 5, "C f", (23, 25), (0, 1)),
    ("awale", 1, "16b", (25, 36), None),
    ("awale", 1, "16r", (25, 33), None),
    ("awale", 2, "3tr", (41, 33), None),
    ("awale", 3, "15r", (41, 29), None),
    ("awale", 4, "1r", (54, 42), (1, 0)),
    ("awale", 5, "3r", (46, 41), (1, 0)),
    ("abalone", 1, "e5e6", (1, 0), None),
    ("abalone", 2, "g9f9", (1, 0), None),
    ("abalone", 3, "f5f4 e3e2", (0, 1), None),
    ("abalone", 4, "g5h5", (1, 0), None),
    ("abalone", 4, "e7e8 g9f9", (1, 1), None),
    ("abalone", 5, "e5f6", (6, 5), (1, 0)),
    ("avalam", 1, "b2b3 d3d2", (5, 5), (1, 0)),
    ("avalam", 2, "b2c1", (6, 5), (1, 0)),
    ("avalam", 3, "c2c1", (6, 5), (1, 0)),
    ("avalam", 4, "d1d2 b2b3", (6, 4), (1, 0)),
    ("avalam", 4, "d1d2 b3b2", (6, 4), (1, 0)),
    ("avalam", 5, "d2d3 c1b2 b3b2", (6, 5), (1, 0)),
    ("penguins", 1, "e5f5 f5f4 f4e3 e3e4", (49, 48), (1, 0)),
    ("penguins", 3, "e5e4 e4d4 d4c4 c4c3 c3d3 d3e2", (48, 46), (1, 0)),
    ("penguins", 4, "c4d5", (44, 45), None),
    ("penguins", 5, "d4d5 d5d6", (49, 49), (1, 0)),
    ("penguins", 5, "d4d3", (49, 49), (0.5, 0.5)),
]
# Lessons that say which replies are left, and after which nobody takes anything.
REPLIES = {("avalam", 4): {"b2b3", "b3b2"}, ("avalam", 5): {"c1b2"}, ("penguins", 2): {"g3g4", "h5g4"}}
NOBODY_TAKES_BACK = [("abalone", 1), ("abalone", 2), ("abalone", 3), ("abalone", 4)]


def page_of(name: str, language: str) -> str:
    return (GAMES / name / f"lessons.{language}.md").read_text(encoding="utf-8")


def lesson(name: str, number: int) -> tuple[Position, Position]:
    """The position of a lesson, and the one after its move."""
    pictures = rulebook.pictures(page_of(name, "en"))
    return pictures[2 * number - 2].position, pictures[2 * number - 1].position


def chance(position: Position, player: int, depth: int) -> float:
    """A player's chance to win, by the engine."""
    if position.result is not None:
        return position.result[player]
    *_, thought = palabre.analyse(position, depth=depth)
    assert thought.chance is not None
    return thought.chance if position.to_move == player else 1 - thought.chance


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", registry.names())
def test_a_page_has_five_positions_and_their_moves(name: str, language: str) -> None:
    page = page_of(name, language)
    assert [heading[:2] for heading in re.findall("^## (.*)$", page, re.MULTILINE)] == ["1.", "2.", "3.", "4.", "5."]
    pictures = rulebook.pictures(page)
    assert len(pictures) == 10
    for before, after in zip(pictures[::2], pictures[1::2], strict=True):
        assert before.position.play(after.position.played[-1].text) == after.position
        assert before.caption
        assert after.caption
        assert svg.draw(after.position).startswith("<svg")


@pytest.mark.parametrize("name", registry.names())
def test_both_languages_teach_the_same(name: str) -> None:
    shown = [[picture.position for picture in rulebook.pictures(page_of(name, language))] for language in LANGUAGES]
    assert all(positions == shown[0] for positions in shown)
    assert len({page_of(name, language) for language in LANGUAGES}) == len(LANGUAGES)


@pytest.mark.parametrize(("name", "number", "moves", "scores", "result"), TOLD)
def test_what_a_lesson_tells_happens(
    name: str, number: int, moves: str, scores: tuple[int, int], result: tuple[float, float] | None
) -> None:
    position, _ = lesson(name, number)
    for move in moves.split():
        position = position.play(move)
    assert position.scores == scores
    assert position.result == result


@pytest.mark.parametrize(("name", "number"), REPLIES)
def test_the_replies_are_those_that_a_lesson_names(name: str, number: int) -> None:
    assert {move.text for move in lesson(name, number)[1].moves()} == REPLIES[name, number]


@pytest.mark.parametrize(("name", "number"), NOBODY_TAKES_BACK)
def test_nobody_takes_back(name: str, number: int) -> None:
    after = lesson(name, number)[1]
    assert {after.play(move).scores for move in after.moves()} == {after.scores}


def test_only_one_move_wins_the_parity_fight() -> None:
    before, after = lesson("avalam", 5)
    others = [before.play(move) for move in before.moves() if move != after.played[-1]]
    assert len(others) >= 3
    assert {chance(other, 0, depth=10) for other in others} == {0.5}


@pytest.mark.parametrize("number", range(1, 6))
@pytest.mark.parametrize("name", registry.names())
def test_the_engine_agrees_with_the_move(name: str, number: int) -> None:
    """The move of a lesson would not be called an inaccuracy in a review."""
    before, after = lesson(name, number)
    depth = DEPTHS.get(name, 10)
    best = chance(before, before.to_move, depth)
    assert best - chance(after, before.to_move, depth - 1) < MISTAKES["inaccuracy"]
