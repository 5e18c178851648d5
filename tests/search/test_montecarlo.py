"""Flat Monte Carlo, as a search and as an evaluation."""

import time

import pytest

import palabre
from palabre.compile.compiler import compiled
from palabre.core.verbs import evaluate
from palabre.evaluation.montecarlo import MonteCarlo, sampled
from palabre.evaluation.names import evaluation, evaluations
from palabre.evaluation.playout import play_randomly
from palabre.search import alphabeta, montecarlo
from palabre.search.clock import Clock


def value(position: palabre.Position, playouts: int, player: int) -> float:
    return float(compiled(sampled, position.game, MonteCarlo)(MonteCarlo(playouts), position.state, player))


def test_every_game_has_it() -> None:
    for name in ("awele", "awale", "abalone", "avalam", "penguins", "examples/connect_four.py"):
        assert evaluations(palabre.game(name))["montecarlo"] == MonteCarlo(25)


@pytest.mark.kernels
@pytest.mark.parametrize("spec", ["awele", "penguins:players=3", "penguins:players=4"])
def test_values_add_up_to_nothing_and_come_again(spec: str) -> None:
    position = palabre.game(spec).start(1)
    seats = position.game.players
    values = [value(position, 5, player) for player in range(seats)]
    assert sum(values) == pytest.approx(0)
    assert all(-1 / (seats - 1) <= each <= 1 for each in values)
    assert values == [evaluate(MonteCarlo(5), position.state, player) for player in range(seats)]


def test_it_is_what_random_games_give() -> None:
    """Two samples of 4000 games each differ by five standard errors once in a million."""
    position = palabre.game("awele").position("4,4,4,4,4,0/1,0,1,0,1,2 12,11 1 0")
    played = play_randomly(position, games=4000, seed=5)
    expected = (played.wins[0] - played.wins[1]) / played.games
    assert value(position, 4000, 0) == pytest.approx(expected, abs=5 * (2 / 4000) ** 0.5)


def test_an_ended_game_is_worth_its_result() -> None:
    for text, expected in (("0,0,0,0,0,0/0,0,0,0,0,0 25,23 1 0", 1.0), ("0,0,0,0,0,0/0,0,0,0,0,0 24,24 1 0", 0.0)):
        position = palabre.game("awele").position(text)
        assert value(position, 7, 0) == expected
        assert value(position, 7, 1) == -expected


def test_alphabeta_looks_ahead_with_it() -> None:
    """A win in one is worth 1, which no sample exceeds."""
    game = palabre.game("examples/connect_four.py")
    position = game.start()
    for move in "abacad":
        position = position.play(move)
    assert "a" in {str(move) for move in alphabeta.search(position, evaluation(game, "montecarlo"), 1).best}


@pytest.mark.kernels
def test_each_move_gets_the_same_number_of_games() -> None:
    position = palabre.game("awele").start()
    found = montecarlo.search(position, Clock(nodes=6 * 4), seed=3)
    assert found.games == 24
    assert list(found.shares) == position.moves()
    assert all(0 <= share <= 1 for share in found.shares.values())
    assert set(found.best) == {move for move, share in found.shares.items() if share == max(found.shares.values())}
    assert found == montecarlo.search(position, Clock(nodes=6 * 4), seed=3)


def test_a_won_game_is_seen_by_sampling() -> None:
    game = palabre.game("examples/connect_four.py")
    position = game.start()
    for move in "abacad":
        position = position.play(move)
    found = montecarlo.search(position, Clock(nodes=7 * 200))
    assert [str(move) for move in found.best] == ["a"]
    assert found.shares[found.best[0]] == 1.0


def test_a_repetition_is_a_result() -> None:
    """A move back to a position that was there ends the game, and is no matter of chance."""
    position = palabre.game("awele:abapa").position("0,0,0,0,0,1/0,0,0,0,0,1 24,22 1 0")
    seen = 0
    while not position.is_over and position.ply < 200:
        ends = {move: position.play(move).result for move in position.moves()}
        found = montecarlo.search(position, Clock(nodes=10))
        for move, result in ends.items():
            if result is not None:
                assert found.shares[move] == result[position.to_move]
                seen += 1
        position = position.play(position.moves()[0])
    assert seen > 0


def test_time_is_kept() -> None:
    position = palabre.game("abalone").start()
    montecarlo.search(position, Clock(nodes=1))
    begin = time.perf_counter()
    found = montecarlo.search(position, Clock(per_move=0.1))
    assert time.perf_counter() - begin < 2
    assert found.games >= len(position.moves())
