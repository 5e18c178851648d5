"""Awalé's evaluations: every term by hand, and against a recomputation from the text."""

import pytest

import palabre
from palabre.evaluation.names import evaluations
from palabre.games.awale.evaluation import (
    Corrected,
    Defence,
    Raw,
    best_capture,
    capturable,
    capturable_mistaken,
    captured,
    hard,
    owned,
    passed,
    transparent,
)
from tests.evaluation import check_both_worlds, random_games, value
from tests.naive import awale as naive

GAME = palabre.game("awale")
NAMES = ("raw", "corrected", "defence")
TERMS = (captured, owned, transparent, capturable, capturable_mistaken, hard)

# Player 2 takes 10 by 14b (holes 1, 16, 15, 14); player 1 could take 5 by 13b (16 and 15).
TEN_TO_FIVE = "1:2.0.0 13:2.2.0 14:2.2.0 15:0.2.0 16:2.0.0"
# Player 2 takes 10 by 16b (holes 5 to 1); player 1 could take 3 by 1r (hole 2), or by 3b (hole 4).
TEN_TO_THREE = "1:1.0.0 2:2.0.0 3:0.1.0 4:0.2.0 5:1.0.0 14:0.4.0 15:2.0.0 16:1.3.0"


def position(holes: str, first: int = 40, player: int = 1) -> palabre.Position:
    """A position from its filled holes; of the seeds not on the board player 1 has taken `first`."""
    seeds = ["0.0.0"] * 16
    for filled in holes.split():
        hole, counts = filled.split(":")
        seeds[int(hole) - 1] = counts
    on_board = sum(int(count) for counts in seeds for count in counts.split("."))
    return GAME.position(f"{'/'.join(seeds)} {first},{96 - on_board - first} {player} 0")


def mirror(position: palabre.Position) -> palabre.Position:
    """The same position with the players' parts exchanged: every hole moves on by one, and so changes its owner."""
    holes, taken, player, ply = position.text.split()
    seeds = holes.split("/")
    first, second = taken.split(",")
    return GAME.position(f"{'/'.join([seeds[-1], *seeds[:-1]])} {second},{first} {3 - int(player)} {ply}")


# ------------------------------------------------------------------------------------------------------ term by term


def test_the_weights_are_those_of_the_report() -> None:
    assert Raw()[:4] == Corrected()[:4] == (0.4, 0.2, 0.1, 0.3)
    assert Defence()[:5] == (0.25, 0.06, 0.04, 0.3, 0.25)
    assert set(NAMES) <= set(evaluations(GAME))


def test_r1_is_the_difference_of_seeds_taken() -> None:
    assert captured(position(TEN_TO_FIVE, first=40).state) == -2 / 96  # 14 on the board, 40 to 42
    assert captured(position(TEN_TO_FIVE, first=46, player=2).state) == 10 / 96


def test_r2_is_the_difference_of_seeds_in_own_holes() -> None:
    for player in (1, 2):
        # 2 + 4 + 2 in holes 1, 13, 15 against 4 + 2 in 14, 16.
        assert owned(position(TEN_TO_FIVE, player=player).state) == 2 / 96
        # 1 + 1 + 1 + 2 in holes 1, 3, 5, 15 against 2 + 2 + 4 + 4.
        assert owned(position(TEN_TO_THREE, player=player).state) == -7 / 96


def test_r3_is_the_difference_of_transparent_seeds() -> None:
    for player in (1, 2):
        assert transparent(position("1:3.3.5 2:0.0.1 9:0.0.2 16:4.4.3", player=player).state) == (7 - 4) / 32
        assert transparent(position("2:0.0.16 4:0.0.16 5:9.9.0", player=player).state) == -1.0


def test_r4_is_the_difference_of_the_best_captures() -> None:
    for player in (1, 2):
        assert capturable(position(TEN_TO_FIVE, player=player).state) == (5 - 10) / 96
        assert capturable(position(TEN_TO_THREE, player=player).state) == (3 - 10) / 96
    assert capturable(GAME.start().state) == 0.0  # every hole has six, and seven after a sowing


def test_r4_of_raw_counts_the_captures_of_the_side_to_move_for_player_1() -> None:
    assert capturable_mistaken(position(TEN_TO_FIVE, player=1).state) == 5 / 96
    assert capturable_mistaken(position(TEN_TO_FIVE, player=2).state) == 10 / 96


def test_r4_does_not_count_what_an_ending_hands_out() -> None:
    """1r takes the two seeds of hole 2; that leaves player 2 without any, and the other twelve go to player 1."""
    starving = position("1:1.0.0 2:1.0.0 5:4.4.4")
    assert starving.play("1r").scores == (40 + 2 + 12, 42)
    assert best_capture(starving.state) == 2


def test_r5_is_the_difference_of_holes_with_one_seed_or_more_than_three() -> None:
    for player in (1, 2):
        assert hard(position(TEN_TO_FIVE, player=player).state) == 0.0  # hole 13 against hole 14, four seeds each
        assert hard(position(TEN_TO_THREE, player=player).state) == (3 - 2) / 8  # 1, 3, 5 against 14, 16
        # A hole of 88 counts; those of 0, 2 and 3 do not.
        assert hard(position("1:30.30.28 2:0.0.2 3:1.1.0 5:1.1.1", first=1, player=player).state) == 1 / 8


