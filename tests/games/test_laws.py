"""Laws of the pieces, read off what the board shows, and symmetries of the rules, along any game of every variant."""

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import palabre
from palabre.core.board import Piece
from tests.games.test_properties import CHOICES, along
from tests.specs import all_specs

QUICK = settings(max_examples=10)


def shown(position: palabre.Position) -> list[Piece]:
    found: list[Piece] = position.game.view.pieces(position.state)
    return found


def total(pieces: list[Piece]) -> int:
    return sum(piece.count for piece in pieces)


def stored(position: palabre.Position) -> list[Piece]:
    """What lies in the stores, that of player 1 first."""
    stores = [cell.name for cell in position.game.view.cells(position.game.options) if cell.store]
    return [piece for name in stores for piece in shown(position) if piece.cell == name]


def awele_law(position: palabre.Position) -> None:
    assert total(shown(position)) == 48
    assert tuple(piece.count for piece in stored(position)) == position.scores


def awale_law(position: palabre.Position) -> None:
    assert total(shown(position)) == 96
    assert tuple(piece.count for piece in stored(position)) == position.scores
    for colour in ("red", "blue", "clear"):
        assert total([piece for piece in shown(position) if piece.colour == colour]) <= 32


def abalone_law(position: palabre.Position) -> None:
    assert total(stored(position)) == sum(position.scores)
    for player in (0, 1):
        marbles = [piece for piece in shown(position) if piece.player == player]
        assert total(marbles) == 14
        assert total([piece for piece in marbles if piece not in stored(position)]) + position.scores[1 - player] == 14
        assert len({piece.cell for piece in shown(position)}) == len(shown(position))


def avalam_law(position: palabre.Position) -> None:
    towers = shown(position)
    assert sum(tower.height for tower in towers) == 48
    assert max(tower.height for tower in towers) <= 5
    assert len(towers) == sum(position.scores) == 48 - position.ply
    touched = {name for move in position.moves() for name in (move.text[:2], move.text[2:])}
    assert not touched & {tower.cell for tower in towers if tower.settled}
    assert all(tower.settled for tower in towers) <= position.is_over


def penguins_law(position: palabre.Position) -> None:
    tiles, fish, penguins = (
        [piece for piece in shown(position) if piece.kind == kind] for kind in ("tile", "fish", "penguin")
    )
    assert total(fish) + sum(position.scores) == 100
    assert len(fish) == 60 - position.ply
    assert {piece.cell for piece in tiles} == {piece.cell for piece in fish + penguins}
    assert all(count <= 6 - position.game.players for count in Counter(piece.player for piece in penguins).values())


LAWS: dict[str, Callable[[palabre.Position], None]] = {
    "awele": awele_law,
    "awale": awale_law,
    "abalone": abalone_law,
    "avalam": avalam_law,
    "penguins": penguins_law,
}


@pytest.mark.parametrize("spec", all_specs())
@QUICK
@given(seed=st.integers(0, 9), choices=CHOICES)
def test_nothing_is_made_or_lost(spec: str, seed: int, choices: list[int]) -> None:
    for position in along(spec, seed, choices):
        LAWS[position.game.facts.name](position)


def change_seats(text: str) -> str:
    """Awélé with the players exchanged."""
    pits, stores, player, quiet = text.split(" ")
    sides = "/".join(reversed(pits.split("/")))
    return f"{sides} {','.join(reversed(stores.split(',')))} {3 - int(player)} {quiet}"


def turn_round(text: str) -> str:
    """Abalone turned by 180°."""
    board, rest = text.split(" ", 1)
    return f"{board[::-1]} {rest}"


def see_in_mirror(text: str) -> str:
    """Penguins with left and right exchanged."""
    board, penguins, rest = text.split(" ", 2)
    rows = board.split("/")

    def other(cell: str) -> str:
        return f"{cell[0]}{len(rows['abcdefgh'.index(cell[0])]) + 1 - int(cell[1])}"

    flocks = [
        "-" if flock == "-" else ",".join(sorted(other(cell) for cell in flock.split(",")))
        for flock in penguins.split("/")
    ]
    return f"{'/'.join(row[::-1] for row in rows)} {'/'.join(flocks)} {rest}"


SYMMETRIES = {"awele": change_seats, "abalone": turn_round, "penguins": see_in_mirror}


@pytest.mark.parametrize("spec", [spec for spec in all_specs() if spec.partition(":")[0] in SYMMETRIES])
@QUICK
@given(seed=st.integers(0, 9), choices=CHOICES)
def test_symmetric_positions_have_symmetric_futures(spec: str, seed: int, choices: list[int]) -> None:
    """All that can come next, seen the other way, is all that can come next of the position seen the other way."""
    position = palabre.game(spec).position(along(spec, seed, choices)[-1].text)
    other_way = SYMMETRIES[position.game.facts.name]
    twin = position.game.position(other_way(position.text))
    futures = [position.play(move).text for move in position.moves()]
    assert sorted(other_way(text) for text in futures) == sorted(twin.play(move).text for move in twin.moves())
    assert twin.scores == (position.scores[::-1] if other_way is change_seats else position.scores)
