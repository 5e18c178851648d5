"""Training by placing penguins: it repeats by its seed, keeps what wins, and gets away from bad weights."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from statistics import fmean
from typing import Any

import pytest

import palabre
from palabre.evaluation.montecarlo import MonteCarlo
from palabre.games.penguins import training as placement
from palabre.games.penguins.evaluation import Weights
from palabre.games.penguins.rules import is_placing
from palabre.games.penguins.training import (
    MONTE_CARLO,
    OWN_PAST,
    TRAINED,
    Training,
    boards,
    check_boards,
    one_step,
    placed,
    shares,
    train,
)
from palabre.learn.training import TrainingStep, read_settings
from palabre.search.alphabeta import AlphaBeta
from palabre.search.clock import Clock
from tests.messages import refuses

pytestmark = pytest.mark.slow

GAME = palabre.game("penguins")
USUAL = Weights()
BAD = Weights(fish_beside=0.0, ones=5.0, twos=0.0, threes=0.0, own_beside=5.0, others_beside=0.0)


def quick_steps(count: int, seed: int) -> list[TrainingStep]:
    how = Training(boards=2, playouts=100, rival_playouts=5, seed=seed)
    return list(train(GAME, USUAL, how, count))


def test_the_same_seed_takes_the_same_steps() -> None:
    steps = quick_steps(6, seed=3)
    assert quick_steps(6, seed=3) == steps
    assert quick_steps(3, seed=3) == steps[:3]  # however many are to come
    assert [step.share for step in quick_steps(6, seed=4)] != [step.share for step in steps]


def test_what_wins_is_kept_and_the_rival_is_monte_carlo_until_it_is_beaten(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = iter([0.4, 0.5, 0.51, 0.3, 0.6, 0.5, 0.7])
    placing: list[tuple[Any, Any]] = []

    def judge(first: Any, second: Any, starts: Iterable[palabre.Position], playouts: int) -> Iterator[float]:
        placing.append((first, second))
        yield next(judged)

    monkeypatch.setattr(placement, "shares", judge)
    steps = list(train(GAME, USUAL, Training(rival_playouts=7), 7))
    assert [step.number for step in steps] == [1, 2, 3, 4, 5, 6, 7]
    assert [step.is_kept for step in steps] == [False, False, True, False, True, False, True]
    assert [step.rival for step in steps] == [MONTE_CARLO] * 3 + [OWN_PAST] * 4
    tried = [changed for changed, _ in placing]
    assert len({USUAL, *tried}) == 8
    kept = [USUAL, USUAL, tried[2], tried[2], tried[4], tried[4], tried[6]]
    assert [step.weights for step in steps] == kept
    assert [rival for _, rival in placing] == [MonteCarlo(7)] * 3 + kept[2:6]


def test_weights_stay_in_their_range_and_the_win_is_none_of_them() -> None:
    walk = [BAD]
    for luck in range(200):
        walk.append(one_step(walk[-1], 2.0, luck))
    assert {*TRAINED, "win"} == set(Weights._fields)
    for name in TRAINED:
        values = [getattr(weights, name) for weights in walk]
        assert (min(values), max(values)) == (0, 5)  # it comes to both ends, and not beyond
        assert all(abs(after - before) <= 2 for before, after in pairwise(values))
    assert {weights.win for weights in walk} == {BAD.win}


@pytest.mark.parametrize("evaluation", [USUAL, Weights(*[0.0] * 6), MonteCarlo(5)])
def test_equal_evaluations_win_exactly_half(evaluation: Any) -> None:
    """Also where all tiles are equally good."""
    assert list(shares(evaluation, evaluation, boards(GAME, 3, 1), 101)) == [0.5] * 3


def test_what_one_wins_the_other_loses() -> None:
    won = list(shares(USUAL, BAD, boards(GAME, 5, 1), 200))
    lost = list(shares(BAD, USUAL, boards(GAME, 5, 1), 200))
    assert [one + other for one, other in zip(won, lost, strict=True)] == pytest.approx([1.0] * 5)
    assert fmean(won) > 0.5


def test_each_penguin_stands_where_its_player_likes_it_most() -> None:
    """The players' evaluations replayed: at every turn the tile taken is among the best of whoever took it."""
    seated = (USUAL, MonteCarlo(100))
    end = placed(GAME.start(5), seated)
    assert not is_placing(end.state)
    flocks = [set(flock.split(",")) for flock in end.text.split()[1].split("/")]
    position = GAME.start(5)
    for ply in range(8):
        thought = AlphaBeta(position.game, seated[ply % 2]).think(position, Clock(depth=1))
        best = {move.text for move in thought.best}
        [tile] = best & flocks[ply % 2]
        position = position.play(tile)
    assert position == end


def test_no_board_is_for_training_and_for_the_check() -> None:
    trained_on = {start.text for number in range(5) for start in boards(GAME, 4, number)}
    checked_on = {start.text for start in check_boards(GAME, 20, 0)}
    assert len(trained_on | checked_on) == 40


def test_bad_weights_become_better() -> None:
    how = Training(boards=4, playouts=200, rival_playouts=5, step_size=2.0)
    *_, last = train(GAME, BAD, how, 25)
    assert fmean(shares(last.weights, BAD, check_boards(GAME, 20, 0), 200)) > 0.55


def test_what_cannot_be_trained_is_refused() -> None:
    with refuses("training.none", game="awele", games="penguins"):
        read_settings(palabre.game("awele"), "", 0)
    with refuses("training.two_players", game="penguins:players=3", players=3):
        read_settings(palabre.game("penguins:players=3"), "", 0)
    for size in ("0", "-1.0", "5.5", "nan"):
        with refuses("spec.bad_value", name="step_size", value=size):
            read_settings(GAME, f"step_size={size}", 0)


def test_settings_are_read_from_a_text() -> None:
    assert read_settings(GAME, "", 0) == Training()
    assert read_settings(GAME, "boards=1, step_size=2", 7) == Training(boards=1, step_size=2.0, seed=7)
