"""Penguins' evaluation: the six features by hand, and against a recomputation from the text."""

import pytest

import palabre
from palabre.core.verbs import evaluate
from palabre.evaluation.names import evaluations
from palabre.games.penguins.evaluation import Weights, worth
from tests.evaluation import check_both_worlds, random_games, value
from tests.naive import penguins as naive

SPECS = ("penguins", "penguins:players=3", "penguins:players=4")
TWO = palabre.game("penguins")
FRESH = "1111122/22222222/3333333/11111111/1112222/33311111/1122211/11222111"
# Of six weights all but one are nothing: a feature as it is.
FEATURES = [Weights(*(float(number == wanted) for number in range(6))) for wanted in range(6)]

# From a1: a2-a7, b1, and b2 c2 d3 e3 f4 g4 h5. From h8: h7-h1, and g7 f7 e6 d6 c5 b5 a4.
CORNERS = f"{FRESH} a1/h8 1,1 1,1 1"
A1 = (1 + 2 + 2, 4 + 0 + 3, 2 + 1 + 3, 0 + 0 + 1, 0, 0)
H8 = (1 + 1, 4 + 4, 3 + 2, 0 + 1, 0, 0)


def features(position: palabre.Position, player: int) -> tuple[float, ...]:
    return tuple(worth(weights, position.state, player) for weights in FEATURES)


# ------------------------------------------------------------------------------------------------------------- by hand


def test_the_usual_weights_are_in_the_authors_range() -> None:
    assert all(0.0 <= weight <= 5.0 for weight in Weights()[:6])
    assert "weights" in evaluations(TWO)


def test_the_features_of_single_penguins() -> None:
    position = TWO.position(CORNERS)
    assert features(position, 0) == A1 == (5, 7, 6, 1, 0, 0)
    assert features(position, 1) == H8 == (2, 8, 5, 1, 0, 0)


def test_own_minus_other() -> None:
    own, other = 5 + 7 + 2 * 6 + 3 * 1, 2 + 8 + 2 * 5 + 3 * 1
    assert value(TWO.position(CORNERS), "weights") == own - other == 4.0
    assert value(TWO.position(CORNERS), "weights", player=1) == -4.0


def test_neighbours_are_counted_for_each_penguin_and_their_fish_are_eaten() -> None:
    """a1 and a2 are neighbours, a2 and a3 of two players; around a1 b1 and b2 are free, around a2 b2 and b3."""
    position = TWO.position(f"{FRESH} a1,a2/a3,h8 2,2 2,2 1")
    fish_beside, _, _, _, own_beside, others_beside = features(position, 0)
    assert (fish_beside, own_beside, others_beside) == (4 + 4, 2, 1)
    fish_beside, _, _, _, own_beside, others_beside = features(position, 1)
    assert (fish_beside, own_beside, others_beside) == ((1 + 2 + 2) + 2, 0, 1)  # a4, b3, b4; h7, g7


def test_a_tile_that_two_penguins_reach_counts_for_each() -> None:
    """a2, a3, a4 and e3 can be reached from a1 and from a5."""
    position = TWO.position(f"{FRESH} a1,a5/h1,h8 2,2 2,2 1")
    a1 = (6, 4, 1)  # a2 a3 a4 d3 e3 f4, b1 b2 g4 h5, c2
    a5 = (9, 5, 3)  # a4 a3 a2 d4 e3 g2 h2 d7 f8, a6 a7 b5 b6 e7, c4 f3 c6
    assert features(position, 0)[1:4] == tuple(one + other for one, other in zip(a1, a5, strict=True))


def test_with_more_players_the_mean_of_the_others_counts() -> None:
    """a1 as above; h8 as above, but h1 is taken; and h1, which reaches h2 to h7 and g1 f2 e2 d3 c3 b4 a4."""
    position = palabre.game("penguins:players=3").position(f"{FRESH} a1/h8/h1 1,1,1 1,1,1 1")
    one = 5 + 7 + 2 * 6 + 3 * 1
    two = 2 + (3 + 4) + 2 * (3 + 2) + 3 * 1  # h7 to h2 only
    three = 2 + (3 + 4) + 2 * (3 + 1) + 3 * 2  # h2 to h7; g1 e2 d3 a4, b4, f2 c3
    assert [worth(Weights(), position.state, player) for player in range(3)] == [one, two, three]
    assert value(position, "weights", 0) == one - (two + three) / 2
    assert value(position, "weights", 1) == two - (one + three) / 2
    assert value(position, "weights", 2) == three - (one + two) / 2


