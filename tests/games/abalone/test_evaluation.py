"""Abalone's evaluations: every term by hand, and against a recomputation from the text."""

import math

import pytest

import palabre
from palabre.core.verbs import evaluate, key
from palabre.evaluation.names import evaluations
from palabre.games.abalone import LAYOUTS
from palabre.games.abalone.evaluation import (
    Frabalon,
    Standard,
    centre_term,
    cluster_term,
    danger,
    distance_term,
    grip,
    marbles_of,
    pieces_term,
    score_term,
    threat_term,
)
from tests.evaluation import check_both_worlds, random_games, value
from tests.naive import abalone as naive

USUAL = Frabalon()
SPECS = [f"abalone:layout={layout}" for layout in LAYOUTS] + ["abalone:official,turns=80", "abalone:suicide=yes"]

# Fourteen marbles as close together as can be, the central cell, its six neighbours and seven of the next ring.
BLOB = "c3 c4 c5 d3 d4 d5 d6 e4 e5 e6 e7 f5 f6 f7"
# The six corners and eight other cells of the rim.
RIM = "a1 a5 e1 e9 i5 i9 b1 c1 d1 b6 c7 d8 f2 f9"
PEAK = 10 / (5 * math.sqrt(2 * math.pi))


def at(first: str, second: str, ply: int = 0, player: int = 1, spec: str = "abalone") -> palabre.Position:
    """A position from the cells of both players' marbles."""
    signs = dict.fromkeys(naive.CELLS, ".") | dict.fromkeys(first.split(), "1") | dict.fromkeys(second.split(), "2")
    rows = ["".join(signs[f"{letter}{number}"] for number in naive.ROWS[letter]) for letter in naive.ROWS]
    return palabre.game(spec).position(f"{'/'.join(rows)} {player} {ply}")


def in_other_colours(position: palabre.Position) -> palabre.Position:
    rows, player, ply = position.text.split()
    return position.game.position(f"{rows.translate(str.maketrans('12', '21'))} {3 - int(player)} {ply}")


# ------------------------------------------------------------------------------------------------------ term by term


def test_the_weights_of_the_terms_are_between_0_and_1() -> None:
    assert all(0.0 <= weight <= 1.0 for weight in USUAL[:6])
    assert {"greedy", "frabalon"} <= set(evaluations(palabre.game("abalone")))


def test_score_and_pieces_count_the_marbles_lost() -> None:
    ahead = at(BLOB, RIM.removesuffix(" f2 f9"))  # player 2 has lost two
    assert (score_term(ahead.state, 0), score_term(ahead.state, 1)) == (2 / 6, -2 / 6)
    assert (pieces_term(ahead.state, 0), pieces_term(ahead.state, 1)) == (2 / 14, -2 / 14)
    assert score_term(at(BLOB, RIM).state, 0) == pieces_term(at(BLOB, RIM).state, 0) == 0.0
    lost = at(BLOB, " ".join(RIM.split()[:8]))
    assert (score_term(lost.state, 0), score_term(lost.state, 1)) == (1.0, -1.0)


@pytest.mark.parametrize(("ply", "counts"), [(0, 1.0), (20, 1.0), (44, 1.0), (45, 0.0), (49, 0.0)])
def test_the_centre_counts_up_to_turn_45(ply: int, counts: float) -> None:
    for player in (1, 2):
        held = at("e5", "e6", ply, player).state
        assert (centre_term(USUAL, held, 0), centre_term(USUAL, held, 1)) == (counts, -counts)
    assert centre_term(USUAL, at("e4", "e6", ply).state, 0) == 0.0


@pytest.mark.parametrize("player", [1, 2])
def test_a_marble_on_the_rim_is_threatened_by_any_enemy_beside_it(player: int) -> None:
    # Beside a1 stands b1; beside a2, a3 and b2, which is not on the rim, nobody, though c3 is near.
    state = at("a1 a2 a3 b2", "b1 c3 c4", 0, player).state
    assert (threat_term(state, 0), threat_term(state, 1)) == (-1 / 14, -1 / 14)  # b1 by a1 and b2
    assert threat_term(at("a1 a2 a3", "b1 b2 b3 b4", 0, player).state, 0) == -3 / 14
    # No neighbours across the edge: the numbers of i9 and a1, e9 and d1, are close in the machine.
    assert threat_term(at("a1 i9 e9 d1", "i5 a5 e1 f2", 0, player).state, 0) == -1 / 14  # d1 by e1


