"""`standard`, the engine's evaluation of each game, and what the games answer to `gain`."""

import pytest

import palabre
from palabre.core.verbs import gain
from tests.evaluation import check_both_worlds, random_games, value

PRESETS = [
    "awele",
    "awele:abapa",
    "awale",
    "abalone",
    "abalone:suicide=yes",
    "abalone:official,layout=belgian-daisy",
    "avalam",
    "avalam:official",
    "penguins",
]


@pytest.mark.parametrize("spec", PRESETS)
def test_what_is_good_for_one_is_as_bad_for_the_other(spec: str) -> None:
    for position in list(random_games(spec, games=2))[::3]:
        assert value(position, "standard", player=1) == pytest.approx(-value(position, "standard"))


@pytest.mark.parametrize("spec", PRESETS)
def test_a_game_that_is_over_outweighs_all_others(spec: str) -> None:
    for position in random_games(spec, games=3, seed=1):
        if position.result is None:
            assert abs(value(position, "standard")) < 500
        else:
            won = position.result[0] - position.result[1]
            assert value(position, "standard") == 1000 * won + position.scores[0] - position.scores[1]


@pytest.mark.kernels
@pytest.mark.parametrize("spec", ["awele", "awale", "abalone", "avalam:official", "penguins", "penguins:players=3"])
def test_compiled_and_plain_values_are_the_same(spec: str) -> None:
    check_both_worlds(spec, "standard", games=2)


# ------------------------------------------------------------------------------------------------------------- by hand


AWALE_RICH = "/".join(["2.2.2", "0.0.1"] * 8)
ICE = "1111122/22222222/3333333/11111111/1112222/33311111/1122211/11222111"
PLAINLY_BETTER = {
    "a lead": ("awele", "4,4,4,4,4,0/4,4,4,4,4,0 6,2 1 0"),
    "seeds at home": ("awele", "4,4,4,4,4,4/4,4,4,0,0,4 4,4 2 0"),
    "a choice of moves": ("awele", "4,4,4,4,4,4/0,0,0,12,12,0 0,0 1 0"),
    "many seeds": ("awale", f"{AWALE_RICH} 20,20 2 10"),
    "a compact centre": ("abalone", "2.2.2/2....2/2.111.2/..1111../...1111../..111.../2.....2/2....2/2.2.2 2 10"),
    "a marble more": ("abalone:official", "11111/111111/..111../......../........./......../..222../222222/2222. 1 0"),
    "the middle": ("penguins", f"{ICE} d4/h8 1,1 1,1 1"),
}


@pytest.mark.parametrize("why", PLAINLY_BETTER)
def test_player_1_is_plainly_better(why: str) -> None:
    spec, text = PLAINLY_BETTER[why]
    assert value(palabre.game(spec).position(text), "standard") > 0


def test_towers_that_nothing_can_touch() -> None:
    """Five fives to three; c7 and d7, f9 and g9 can still be joined."""
    rows = "..Ee...../........./.E..e..../........E/........./E..e...../..Ca...E./........./.....Ca.."
    assert value(palabre.game("avalam:official").position(f"{rows} 1"), "standard") == 5 - 3


# ---------------------------------------------------------------------------------------------------------------- gain


@pytest.mark.parametrize("spec", ["awele", "awele:abapa"])
def test_seeds_are_gained_by_capture(spec: str) -> None:
    for position in random_games(spec, games=2, seed=2):
        for move in position.moves():
            after = position.play(move)
            if not after.is_over:  # an ending may hand out more
                player = position.to_move
                assert gain(position.state, move.code) == after.scores[player] - position.scores[player]
