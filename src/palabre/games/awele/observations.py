"""Awélé's files of observations, as the course has them: `J1,…,J6,A1,…,A6,C,R`.

`J1`…`J6` are the pits of the player to move and `A1`…`A6` those of the opponent, each in sowing order, `C1`…`C6` the
pit that was played, and `G` (gagné) or `P` (perdu) whether that player won the game. A row says neither who began nor
who has taken the seeds that are missing. A position by itself is then one of player 1, with the missing seeds shared
between the players; a game that is whole from its start has the right players and seeds.
"""

from palabre.author import BadCell, Cells, Form, Game, Move, PalabreError, Position, own_words
from palabre.games.awele.rules import PITS, SEEDS, STORE, State, rules_word, seeds_in

say = own_words(__file__)

CHOICES = tuple(f"C{pit}" for pit in range(1, PITS + 1))


class Course(Form):
    """The form of the course's file."""

    columns = tuple(f"{side}{pit}" for side in "JA" for pit in range(1, PITS + 1))
    move_column, result_column = "C", "R"
    won, lost = "G", "P"

    def position_to_cells(self, position: Position) -> Cells:
        state = position.state
        return tuple(str(seeds_in(side, pit)) for side in (state.own, state.other) for pit in range(PITS))

    def cells_to_position(self, cells: Cells, game: Game) -> Position:
        pits = [self._seeds(column, cell) for column, cell in zip(self.columns, cells, strict=True)]
        if sum(pits) > SEEDS:
            first, last = self.columns[0], self.columns[-1]
            raise PalabreError(say("observations.total", total=sum(pits), seeds=SEEDS, first=first, last=last))
        missing = SEEDS - sum(pits)
        stores = missing - missing // 2, missing // 2
        own, other = (
            sum(seeds << 8 * pit for pit, seeds in enumerate(pits[PITS * side :][:PITS])) + (stores[side] << STORE)
            for side in (0, 1)
        )
        return Position.first(game, State(own, other, 0, 0, rules_word(game.options)))

    def _seeds(self, column: str, cell: str) -> int:
        if not (cell.isascii() and cell.isdigit() and len(cell) <= 2 and int(cell) <= SEEDS):
            raise BadCell(column, cell, say("observations.seeds", seeds=SEEDS))
        return int(cell)

    def move_to_cell(self, position: Position, move: Move) -> str:
        return CHOICES[move.code]

    def cell_to_move(self, cell: str, position: Position) -> Move:
        if cell not in CHOICES:
            raise BadCell(self.move_column, cell, say("observations.choice", first=CHOICES[0], last=CHOICES[-1]))
        return position.move("ABCDEF"[CHOICES.index(cell)])


OBSERVATIONS = Course()