def test_the_threat_fades_with_the_turn() -> None:
    terms = [threat_term(at("a1 a2 a3", "b1 b2 b3 b4", ply).state, 0) for ply in (0, 10, 25, 49)]
    assert terms == pytest.approx([-3 / 14, -3 / 14 * 0.8, -3 / 14 * 0.5, -3 / 14 * 0.02])


def test_fourteen_marbles_make_29_pairs_at_most() -> None:
    assert cluster_term(USUAL, at(BLOB, RIM, 20).state, 0) == pytest.approx(PEAK)


def test_the_cluster_counts_pairs_of_own_neighbours() -> None:
    # Of RIM b1-a1, b1-c1, c1-d1, d1-e1, e1-f2; a5-b6, b6-c7, c7-d8, d8-e9, e9-f9.
    assert cluster_term(USUAL, at(BLOB, RIM, 20).state, 1) == pytest.approx(10 / 29 * PEAK)
    # A triangle, a pair, a single marble and enemies between.
    assert cluster_term(USUAL, at("a1 a2 b2 e5 f6 i9", "b1 e6", 20).state, 0) == pytest.approx(4 / 29 * PEAK)


@pytest.mark.parametrize(
    ("ply", "published"),  # the authors' table, src/utils/utils.py
    [
        (0, 0.00026766045152977074),
        (10, 0.10798193302637613),
        (15, 0.48394144903828673),
        (20, 0.7978845608028653),
        (25, 0.48394144903828673),
        (49, 3.954639281248935e-08),
    ],
)
def test_the_cluster_counts_most_at_turn_20(ply: int, published: float) -> None:
    assert cluster_term(USUAL, at(BLOB, RIM, ply).state, 0) == pytest.approx(published, rel=1e-12)


def test_danger_is_0_at_the_centre_9_on_the_rim_and_11_in_the_corners() -> None:
    sums = {"e5": 0, "e6": 2, "e7": 4, "e8": 6, "e9": 11, "d8": 9, "i5 i6 i9 h4": 11 + 9 + 11 + 9, BLOB: 12 + 28}
    for cells, found in sums.items():
        assert danger(USUAL, marbles_of(at(cells, "").state, 0)) == pytest.approx((found - 20) / 118)
    assert danger(USUAL, marbles_of(at(RIM, "").state, 0)) == 1.0
    nine = "e5 e4 e6 f5 f6 d4 d5 e3 e7"
    assert danger(USUAL, marbles_of(at(nine, "").state, 0)) == 0.0


def test_distance_counts_the_enemys_danger_and_less_and_less_the_own() -> None:
    own, enemy = 20 / 118, 1.0
    for ply, left in ((0, 1.0), (10, 0.8), (25, 0.5), (49, 0.02)):
        state = at(BLOB, RIM, ply).state
        fading = 1 - 0.25 * (1 - left)
        assert distance_term(USUAL, state, 0) == pytest.approx(enemy * fading - own * left)
        assert distance_term(USUAL, state, 1) == pytest.approx(own * fading - enemy * left)


# ------------------------------------------------------------------------------------------------------------ the sums


def test_the_weighted_sum() -> None:
    ahead = at(BLOB, RIM.removesuffix(" f2 f9"), ply=20)
    enemy = (6 * 11 + 6 * 9 - 20) / 118
    terms = 2 / 6 + 2 / 14 + 1.0 + 0.8 * 0.0 + 0.4 * PEAK + (enemy * 0.9 - 20 / 118 * 0.6)
    assert value(ahead, "frabalon") == pytest.approx(terms)


def test_the_weighted_sum_with_a_threat() -> None:
    # Player 1 has nine marbles on the rim, seven of them beside enemies.
    position = at("a1 a2 a3 a4 a5 b1 b6 i5 i9", "b2 b3 b4 b5 c2 c3 c4 c5 c6 c7 d2 d3", ply=10)
    own = (4 * 11 + 5 * 9 - 20) / 118
    enemy = (9 + 7 * 6 + 4 * 4 - 20) / 118  # c7; b2 b3 b4 b5 c2 c6 d2; c3 c4 c5 d3
    pairs = 4 + 1 + 1  # a1 to a5, a1-b1, a5-b6
    density = 10 * math.exp(-2.0) / (5 * math.sqrt(2 * math.pi))
    terms = -3 / 6 - 3 / 14 - 0.8 * 7 / 14 * 0.8 + 0.4 * pairs / 29 * density + enemy * 0.95 - own * 0.8
    assert value(position, "frabalon") == pytest.approx(terms)


