"""A vector of boards: every board is a game by the rules, whatever the mode and the number of boards."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import palabre
from palabre.core import verbs
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.environments import vector as module
from palabre.environments.vector import Vector
from tests import take_away
from tests.laws.zoo import PLAY, REPETITION, WAITING, edited, write
from tests.messages import holds, refuses
from tests.specs import EXAMPLE

FEW = 3  # boards
STEPS = 150
GAMES = ["awele:abapa", "penguins:players=4", EXAMPLE]
OTHERS = ["awele", "awale", "abalone:turns=40", "avalam", "penguins"]


def expected_rewards(position: Position) -> list[float]:
    """What the players get for an ended game, from their shares."""
    result = position.result
    assert result is not None
    return [(len(result) * share - 1) / (len(result) - 1) for share in result]


def follow(boards: Vector, steps: int) -> int:
    """Play random actions and the same moves on positions; how many games have ended."""
    followed = [boards.position(board) for board in range(boards.boards)]
    ended = 0
    for _ in range(steps):
        assert boards.to_move().tolist() == [position.to_move for position in followed]
        legal = [[move.code for move in position.moves()] for position in followed]
        assert [np.flatnonzero(row).tolist() for row in boards.legal_mask()] == legal
        actions = boards.random_actions()
        done = boards.step(actions)
        assert not done.illegal.any()
        for board, action in enumerate(actions.tolist()):
            move = next(move for move in followed[board].moves() if move.code == action)
            followed[board] = followed[board].play(move)
            assert done.terminated[board] == followed[board].is_over
            if followed[board].is_over:
                assert done.rewards[board].tolist() == pytest.approx(expected_rewards(followed[board]))
                followed[board] = boards.position(board)
                ended += 1
            else:
                assert not done.rewards[board].any()
                assert tuple(boards.states[board].tolist()) == tuple(followed[board].state)
    return ended


@pytest.mark.kernels
@pytest.mark.slow
@pytest.mark.parametrize("spec", GAMES)
def test_every_board_is_a_game_by_the_rules(spec: str) -> None:
    assert follow(palabre.vector(spec, FEW, seed=1), STEPS) > 0


@pytest.mark.usefixtures("plain_python")
@pytest.mark.slow
@pytest.mark.parametrize("spec", OTHERS)
def test_this_holds_for_other_games(spec: str) -> None:
    assert follow(palabre.vector(spec, FEW, seed=1), STEPS) > 0


@pytest.fixture
def waiting(tmp_path: Path) -> Game:
    """A game that only a repetition ends, when its last stick is all that is left."""
    return palabre.game(write(tmp_path, edited(PLAY, WAITING + REPETITION)))


@pytest.mark.usefixtures("plain_python")
def test_a_repetition_ends_a_game(waiting: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROOM", 2)  # the history must grow
    assert follow(palabre.vector(waiting, FEW, seed=1), STEPS) > STEPS // 20


@pytest.mark.usefixtures("plain_python")
def test_the_past_of_a_board_ends_with_its_game() -> None:
    boards = palabre.vector("awele:abapa", FEW, seed=5)
    for _ in range(STEPS):
        done = boards.step(boards.random_actions())
        assert boards._lengths[done.terminated].tolist() == [1] * done.terminated.sum()
    boards.reset()
    assert boards._lengths.tolist() == [1] * FEW


@pytest.mark.compiled_twin
@pytest.mark.slow
@pytest.mark.parametrize("spec", ["awele:abapa", "penguins:players=4"])
def test_compiled_and_plain_boards_are_equal(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    histories = []
    for disabled in ("0", "1"):
        monkeypatch.setenv("NUMBA_DISABLE_JIT", disabled)
        boards = palabre.vector(spec, FEW, seed=7)
        steps = [boards.step(boards.random_actions()) for _ in range(STEPS)]
        histories.append(
            (boards.states.tolist(), [step.rewards.tolist() for step in steps], boards.features().tolist())
        )
    assert histories[0] == histories[1]


@pytest.mark.usefixtures("plain_python")
def test_a_seed_decides_everything_and_boards_do_not_meddle() -> None:
    def played(boards: int, seed: int) -> list[list[int]]:
        made = palabre.vector("penguins", boards, seed=seed)
        for _ in range(60):
            made.step(made.random_actions())
        first: list[list[int]] = made.states.tolist()
        made.reset()
        assert made.states.tolist() == palabre.vector("penguins", boards, seed=seed).states.tolist()
        made.reset(seed + 1)
        assert made.states.tolist() == palabre.vector("penguins", boards, seed=seed + 1).states.tolist()
        return first

    assert played(2, 3) == played(4, 3)[:2]
    assert played(2, 3) != played(2, 4)


@pytest.mark.usefixtures("plain_python")
def test_an_illegal_action_is_an_error_that_changes_nothing() -> None:
    boards = palabre.vector(take_away.__file__ + ":heap=2", 3)
    for action in (2, -1, 99):
        with refuses("vector.illegal", board=1, action=action, position="2 1", legal="0, 1") as caught:
            boards.step(np.array([0, action, 2]))
        assert isinstance(caught.value, palabre.IllegalMove)
        assert boards.states.tolist() == [[2, 0]] * 3


@pytest.mark.kernels
def test_an_illegal_action_loses_if_that_is_asked_for() -> None:
    boards = palabre.vector("penguins:players=4", 2, seed=1, illegal="loses")
    done = boards.step(np.array([boards.random_actions()[0], -1]))
    assert done.illegal.tolist() == done.terminated.tolist() == [False, True]
    assert done.rewards[1].tolist() == pytest.approx([-1 / 3, 1 / 9, 1 / 9, 1 / 9])
    assert not done.rewards[0].any()
    assert tuple(boards.states[1].tolist()) != tuple(palabre.vector("penguins:players=4", 2, seed=1).states[1])
    assert boards.position(1).moves()


@pytest.mark.kernels
def test_features_are_those_of_the_game_and_filled_up() -> None:
    boards = palabre.vector(EXAMPLE, 2, seed=1)
    for _ in range(2):
        boards.step(boards.random_actions())
    limits = verbs.feature_limits(boards.game.state_class)
    rows = boards.features()
    assert rows.shape == (2, limits.most_features)
    for board, row in enumerate(rows.tolist()):
        state = boards.position(board).state
        buffer = verbs.row_buffer(state)
        own = list(buffer[: verbs.features(state, buffer)])
        assert row == own + [limits.features] * (limits.most_features - len(own))
    assert palabre.vector("penguins", 2).features().size == 0


@pytest.mark.kernels
def test_actions_of_any_integers_and_seeds_of_any_size_will_do() -> None:
    boards = palabre.vector("awele:abapa", 2, seed=2**70 + 1)
    fixed = np.array([0, 9, 0, 9], np.uint8)[::2]
    fixed.flags.writeable = False
    assert not boards.step(fixed).terminated.any()
    assert not boards.step(boards.random_actions()).illegal.any()
    boards.reset(-(2**70))


@pytest.mark.usefixtures("plain_python")
def test_wrong_arguments_are_refused() -> None:
    with refuses("vector.option"):
        palabre.vector("awele", 1, illegal="ignored")  # type: ignore[arg-type]
    with refuses("given.count", name="boards"):
        palabre.vector("awele", 0)
    boards = palabre.vector("awele", 2)
    wrong: Any
    for wrong in (np.zeros(3, np.int64), np.zeros(2), np.zeros((2, 1), np.int64)):
        with refuses("vector.actions", boards=2) as caught:
            boards.step(wrong)
        holds(caught.value.message, "vector.array", shape=str(wrong.shape), kind=str(wrong.dtype))
