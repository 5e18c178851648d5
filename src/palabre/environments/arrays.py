"""A position as NumPy arrays, for any game: what its `view` shows as dense planes, and what the rules say of it.

A plane has a number for each cell: how much of one kind of thing lies there. Which planes a game has is found in fixed
random games, so it is the same in every process. What those games have not shown goes to the last plane.
"""

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from palabre.core import verbs
from palabre.core.board import Piece
from palabre.core.game import Game
from palabre.core.given import given_instance, given_position
from palabre.core.position import Position
from palabre.evaluation.positions import fixed_positions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NUMBERED = "label"  # the kind of piece that is nothing but its text
OTHER = "other"  # the kind of the last plane


class Plane(NamedTuple):
    """What a plane counts: the `Piece`s of a game's `view` that agree in all of this."""

    kind: str  # as in `Piece`, or "other"
    seat: int | None = None  # of its owner, or of its cell's: 0 is the player to move, 1 the next; None if it has none
    colour: str = ""  # of seeds
    text: str = ""  # on the piece
    mark: str = ""  # "faded" or "settled", where pieces are that


class Planes(NamedTuple):
    """The dense planes of a game, as `arrays` fills them."""

    planes: tuple[Plane, ...]  # what each counts; the last one takes what fits no other
    cells: tuple[str, ...]  # the names of the cells, as `view` lists them
    places: tuple[tuple[float, float], ...]  # x to the right and y down, for each cell


class Arrays(NamedTuple):
    """A position as NumPy arrays, seen by the player to move where that is said."""

    planes: "NDArray[np.float32]"  # planes × cells, as `planes(game)` lists both; seen by the player to move
    features: "NDArray[np.int32]"  # the numbers of its features, for a net; seen by the player to move
    legal: "NDArray[np.bool_]"  # for every code of a move, whether it is legal
    to_move: int  # the player
    scores: "NDArray[np.int64]"  # of player 0, 1, …


def planes(game: Game) -> Planes:
    """The dense planes of a game: what each counts, and the cells."""
    given_instance("planes", game, Game, "palabre.game(SPEC) is one")
    return _shape(game).planes


def arrays(position: Position) -> Arrays:
    """A position as NumPy arrays: planes of what lies where, features, legal moves, the player to move and the scores.

    `planes(game)` says what the planes are. A game has features if its author has written them; planes it always has.
    """
    import numpy as np

    given_position("arrays", position)
    game, state = position.game, position.state
    rows = verbs.row_buffer(state)
    legal = np.zeros(game.rules.MOVE_CODES, np.bool_)
    legal[[move.code for move in position.moves()]] = True
    return Arrays(
        dense(position),
        np.array(rows[: verbs.features(state, rows)], np.int32),
        legal,
        position.to_move,
        np.array(position.scores, np.int64),
    )


def dense(position: Position, seat: int | None = None) -> "NDArray[np.float32]":
    """The planes of a position, seen by the player in a seat; without one, by the player to move."""
    import numpy as np

    game = position.game
    shape = _shape(game)
    filled = np.zeros((len(shape.rows) + 1, len(shape.columns)), np.float32)
    viewer = position.to_move if seat is None else seat
    for piece in game.view.pieces(position.state):
        owner = _owner(piece, shape.owners)
        plane = _plane(piece, None if owner is None else (owner - viewer) % game.players)
        filled[shape.rows.get(plane, len(shape.rows)), shape.columns[piece.cell]] += _amount(piece)
    return filled


class _Shape(NamedTuple):
    """The planes of a game, where each plane and each cell is in the array, and whose the cells are."""

    planes: Planes
    rows: dict[Plane, int]  # without the last plane
    columns: dict[str, int]
    owners: dict[str, int | None]


@cache
def _shape(game: Game) -> _Shape:
    cells = game.view.cells(game.options)
    owners = {cell.name: cell.owner for cell in cells}
    seen: set[Plane] = set()
    for state in (game.start().state, *fixed_positions(game)):
        for piece in game.view.pieces(state):
            # If one player has such a thing, all may have it.
            is_owned = _owner(piece, owners) is not None
            seen.update(_plane(piece, seat if is_owned else None) for seat in range(game.players))
    ordered = sorted(seen, key=lambda plane: (plane.kind, -1 if plane.seat is None else plane.seat, *plane[2:]))
    return _Shape(
        Planes((*ordered, Plane(OTHER)), tuple(owners), tuple((cell.x, cell.y) for cell in cells)),
        {plane: row for row, plane in enumerate(ordered)},
        {cell: column for column, cell in enumerate(owners)},
        owners,
    )


def _owner(piece: Piece, owners: Mapping[str, int | None]) -> int | None:
    """The player who owns a piece, or the cell that it lies on."""
    return owners[piece.cell] if piece.player is None else piece.player


def _plane(piece: Piece, seat: int | None) -> Plane:
    mark = "faded" if piece.faded else "settled" if piece.settled else ""
    text = "" if piece.kind == NUMBERED and _is_number(piece.text) else piece.text
    return Plane(piece.kind, seat, piece.colour, text, mark)


def _amount(piece: Piece) -> int:
    """How much a piece adds to its plane: its pieces, a tower its counters, a label its number."""
    if piece.kind == NUMBERED and _is_number(piece.text):
        return int(piece.text)
    return piece.count * piece.height


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()