def test_a_longer_game_is_stretched() -> None:
    for name in ("abalone:official", "abalone:turns=400"):
        long = at(BLOB, RIM, ply=160, spec=name)
        assert value(long, "frabalon") == pytest.approx(value(at(BLOB, RIM, ply=20), "frabalon"))


def test_a_win_outweighs_all_terms_and_the_terms_still_count() -> None:
    won = at(BLOB, " ".join(RIM.split()[:8]), ply=30)
    assert won.is_over
    assert value(won, "frabalon") > 95.0
    assert value(won, "frabalon", player=1) < -95.0
    drawn = at("a1 a5 e1 e9 i5 i9 a2 a3 a4", "b1 c1 d1 b6 c7 d8 f2 f9 g3", ply=50)  # nine each, 36 steps each
    assert drawn.result == (0.5, 0.5)
    assert abs(value(drawn, "frabalon")) < 5.0


def test_greedy_is_the_lead_of_the_rules_score() -> None:
    ahead = at(BLOB, RIM.removesuffix(" f2 f9"))
    assert (value(ahead, "greedy"), value(ahead, "greedy", player=1)) == (2.0, -2.0)


def test_greedy_pushes_a_marble_off_when_it_can() -> None:
    position = at("c3 c4 c5 e5 e6 e7 f5 f6 f7", "c6 c7 i5 i6 i7 i8 i9 h4 h5")
    values = {move.text: value(position.play(move), "greedy") for move in position.moves()}
    assert [text for text, found in values.items() if found == max(values.values())] == ["c3c4"]


# ----------------------------------------------------------------------------------------------- standard and the limit

# From a game of the engine against itself: 5 to 5, and 85 plies of moves to and fro until the limit made it a draw.
CIRCLING = "...../....../..22.../..2211../..2111.../.12122../...11../...2../....."
OFFICIAL = palabre.game("abalone:official")


def test_a_better_position_is_worth_nothing_at_the_limit() -> None:
    told = [value(OFFICIAL.position(f"{CIRCLING} 1 {ply}"), "standard") for ply in (0, 300, 325, 350, 375, 399)]
    assert told[0] == told[1] > 0.5
    assert told[1:] == sorted(told[1:], reverse=True)
    assert 0.0 < told[-1] < 0.01
    assert OFFICIAL.position(f"{CIRCLING} 1 400").result == (0.5, 0.5)


def test_a_marble_is_worth_more_at_the_limit() -> None:
    worth = []
    for ply in (0, 300, 399):
        ahead, equal = (at(BLOB, enemies, ply, spec="abalone:official") for enemies in (RIM.removesuffix(" f9"), RIM))
        worth.append(value(ahead, "standard") - value(equal, "standard"))
    assert worth[0] == pytest.approx(worth[1])
    assert 1.4 < worth[2] < 1.5
    assert worth[1] < 1.0


def test_positions_that_differ_in_value_by_their_ply_differ_in_key() -> None:
    """A table that took them for one would tell yesterday's value."""
    for turns in (1, 2, 50, 400, 1000):
        game = palabre.game(f"abalone:official,turns={turns}")
        for ply in range(turns - 1):
            earlier, later = (game.position(f"{CIRCLING} 1 {number}") for number in (ply, ply + 1))
            if value(earlier, "standard") != value(later, "standard"):
                assert key(earlier.state) != key(later.state), (turns, ply)


# ----------------------------------------------------------------------------------------------------- random positions


def naive_frabalon(position: palabre.Position, player: int, turns: int) -> list[float]:
    """The six terms of a position from its text, marble by marble."""
    rows, _, ply = position.text.split()
    signs = dict(zip(naive.CELLS, rows.replace("/", ""), strict=True))
    own = [cell for cell, sign in signs.items() if sign == str(player + 1)]
    enemies = [cell for cell, sign in signs.items() if sign == str(2 - player)]
    around = {cell: [naive.neighbour(cell, direction) for direction in naive.DIRECTIONS] for cell in naive.CELLS}
    part = int(ply) / turns

    def danger_of(cells: list[str]) -> float:
        rings = [
            [0, 2, 4, 6, 9][naive.distance_to_centre(cell)] + 2 * (around[cell].count(None) == 3) for cell in cells
        ]
        return (sum(rings) - 20) / 118

    threatened = [cell for cell in own if None in around[cell] and any(other in enemies for other in around[cell])]
    neighbours = sum(other in own for cell in own for other in around[cell])
    return [
        (len(own) - len(enemies)) / 6,
        (len(own) - len(enemies)) / 14,
        float((("e5" in own) - ("e5" in enemies)) * (50 * part < 45)),
        -len(threatened) / 14 * (1 - part),
        neighbours / 2 / 29 * 10 * math.exp(-((50 * part - 20) ** 2) / 50) / (5 * math.sqrt(2 * math.pi)),
        danger_of(enemies) * (1 - 0.25 * part) - danger_of(own) * (1 - part),
    ]


