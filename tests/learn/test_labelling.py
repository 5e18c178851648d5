"""Labels: games are played by the rules, repeat by their seed, and the search leaves the game's own past alone."""

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from palabre.compile.compiler import compiled
from palabre.core.errors import PalabreError
from palabre.core.verbs import is_over, key, margin_bounds, play, repetition_key, to_move, weight_classes
from palabre.learn.labelling import COLUMNS, MOST_PLIES, NO_PROOF, label_game
from palabre.learn.labels import Workers, labelled_positions
from palabre.learn.positions import Labeller, Labelling, Positions, joined, read_positions
from palabre.search.worker import REPETITION_KEY
from tests.messages import refuses

CONNECT_FOUR = "examples/connect_four.py"
QUICK = Labelling(CONNECT_FOUR, "score", 30, 1)


def of_game(positions: Positions) -> list[int]:
    """The places of the positions of the game itself, without those beside it."""
    return np.flatnonzero(np.isfinite(positions.results)).tolist()


def state(labeller: Labeller, positions: Positions, place: int) -> Any:
    return labeller.game.state_class(*positions.states[place].tolist())


@pytest.mark.usefixtures("plain_python")
@pytest.mark.parametrize("spec", ["awele", CONNECT_FOUR])
def test_the_positions_of_a_game_follow_each_other_by_legal_moves(spec: str) -> None:
    labeller = Labeller(Labelling(spec, "score", 30, 3))
    for number in range(3):
        positions = labeller.play(number)
        places = of_game(positions)
        states = [state(labeller, positions, place) for place in places]
        assert len(states) > 3
        for before, after in itertools.pairwise(states):
            moves = labeller.game.position(labeller.game.notation.state_to_text(before)).moves()
            assert after in [play(before, move.code) for move in moves]
        plies = positions.plies[places].tolist()
        assert plies == list(range(plies[0], plies[0] + len(plies)))


@pytest.mark.usefixtures("plain_python")
def test_columns_are_those_of_the_states() -> None:
    labeller = Labeller(QUICK)
    positions = joined([labeller.play(number) for number in range(3)])
    assert sorted(set(positions.games.tolist())) == [0, 1, 2]
    for place in range(len(positions)):
        there = state(labeller, positions, place)
        assert not is_over(there)
        assert positions.seats[place] == to_move(there)
        assert positions.keys[place] == key(there)


@pytest.mark.usefixtures("plain_python")
def test_the_result_of_a_game_is_the_same_for_all_its_positions_from_either_side() -> None:
    labeller = Labeller(QUICK)
    for number in range(6):
        positions = labeller.play(number)
        own = of_game(positions)
        for_first = np.where(positions.seats[own] == 0, positions.results[own], 1 - positions.results[own])
        assert len(set(for_first.tolist())) == 1
        if positions.proofs[own[-1]] != NO_PROOF:
            assert positions.results[own[-1]] == (positions.proofs[own[-1]] + 1) / 2


@pytest.mark.usefixtures("plain_python")
def test_a_proof_that_margin_bounds_give_ends_the_game() -> None:
    labeller = Labeller(Labelling("awele", "score", 20, 5))
    positions = labeller.play(0)
    for place in of_game(positions)[:-1]:
        least, most = margin_bounds(state(labeller, positions, place))
        assert least <= 0 <= most
        assert positions.proofs[place] == NO_PROOF


@pytest.mark.usefixtures("plain_python")
def test_labelling_leaves_the_repetition_keys_of_the_game_alone() -> None:
    labeller = Labeller(Labelling("awele:abapa", "score", 30, 2))
    positions = labeller.play(0)
    own = of_game(positions)
    for place in own[:-1]:  # the last search may write beyond the game, and nowhere else
        there = state(labeller, positions, place)
        assert labeller.worker[REPETITION_KEY + int(positions.plies[place])] == repetition_key(there) != 0


@pytest.mark.usefixtures("plain_python")
def test_games_repeat_by_seed_and_number_whatever_was_played_before() -> None:
    one, other = Labeller(QUICK), Labeller(QUICK)
    other.play(7)
    assert one.play(2).to_bytes() == other.play(2).to_bytes()
    assert one.play(2).states.tolist() != one.play(3).states.tolist()
    assert Labeller(Labelling(CONNECT_FOUR, "score", 30, 2)).play(2).states.tolist() != one.play(2).states.tolist()


@pytest.mark.kernels
@pytest.mark.compiled_twin
def test_compiled_labels_are_those_of_plain_python() -> None:
    labeller = Labeller(Labelling("awele", "standard", 40, 4))
    size = len(labeller.game.start().state) + COLUMNS
    words = (2 * MOST_PLIES * size, len(labeller.table))
    fast = compiled(label_game, labeller.game, *weight_classes(labeller.weights))
    new_worker = [int(word) for word in labeller.new_worker]
    made = []
    plain: Any = label_game
    for run, integers in ((plain, list), (fast, np.array)):  # plain Python has no use for numbers of 64 bits
        rows, table, worker = (integers(numbers) for numbers in ([0] * words[0], [0] * words[1], new_worker))
        start = labeller.game.start().state
        count = run(start, labeller.weights, 40, labeller.most_lead, 12, rows, table, worker)
        made.append([int(word) for word in rows[: count * size]])
    assert made[0] == made[1]
    assert made[0]


@pytest.mark.usefixtures("plain_python")
def test_equal_positions_are_kept_once_and_rather_with_a_result() -> None:
    labeller = Labeller(QUICK)
    positions = joined([labeller.play(number) for number in range(4)])
    once = positions.without_repeats()
    assert len(set(once.keys.tolist())) == len(once) == len(set(positions.keys.tolist())) < len(positions)
    with_result = set(positions.keys[np.isfinite(positions.results)].tolist())
    assert set(once.keys[np.isfinite(once.results)].tolist()) == with_result


@pytest.mark.usefixtures("plain_python")
def test_a_set_goes_on_where_it_stopped_and_is_the_same(tmp_path: Path) -> None:
    class Stop(Exception):
        pass

    def stop(count: int) -> None:
        raise Stop

    wanted = 700
    for name in ("whole", "stopped"):
        (tmp_path / name).mkdir()
    whole = labelled_positions(tmp_path / "whole", QUICK, wanted, Workers())
    for _ in range(2):
        with pytest.raises(Stop):
            labelled_positions(tmp_path / "stopped", QUICK, wanted, Workers(), stop)
    counts: list[int] = []
    resumed = labelled_positions(tmp_path / "stopped", QUICK, wanted, Workers(), counts.append)
    assert counts[-1] >= wanted
    assert resumed.to_bytes() == whole.to_bytes()
    assert sorted(file.name for file in (tmp_path / "stopped").iterdir()) == ["positions.npz"]
    again = labelled_positions(tmp_path / "stopped", QUICK, wanted, Workers())
    assert again.to_bytes() == whole.to_bytes()


@pytest.mark.processes
def test_the_number_of_processes_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    made = []
    for processes in (1, 2):
        folder = tmp_path / str(processes)
        folder.mkdir()
        made.append(labelled_positions(folder, QUICK, 1500, Workers(processes)).to_bytes())
    assert made[0] == made[1]


def test_a_file_that_holds_no_positions_is_refused_by_its_name(tmp_path: Path) -> None:
    file = tmp_path / "positions.npz"
    for content in (b"", b"not a file of NumPy", b"PK\x03\x04 cut short"):
        file.write_bytes(content)
        with refuses("learn.no_positions"):
            read_positions(file)
    np.savez(file, states=np.array([{}], dtype=object))
    with pytest.raises(PalabreError):
        read_positions(file)
