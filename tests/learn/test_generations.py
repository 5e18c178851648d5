"""Generations: small real learnings of Connect Four, from self-play to the gate, and what a folder refuses."""

import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

import palabre
from palabre.core import registry
from palabre.evaluation.names import evaluation
from palabre.evaluation.net import Net
from palabre.learn.generations import (
    BEST,
    CANDIDATE,
    GATE,
    MANIFEST,
    TRAINING,
    GateResult,
    Generation,
    Learning,
    LearningSettings,
    LearningStage,
    TrainingResult,
    command,
    open_learning,
)
from palabre.learn.labels import Workers
from palabre.learn.learning_report import REPORT, document, strengths, write_report
from palabre.learn.positions import POSITIONS, read_positions
from tests.messages import refuses

CONNECT_FOUR = "examples/connect_four.py"
TINY = LearningSettings(CONNECT_FOUR, positions=200, nodes=20, lanes=32, seed=3, gate_nodes=10, gate_games=4)
SMALL = LearningSettings(CONNECT_FOUR, positions=6000, nodes=200, lanes=32, seed=1, gate_nodes=200, gate_games=64)
RESULT = TrainingResult(100, 0.5, 0.1, 0.05, [(0.06, 0.05)], 0.01, 0.02, 1.0, 3.0)


def learned(
    folder: Path, settings: LearningSettings, generations: int, workers: Workers | None = None
) -> list[Generation]:
    """The first generations of a learning in a folder, which they are made in if need be."""
    with open_learning(Learning(folder, settings, workers or Workers())) as learning:
        return list(itertools.islice(learning.generations(), generations))


def files(folder: Path) -> dict[str, bytes]:
    """What a learning depends on the settings for: all but times."""
    names = [f"generation-{number}/{name}" for number in (1, 2) for name in (POSITIONS, CANDIDATE)]
    return {name: (folder / name).read_bytes() for name in names}


@pytest.mark.slow
@pytest.mark.usefixtures("plain_python")
def test_the_same_settings_learn_the_same_whatever_was_interrupted(tmp_path: Path) -> None:
    whole = learned(tmp_path / "whole", TINY, 2)

    class Stop(Exception):
        pass

    def stop_in(phase: str, number: int) -> None:
        """Begin or go on, and stop in this phase of this generation."""

        def watch(stage: LearningStage) -> None:
            if (stage.phase, stage.generation) == (phase, number):
                raise Stop

        with (
            pytest.raises(Stop),
            open_learning(Learning(tmp_path / "stopped", TINY, Workers(), watch)) as learning,
        ):
            list(itertools.islice(learning.generations(), 2))

    for number, phase in itertools.product((1, 2), ("positions", "training", "gate")):
        stop_in(phase, number)
    stopped = learned(tmp_path / "stopped", TINY, 2)
    assert files(tmp_path / "stopped") == files(tmp_path / "whole")
    for one, other in zip(whole, stopped, strict=True):
        assert msgspec.structs.replace(one.training, seconds=0) == msgspec.structs.replace(other.training, seconds=0)
        for name in ("is_kept", "wins", "draws", "losses"):
            assert getattr(one.gate, name) == getattr(other.gate, name)


@pytest.mark.slow
@pytest.mark.usefixtures("plain_python")
def test_a_later_generation_learns_from_earlier_positions_and_plays_with_the_net_that_was_kept(tmp_path: Path) -> None:
    [first] = learned(tmp_path, TINY, 1)
    gate = tmp_path / "generation-1" / GATE
    for is_kept, rival in ((False, "score"), (True, str(tmp_path / "generation-1" / CANDIDATE))):
        gate.write_bytes(msgspec.json.encode(msgspec.structs.replace(first.gate, is_kept=is_kept)))
        assert Learning(tmp_path, TINY, Workers()).best(2) == rival
    _, second = learned(tmp_path, TINY, 2)
    assert second.gate.rival == rival
    own, earlier = (len(read_positions(tmp_path / f"generation-{number}" / POSITIONS)) for number in (2, 1))
    assert max(own, earlier) < second.training.positions <= own + earlier


@pytest.mark.slow
@pytest.mark.usefixtures("plain_python")
def test_python_learns_as_the_command_does_and_refuses_what_is_no_number(tmp_path: Path) -> None:
    tiny = {name: getattr(TINY, name) for name in ("positions", "nodes", "lanes", "seed", "gate_nodes", "gate_games")}
    [generation] = palabre.learn_net(CONNECT_FOUR, tmp_path, **tiny)
    with open_learning(Learning(tmp_path, TINY, Workers())) as learning:
        assert learning.done() == [generation]
    with refuses("net.lanes", lanes=48):
        palabre.learn_net(CONNECT_FOUR, tmp_path, lanes=48)
    for name in ("positions", "nodes", "gate_games", "processes"):
        wrong: dict[str, Any] = {name: 0}
        with pytest.raises(palabre.PalabreError, match=name):
            palabre.learn_net(CONNECT_FOUR, tmp_path, **wrong)


