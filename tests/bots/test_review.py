"""Review of a game: what moves cost, seen from the player who made them."""

import itertools
from pathlib import Path

import pytest

import palabre
from palabre.bots.review import MISTAKES, review
from palabre.core.position import Position
from palabre.search.clock import Clock
from tests import take_away

EXAMPLES = Path(__file__).parents[2] / "examples"
# E takes three seeds from c, two from b and two from a, and has 26; B, the only other move, takes two.
WIN_IN_ONE = "0,5,0,0,4,0/1,1,2,3,3,3 19,7 1 0"


def game(start: Position, *moves: str) -> list[Position]:
    positions = [start]
    for move in moves:
        positions.append(positions[-1].play(move))
    return positions


def test_the_winning_move_costs_nothing() -> None:
    start = palabre.game("awele").position(WIN_IN_ONE)
    [only] = review(game(start, "E"), Clock(depth=4))
    assert (only.ply, only.player, only.move.text, only.best.move.text) == (1, 0, "E", "E")
    assert only.chance_lost == 0.0
    assert only.mistake is None
    assert only.chance_after == 1.0


def test_a_missed_win_costs_the_chance_that_is_gone() -> None:
    start = palabre.game("awele").position(WIN_IN_ONE)
    positions = game(start, "B")
    [missed] = review(positions, Clock(depth=1))
    assert missed.best.move.text == "E"
    assert missed.chance_before == 1.0
    assert missed.chance_lost == pytest.approx(1.0 - missed.chance_after)
    assert missed.points_lost is None, "a proven win is worth no number of points"
    expected = next((kind for kind, least in MISTAKES.items() if missed.chance_lost >= least), None)
    assert missed.mistake == expected


def test_every_move_is_reviewed_for_the_player_who_made_it() -> None:
    positions = game(palabre.game("awele").start(), "C", "d", "E", "a", "B")
    steps: list[None] = []
    found = review(positions, Clock(nodes=500), on_position=lambda: steps.append(None))
    assert [one.ply for one in found] == [1, 2, 3, 4, 5]
    assert [one.player for one in found] == [0, 1, 0, 1, 0]
    assert [one.move.text for one in found] == ["C", "d", "E", "a", "B"]
    assert len(steps) == 5
    for before, after in itertools.pairwise(found):
        # The next player's chance before their move is what the one before has left them.
        assert after.chance_before == pytest.approx(1 - before.chance_after)


@pytest.mark.usefixtures("plain_python")
@pytest.mark.parametrize(("move", "is_costly"), [("A", True), ("F", False)])
def test_a_move_costs_either_player_as_many_points(move: str, is_costly: bool) -> None:
    """F takes three seeds; the same position is reviewed once with either player to move."""
    awele = palabre.game("awele")
    costs = []
    for text, played in (
        ("4,4,4,4,0,1/2,0,4,4,4,4 7,6 1 3", move),
        ("2,0,4,4,4,4/4,4,4,4,0,1 6,7 2 3", move.lower()),
    ):
        [reviewed] = review(game(awele.position(text), played), Clock(depth=1))
        assert reviewed.points_lost is not None
        costs.append(reviewed.points_lost)
    assert costs[0] == pytest.approx(costs[1])
    assert (costs[0] > 1) == is_costly


@pytest.mark.slow
def test_what_the_moves_cost_is_what_the_chances_fall_by() -> None:
    """A quiet game that player 1 loses by moves that look harmless one by one; a shallow search sees it too late."""
    moves = "f9f8 b5a5 a5b6 f7g7 g7h8 e6d6 d6c6 b6c5 c5b4 e4f4 f4g3 c2d2".split()
    found = review(game(palabre.game("avalam:official").start(), *moves), Clock(nodes=5_000))
    for before, after in itertools.pairwise(found):
        assert after.shares_before == before.shares_after
    assert all(one.chance_lost >= 0 for one in found), "nobody gains by their own move"
    first, second = (sum(one.chance_lost for one in found if one.player == player) for player in (0, 1))
    fall = found[0].shares_before[0] - found[-1].shares_after[0]
    assert fall == pytest.approx(first - second)
    assert fall > 0.2
    assert [one.ply for one in found if one.mistake == "blunder"] == [1, 3]
    assert not any(one.mistake for one in found if one.player == 1)


def test_three_players_are_reviewed_by_their_shares() -> None:
    start = palabre.game("penguins:players=3").start()
    moves = []
    position = start
    for _ in range(4):
        moves.append(position.moves()[0].text)
        position = position.play(moves[-1])
    found = review(game(start, *moves), Clock(nodes=30))
    assert [one.player for one in found] == [0, 1, 2, 0]
    assert all(0 <= one.chance_after <= 1 for one in found)
    assert all(one.points_lost is None for one in found)


def test_a_game_without_moves_has_nothing_to_review() -> None:
    assert review([palabre.game("awele").start()]) == []


@pytest.mark.usefixtures("plain_python")
@pytest.mark.parametrize("spec", ["penguins:players=4", str(EXAMPLES / "connect_four.py"), take_away.__file__])
def test_any_game_is_reviewed_whoever_plays_it(spec: str) -> None:
    """Four players, and games of two without an evaluation of their own."""
    start = palabre.game(spec).start()
    positions = [start]
    for _ in range(5):
        positions.append(positions[-1].play(positions[-1].moves()[0]))
    found = review(positions, Clock(nodes=60))
    assert [one.player for one in found] == [position.to_move for position in positions[:-1]]
    assert all(0 <= one.chance_after <= 1 and 0 <= one.chance_lost <= 1 for one in found)


@pytest.mark.usefixtures("plain_python")
def test_giving_a_won_game_away_is_a_blunder_also_without_an_evaluation() -> None:
    """Of seven sticks, taking three leaves the opponent four, who then loses; taking two leaves a win instead."""
    start = palabre.game(take_away.__file__).position("7 1")
    [good] = review(game(start, "3"), Clock(nodes=500))
    [bad] = review(game(start, "2"), Clock(nodes=500))
    assert (good.mistake, good.chance_after) == (None, 1.0)
    assert (bad.mistake, bad.chance_before, bad.chance_after) == ("blunder", 1.0, 0.0)
