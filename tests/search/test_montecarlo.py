"""Flat Monte Carlo, as a search and as an evaluation."""

from dataclasses import replace

import pytest

import palabre
from palabre.compile.compiler import compiled
from palabre.core.verbs import evaluate, final_score, is_over
from palabre.evaluation.montecarlo import MonteCarlo, sampled
from palabre.evaluation.names import evaluation, evaluations
from palabre.evaluation.playout import TO_THE_END, play_randomly, random_game
from palabre.search.alphabeta import AlphaBeta
from palabre.search.clock import Clock
from palabre.search.montecarlo import FlatMonteCarlo
from palabre.search.thought import Thought
from tests.clock import SteppingClock, stopping

pytestmark = pytest.mark.slow


def value(position: palabre.Position, playouts: int, player: int) -> float:
    return float(compiled(sampled, position.game, MonteCarlo)(MonteCarlo(playouts), position.state, player))


def sampled_moves(position: palabre.Position, clock: Clock, seed: int = 0) -> list[Thought]:
    """What flat Monte Carlo thinks of every move in the end, in the order of the moves."""
    told: list[Thought] = []
    count = len(position.moves())
    FlatMonteCarlo(position.game, seed).think(position, clock, told.append, count)
    return sorted((replace(thought, seconds=0.0) for thought in told[-count:]), key=lambda thought: thought.move.code)


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
    thought = AlphaBeta(game, evaluation(game, "montecarlo")).think(position, Clock(depth=1))
    assert "a" in {str(move) for move in thought.best}


@pytest.mark.kernels
def test_each_move_gets_the_same_number_of_games() -> None:
    position = palabre.game("awele").start()
    found = sampled_moves(position, Clock(nodes=6 * 4), seed=3)
    assert [(thought.nodes, thought.visits) for thought in found] == [(24, 4)] * 6
    assert [thought.move for thought in found] == position.moves()
    shares = [thought.chance or 0.0 for thought in found]
    assert all(0 <= share <= 1 for share in shares)
    best = FlatMonteCarlo(position.game, 3).think(position, Clock(nodes=6 * 4))
    assert set(best.best) == {thought.move for thought in found if thought.chance == max(shares)}
    assert found == sampled_moves(position, Clock(nodes=6 * 4), seed=3)
    assert found != sampled_moves(position, Clock(nodes=6 * 4), seed=4)


def test_a_won_game_is_seen_by_sampling() -> None:
    game = palabre.game("examples/connect_four.py")
    position = game.start()
    for move in "abacad":
        position = position.play(move)
    found = FlatMonteCarlo(game).think(position, Clock(nodes=7 * 200))
    assert [str(move) for move in found.best] == ["a"]
    assert found.shares == (1.0, 0.0)
    assert not found.is_proven


def test_a_repetition_is_a_result() -> None:
    """A move back to a position that was there ends the game, and is no matter of chance."""
    position = palabre.game("awele:abapa").position("0,0,0,0,0,1/0,0,0,0,0,1 24,22 1 0")
    seen = 0
    while not position.is_over and position.ply < 200:
        ends = {move: position.play(move).result for move in position.moves()}
        for thought in sampled_moves(position, Clock(nodes=10)):
            result = ends[thought.move]
            if result is not None:
                assert thought.shares == result
                seen += 1
        position = position.play(position.moves()[0])
    assert seen > 0


def test_time_is_kept_and_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that goes on by a millisecond whenever it is read, which is before each game after the first round."""
    clock = SteppingClock(0.001, monkeypatch)
    position = palabre.game("abalone:turns=10").start()
    search = FlatMonteCarlo(position.game)
    found = search.think(position, Clock(per_move=0.1))
    assert 0.09 <= clock.seconds <= 0.1
    assert len(position.moves()) <= found.nodes <= len(position.moves()) + clock.readings


def test_a_limit_of_time_ends_a_compiled_search() -> None:
    position = palabre.game("abalone").start()
    assert FlatMonteCarlo(position.game).think(position, Clock(per_move=0.05)).nodes >= len(position.moves())


def test_watching_changes_nothing_and_stop_is_heard() -> None:
    position = palabre.game("penguins:players=3").start()
    told: list[Thought] = []
    search = FlatMonteCarlo(position.game, 5)
    count = len(position.moves())
    watched = search.think(position, Clock(nodes=100 * count), told.append)
    alone = search.think(position, Clock(nodes=100 * count))
    assert (watched.move, watched.shares, watched.nodes) == (alone.move, alone.shares, alone.nodes)
    assert [thought.nodes for thought in told] == sorted({thought.nodes for thought in told})
    assert len(told) > 3
    assert alone.shares is not None
    assert sum(alone.shares) == pytest.approx(1)
    with stopping(search.stop):
        assert search.think(position, Clock()).move in position.moves()


# -------------------------------------------------------------------------------------------------------- playouts


@pytest.mark.kernels
def test_a_playout_takes_many_reversible_plies_for_a_repetition() -> None:
    """Two seeds going round: after 200 plies without a capture each side keeps its own."""
    position = palabre.game("awele:abapa").position("0,0,0,0,1,0/0,0,0,0,1,0 24,22 1 198")
    for seed in range(4):
        end, plies, _ = random_game(position.state, seed, TO_THE_END)
        assert is_over(end)
        assert plies <= 2
        assert (final_score(end, 0), final_score(end, 1)) == (25, 23)


def test_a_repetition_that_nobody_counts_ends_no_playout() -> None:
    """In the course's rules a position may come again; only the stagnation limit ends such a game."""
    text = "4,4,4,4,4,4/4,4,4,4,4,4 0,0 1 300"
    course, repeating = (palabre.game(spec).position(text) for spec in ("awele", "awele:abapa"))
    assert random_game(course.state, 1, TO_THE_END)[1] > 10
    assert random_game(repeating.state, 1, TO_THE_END)[1] == 1


def test_a_playout_can_be_cut_off() -> None:
    state = palabre.game("awele").start().state
    dice, current = 7, state
    for _ in range(5):
        current, plies, dice = random_game(current, dice, 1)
        assert plies == 1
    assert random_game(state, 7, 5) == (current, 5, dice)
