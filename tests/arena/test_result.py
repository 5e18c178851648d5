"""The statistics of a match against values computed by hand."""

import math
from collections.abc import Sequence

import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from palabre.arena.result import elo, interval_95, match_result, standard_error, student_95
from palabre.arena.rows import BotRow, GameRow, Meeting

BOTS = (BotRow("a", "a", ""), BotRow("b", "b", ""))


def played(
    number: int, points: float, lead: int = 0, seconds: Sequence[float] = (), forfeit: int | None = None
) -> GameRow:
    """A game in which the first bot, in every other game in the first seat, won so many points."""
    seat = number % 2
    mine = [(seat, spent) for spent in seconds]
    spent = [*mine, (1 - seat, 0.5)]
    shares, scores = (points, 1 - points), (10 + lead, 10)
    return GameRow(
        meeting=Meeting(0, ("a", "b"), number // 2),
        rotation=seat,
        attempt=1,
        bots=("a", "b") if seat == 0 else ("b", "a"),
        shares=shares if seat == 0 else shares[::-1],
        scores=scores if seat == 0 else scores[::-1],
        margin=abs(lead),
        opening=0,
        start=None,
        moves=("A",) * len(spent),
        movers=tuple(mover for mover, _ in spent),
        seconds=tuple(taken for _, taken in spent),
        depths=(None,) * len(spent),
        nodes=(None,) * len(spent),
        ending="",
        forfeit=forfeit,
    )


def games(points: Sequence[float]) -> list[GameRow]:
    return [played(number, score) for number, score in enumerate(points)]


def test_a_match_by_hand() -> None:
    """Four pairs worth 1, ¾, ½ and ¼: mean 0.625; deviations 3/8, 1/8, 1/8, 3/8, squares 9, 1, 1, 9 sixty-fourths,
    together 20/64; over three 5/48; over four pairs 5/192, whose root is 0.16137."""
    result = match_result("awele", BOTS, games([1, 1, 1, 0.5, 0, 1, 0.5, 0]))
    assert (result.games, result.wins, result.draws, result.losses) == (8, 4, 2, 2)
    assert result.pairs == (0, 1, 1, 1, 1)
    assert result.score == 0.625
    assert result.standard_error == pytest.approx(math.sqrt(5 / 192))
    low, high = result.score_95
    # 1.96 standard errors are 0.3163; the chance of a pair never seen in four, 1 - 0.025 ** ¼ = 0.60236, is more
    # below (0.625 · 0.60236 = 0.37648) and less above (0.375 · 0.60236 = 0.22589).
    assert low == pytest.approx(0.625 - 0.376475, abs=1e-5)
    assert high == pytest.approx(0.625 + 0.316282, abs=1e-5)
    assert result.elo == pytest.approx(400 * math.log10(5 / 3))
    assert result.elo_95 == (elo(low), elo(high))


def test_pairs_not_games_give_the_error_bar() -> None:
    """Every opening won from one seat and lost from the other tells that the bots are equal, however often."""
    even = match_result("awele", BOTS, games([1, 0] * 50))
    assert (even.score, even.standard_error, even.pairs) == (0.5, 0.0, (0, 0, 50, 0, 0))
    swinging = match_result("awele", BOTS, games([1, 1, 0, 0] * 25))
    assert (swinging.score, swinging.pairs) == (0.5, (25, 0, 0, 0, 25))
    assert swinging.standard_error == pytest.approx(math.sqrt(50 / 4 / 49 / 50))
    assert swinging.score_95[0] == pytest.approx(0.5 - 1.959964 * 0.0714286, abs=1e-6)


def test_all_games_won_is_no_certainty() -> None:
    """Ten of ten pairs: a pair that is not won may have a chance of 1 - 0.025 ** 0.1 = 0.30850."""
    result = match_result("awele", BOTS, games([1] * 20))
    assert (result.score, result.standard_error, result.elo) == (1.0, 0.0, math.inf)
    assert result.score_95 == pytest.approx((0.691503, 1.0), abs=1e-6)
    assert result.elo_95 == pytest.approx((140.217, math.inf), abs=1e-3)
    lost = match_result("awele", BOTS, games([0] * 20))
    assert lost.elo == -math.inf
    assert lost.elo_95 == pytest.approx((-math.inf, -140.217), abs=1e-3)


def test_one_pair_or_less_tells_next_to_nothing() -> None:
    pair = match_result("awele", BOTS, games([1, 0.5]))
    assert (pair.standard_error, pair.score) == (None, 0.75)
    assert pair.score_95 == pytest.approx((0.75 * 0.025, 1 - 0.25 * 0.025))
    single = match_result("awele", BOTS, games([0.5]))
    assert (single.pairs, single.standard_error, single.score_95) == ((0, 0, 0, 0, 0), None, (0.0, 1.0))
    assert single.elo_95 == (-math.inf, math.inf)


def test_an_unfinished_pair_counts_as_a_game_but_not_as_a_pair() -> None:
    result = match_result("awele", BOTS, games([1, 0, 1]))
    assert (result.wins, result.losses) == (2, 1)
    assert result.score == pytest.approx(2 / 3)
    assert sum(result.pairs) == 1


def test_leads_and_times_are_seen_from_each_bot_whatever_its_seat() -> None:
    result = match_result(
        "awele",
        BOTS,
        [played(0, 1, 7, [0.1, 0.2]), played(1, 0, -4, [0.6]), played(2, 0, 90, [], 0), played(3, 1, 90, [0.1], 0)],
    )
    assert result.lead == 1.5  # the forfeited games do not count
    assert (result.first.moves, result.first.seconds_per_move, result.first.slowest_move) == (4, 0.25, 0.6)
    assert (result.second.moves, result.second.seconds_per_move, result.second.slowest_move) == (4, 0.5, 0.5)
    assert (result.first.forfeits, result.second.forfeits) == (1, 1)
    assert (result.first.bot, result.second.bot) == ("a", "b")


def test_what_is_not_known_is_not_told() -> None:
    result = match_result("awele", BOTS, [played(0, 0, 0, [], 0), played(1, 0, 0, [], 1)])
    assert (result.lead, result.first.seconds_per_move, result.first.slowest_move) == (None, None, None)
    assert result.first.forfeits == 2


@pytest.mark.parametrize(
    ("score", "difference"),
    # The table of the FIDE handbook (B.02, 8.1.1) to the nearest point, but for its rounding in the tails.
    [(0.5, 0), (0.75, 190.85), (0.64, 99.95), (0.25, -190.85), (10 / 11, 400), (100 / 101, 800)],
)
def test_elo_is_the_usual_one(score: float, difference: float) -> None:
    assert elo(score) == pytest.approx(difference, abs=0.01)
    assert math.copysign(1, elo(0.5)) == 1


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), max_size=60))
def test_intervals_hold_the_score_and_shrink_with_more_of_the_same(pairs: list[float]) -> None:
    score = sum(pairs) / len(pairs) if pairs else 0.5
    low, high = interval_95(score, pairs)
    assert 0 <= low <= score <= high <= 1
    longer = interval_95(score, pairs * 4)
    if len(pairs) > 1:
        assert low - 1e-9 <= longer[0] <= longer[1] <= high + 1e-9
        error = standard_error(pairs)
        assert error is not None
        assert 0 <= error <= 1
    mirrored = interval_95(1 - score, [1 - pair for pair in pairs])
    assert mirrored == pytest.approx((1 - high, 1 - low))


@given(st.integers(1, 60), st.integers(0, 60))
def test_more_wins_never_make_a_worse_lower_bound(wins: int, others: int) -> None:
    """Replacing a half-won pair by a won one does not lower what can be promised, as a bare normal interval would."""
    half = [0.5] * others + [0.75] + [1.0] * (wins - 1)
    full = [0.5] * others + [1.0] * wins
    before = interval_95(sum(half) / len(half), half)[0]
    after = interval_95(sum(full) / len(full), full)[0]
    assert after >= before - 1e-12


@pytest.mark.parametrize("freedom", [2, 3, 5, 10, 100, 1000])
def test_few_values_make_wide_intervals(freedom: int) -> None:
    assert student_95(freedom) == pytest.approx(float(scipy.stats.t.ppf(0.975, freedom)), rel=0.08 / freedom)
    if freedom >= 4:
        assert student_95(freedom) == pytest.approx(float(scipy.stats.t.ppf(0.975, freedom)), rel=3e-3)