def naive_grip(position: palabre.Position, player: int) -> tuple[int, int]:
    """How many pushes a player could make, and how many times he keeps an enemy at the edge, from the text."""
    rows, _, _ = position.text.split()
    own, enemy = str(player + 1), str(2 - player)
    signs = dict(zip(naive.CELLS, rows.replace("/", ""), strict=True))
    pushes = presses = 0
    for cell in naive.CELLS:
        for direction in naive.DIRECTIONS:
            ahead = "".join(signs[other] for other in naive.line_from(cell, direction)) + "#"
            pushes += ahead.startswith((f"{own * 2}{enemy}.", f"{own * 2}{enemy}#"))
            pushes += ahead.startswith((f"{own * 3}{enemy * 2}.", f"{own * 3}{enemy * 2}#"))
            presses += ahead == f"{own}{enemy}#"
    return pushes, presses


def terms_of(position: palabre.Position, player: int) -> list[float]:
    state = position.state
    return [
        score_term(state, player),
        pieces_term(state, player),
        centre_term(USUAL, state, player),
        threat_term(state, player),
        cluster_term(USUAL, state, player),
        distance_term(USUAL, state, player),
    ]


@pytest.mark.parametrize("spec", SPECS)
def test_terms_are_what_the_text_says_and_stay_in_their_ranges(spec: str) -> None:
    lowest, highest = (-1, -1, -1, -1, 0, -1), (1, 1, 1, 0, 1, 1)
    for position in random_games(spec, games=2):
        turns = position.game.options.number("turns")
        for player in (0, 1):
            terms = terms_of(position, player)
            assert terms == pytest.approx(naive_frabalon(position, player, turns), abs=1e-12)
            if not position.is_over:
                assert all(low <= term <= high for low, term, high in zip(lowest, terms, highest, strict=True))
                assert abs(value(position, "frabalon", player)) <= 5.0


@pytest.mark.parametrize("spec", SPECS)
def test_a_grip_is_what_the_text_says(spec: str) -> None:
    weights = Standard(push=1.0, press=100.0)
    for position in random_games(spec, games=2):
        for player in (0, 1):
            pushes, presses = naive_grip(position, player)
            found = grip(weights, marbles_of(position.state, player), marbles_of(position.state, 1 - player))
            assert found == pushes + 100 * presses, position


def test_a_grip_by_hand() -> None:
    """Two push one off the edge (e8 e9 from the west), three push two, two against two cannot."""
    weights = Standard(push=1.0, press=100.0)
    for first, second, wanted in (
        ("e7 e8", "e9", 101.0),
        ("e2 e3 e4", "e5 e6", 1.0),
        ("e3 e4", "e5 e6", 0.0),
        ("e2 e3 e4", "e5 e6 e7", 0.0),
        ("e3 e4 e6", "e5", 0.0),
    ):
        state = at(first, second).state
        assert grip(weights, state.own, state.other) == wanted, (first, second)


@pytest.mark.parametrize("spec", SPECS)
def test_colours_are_treated_alike(spec: str) -> None:
    for position in random_games(spec, games=1, seed=1):
        for name in ("greedy", "frabalon", "standard"):
            for player in (0, 1):
                assert value(in_other_colours(position), name, 1 - player) == value(position, name, player)


def test_frabalon_looks_after_its_own_marbles() -> None:
    """So a position is not worth to one what it costs the other, but it is by the score, the pieces and the centre."""
    uneven = 0
    for position in random_games("abalone", games=1, seed=2):
        uneven += value(position, "frabalon", 0) != pytest.approx(-value(position, "frabalon", 1))
        for symmetric in (USUAL._replace(threat=0.0, cluster=0.0, distance=0.0), evaluations(position.game)["greedy"]):
            assert evaluate(symmetric, position.state, 0) == -evaluate(symmetric, position.state, 1)
    assert uneven > 40


@pytest.mark.kernels
@pytest.mark.parametrize("name", ["greedy", "frabalon"])
@pytest.mark.parametrize("spec", ["abalone", "abalone:official,turns=80", "abalone:layout=alien,suicide=yes"])
def test_compiled_and_plain_values_are_the_same(spec: str, name: str) -> None:
    check_both_worlds(spec, name, games=3)
