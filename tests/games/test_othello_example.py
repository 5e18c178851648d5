"""Othello in one file: perft against published numbers, a pass, the last square, and its evaluation."""

import pytest

import palabre
from palabre.core.errors import IllegalMove, ImpossiblePosition, UnreadableText
from palabre.evaluation.names import default_evaluation
from palabre.search.perft import count_sequences
from tests.evaluation import random_games, value

OTHELLO = palabre.game("examples/othello.py")
# The numbers that other programs give; a pass counts as a move.
PERFT = (4, 12, 56, 244, 1396, 8200, 55092, 390216)
MUST_PASS = "1111112./......../......../...11.../...11.../......../......../........ 2"
LAST_SQUARE = "1......./.2....../..2...../...21.../...12.../.....2../......2./........ 1"


@pytest.mark.slow
@pytest.mark.kernels
def test_perft() -> None:
    start = OTHELLO.start()
    assert tuple(count_sequences(start, depth) for depth in range(1, 9)) == PERFT


def test_the_first_moves() -> None:
    assert [str(move) for move in OTHELLO.start().moves()] == ["d3", "c4", "f5", "e6"]


def test_a_player_without_a_move_passes() -> None:
    position = OTHELLO.position(MUST_PASS)
    assert [str(move) for move in position.moves()] == ["pass"]
    after = position.play("pass")
    assert (after.to_move, after.scores) == (0, position.scores)
    end = after.play("h1")
    assert (end.is_over, end.scores, end.result) == (True, (12, 0), (1.0, 0.0))


def test_nobody_may_pass_who_has_a_move() -> None:
    with pytest.raises(IllegalMove, match="there is a move, so nobody may pass"):
        OTHELLO.start().play("pass")


def test_the_last_square_is_the_sign_of_the_word() -> None:
    position = OTHELLO.position(LAST_SQUARE)
    end = position.play("h8")
    assert end.scores == (10, 0)
    assert end.state.other < 0
    assert OTHELLO.position(end.text) == end


def test_bad_texts_are_refused() -> None:
    with pytest.raises(UnreadableText, match="eight signs"):
        OTHELLO.position(OTHELLO.start().text.replace(".", "x", 1))
    with pytest.raises(ImpossiblePosition, match="never empty"):
        OTHELLO.position(OTHELLO.start().text.replace("21", ".."))


def test_its_evaluation_sees_both_sides_alike() -> None:
    assert default_evaluation(OTHELLO) == "standard"
    for position in random_games("examples/othello.py", games=2):
        assert value(position, "standard", 0) == -value(position, "standard", 1)
