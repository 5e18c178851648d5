"""Positions as arrays: planes of what lies on the cells, features, legal moves."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import palabre
from palabre.core import verbs
from palabre.environments import arrays as module
from palabre.environments.arrays import Plane
from palabre.evaluation.positions import fixed_positions
from tests import take_away
from tests.laws.zoo import edited, write
from tests.messages import refuses
from tests.specs import EXAMPLE

SPECS = ["awele", "awale", "abalone", "avalam", "penguins:players=4", EXAMPLE, "examples/trio.py", take_away.__file__]


def test_a_cell_holds_what_lies_there_for_whoever_owns_it() -> None:
    game = palabre.game("awele:abapa")
    position = game.position("3,0,5,2,0,4/2,1,2,1,5,3 10,10 2 0")
    own, other = Plane("seeds", 0, "brown"), Plane("seeds", 1, "brown")
    facts, made = palabre.planes(game), palabre.arrays(position)
    assert facts.planes == (own, other, Plane("other"))
    shown = [dict(zip(facts.cells, row.tolist(), strict=True)) for row in made.planes]
    assert [shown[1][name] for name in "ABCDEF"] == [3, 0, 5, 2, 0, 4]
    assert [shown[0][name] for name in "abcdef"] == [2, 1, 2, 1, 5, 3]
    assert made.planes.sum(axis=1).tolist() == [14 + 10, 14 + 10, 0]
    assert (made.planes.dtype, made.features.dtype) == (np.dtype("float32"), np.dtype("int32"))
    assert (made.to_move, made.scores.tolist()) == (1, [10, 10])
    assert np.flatnonzero(made.legal).tolist() == [move.code for move in position.moves()]
    rows = verbs.row_buffer(position.state)
    assert made.features.tolist() == rows[: verbs.features(position.state, rows)]


def test_the_player_to_move_is_first() -> None:
    game = palabre.game(EXAMPLE)
    facts, once = palabre.planes(game), game.start().play("c")
    made = palabre.arrays(once).planes
    assert facts.planes == (Plane("disc", 0), Plane("disc", 1), Plane("other"))
    assert np.argwhere(made).tolist() == [[1, facts.cells.index("c1")]]
    assert np.argwhere(palabre.arrays(once.play("c")).planes).tolist() == [
        [0, facts.cells.index("c1")],
        [1, facts.cells.index("c2")],
    ]
    assert facts.places[facts.cells.index("c1")] == (2, 5)


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
def test_planes_show_all_that_lies_on_a_board(spec: str) -> None:
    game = palabre.game(spec)
    facts = palabre.planes(game)
    assert len(set(facts.planes)) == len(facts.planes)
    for number, state in enumerate(fixed_positions(game)):
        if number % 10:
            continue
        position = palabre.Position.first(game, state)
        made = palabre.arrays(position).planes
        pieces = game.view.pieces(position.state)
        assert made.shape == (len(facts.planes), len(facts.cells))
        assert made.sum() == sum(piece.count * piece.height for piece in pieces)
        assert {facts.cells[cell] for cell in made.sum(axis=0).nonzero()[0]} == {
            piece.cell for piece in pieces if piece.count
        }


def test_the_number_in_a_label_is_its_amount_and_what_is_new_goes_to_the_last_plane(tmp_path: Path) -> None:
    piece = 'Piece("heap", "seeds", count=state.heap, colour="brown")'
    label = 'Piece("heap", "label", text=str(state.heap))'
    game = palabre.game(write(tmp_path, edited(piece, label)))
    assert palabre.planes(game).planes == (Plane("label"), Plane("other"))
    assert palabre.arrays(game.position("7 1")).planes[0].sum() == 7
    folder = tmp_path / "rare"
    folder.mkdir()
    rare = f"*([{label}] if state.heap < 40 else [Piece('heap', 'golden', count=3)])"
    game = palabre.game(write(folder, edited(piece, rare)))
    assert palabre.arrays(palabre.Position.first(game, game.state_class(40, 0))).planes.sum(axis=1).tolist() == [0, 3]


def test_the_planes_are_the_same_in_every_process() -> None:
    code = "import palabre; print(palabre.planes(palabre.game('penguins:players=4')))"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout for _ in range(2)]
    assert runs[0] == runs[1] == f"{module.planes(palabre.game('penguins:players=4'))}\n".encode()


def test_wrong_arguments_are_refused() -> None:
    with refuses("given.instance", asker="arrays", kind="Position"):
        palabre.arrays(palabre.game("awele"))  # type: ignore[arg-type]
    with refuses("given.instance", asker="planes", kind="Game"):
        palabre.planes("awele")  # type: ignore[arg-type]
