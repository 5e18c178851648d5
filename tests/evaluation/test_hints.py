"""What the games answer to the hints: tactical moves and margin bounds, each against the rules themselves."""

from collections.abc import Callable
from typing import Any

import pytest

import palabre
from palabre.compile.compiler import compiled, integers, is_disabled
from palabre.core.kernels import kernel
from palabre.core.verbs import (
    FAR,
    award_remaining,
    final_score,
    is_over,
    legal_moves,
    margin_bounds,
    move_buffer,
    play,
    tactical_moves,
    to_move,
)
from palabre.evaluation.names import evaluations
from tests.evaluation import random_games

ABALONE = [  # long enough for random players to eject something
    "abalone:layout=belgian-daisy,turns=200",
    "abalone:suicide=yes,layout=belgian-daisy,turns=30",
    "abalone:official,layout=belgian-daisy,turns=200",
]
AWELE = ["awele", "awele:abapa"]
AVALAM = ["avalam", "avalam:official"]
ENDS = ["abalone:turns=12", "abalone:turns=12,suicide=yes", "abalone:official,turns=12", "awele:stagnation=5", *AVALAM]


@kernel
def told_tactical(state: Any, moves: Any) -> int:
    return int(tactical_moves(state, moves))


@kernel
def told_bounds(state: Any) -> tuple[int, int]:
    low, high = margin_bounds(state)
    return low, high


@kernel
def best_lead(state: Any, budget: Any) -> int:
    """By how much the player to move ends ahead when both play as well as can be, or anything once budget[0] is 0."""
    if is_over(state):
        return int(final_score(state, to_move(state)) - final_score(state, 1 - to_move(state)))
    moves = move_buffer(state)
    best = -FAR
    for index in range(legal_moves(state, moves)):
        budget[0] -= 1
        if budget[0] <= 0:
            budget[0] = 0
            return 0
        best = max(best, -best_lead(play(state, moves[index]), budget))
    return best


def lead(position: palabre.Position, player: int) -> int:
    return int(final_score(position.state, player) - final_score(position.state, 1 - player))


def games(count: int) -> int:
    """Plain Python plays fewer."""
    return max(1, count // 10) if is_disabled() else count


# ------------------------------------------------------------------------------------------------------ tactical moves


@pytest.mark.kernels
@pytest.mark.parametrize("spec", ABALONE + AWELE)
def test_tactical_moves_are_those_that_take_something(spec: str) -> None:
    """Of all legal moves, those after which the mover's score is higher, the game going on or not."""
    game = palabre.game(spec)
    evaluations(game)
    fast = compiled(told_tactical, game)
    seen = 0
    for position in random_games(spec, games=games(10), seed=1):
        if position.is_over:
            continue
        buffer = integers([0] * game.rules.MOST_MOVES)
        told = sorted(int(move) for move in buffer[: fast(position.state, buffer)])
        player = position.to_move
        assert told == [move.code for move in position.moves() if takes(position, move.code, player)], position
        seen += len(told)
    assert seen > 0


def takes(position: palabre.Position, code: int, player: int) -> bool:
    """Whether a move takes something itself; what an ending hands out is no capture."""
    before, after = position.state, play(position.state, code)
    if position.game.facts.name == "awele":
        return bool(after.other >> 48 > before.own >> 48)
    return bool(after.own.bit_count() < before.other.bit_count())


def test_an_ejection_by_two_and_by_three_are_two_moves() -> None:
    """Three in a row before the edge: the rear two of them cannot push, the front two and all three can."""
    rows = "2.222/222.../......./......../111.2..../......../......./.22222/..... 1 10"
    position = palabre.game("abalone").position(rows.replace("111.2....", "......112"))
    moves = move_buffer(position.state)
    assert tactical_moves(position.state, moves) == 1
    position = palabre.game("abalone").position(rows.replace("111.2....", ".....1112"))
    assert tactical_moves(position.state, moves) == 2
    position = palabre.game("abalone").position(rows.replace("111.2....", "....11122"))
    assert tactical_moves(position.state, moves) == 1


# ------------------------------------------------------------------------------------------------------- margin bounds


@pytest.mark.parametrize("spec", [*ABALONE, *AWELE, *AVALAM, "awale", "abalone:turns=12"])
def test_no_game_ends_outside_its_margin_bounds(spec: str) -> None:
    """However both play: at every position of random games, for the lead at their ends."""
    evaluations(palabre.game(spec))
    path: list[palabre.Position] = []
    narrow = 0
    for position in random_games(spec, games=12, seed=4):
        path = [position] if position.ply == 0 else [*path, position]
        if not position.is_over:
            continue
        for earlier in path[:-1]:
            low, high = margin_bounds(earlier.state)
            narrow += low > -FAR or high < FAR
            assert low <= lead(position, earlier.to_move) <= high, earlier
    assert narrow > 0


@pytest.mark.kernels
@pytest.mark.skipif(is_disabled(), reason="whole trees take plain Python too long")
@pytest.mark.parametrize("spec", ENDS)
def test_the_margin_bounds_hold_the_best_play(spec: str) -> None:
    """In all positions of random games whose whole tree is small enough to be looked at."""
    game = palabre.game(spec)
    evaluations(game)
    solve, told = compiled(best_lead, game), compiled(told_bounds, game)
    solved = 0
    for position in random_games(spec, games=10, seed=5):
        low, high = told(position.state)
        assert (low, high) == margin_bounds(position.state)
        budget = integers([20_000])
        best = solve(position.state, budget)
        if budget[0] and not position.is_over:
            assert low <= best <= high, position
            solved += 1
    assert solved >= 5


def test_margin_bounds_that_decide() -> None:
    decided: dict[str, tuple[str, str, Callable[[int, int], bool]]] = {
        "two marbles ahead before the last turn": (
            "abalone",
            "11111/111111/..111../......../........./......../..22.../222222/222.. 1 48",
            lambda low, high: low > 0,
        ),
        "far from the limit": (
            "abalone",
            "11111/111111/..111../......../........./......../..22.../222222/222.. 1 20",
            lambda low, high: (low, high) == (-FAR, FAR),
        ),
        "24 seeds": ("awele", "4,4,0,0,0,0/4,4,0,0,0,0 24,8 1 0", lambda low, high: low == 0),
        "five fives to three and two pairs": (
            "avalam:official",
            "..Ee...../........./.E..e..../........E/........./E..e...../..Ca...E./........./.....Ca.. 1",
            lambda low, high: low == 49 * 2 + 2 - 2 * 50 and high == 49 * 2 + 2 + 2 * 50,
        ),
        "the first move of Avalam": ("avalam", palabre.game("avalam").start().text, lambda low, high: low == 0),
    }
    for why, (spec, text, holds) in decided.items():
        position = palabre.game(spec).position(text)
        evaluations(position.game)
        assert holds(*margin_bounds(position.state)), why


def test_a_repeated_position_is_within_the_margin_bounds() -> None:
    """`awele:abapa` ends there, each side with what lies on it."""
    evaluations(palabre.game("awele:abapa"))
    for position in random_games("awele:abapa", games=3, seed=6):
        if not position.is_over:
            low, high = margin_bounds(position.state)
            ended = award_remaining(position.state)
            assert low <= final_score(ended, position.to_move) - final_score(ended, 1 - position.to_move) <= high