def test_a_game_over_is_won_lost_or_shared() -> None:
    board = "1010200/00000000/0000000/10101000/0000000/10101000/0000000/10101000 d1,d3,d5/f1,f3,f5/h1,h3,h5"
    three = palabre.game("penguins:players=3")
    shared = three.position(f"{board} 32,32,32 19,19,19 1")
    won = three.position(f"{board} 33,32,31 19,19,19 1")
    assert shared.is_over
    assert [value(shared, "weights", player) for player in range(3)] == [0.0, 0.0, 0.0]
    assert [value(won, "weights", player) for player in range(3)] == [1000.0, -1000.0, -1000.0]


# ----------------------------------------------------------------------------------------------------- random positions


def naive_features(position: naive.Position, player: int) -> tuple[int, ...]:
    taken = {tile for flock in position.penguins for tile in flock}
    found = [0] * 6
    for penguin in position.penguins[player]:
        for direction in naive.DIRECTIONS:
            tile = naive.neighbour(penguin, direction)
            if tile in position.penguins[player]:
                found[4] += 1
            elif tile in taken:
                found[5] += 1
            elif tile is not None:
                found[0] += position.fish.get(tile, 0)
            while tile is not None and tile in position.fish and tile not in taken:
                found[position.fish[tile]] += 1
                tile = naive.neighbour(tile, direction)
    return tuple(found)


@pytest.mark.parametrize("spec", SPECS)
def test_features_are_what_the_text_says(spec: str) -> None:
    for position in list(random_games(spec, games=3))[::2]:
        twin = naive.Position.from_text(position.text)
        for player in range(position.game.players):
            assert features(position, player) == naive_features(twin, player)


@pytest.mark.parametrize("spec", SPECS)
def test_all_players_together_gain_nothing(spec: str) -> None:
    for position in random_games(spec, games=3, seed=1):
        if not position.is_over:
            total = sum(value(position, "weights", player) for player in range(position.game.players))
            assert total == pytest.approx(0.0, abs=1e-9)


def test_with_two_players_the_last_feature_cancels_out() -> None:
    for position in random_games("penguins", games=3, seed=2):
        assert position.is_over or evaluate(FEATURES[5], position.state, 0) == 0.0


@pytest.mark.parametrize("spec", SPECS)
def test_seats_are_treated_alike(spec: str) -> None:
    """Everybody moves up one seat: what was worth so much to one is worth as much to the next."""
    for position in random_games(spec, games=2, seed=3):
        game = position.game
        rows, flocks, fish, tiles, player = position.text.split()
        if "-" in flocks or position.ply < game.players * (6 - game.players):
            continue  # placement begins with player 1
        moved = [",".join(turned(part.split(","))) for part in (fish, tiles)]
        seat = int(player) % game.players + 1
        after = game.position(f"{rows} {'/'.join(turned(flocks.split('/')))} {moved[0]} {moved[1]} {seat}")
        for seat in range(game.players):
            assert value(after, "weights", (seat + 1) % game.players) == pytest.approx(value(position, "weights", seat))


def turned(parts: list[str]) -> list[str]:
    return [parts[-1], *parts[:-1]]


@pytest.mark.parametrize("spec", SPECS)
def test_no_running_game_is_worth_a_win(spec: str) -> None:
    for position in random_games(spec, games=3, seed=4):
        assert position.is_over or abs(value(position, "weights")) < 400.0


@pytest.mark.kernels
@pytest.mark.parametrize("spec", SPECS)
def test_compiled_and_plain_values_are_the_same(spec: str) -> None:
    check_both_worlds(spec, "weights", games=4)
