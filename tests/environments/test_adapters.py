"""Games as environments of PettingZoo, Gymnasium and OpenSpiel, judged by the checks of those libraries."""

from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from open_spiel.python.algorithms.generate_playthrough import playthrough
from pettingzoo.test import api_test, seed_test

import palabre
from palabre.environments import adapters, shared
from palabre.environments.aec import PalabreAec
from tests import take_away
from tests.messages import refuses
from tests.specs import EXAMPLE

SPECS = ["awele:abapa", "penguins:players=4", EXAMPLE]
DULL = f"{take_away.__file__}:heap=4"  # the second player wins: whatever the first takes, they take the rest
pytestmark = pytest.mark.usefixtures("plain_python")


def play_out(env: PalabreAec, seed: int) -> dict[str, float]:
    """Play random actions to the end; what every agent got in all."""
    env.reset(seed=seed)
    dice = np.random.default_rng(seed)
    got = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        assert not truncated
        got[agent] += reward
        env.step(None if terminated else int(dice.choice(np.flatnonzero(seen["action_mask"]))))
    return got


# PettingZoo expects dictionaries, and empty boards, of its own games only: it has a list of their names.
@pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:Observation numpy array is all zeros",
)
@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
def test_pettingzoo_accepts_its_environment(spec: str, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(palabre.pettingzoo_env(spec), num_cycles=300)
    assert "Passed API test" in capsys.readouterr().out
    seed_test(lambda: palabre.pettingzoo_env(spec), num_cycles=30)


@pytest.mark.parametrize("spec", SPECS)
def test_agents_get_what_a_game_is_worth(spec: str) -> None:
    env = palabre.pettingzoo_env(spec)
    got = play_out(env, seed=1)
    result = env.ongoing.result
    assert result is not None
    assert list(got.values()) == pytest.approx(shared.rewards(result))
    assert sum(got.values()) == pytest.approx(0)
    assert max(got.values()) == 1


def test_an_agent_sees_the_board_from_its_seat_and_moves_only_in_turn() -> None:
    env = palabre.pettingzoo_env(EXAMPLE, render_mode="ansi")
    env.reset()
    env.step(2)
    seen = {agent: env.observe(agent) for agent in env.agents}
    assert env.agent_selection == "player_1"
    assert [seen["player_0"]["action_mask"].sum(), seen["player_1"]["action_mask"].sum()] == [0, 7]
    assert [seen[agent]["observation"].sum(axis=1).tolist() for agent in env.agents] == [[1, 0, 0], [0, 1, 0]]
    assert env.render() == str(env.ongoing.position)


def test_an_illegal_action_loses() -> None:
    env = palabre.pettingzoo_env("penguins:players=4")
    env.reset(seed=1)
    env.step(env.game.rules.MOVE_CODES - 1)
    assert env.rewards == pytest.approx({"player_0": -1 / 3, "player_1": 1 / 9, "player_2": 1 / 9, "player_3": 1 / 9})
    assert all(env.terminations.values())
    single = palabre.gymnasium_env(DULL, seat=1)
    single.reset(seed=1)
    _, reward, terminated, _, facts = single.step(8)
    assert (reward, terminated) == (-1, True)
    assert "8 is not a legal action" in facts["why_ended"]


@pytest.mark.filterwarnings("ignore:.*Not able to test alternative render modes")
@pytest.mark.slow
@pytest.mark.parametrize("opponent", ["random", "greedy"])
@pytest.mark.parametrize("spec", SPECS)
def test_gymnasium_accepts_its_environment(spec: str, opponent: str) -> None:
    check_env(palabre.gymnasium_env(spec, opponent, render_mode="ansi"))


def test_seats_are_taken_in_turn_or_one_is_kept() -> None:
    env = palabre.gymnasium_env("penguins:players=4")
    assert [env.reset()[1]["seat"] for _ in range(5)] == [0, 1, 2, 3, 0]
    assert env.reset(seed=5)[1]["seat"] == 0
    kept = palabre.gymnasium_env("penguins:players=4", seat=2)
    for _ in range(2):
        seen, facts = kept.reset()
        assert facts == {"seat": 2}
        assert kept.position.to_move == 2
        assert np.flatnonzero(seen["action_mask"]).tolist() == [move.code for move in kept.position.moves()]


def test_a_game_against_a_bot_is_won_by_a_player_who_knows_how() -> None:
    env = palabre.gymnasium_env(DULL, "alphabeta:depth=6", seat=1)
    env.reset(seed=1)
    total, over = 0.0, False
    while not over:
        heap = env.position.state.heap
        _, reward, over, _, _ = env.step(heap % 4 - 1)
        total += reward
    assert total == 1


def test_a_seed_repeats_the_games_that_follow(tmp_path: Path) -> None:
    def opening(env: Any, **seed: int) -> list[list[float]]:
        seen = [env.reset(**seed)[0], env.reset()[0]]
        return [each["observation"].ravel().tolist() for each in seen]

    one, other = palabre.gymnasium_env("penguins", seat=1), palabre.gymnasium_env("penguins", seat=1)
    assert opening(one, seed=3) == opening(other, seed=3) != opening(other, seed=4)
    assert opening(palabre.gymnasium_env("penguins", seed=3)) == opening(palabre.gymnasium_env("penguins"), seed=3)


def test_a_bot_that_fails_loses(tmp_path: Path) -> None:
    file = tmp_path / "failing.py"
    file.write_text(
        "import palabre\n\n\nclass Failing(palabre.Bot):\n"
        "    def choose(self, position, clock):\n        return 'nonsense'\n",
        encoding="utf-8",
    )
    env = palabre.gymnasium_env(DULL, str(file), seat=0)
    env.reset()
    _, reward, terminated, _, facts = env.step(0)
    assert (reward, terminated) == (1, True)
    assert facts["why_ended"]
    first = palabre.gymnasium_env(DULL, str(file), seat=1)  # the bot begins, and fails before the learner's turn
    first.reset()
    assert first.step(0)[1:3] == (1, True)


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
def test_openspiel_simulates_its_game(spec: str) -> None:
    game = palabre.openspiel_game(spec, seed=3)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    name = game.get_type().short_name
    assert str(pyspiel.load_game(f"{name}(seed=3)").new_initial_state()) == palabre.game(spec).start(3).text


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["awele", EXAMPLE])
def test_a_playthrough_of_openspiel_is_a_game_by_the_rules(spec: str) -> None:
    game = palabre.openspiel_game(spec)
    name = game.get_type().short_name
    text = playthrough(f"{name}(seed=0)", None, seed=1)
    state, position = game.new_initial_state(), palabre.game(spec).start()
    for line in text.splitlines():
        if line.startswith("action: "):
            action = int(line.removeprefix("action: "))
            move = next(move for move in position.moves() if move.code == action)
            assert state.action_to_string(action) == move.text
            state.apply_action(action)
            position = position.play(move)
    assert position.is_over
    assert state.is_terminal()
    assert position.result is not None
    assert state.returns() == shared.rewards(position.result)
    assert str(state) == position.text


def test_two_games_of_one_name_are_not_mixed_up(tmp_path: Path) -> None:
    source = Path(take_away.__file__).read_text(encoding="utf-8")
    files = [tmp_path / "some-game.py", tmp_path / "some_game.py"]
    for file in files:
        file.write_text(source, encoding="utf-8")
    palabre.openspiel_game(files[0])
    assert palabre.openspiel_game(files[0], seed=1).seed == 1
    with refuses("environment.same_name"):
        palabre.openspiel_game(files[1])


def test_what_is_missing_or_wrong_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with refuses("environment.seat", most=3):
        palabre.gymnasium_env("penguins:players=4", seat=4)
    with refuses("given.integer", name="seed"):
        palabre.pettingzoo_env("awele", seed=0.5)  # type: ignore[arg-type]
    monkeypatch.setattr("importlib.util.find_spec", lambda package: None)
    for make, package in (
        (adapters.pettingzoo_env, "pettingzoo"),
        (adapters.gymnasium_env, "gymnasium"),
        (adapters.openspiel_game, "pyspiel"),
    ):
        with refuses("environment.missing", package=package):
            make("awele")
