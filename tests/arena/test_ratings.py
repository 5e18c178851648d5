"""Ratings against other packages, by hand, and for the coverage of their error bars."""

import itertools
import math
import random
import time
from collections.abc import Sequence

import choix
import evalica
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palabre.arena import likelihood
from palabre.arena.ratings import ELO, Ratings, rate
from palabre.arena.rows import Meeting, Outcome
from tests.messages import refuses
from tests.sentences import tells

RIDGE = likelihood.PRIOR_DEVIATION**-2


def game(
    bots: Sequence[str], shares: Sequence[float], repeat: int = 0, scores: Sequence[int] = (), **more: int
) -> Outcome:
    meeting = Meeting(0, tuple(sorted(bots)), repeat)
    return Outcome(meeting, tuple(bots), tuple(shares), tuple(scores) or (0,) * len(bots), **more)


def event(
    elos: Sequence[float], repeats: int, seed: int, *, first_move: float = 0, draws: float = 0.2, opening: float = 0
) -> list[Outcome]:
    """A round-robin of bots `b00`, `b01`, … with these Elos. The chance of a draw between equals is `draws`, and the
    standard deviation of what an opening is worth to the first seat is `opening`."""
    dice = np.random.default_rng(seed)
    played = []
    for repeat, (one, other) in itertools.product(range(repeats), itertools.combinations(range(len(elos)), 2)):
        names = (f"b{one:02}", f"b{other:02}")
        bonus = first_move + dice.normal(0, opening) if opening else first_move
        for turn in range(2):
            gap = (elos[one] - elos[other]) * (1 - 2 * turn) + bonus
            chance = 1 / (1 + 10 ** (-gap / 400))
            drawn = 2 * draws * chance * (1 - chance)
            luck = dice.random()
            share = 1.0 if luck < chance - drawn else 0.5 if luck < chance + drawn else 0.0
            lineup = names[::-1] if turn else names
            played.append(Outcome(Meeting(0, names, repeat), lineup, (share, 1 - share), (0, 0)))
    return played


def mirrored(played: Sequence[Outcome]) -> list[Outcome]:
    """Each game also with exchanged seats, so that the seats are worth nothing."""
    return [*played, *(one._replace(bots=one.bots[::-1], shares=one.shares[::-1]) for one in played)]


def elos_of(ratings: Ratings) -> list[float]:
    """The ratings in the order of the names."""
    return [rating.elo for rating in sorted(ratings.bots, key=lambda rating: rating.bot)]


def test_two_bots_by_hand() -> None:
    """Three points of four and no first-move advantage: 400 · log10(3) = 190.8 Elo, half of it above the mean."""
    played = [game("ab", (1, 0)), game("ba", (0, 1)), game("ab", (0.5, 0.5), 1), game("ba", (0.5, 0.5), 1)] * 500
    ratings = rate(played)
    assert [rating.bot for rating in ratings.bots] == ["a", "b"]
    assert ratings.of("a").elo == pytest.approx(95.4, abs=0.1)
    assert ratings.of("b").elo == pytest.approx(-95.4, abs=0.1)
    assert ratings.seats[0].elo == pytest.approx(0, abs=0.1)
    assert (ratings.of("a").games, ratings.of("a").score) == (2000, 0.75)


def test_the_first_move_by_hand() -> None:
    """Equal bots, and the first seat wins three of four games: the first move is worth 190.8 Elo."""
    played = [game(bots, (1, 0), repeat) for repeat in range(300) for bots in ("ab", "ba")]
    played += [game(bots, (0, 1), 300 + repeat) for repeat in range(100) for bots in ("ab", "ba")]
    ratings = rate(played)
    assert ratings.of("a").elo == pytest.approx(0, abs=0.1)
    assert ratings.seats[0].elo == pytest.approx(190.8, abs=0.5)
    assert ratings.seats[1].elo == -ratings.seats[0].elo


