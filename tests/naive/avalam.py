"""Avalam, the naive twin: the rules of RULES.md section 4 in their most obvious form, to check the fast ones.

A board is a mapping from cell name to tower; a cell without a tower is not in it, whether it never had one or lost it.
A tower is its owner and its height: the colours below the top one never matter, and the text does not tell them.

Choices that are easy to get wrong:
- row 1 is the top row, and the first of the text;
- `course`: own tower onto an enemy tower only; `official`: any tower onto any tower;
- towers of height 5 break a tie in `official` only;
- the ply is 48 minus the towers, so it need not fit the player to move in a position read from a text.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

COLUMNS = "abcdefghi"
ROWS = "123456789"
START = "..Aa...../.AaAa..../.aAaAaA../.AaAaAaAa/AaAa.aAaA/aAaAaAaA./..AaAaAa./....aAaA./.....aA.. 1"
LETTERS = ("ABCDE", "abcde")
HIGHEST = 5
CELLS_AT_START = 48


class Tower(NamedTuple):
    owner: int
    height: int


Board = Mapping[str, Tower]


def read_tower(letter: str) -> Tower:
    owner = 0 if letter in LETTERS[0] else 1
    return Tower(owner, LETTERS[owner].index(letter) + 1)


def tower_text(tower: Tower | None) -> str:
    return "." if tower is None else LETTERS[tower.owner][tower.height - 1]


def neighbours(cell: str) -> list[str]:
    """The cells of the nine by nine grid around this one, holes included."""
    column, row = COLUMNS.index(cell[0]), ROWS.index(cell[1])
    return [
        COLUMNS[other_column] + ROWS[other_row]
        for other_row in (row - 1, row, row + 1)
        for other_column in (column - 1, column, column + 1)
        if (other_column, other_row) != (column, row) and 0 <= other_column < 9 and 0 <= other_row < 9
    ]


@dataclass(frozen=True)
class Position:
    preset: str
    board: Board
    to_move: int

    @classmethod
    def start(cls, preset: str = "course", **options: int | str) -> "Position":
        return cls.from_text(START, preset, **options)

    @classmethod
    def from_text(cls, text: str, preset: str = "course", **options: int | str) -> "Position":
        if preset not in ("course", "official") or options:
            raise ValueError(f"avalam has the presets course and official, without parameters, not {preset} {options}")
        grid, player = text.split()
        board = {
            column + row: read_tower(letter)
            for row, letters in zip(ROWS, grid.split("/"), strict=True)
            for column, letter in zip(COLUMNS, letters, strict=True)
            if letter != "."
        }
        return cls(preset, board, int(player) - 1)

    @property
    def text(self) -> str:
        rows = ["".join(tower_text(self.board.get(column + row)) for column in COLUMNS) for row in ROWS]
        return f"{'/'.join(rows)} {self.to_move + 1}"

    @property
    def ply(self) -> int:
        return CELLS_AT_START - len(self.board)

    @property
    def is_over(self) -> bool:
        return not self.moves()

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(sum(tower.owner == player for tower in self.board.values()) for player in (0, 1))

    @property
    def result(self) -> tuple[float, ...] | None:
        if not self.is_over:
            return None
        first, second = self.scores
        if first == second and self.preset == "official":
            first, second = self._highest_towers(0), self._highest_towers(1)
        if first == second:
            return (0.5, 0.5)
        return (1.0, 0.0) if first > second else (0.0, 1.0)

    def _highest_towers(self, player: int) -> int:
        return sum(tower == Tower(player, HIGHEST) for tower in self.board.values())

    def moves(self) -> list[str]:
        return [
            origin + target
            for origin in self.board
            for target in neighbours(origin)
            if target in self.board and self._may_move(self.board[origin], self.board[target])
        ]

    def _may_move(self, moved: Tower, covered: Tower) -> bool:
        if moved.height + covered.height > HIGHEST:
            return False
        return self.preset == "official" or (moved.owner == self.to_move and covered.owner != self.to_move)

    def play(self, move: str) -> "Position":
        origin, target = move[:2], move[2:]
        board = dict(self.board)
        moved = board.pop(origin)
        board[target] = Tower(moved.owner, moved.height + board[target].height)
        return replace(self, board=board, to_move=1 - self.to_move)
