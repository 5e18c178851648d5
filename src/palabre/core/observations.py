"""Observations: what a player played in a position and whether they won, as rows of a file, for bots that learn.

A file of observations is CSV with a header: some columns for the position, one for the move, one for the result.
`Form` defines them. This one does for any game; a game with files of its own has `OBSERVATIONS = …`, in
`observations.py` of its folder or in its only file.

Rows need not be in order. Two rows belong to one game if the move of the first makes the position of the second, and
their players are opponents. So games are put together again as far as possible: an observation then knows its
game, and its position what the row left out, such as the score.
"""

import csv
import hashlib
import io
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from palabre.core.errors import PalabreError, UnreadableText
from palabre.core.files import errors_of_reading
from palabre.core.game import Game
from palabre.core.given import given_instance, given_path
from palabre.core.position import Move, Position
from palabre.core.record import Record
from palabre.core.words import Message, say

Cells = tuple[str, ...]  # of a row of a file


@dataclass(frozen=True)
class Observation:
    """A move that a player made in a finished game."""

    position: Position  # before the move
    move: Move
    won: bool
    cells: Cells  # the row as it is in the file
    game: int = 0  # the number of the game that it belongs to, as far as it is known


class BadCell(UnreadableText):
    """What is wrong with the value in one column."""

    def __init__(self, column: str, value: str, why: Message | str) -> None:
        super().__init__(say("observations.cell", column=column, value=value, why=why))


class Form:
    """What the rows of a file of observations look like. A game of its own form is a subclass of this one."""

    columns: tuple[str, ...] = ("position",)
    move_column, result_column = "move", "result"
    won, lost = "won", "lost"  # the two results

    @property
    def header(self) -> Cells:
        """The first line of a file."""
        return (*self.columns, self.move_column, self.result_column)

    def position_to_cells(self, position: Position) -> Cells:
        """A position as the first cells of a row."""
        return (position.text,)

    def cells_to_position(self, cells: Cells, game: Game) -> Position:
        """The position in the first cells of a row; raises `BadCell` if one is wrong."""
        try:
            return game.position(cells[0])
        except PalabreError as error:
            raise BadCell(self.columns[0], cells[0], error.message) from error

    def move_to_cell(self, position: Position, move: Move) -> str:
        """A move as the last cell but one."""
        return move.text

    def cell_to_move(self, cell: str, position: Position) -> Move:
        """The move in the last cell but one; raises `PalabreError` if it is none."""
        return position.move(cell)

    def read(self, cells: Sequence[str], game: Game) -> Observation:
        """The observation in a row; raises `PalabreError` if the row is wrong."""
        row = tuple(cell.strip() for cell in cells)
        if len(row) != len(self.header):
            raise UnreadableText(say("observations.length", found=len(row), wanted=len(self.header)))
        *first, chosen, result = row
        position = self.cells_to_position(tuple(first), game)
        try:
            move = self.cell_to_move(chosen, position)
        except BadCell:
            raise
        except PalabreError as error:
            raise BadCell(self.move_column, chosen, error.message) from error
        if result not in (self.won, self.lost):
            raise BadCell(self.result_column, result, say("observations.result", won=self.won, lost=self.lost))
        return Observation(position, move, result == self.won, row)

    def write(self, position: Position, move: Move, won: bool) -> Observation:
        """An observation as it would be read."""
        cells = *self.position_to_cells(position), self.move_to_cell(position, move), self.won if won else self.lost
        return Observation(position, move, won, cells)


def form_of(game: Game) -> Form:
    """What a file of observations of a game looks like."""
    form: Form = getattr(game.part("observations"), "OBSERVATIONS", None) or Form()
    return form


# -------------------------------------------------------------------------------------------------------------- files


def read_observations(game: Game, file: Path) -> list[Observation]:
    """The observations in a file; an `UnreadableText` names the file, the line and the column that are wrong."""
    given_instance("read_observations", game, Game, "palabre.game(SPEC) is one")
    file = given_path("read_observations", file)
    with errors_of_reading(file):
        text = file.read_text(encoding="utf-8-sig")
    rows = [(number, cells) for number, cells in _rows(text, file) if any(cells)]
    form = form_of(game)
    header = [cell.strip() for cell in rows[0][1]] if rows else []
    if header != list(form.header):
        params = {"found": ",".join(header), "wanted": ",".join(form.header)}
        raise UnreadableText(say("observations.header", file=file, game=game.facts.name, **params))
    if len(rows) == 1:
        raise UnreadableText(say("observations.none", file=file))
    read = []
    for number, cells in rows[1:]:
        try:
            read.append(form.read(cells, game))
        except PalabreError as error:
            raise UnreadableText(say("observations.place", file=file, line=number, error=error.message)) from error
    return joined(read)