@pytest.mark.processes
def test_two_generations_of_connect_four_learn_more_than_their_base_can_say(tmp_path: Path) -> None:
    """Compiled, from a game's file to nets that the engine plays with: what a fresh clone can repeat."""
    for generation in learned(tmp_path, SMALL, 2):
        assert generation.training.loss < 0.95 * generation.training.base_loss
        losses = [validation for _, validation in generation.training.epochs]
        assert min(losses) == generation.training.loss
        assert generation.training.rounding_most * generation.training.odds < 0.02
        gate = generation.gate
        assert gate.wins + gate.draws + gate.losses <= SMALL.gate_games
        weights = evaluation(registry.game(CONNECT_FOUR), str(tmp_path / f"generation-{generation.number}" / CANDIDATE))
        assert isinstance(weights, Net)
    with open_learning(Learning(tmp_path, SMALL, Workers())) as learning:
        text = write_report(learning).read_text(encoding="utf-8")
        found = document(learning)
        best = learning.best_net()
    assert command(SMALL) in text
    assert text.count("\n| ") == 4
    assert [each["number"] for each in found["generations"]] == [1, 2]
    assert (best is not None) == any(each["gate"]["is_kept"] for each in found["generations"])
    assert (tmp_path / BEST).exists() == (best is not None)
    assert sorted(file.name for file in tmp_path.iterdir() if file.suffix in (".md", ".svg")) in (
        [REPORT],
        [REPORT, "strength.svg"],
    )


def test_a_folder_belongs_to_one_learning(tmp_path: Path) -> None:
    learning = Learning(tmp_path, TINY, Workers())
    with open_learning(learning):
        pass
    with open_learning(learning), refuses("learn.in_use"), open_learning(replace(learning)):
        pass
    other = msgspec.structs.replace(TINY, lanes=64)
    with (
        refuses("learn.other_settings", command=command(TINY)),
        open_learning(Learning(tmp_path, other, Workers())),
    ):
        pass
    (tmp_path / MANIFEST).write_text("{}", encoding="utf-8")
    with refuses("learn.damaged", file=tmp_path / MANIFEST), open_learning(learning):
        pass
    (tmp_path / MANIFEST).rename(tmp_path / "other.txt")
    with refuses("learn.not_empty"), open_learning(learning):
        pass


@pytest.mark.parametrize(
    ("spec", "id"), [("penguins:players=3", "fit.two_players"), ("examples/othello.py", "learn.no_features")]
)
def test_games_that_cannot_be_learned_are_refused(tmp_path: Path, spec: str, id: str) -> None:
    with refuses(id), open_learning(Learning(tmp_path / "new", LearningSettings(spec), Workers())):
        pass
    assert not (tmp_path / "new").exists()


def test_the_command_names_what_is_not_usual() -> None:
    assert command(LearningSettings("awele")) == "palabre learn awele"
    assert (
        command(LearningSettings("awele", lanes=32, gate_nodes=500))
        == "palabre learn awele --lanes 32 --gate-nodes 500"
    )


def test_strength_adds_up_over_what_was_kept() -> None:
    def generation(number: int, elo: float, is_kept: bool) -> Generation:
        gate = GateResult("standard", is_kept, 1, 1, 1, elo, (elo - 20, elo + 20), 1.0)
        return Generation(number, RESULT, gate)

    found = strengths([generation(1, 100.0, True), generation(2, -10.0, False), generation(3, 50.0, True)])
    assert [one.elo for one in found] == [100.0, 90.0, 150.0]
    assert found[1].elo_95 == (70.0, 110.0)


def test_training_and_gate_are_marks_that_a_phase_is_done(tmp_path: Path) -> None:
    learning = Learning(tmp_path, TINY, Workers())
    folder = tmp_path / "generation-1"
    folder.mkdir()
    (folder / TRAINING).write_bytes(msgspec.json.encode(RESULT))
    assert learning.done() == []
    gate = GateResult("score", False, 1, 2, 3, -10.0, (-20.0, 5.0), 9.0)
    (folder / GATE).write_bytes(msgspec.json.encode(gate))
    assert learning.done() == [Generation(1, RESULT, gate)]
