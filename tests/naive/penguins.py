"""Penguins, naive twin: a dict from tile names to fish, every rule spelled out; written from RULES.md section 5 only.

Rule choices that are odd:

- A penguin takes its tile's fish when it arrives, placement included; the tile goes only when the penguin leaves. So a
  dead penguin stays, with its tile, as an obstacle and in the text.
- A player who cannot move is skipped, in a text as after a move: the player to move is the first in turn who can. In an
  ended game it is simply the next in turn, in a text the one given.
- Nobody is skipped and nothing ends before every penguin stands, even if those placed so far are shut in.
- The number of players is that of the text; the option `players` only repeats it.
- There is no `start`: boards are random and come from the fast program as text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

SEVEN_ROWS = "aceg"
ROWS = {letter: range(1, 8) if letter in SEVEN_ROWS else range(1, 9) for letter in "abcdefgh"}
TILES = [f"{letter}{number}" for letter in ROWS for number in ROWS[letter]]
DIRECTIONS = ["w", "e", "nw", "ne", "sw", "se"]
PENGUINS_EACH = {2: 4, 3: 3, 4: 2}


def neighbour(tile: str, direction: str) -> str | None:
    """The next tile in that direction, None beyond the edge."""
    row, column = tile[0], int(tile[1])
    if direction == "w":
        column -= 1
    elif direction == "e":
        column += 1
    else:
        # The rows of seven are indented, so their tiles lie between two columns of the rows of eight.
        west = column if row in SEVEN_ROWS else column - 1
        column = west if direction.endswith("w") else west + 1
        row = chr(ord(row) - 1) if direction.startswith("n") else chr(ord(row) + 1)
    name = f"{row}{column}"
    return name if name in TILES else None


def shares(ranks: list[tuple[int, int]]) -> tuple[float, ...]:
    """One divided among all who have the highest rank."""
    best = max(ranks)
    return tuple(1 / ranks.count(best) if rank == best else 0.0 for rank in ranks)


@dataclass(frozen=True)
class Position:
    """A position; `fish` has the tiles still there, `taken` counts the tiles each player's penguins ever stood on."""

    fish: Mapping[str, int]
    penguins: tuple[tuple[str, ...], ...]
    scores: tuple[int, ...]
    taken: tuple[int, ...]
    to_move: int

    @classmethod
    def from_text(cls, text: str, preset: str = "course", **options: int | str) -> Position:
        rows, penguins, scores, taken, player = text.split()
        digits = dict(zip(TILES, rows.replace("/", ""), strict=True))
        position = cls(
            fish={tile: int(digit) for tile, digit in digits.items() if digit != "0"},
            penguins=tuple(() if names == "-" else tuple(names.split(",")) for names in penguins.split("/")),
            scores=tuple(int(number) for number in scores.split(",")),
            taken=tuple(int(number) for number in taken.split(",")),
            to_move=int(player) - 1,
        )
        return position._skip_the_unable()

    @property
    def text(self) -> str:
        rows = "/".join("".join(str(self.fish.get(f"{row}{column}", 0)) for column in ROWS[row]) for row in ROWS)
        penguins = "/".join(",".join(tiles) or "-" for tiles in self.penguins)
        scores = ",".join(str(number) for number in self.scores)
        taken = ",".join(str(number) for number in self.taken)
        return f"{rows} {penguins} {scores} {taken} {self.to_move + 1}"

    @property
    def ply(self) -> int:
        return sum(self.taken)

    @property
    def is_over(self) -> bool:
        return not any(self._moves_of(player) for player in range(len(self.penguins)))

    @property
    def result(self) -> tuple[float, ...] | None:
        if not self.is_over:
            return None
        return shares(list(zip(self.scores, self.taken, strict=True)))

    def moves(self) -> list[str]:
        return self._moves_of(self.to_move)

    def play(self, move: str) -> Position:
        origin, target = move[:-2], move[-2:]
        player = self.to_move
        # A placement has no origin: nothing is removed.
        standing = [tile for tile in self.penguins[player] if tile != origin]
        position = Position(
            fish={tile: fish for tile, fish in self.fish.items() if tile != origin},
            penguins=(*self.penguins[:player], tuple(sorted((*standing, target))), *self.penguins[player + 1 :]),
            scores=self._with_added(self.scores, self.fish[target]),
            taken=self._with_added(self.taken, 1),
            to_move=(player + 1) % len(self.penguins),
        )
        return position._skip_the_unable()

    def _skip_the_unable(self) -> Position:
        """The same position with the turn given to the first player from `to_move` on who has a move, if any has."""
        count = len(self.penguins)
        for player in [(self.to_move + step) % count for step in range(count)]:
            if self._moves_of(player):
                return replace(self, to_move=player)
        return self

    def _with_added(self, numbers: tuple[int, ...], more: int) -> tuple[int, ...]:
        return tuple(number + more if player == self.to_move else number for player, number in enumerate(numbers))

    def _is_free(self, tile: str) -> bool:
        return tile in self.fish and not any(tile in tiles for tiles in self.penguins)

    def _moves_of(self, player: int) -> list[str]:
        """What the player could do if it were his turn."""
        each = PENGUINS_EACH[len(self.penguins)]
        if any(len(tiles) < each for tiles in self.penguins):
            return self._placements() if len(self.penguins[player]) < each else []
        return [
            tile + target
            for tile in self.penguins[player]
            for direction in DIRECTIONS
            for target in self._slide(tile, direction)
        ]

    def _placements(self) -> list[str]:
        return [tile for tile in TILES if self.fish.get(tile) == 1 and self._is_free(tile)]

    def _slide(self, tile: str, direction: str) -> list[str]:
        """The tiles that a penguin can reach from tile in that direction."""
        reached = []
        following = neighbour(tile, direction)
        while following is not None and self._is_free(following):
            reached.append(following)
            following = neighbour(following, direction)
        return reached