def test_as_choix() -> None:
    """A draw is half a win, so all games are given to choix twice, and draws once each way."""
    played = event([0, 80, 200, -150, 30, -60], 3, seed=1)
    wins = []
    for outcome in played:
        seats = [int(bot[1:]) for bot in outcome.bots]
        for share, pair in zip(outcome.shares, (seats, seats[::-1]), strict=True):
            wins += [(pair[0], pair[1])] * round(2 * share)
    expected = choix.opt_pairwise(6, wins, alpha=RIDGE / 2) * ELO  # its penalty is α · |θ|², without the half
    assert elos_of(rate(mirrored(played))) == pytest.approx(expected - expected.mean(), abs=0.01)


def test_as_evalica() -> None:
    played = event([0, 80, 200, -150, 30, -60], 40, seed=2)
    words = {1.0: evalica.Winner.X, 0.5: evalica.Winner.Draw, 0.0: evalica.Winner.Y}
    found = evalica.bradley_terry(
        [outcome.bots[0] for outcome in played],
        [outcome.bots[1] for outcome in played],
        [words[outcome.shares[0]] for outcome in played],
        tolerance=1e-10,
        limit=10_000,
    )
    expected = np.array([math.log(found.scores[f"b{number:02}"]) for number in range(6)]) * ELO
    assert elos_of(rate(mirrored(played))) == pytest.approx(expected - expected.mean(), abs=0.5)


def boards(seed: int, players: int) -> list[Outcome]:
    """Games of three or four of six bots in all rotations, with scores whose order decides."""
    dice = np.random.default_rng(seed)
    strengths = np.array([0.0, 0.5, 1.0, -0.5, 0.3, -1.0])
    played = []
    for repeat in range(1):
        for bots in itertools.combinations(range(6), players):
            for turn in range(players):
                lineup = bots[turn:] + bots[:turn]
                order = np.argsort(-(strengths[list(lineup)] + dice.gumbel(size=players)))
                scores = [0] * players
                for place, seat in enumerate(order):
                    scores[seat] = players - place
                shares = [float(score == players) for score in scores]
                names = [f"b{number:02}" for number in lineup]
                played.append(game(names, shares, repeat, scores))
    return played


@pytest.mark.parametrize("players", [3, 4])
def test_many_players_as_choix(players: int) -> None:
    """All seats get all results, so that they are worth nothing."""
    played = [
        outcome._replace(
            bots=outcome.bots[turn:] + outcome.bots[:turn],
            shares=outcome.shares[turn:] + outcome.shares[:turn],
            scores=outcome.scores[turn:] + outcome.scores[:turn],
        )
        for outcome in boards(3, players)
        for turn in range(players)
    ]
    orders = []
    for outcome in played:
        seats = sorted(range(players), key=lambda seat: -outcome.scores[seat])
        orders.append([int(outcome.bots[seat][1:]) for seat in seats])
    winner = choix.opt_top1(6, [(order[0], tuple(order[1:])) for order in orders], alpha=RIDGE / 2, method="BFGS")
    assert elos_of(rate(played)) == pytest.approx((winner - winner.mean()) * ELO, abs=0.01)
    ranked = choix.opt_rankings(6, [tuple(order) for order in orders], alpha=RIDGE / 2, method="BFGS")
    assert elos_of(rate(played, places="all")) == pytest.approx((ranked - ranked.mean()) * ELO, abs=0.01)


def test_a_shared_win_is_shared() -> None:
    """Two who always share the win against a third are equal, and both score ½."""
    names = [("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")]
    played = [game(bots, [0.0 if bot == "c" else 0.5 for bot in bots], repeat) for repeat in range(9) for bots in names]
    ratings = rate(played)
    assert ratings.of("a").elo == pytest.approx(ratings.of("b").elo, abs=1e-6)
    assert ratings.of("a").score == 0.5
    assert ratings.of("c").is_extreme
    assert len(ratings.seats) == 3


