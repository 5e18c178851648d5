"""The Bot class: moves from scores, dice of its own, hooks that may be left out."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import palabre
from palabre.bots.bot import Bot, best_moves
from palabre.search.clock import Clock

AWELE = palabre.game("awele")
START = AWELE.start()
THREE_PITS = AWELE.position("0,4,0,4,0,4/4,4,4,4,4,4 6,6 1 0")  # B, D and F can be played
INFINITY = float("inf")


class Scorer(Bot):
    """Scores moves as it is told to."""

    def __init__(self, scores: Sequence[float] = ()) -> None:
        self.scores = scores

    def score_moves(self, position: palabre.Position) -> Sequence[float]:
        return self.scores


@pytest.mark.parametrize(
    ("scores", "best"),
    [
        ([1, 2, 3], "F"),
        ([3, 2, 1], "B"),
        ([-5, -4.5, -5], "D"),
        ((0, 0, 0), "BDF"),
        ([-INFINITY, -INFINITY, 0], "F"),
        ([1, INFINITY, INFINITY], "DF"),
        ([True, False, False], "B"),
        # Six numbers, by pit: those of A, C and E do not count, whatever they are.
        ([9, 1, 9, 2, 9, 3], "F"),
        ([0, -1, 0, -1, 0, -2], "BD"),
        ([float("nan"), 1, INFINITY, 0, 9, 0], "B"),
    ],
)
def test_the_best_legal_move_is_played(scores: Sequence[float], best: str) -> None:
    assert "".join(str(move) for move in best_moves(THREE_PITS, scores)) == best
    assert str(Scorer(scores).choose(THREE_PITS, Clock())) in best


def test_numbers_by_move_and_by_pit_agree_where_all_pits_can_be_played() -> None:
    assert [str(move) for move in best_moves(START, [0, 0, 5, 0, 0, 1])] == ["C"]


def test_arrays_are_sequences_too() -> None:
    numpy = pytest.importorskip("numpy")
    assert [str(move) for move in best_moves(THREE_PITS, numpy.array([0.5, 0.25, 0.75]))] == ["F"]


@pytest.mark.parametrize(
    ("scores", "errors"),
    [
        ([], "gave 0 numbers; it must be one for each of the 3 legal moves, or one for each of the 6 moves"),
        ([1, 2], "gave 2 numbers"),
        ([1] * 7, "gave 7 numbers"),
        ([1, float("nan"), 2], "nan"),
        ([float("nan")] * 6, "nan"),
    ],
)
def test_scores_that_fit_no_moves_are_an_error(scores: list[float], errors: str) -> None:
    with pytest.raises(ValueError, match=errors):
        best_moves(THREE_PITS, scores)


@pytest.mark.parametrize("scores", [None, 3, ["a", "b", "c"], [None, 1, 2], [1j, 1, 2]])
def test_what_is_no_list_of_numbers_is_an_error(scores: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        best_moves(THREE_PITS, scores)


def test_a_bot_needs_a_way_to_choose() -> None:
    with pytest.raises(NotImplementedError, match="Bot has neither choose nor score_moves"):
        Bot().choose(START, Clock())


def test_the_other_hooks_may_be_left_out() -> None:
    bot = Scorer([0, 1, 0])
    bot.learn((), 1.0)
    bot.start(AWELE, 0)
    bot.sit_down(AWELE, 1, 7)
    assert str(bot.choose(THREE_PITS, Clock())) == "D"


def rolls(seed: int, seat: int) -> list[int]:
    bot = Bot()
    bot.sit_down(AWELE, seat, seed)
    return [bot.roll(1000) for _ in range(20)]


def test_dice_follow_from_the_seed_and_the_seat() -> None:
    assert rolls(1, 0) == rolls(1, 0)
    assert len({tuple(rolls(seed, seat)) for seed in range(5) for seat in range(2)}) == 10


def test_sitting_down_again_begins_the_dice_anew() -> None:
    bot = Bot()
    bot.sit_down(AWELE, 0, 3)
    first = [bot.roll(1000) for _ in range(20)]
    bot.sit_down(AWELE, 0, 3)
    assert [bot.roll(1000) for _ in range(20)] == first


def test_dice_can_be_taken_anew_without_a_start() -> None:
    class Starter(Bot):
        starts = 0

        def start(self, game: palabre.Game, seat: int) -> None:
            self.starts += 1

    bot = Starter()
    bot.sit_down(AWELE, 1, 3)
    first = [bot.roll(1000) for _ in range(20)]
    bot.reseed(3, 1)
    assert [bot.roll(1000) for _ in range(20)] == first
    assert bot.starts == 1


@settings(deadline=None)
@given(st.integers(), st.integers(0, 3))
def test_any_seed_is_a_seed(seed: int, seat: int) -> None:
    assert all(0 <= number < 1000 for number in rolls(seed, seat))


def test_equal_moves_are_picked_evenly() -> None:
    bot = Scorer([1, 1, 0])
    bot.sit_down(AWELE, 0)
    picked = [str(bot.choose(THREE_PITS, Clock())) for _ in range(1000)]
    assert set(picked) == {"B", "D"}
    assert 430 < picked.count("B") < 570  # 4.4 standard deviations