# ------------------------------------------------------------------------------------------------------------ the sums


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("raw", (0.4 * -2 + 0.2 * 2 + 0.3 * 10) / 96),
        ("corrected", (0.4 * -2 + 0.2 * 2 + 0.3 * -5) / 96),
        ("defence", (0.25 * -2 + 0.06 * 2 + 0.3 * -5) / 96),
    ],
)
def test_the_weighted_sums(name: str, expected: float) -> None:
    assert value(position(TEN_TO_FIVE, player=2), name) == pytest.approx(expected, abs=1e-15)
    assert value(position(TEN_TO_FIVE, player=2), name, player=1) == pytest.approx(-expected, abs=1e-15)


def test_defence_adds_the_fifth_term() -> None:
    # R1 = (40 - 39) / 96, R2 = -7 / 96, R4 = -7 / 96, R5 = 1 / 8.
    expected = (0.25 * 1 + 0.06 * -7 + 0.3 * -7) / 96 + 0.25 / 8
    assert value(position(TEN_TO_THREE, player=2), "defence") == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("name", NAMES)
def test_a_game_over_is_worth_1_0_or_minus_1(name: str) -> None:
    won, lost = (position("1:1.1.1", first=first) for first in (50, 40))
    drawn = GAME.position("/".join(["0.0.0"] * 15 + ["0.0.2"]) + " 47,47 2 9")  # fewer than ten on the board
    for over, expected in ((won, 1.0), (lost, -1.0), (drawn, 0.0)):
        assert over.is_over
        assert value(over, name) == expected
        assert value(over, name, player=1) == -expected


# ----------------------------------------------------------------------------------------------------- random positions


def naive_capture(board: naive.Board, hole: int, kind: str) -> int:
    """The seeds that a move takes by sowing."""
    after, last = naive.sow(board, hole, kind)
    seeds = 0
    while len(after[last]) in (2, 3):
        seeds += len(after[last])
        after[last] = ""
        last = naive.hole_before(last)
    return seeds


def naive_best(position: palabre.Position, player: int) -> int:
    board = naive.Position.from_text(position.text).board
    return max(
        (
            naive_capture(board, hole, kind)
            for hole in naive.HOLES
            for kind in naive.KINDS
            if naive.owner(hole) == player and kind[0] in board[hole]
        ),
        default=0,
    )


def test_terms_are_what_the_text_says() -> None:
    seen = 0
    for found in random_games("awale", games=2):
        if found.is_over:
            continue
        board = naive.Position.from_text(found.text).board
        own = [board[hole] for hole in naive.HOLES if naive.owner(hole) == 0]
        other = [board[hole] for hole in naive.HOLES if naive.owner(hole) == 1]
        best = naive_best(found, 0), naive_best(found, 1)
        assert captured(found.state) == (found.scores[0] - found.scores[1]) / 96
        assert owned(found.state) == (sum(map(len, own)) - sum(map(len, other))) / 96
        assert transparent(found.state) == ("".join(own).count("t") - "".join(other).count("t")) / 32
        assert capturable(found.state) == (best[0] - best[1]) / 96
        assert capturable_mistaken(found.state) == best[found.to_move] / 96
        is_hard = [sum(len(hole) == 1 or len(hole) > 3 for hole in side) for side in (own, other)]
        assert hard(found.state) == (is_hard[0] - is_hard[1]) / 8
        seen += best[0] != best[1]
    assert seen > 20


def test_terms_and_sums_stay_between_minus_1_and_1() -> None:
    for found in random_games("awale", games=2, seed=1):
        assert all(-1.0 <= term(found.state) <= 1.0 for term in TERMS)
        for name in NAMES:
            assert -1.0 <= value(found, name) <= 1.0
            assert found.is_over or abs(value(found, name)) < 1.0


@pytest.mark.parametrize("name", NAMES)
def test_what_one_player_gains_the_other_loses(name: str) -> None:
    for found in random_games("awale", games=1, seed=2):
        assert value(found, name, player=1) == -value(found, name)


def test_right_differences_are_blind_to_the_seat_and_raw_is_not() -> None:
    unequal = 0
    for found in random_games("awale", games=1, seed=3):
        for name in ("corrected", "defence"):
            assert value(mirror(found), name, player=1) == pytest.approx(value(found, name), abs=1e-15)
        unequal += value(mirror(found), "raw", player=1) != pytest.approx(value(found, "raw"), abs=1e-15)
    assert unequal > 5


def test_raw_takes_what_player_2_can_capture_for_player_1s_gain() -> None:
    threatened = position(TEN_TO_FIVE, first=41, player=2)  # equal stores, player 2 about to take ten
    assert value(threatened, "raw") > 0.0 > value(threatened, "corrected")


def test_passing_twice_changes_nothing() -> None:
    for found in random_games("awale", games=1, seed=4):
        assert passed(passed(found.state)) == found.state


@pytest.mark.kernels
@pytest.mark.parametrize("name", NAMES)
def test_compiled_and_plain_values_are_the_same(name: str) -> None:
    check_both_worlds("awale", name, games=2)