def test_davidson() -> None:
    """Half of the games drawn and the others 3 : 1. By hand: win / loss is the ratio of strengths, 3; and draw² /
    (win · loss) is the square of the parameter: 0.5² / (0.375 · 0.125) = 16 / 3, so equals draw with the chance
    2.309 / 4.309 = 0.536."""
    results = [0.5] * 80 + [1.0] * 60 + [0.0] * 20
    played = [game(bots, shares, number) for number, share in enumerate(results) for bots, shares in
              (("ab", (share, 1 - share)), ("ba", (1 - share, share)))] * 20  # fmt: skip
    davidson, half = rate(played, draws="davidson"), rate(played)
    assert davidson.of("a").elo == pytest.approx(200 * math.log10(3), abs=0.1)
    assert davidson.draw == pytest.approx(0.536, abs=1e-3)
    assert half.of("a").elo == pytest.approx(200 * math.log10(0.625 / 0.375), abs=0.1)
    assert half.draw is None
    # Both know as well which bot is better.
    assert davidson.of("a").elo / davidson.of("a").error == pytest.approx(
        half.of("a").elo / half.of("a").error, rel=0.1
    )


def test_a_bot_that_lost_everything_has_a_finite_rating() -> None:
    played = [game(bots, [float(bot != "z") for bot in bots]) for bots in ("az", "za", "bz", "zb")]
    played += [game("ab", (1, 0)), game("ba", (1, 0))]
    ratings = rate(played)
    assert ratings.bots[-1].bot == "z"
    assert -3000 < ratings.of("z").elo < -300
    assert ratings.of("z").error > 300
    assert ratings.of("z").is_extreme
    assert tells(ratings.warnings[0], "rating.extreme")
    assert 0.7 < ratings.los("a", "z") < 1


def test_groups_that_never_met() -> None:
    played = [game("ab", (1, 0)), game("ba", (0.5, 0.5)), game("cd", (1, 0)), game("dc", (1, 0))]
    ratings = rate(played, names=["e"])
    assert ratings.groups == (("a", "b"), ("c", "d"), ("e",))
    assert tells(ratings.warnings[0], "rating.groups", groups="a, b; c, d; e")
    assert math.isnan(ratings.los("a", "c"))
    assert ratings.los("a", "b") > 0.5
    assert (ratings.of("e").games, ratings.of("e").score) == (0, None)
    assert ratings.of("e").error > 500


def test_both_failing_says_nothing() -> None:
    played = [game("ab", (1, 0)), game("ba", (1, 0)), game("ab", (0, 0), 1), game("ba", (0, 0), 1)]
    assert rate(played).of("a").elo == pytest.approx(rate(played[:2]).of("a").elo)


def test_anchors() -> None:
    played = event([0, 100, 200, 300], 10, seed=5)
    free = rate(played)
    anchored = rate(played, anchors={"b00": 1500, "b01": 1600})
    assert (anchored.of("b00").elo + anchored.of("b01").elo) / 2 == pytest.approx(1550)
    assert anchored.of("b03").elo - anchored.of("b00").elo == pytest.approx(free.of("b03").elo - free.of("b00").elo)
    assert rate(played, anchors={"b00": 0}).of("b00").error == 0
    assert anchored.los("b03", "b02") == pytest.approx(free.los("b03", "b02"))


def test_superiority_is_a_matrix_of_chances() -> None:
    ratings = rate(event([0, 20, 40, 60], 5, seed=6))
    for one, other in itertools.product(range(4), repeat=2):
        assert ratings.superiority[one][other] + ratings.superiority[other][one] == pytest.approx(1)
    assert ratings.superiority[0][3] > 0.5
    # The joint covariance counts: the error of a difference is not that of two independent bots.
    best, last = ratings.bots[0], ratings.bots[-1]
    alone = 0.5 * math.erfc(-(best.elo - last.elo) / math.hypot(best.error, last.error) / math.sqrt(2))
    assert ratings.los(best.bot, last.bot) != pytest.approx(alone, abs=1e-3)


@settings(max_examples=10)
@given(seed=st.integers(0, 10**6), order=st.randoms(use_true_random=False))
def test_the_order_of_the_games_does_not_matter(seed: int, order: random.Random) -> None:
    played = event([0, 50, 300, 900], 2, seed=seed)
    shuffled = list(played)
    order.shuffle(shuffled)
    assert rate(played) == rate(shuffled)


