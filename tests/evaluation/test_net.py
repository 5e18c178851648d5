"""Nets as evaluations: the same integers in both worlds, an honest value for both players, and weights that travel."""

import pickle
from pathlib import Path
from typing import Any

import pytest

import palabre
from palabre.arena.admission import bot_digest
from palabre.compile.compiler import compiled
from palabre.core.game import Game
from palabre.core.lanes import LANES
from palabre.core.verbs import (
    evaluate,
    feature_limits,
    features,
    phase,
    row_buffer,
    to_move,
    value_for,
    weight_classes,
)
from palabre.evaluation.names import default_evaluation, evaluation, evaluation_names, net_for
from palabre.evaluation.net import Net, features_fingerprint
from palabre.evaluation.net_file import Quantised
from palabre.games.awele.evaluation import Standard
from palabre.learn.fit import fit_records
from palabre.search.clock import Clock
from palabre.search.engine import Engine
from tests.evaluation import random_games
from tests.messages import refuses
from tests.nets import random_net, write_random_net
from tests.specs import EXAMPLE

GAMES = ("awele:abapa", "avalam:official", EXAMPLE)


def naive_value(game: Game, net: Quantised, state: Any, player: int) -> float:
    """The value by a net of the player to move, row by row from the bytes of a file."""
    header, halves = net.header, memoryview(net.halves).cast("h")
    base = float(evaluate(evaluation(game, header.base), state, player))
    rows = row_buffer(state)
    on = rows[: features(state, rows)]
    total = net.out_bias[phase(state)]
    for lane in range(header.lanes):
        chunk = halves[LANES * header.rows_in_chunk * (lane // LANES) :]
        numbers = [chunk[LANES * row + lane % LANES] for row in range(header.rows_in_chunk)]
        lane_sum = min(max(numbers[0] + sum(numbers[1 + row] for row in on), 0), 255)
        total += (lane_sum * lane_sum >> 8) * numbers[1 + header.features + phase(state)]
    seen = header.out_scale * total
    return header.skip * base + (seen if player == to_move(state) else -seen)


@pytest.mark.usefixtures("plain_python")
@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("lanes", [32, 64, 128])
def test_a_net_is_worth_what_its_numbers_say(spec: str, lanes: int) -> None:
    game = palabre.game(spec)
    net = random_net(game, lanes)
    weights = net_for(game, net)
    for position in random_games(spec, 1, seed=lanes):
        for player in (0, 1):
            found = evaluate(weights, position.state, player)
            if position.is_over:
                assert found == evaluate(weights.base, position.state, player)
            else:
                assert found == pytest.approx(naive_value(game, net, position.state, player), rel=1e-12)
                assert found == -evaluate(weights, position.state, 1 - player)


@pytest.mark.kernels
@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("lanes", [32, 64, 128])
def test_a_net_has_the_same_value_compiled(spec: str, lanes: int) -> None:
    game = palabre.game(spec)
    weights = net_for(game, random_net(game, lanes))
    fast = compiled(value_for, game, *weight_classes(weights))
    for position in random_games(spec, 3):
        for player in (0, 1):
            assert fast(position.state, weights, player) == value_for(position.state, weights, player), position


@pytest.mark.kernels
def test_one_game_has_nets_over_different_evaluations() -> None:
    game = palabre.game("avalam:official")
    position = game.start()
    for base in ("standard", "divine", "score"):
        own = dict(evaluation(game, base)._asdict())
        weights = net_for(game, random_net(game, base=base, base_weights=own))
        assert type(weights.base) is type(evaluation(game, base))
        fast = compiled(value_for, game, *weight_classes(weights))
        assert fast(position.state, weights, 0) == value_for(position.state, weights, 0)


@pytest.mark.usefixtures("plain_python")
def test_the_weights_of_the_base_are_those_in_the_file() -> None:
    game = palabre.game("awele")
    own = dict(evaluation(game, "standard")._asdict()) | {"kept": 0.25}
    assert net_for(game, random_net(game, base_weights=own)).base == Standard(kept=0.25)


@pytest.mark.usefixtures("plain_python")
def test_an_engine_and_mcts_play_by_a_net(tmp_path: Path) -> None:
    game = palabre.game("awele")
    file = write_random_net(tmp_path / "mine.net", game)
    for spec in (f"palabre:depth=2,eval={file}", f"mcts:nodes=20,eval={file}", f"alphabeta:depth=2,eval={file}"):
        made = palabre.bot(spec, game)
        made.sit_down(game, 0)
        assert made.choose(game.start(), Clock()) in game.start().moves()
        assert made.spec == spec
    weights = evaluation(game, file)
    assert isinstance(weights, Net)
    assert weights.odds == 0.3
    assert weights != evaluation(game, write_random_net(tmp_path / "other.net", game, seed=1))


@pytest.mark.kernels
def test_a_net_that_adds_nothing_leaves_the_tree_as_it_is() -> None:
    game = palabre.game("awele")
    base = evaluation(game, "standard")
    silent = random_net(game, skip=1.0, out_scale=0.0)
    engines = [Engine(game, weights, 1) for weights in (base, net_for(game, silent))]
    first, second = (engine.think(game.start(), Clock(depth=8)) for engine in engines)
    assert (first.nodes, first.line, first.points) == (second.nodes, second.line, second.points)


@pytest.mark.usefixtures("plain_python")
def test_weights_travel_without_their_address() -> None:
    game = palabre.game("awele")
    weights = net_for(game, random_net(game))
    again = pickle.loads(pickle.dumps(weights))
    assert again == weights
    assert hash(again) == hash(weights)
    assert int(again.memory) != int(weights.memory)
    assert str(int(weights.memory)) not in repr(weights)
    assert str(int(weights.memory)) not in f"{weights} {weights.memory}"
    state = game.start().state
    assert evaluate(again, state, 0) == evaluate(weights, state, 0)


def test_a_net_is_not_fitted() -> None:
    game = palabre.game("awele")
    played = [palabre.Record.of(game.start())]
    with refuses("fit.net"):
        fit_records(net_for(game, random_net(game)), played)


@pytest.mark.usefixtures("plain_python")
def test_the_digest_of_a_bot_has_what_its_file_says(tmp_path: Path) -> None:
    game = palabre.game("awele")
    file = write_random_net(tmp_path / "mine.net", game)
    player = palabre.bot(f"palabre:nodes=9,eval={file}", game)
    before = bot_digest(player, game, Clock())
    assert bot_digest(player, game, Clock()) == before
    write_random_net(tmp_path / "mine.net", game, seed=1)
    assert bot_digest(player, game, Clock()) != before


def test_memory_is_aligned_to_rows_and_cannot_be_written() -> None:
    memory: Any = net_for(palabre.game("awele"), random_net(palabre.game("awele"))).memory
    assert int(memory) % 64 == 0
    with pytest.raises(TypeError):
        memory.halves[0] = 1


def test_the_net_of_a_game_has_a_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    game = palabre.game("awele:abapa")
    assert "net" not in evaluation_names(game)
    with refuses("spec.no_evaluation", name="net"):
        evaluation(game, "net")
    file = tmp_path / "abapa.net"
    monkeypatch.setattr("palabre.evaluation.names.net_file", lambda game: file)
    write_random_net(file, game)
    assert evaluation_names(game) == ["standard", "score", "montecarlo", "net"]
    assert evaluation(game, "net") == evaluation(game, str(file))
    assert palabre.bot("palabre:nodes=9,eval=net", game).spec == "palabre:nodes=9,eval=net"
    assert default_evaluation(game) == "standard"
    file.write_bytes(b"spoilt")
    assert palabre.bot("palabre:nodes=9", game).spec == "palabre:nodes=9"  # only who plays by it needs it whole
    with refuses("net.no_net", file=file):
        palabre.bot("palabre:nodes=9,eval=net", game)


def test_a_game_without_features_has_none_to_write() -> None:
    state = palabre.game("awale").start().state
    assert feature_limits(type(state)) == (0, 0, 1)
    assert features(state, row_buffer(state)) == phase(state) == 0


def test_a_fingerprint_is_that_of_what_a_preset_sees() -> None:
    fingerprints = [features_fingerprint(palabre.game(spec)) for spec in ("awele", "awele:stop=9", "avalam:official")]
    assert fingerprints[0] == fingerprints[1]
    assert len(set(fingerprints)) == 2
