"""What a move does, as facts, for any game: its stages, the cells that it touches, and its sayings.

A game may define these itself, by `story` and `tell` in its `view.py`. For others, it compares the pieces.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, TypedDict

from palabre.core import verbs
from palabre.core.board import Piece, Saying, Stage, Travel
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.draw.layout import layout
from palabre.draw.looks import pieces_of


class Touched(TypedDict):
    """The cells of a move, by their numbers: where something left for good, and where something came to lie."""

    origins: list[int]
    targets: list[int]


class _Likeness(NamedTuple):
    """What makes two pieces the same piece at two places."""

    kind: str
    player: int | None
    colour: str
    height: int
    text: str


def stages(before: Position, after: Position) -> list[Stage]:
    """The stages of the last move of `after`, which was played in `before`.

    What an ending hands out is a stage of its own, since a game's own story ends with the move.
    """
    view = after.game.view
    own = getattr(view, "story", None)
    own_stages = list(own(before.state, after.played[-1].code)) if own else []
    reached = own_stages[-1].pieces if own_stages else pieces_of(before)
    stores = {cell.name for cell in layout(after.game).cells if cell.store}
    return [*own_stages, *_difference(reached, pieces_of(after), stores)]


def before_last(position: Position) -> Position | None:
    """The position before the last move, or None if none has been played."""
    if position.first_state is None:
        return None
    here = Position.first(position.game, position.first_state)
    for move in position.played[:-1]:
        here = replace(here, state=verbs.play(here.state, move.code), ply=here.ply + 1, played=(*here.played, move))
    return here


def last_move(position: Position) -> Touched:
    """The cells that the last move touched; none if no move has been played."""
    before = before_last(position)
    return Touched(origins=[], targets=[]) if before is None else touched(position.game, stages(before, position))


def touched(game: Game, stages: Sequence[Stage]) -> Touched:
    """The cells that a move touched, by its stages. Stores are not among them."""
    number = {cell.name: at for at, cell in enumerate(layout(game).cells) if not cell.store}
    onto = [travel for stage in stages for travel in stage.travels if travel.to in number]
    targets = {number[travel.to] for travel in onto}
    origins = {number[travel.piece.cell] for travel in onto if travel.piece.cell in number} - targets
    return Touched(origins=sorted(origins), targets=sorted(targets))


def sayings(before: Position, after: Position) -> list[Saying]:
    """What the last move of `after` did, in facts; the ids are in the table of `core/board.py`."""
    view, move = after.game.view, after.played[-1]
    own = getattr(view, "tell", None)
    own_sayings = (
        list(own(before.state, move.code)) if own else [Saying("plays", {"player": before.to_move, "move": move.text})]
    )
    return [*own_sayings, *_collected(before, after)]


def _collected(before: Position, after: Position) -> Iterator[Saying]:
    """What an ending has put into the stores of players."""
    state = verbs.play(before.state, after.played[-1].code)
    if state == after.state:
        return
    for cell in layout(after.game).cells:
        if cell.store and cell.owner is not None:
            had, has = (_held(after.game.view.pieces(each), cell.name) for each in (state, after.state))
            if has > had:
                things = after.game.facts.unit
                yield Saying("collects", {"player": cell.owner, "count": has - had, "things": things})


def _held(pieces: list[Piece], cell: str) -> int:
    return sum(piece.count for piece in pieces if piece.cell == cell)


def _difference(before: list[Piece], after: list[Piece], stores: set[str]) -> list[Stage]:
    """One stage that leads from some pieces to others, or none if it would show nothing.

    A piece that is gone in one cell and new in another has travelled. One that is replaced in its cell by another of
    its kind has been turned, and goes nowhere. What is gone where something of its kind is new in a store was taken.
    """
    if before == after:
        return []
    old, new = _counted(before), _counted(after)
    lost, gained = old - new, new - old
    travels = []
    for same in (True, False):
        for cell, what in list(lost):
            for goal, other in list(gained):
                matches = what == other if same else what.kind == other.kind and (goal == cell or goal in stores)
                count = min(lost[cell, what], gained[goal, other])
                if matches and count > 0:
                    lost[cell, what] -= count
                    gained[goal, other] -= count
                    if goal != cell:
                        travels.append(Travel(_piece(cell, what, count), goal))
    travels += [Travel(_piece(cell, what, count), "") for (cell, what), count in lost.items() if count]
    travels += [Travel(_piece("", what, count), goal) for (goal, what), count in gained.items() if count]
    return [Stage(travels, after)]


def _counted(pieces: list[Piece]) -> Counter[tuple[str, _Likeness]]:
    counts: Counter[tuple[str, _Likeness]] = Counter()
    for piece in pieces:
        counts[piece.cell, _Likeness(piece.kind, piece.player, piece.colour, piece.height, piece.text)] += piece.count
    return counts


def _piece(cell: str, what: _Likeness, count: int) -> Piece:
    return Piece(cell, what.kind, what.player, count, what.text, what.colour, height=what.height)