def _rows(text: str, file: Path) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text), strict=True)
    try:
        for cells in reader:
            yield reader.line_num, cells
    except csv.Error as error:
        raise UnreadableText(say("observations.place", file=file, line=reader.line_num, error=str(error))) from error


def observations_to_text(observations: Iterable[Observation], game: Game) -> str:
    """The text of a file of observations, which `read_observations` reads."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(form_of(game).header)
    writer.writerows(observation.cells for observation in observations)
    return out.getvalue()


def observed(record: Record) -> list[Observation]:
    """The observations in a game on record. There are none in a game that is drawn, unfinished or forfeited.

    The moves of a drawn opening are no player's choice, and left out.
    """
    last = record.positions()[-1]
    if last.result is None or 1.0 not in last.result:
        return []
    form = form_of(record.game)
    opening = int(record.tags.get("Opening", "0").split()[0])
    positions = record.positions()
    return [
        form.write(here, here.move(text), last.result[here.to_move] == 1.0)
        for here, text in list(zip(positions, record.moves, strict=False))[opening:]
    ]


def observe(records: Sequence[Record]) -> list[list[Observation]]:
    """The observations in each of these games of one kind that has a winner; a `PalabreError` if there are none."""
    for record in records:
        given_instance("observe", record, Record, "palabre.read_records(Path(FILE)) returns some")
    others = [record.game.spec for record in records if record.game != records[0].game]
    if others:
        raise PalabreError(say("observations.mixed", game=records[0].game.spec, other=others[0]))
    games = [observations for record in records if (observations := observed(record))]
    if not games:
        raise PalabreError(say("observations.nobody_won", games=len(records)))
    return games


# --------------------------------------------------------------------------------------------------- as data, as games


def from_cells(game: Game, rows: Iterable[Sequence[str]]) -> list[Observation]:
    """Observations from their rows, which have been read before."""
    form = form_of(game)
    return joined([form.read(cells, game) for cells in rows])


def digest(observations: Iterable[Observation]) -> str:
    """A digest of the rows, in their order."""
    total = hashlib.sha256()
    for observation in observations:
        total.update("\0".join(observation.cells).encode() + b"\n")
    return total.hexdigest()[:16]


def joined(observations: Sequence[Observation]) -> list[Observation]:
    """The same observations in the same order, with the numbers of their games, and with positions as played there."""
    if not observations:
        return []
    game = observations[0].position.game
    form = form_of(game)
    following = _following(observations, form)
    followers = set(following.values())
    start = game.start()
    first_cells = form.position_to_cells(start)
    rows = list(observations)
    number = 0
    visited: set[int] = set()
    # A row that follows no other begins a game. What is left then goes round in circles, and is cut anywhere.
    heads = [place for place in range(len(rows)) if place not in followers]
    for head in (*heads, *(place for place in range(len(rows)) if place in followers)):
        if head in visited:
            continue
        number += 1
        place: int | None = head
        is_start = rows[head].cells[:-2] == first_cells and not game.has_random_start
        played = start if is_start else rows[head].position
        while place is not None and place not in visited:
            visited.add(place)
            here = rows[place]
            move = next((legal for legal in played.moves() if legal.code == here.move.code), None)
            # By the true score the game may have been over earlier, if other rows belong here.
            position, move = (here.position, here.move) if move is None else (played, move)
            rows[place] = replace(here, position=position, move=move, game=number)
            played = position.play(move)
            place = following.get(place)
    return rows


def _following(observations: Sequence[Observation], form: Form) -> dict[int, int]:
    """For each row the one that continues its game, if there is one: most often the next."""
    by_position: defaultdict[tuple[Cells, bool], list[int]] = defaultdict(list)
    for place, here in enumerate(observations):
        by_position[here.cells[:-2], here.won].append(place)
    free = dict.fromkeys(range(len(observations)), True)
    following: dict[int, int] = {}
    wishes: list[tuple[int, list[int]]] = []
    for place, here in enumerate(observations):
        after = here.position.play(here.move)
        wins = {here.won} if after.to_move == here.position.to_move else {not here.won}
        if after.game.players > 2 and not here.won:
            wins = {True, False}
        cells = form.position_to_cells(after)
        candidates = [other for won in wins for other in by_position.get((cells, won), ())]
        if place + 1 in candidates:
            following[place] = place + 1
            free[place + 1] = False
        elif candidates:
            wishes.append((place, candidates))
    # All that make the same position have the same candidates, so any choice pairs as many as can be paired.
    for place, candidates in wishes:
        chosen = next((other for other in candidates if free[other]), None)
        if chosen is not None:
            following[place], free[chosen] = chosen, False
    return following