def test_errors_are_clustered_by_meeting() -> None:
    """Every opening is won from one seat by both bots, so all pairs are worth ½, and the bots are surely equal. The
    same games tell less if they were not paired, and still less if one bot wins both games of a pair."""
    games = [(repeat, bots, repeat % 2) for repeat in range(100) for bots in ("ab", "ba")]
    paired = [game(bots, (1 - lost, lost), repeat) for repeat, bots, lost in games]
    unpaired = [game(bots, (1 - lost, lost), number) for number, (_, bots, lost) in enumerate(games)]
    swinging = [
        game(bots, (1 - lost, lost) if bots == "ab" else (lost, 1 - lost), repeat) for repeat, bots, lost in games
    ]
    sure, unsure = rate(paired).of("a").error, rate(swinging).of("a").error
    assert sure < 5 < rate(unpaired).of("a").error < unsure
    # By hand: 100 pairs worth 0 or 1 have a standard error of 0.05, and a score of one point is 4 · 173.7 Elo.
    assert unsure == pytest.approx(0.05 * 4 * ELO / 2, rel=0.05)


@pytest.mark.parametrize(("opening", "bots", "repeats", "events"), [(0, 8, 4, 60), (150, 8, 4, 60), (150, 20, 1, 20)])
def test_coverage_of_the_error_bars(opening: float, bots: int, repeats: int, events: int) -> None:
    """In simulated events 95 % of the intervals contain the truth. With openings that favour a seat the truth is what
    their mean chances say: it is a little flatter than the Elo they were drawn from."""
    elos = np.random.default_rng(0).normal(0, 200, bots)
    points, weights = np.polynomial.hermite_e.hermegauss(21)
    expected = []
    for one, other in itertools.combinations(range(bots), 2):
        for turn, sign in enumerate((1, -1)):
            gaps = sign * (elos[one] - elos[other]) + 30 + opening * points
            share = float(weights @ (1 / (1 + 10 ** (-gaps / 400))) / weights.sum())
            lineup = (f"b{one:02}", f"b{other:02}")
            expected += [game(lineup[::-1] if turn else lineup, (share, 1 - share))] * 50
    truth = rate(expected)
    inside, first_inside = [], []
    for seed in range(events):
        ratings = rate(event(list(elos), repeats, seed, first_move=30, opening=opening))
        for rating in ratings.bots:
            inside.append(abs(rating.elo - truth.of(rating.bot).elo) < 1.96 * rating.error)
        first = ratings.seats[0]
        first_inside.append(abs(first.elo - truth.seats[0].elo) < 1.96 * first.error)
    assert 0.93 < np.mean(inside) < 0.985
    assert np.mean(first_inside) > 0.85


def test_sixty_bots_take_well_under_a_second() -> None:
    played = event(list(np.random.default_rng(1).normal(0, 200, 60)), 1, seed=9)
    assert len(played) == 3540
    rate(played[:10])  # imports
    begin = time.process_time()
    rate(played)
    assert time.process_time() - begin < 1


@pytest.mark.parametrize(
    ("played", "options", "id", "params"),
    [
        ([game("ab", (1, 0))], {"draws": "davison"}, "did_you_mean", {"choice": "davidson"}),
        ([game("ab", (1, 0))], {"places": "some"}, "rating.unknown", {"name": "places", "value": "some"}),
        ([game("ab", (1, 0))], {"anchors": {"c": 0}}, "rating.anchor", {"bot": "c"}),
        ([game("abc", (1, 0, 0))], {"draws": "davidson"}, "rating.davidson", {"players": 3}),
        ([game("abc", (1, 0, 0)), game("ab", (1, 0))], {}, "rating.mixed", {"sizes": "2, 3"}),
    ],
)
def test_bad_input_is_refused(
    played: list[Outcome], options: dict[str, str], id: str, params: dict[str, object]
) -> None:
    with refuses(id, **params):
        rate(played, **options)  # type: ignore[arg-type]


def test_nothing_to_rate() -> None:
    assert rate([]).bots == ()
    assert [rating.elo for rating in rate([], names=["a", "b"]).bots] == [0, 0]
    with refuses("rating.none", bot="x"):
        rate([], names=["a"]).of("x")
