"""Abalone, naive twin: a dict from cell names to players, every rule spelled out; written from RULES.md section 3 only.

Rule choices that are odd:

- `course` has no side-steps, stops after 50 plies in all, and breaks a tie in marbles lost by the smaller sum of hex
  distances to the centre; `official` leaves that tie a draw.
- `suicide=yes` (`course` only) lets a group of 1-3 push its own front marble off the board. That marble counts as lost
  like any other, so a player can end the game, and lose it, by his own move.
- Scores are enemy marbles off the board, whoever pushed them off.
- A text may show both sides with six or more marbles lost: the game is over and fewer lost wins, as at the ply limit.
- RULES.md has no end rule for a player who is blocked: the game is over then, decided as at the ply limit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

ROWS = {
    "i": range(5, 10),
    "h": range(4, 10),
    "g": range(3, 10),
    "f": range(2, 10),
    "e": range(1, 10),
    "d": range(1, 9),
    "c": range(1, 8),
    "b": range(1, 7),
    "a": range(1, 6),
}
CELLS = [f"{letter}{number}" for letter in ROWS for number in ROWS[letter]]

# (letter step, number step)
DIRECTIONS = {"e": (0, 1), "w": (0, -1), "nw": (1, 0), "se": (-1, 0), "ne": (1, 1), "sw": (-1, -1)}
OPPOSITE = {"e": "w", "w": "e", "nw": "se", "se": "nw", "ne": "sw", "sw": "ne"}
# The directions that lead to a cell later in reading order (letter, then number).
FORWARD = ["e", "nw", "ne"]

LAYOUTS = {
    "classic": "11111/111111/..111../......../........./......../..222../222222/22222",
    "alien": "2.2.2/.2112./.21212./...22.../........./...11.../.12121./.1221./1.1.1",
    "belgian-daisy": "11.22/111222/.11.22./......../........./......../.22.11./222111/22.11",
    "german-daisy": "...../11..22/111.222/.11..22./........./.22..11./222.111/22..11/.....",
}
DEFAULT_TURNS = {"course": 50, "official": 400}
MARBLES = 14
LOST_TO_END = 6
LARGEST_GROUP = 3


@cache
def neighbour(cell: str, direction: str) -> str | None:
    """The next cell in that direction, None beyond the edge."""
    letter_step, number_step = DIRECTIONS[direction]
    name = chr(ord(cell[0]) + letter_step) + str(int(cell[1]) + number_step)
    return name if name in CELLS else None


def line_from(cell: str, direction: str) -> list[str]:
    """The cell and all that follow it in that direction, up to the edge."""
    line = [cell]
    while (following := neighbour(line[-1], direction)) is not None:
        line.append(following)
    return line


def direction_between(cell: str, target: str) -> str:
    """The direction in which the line from cell meets target."""
    return next(direction for direction in DIRECTIONS if target in line_from(cell, direction)[1:])


def distance_to_centre(cell: str) -> int:
    """Steps from the cell to e5."""
    letters, numbers = ord(cell[0]) - ord("e"), int(cell[1]) - 5
    # One diagonal step changes letter and number together, so only their difference costs extra steps.
    return max(abs(letters), abs(numbers), abs(letters - numbers))


def leading(player: int, contents: list[int | None]) -> int:
    """How many marbles of the player stand in a row at the beginning of contents."""
    count = 0
    while count < len(contents) and contents[count] == player:
        count += 1
    return count


@dataclass(frozen=True)
class Position:
    """A position with the rules it is played by; `marbles` has the occupied cells only."""

    marbles: Mapping[str, int]
    to_move: int
    ply: int
    preset: str
    turns: int
    suicide: bool

    @classmethod
    def start(cls, preset: str = "course", **options: int | str) -> Position:
        layout = LAYOUTS[str(options.get("layout", "classic"))]
        return cls.from_text(f"{layout} 1 0", preset, **options)

    @classmethod
    def from_text(cls, text: str, preset: str = "course", **options: int | str) -> Position:
        rows, player, ply = text.split()
        signs = dict(zip(CELLS, rows.replace("/", ""), strict=True))
        return cls(
            marbles={cell: int(sign) - 1 for cell, sign in signs.items() if sign != "."},
            to_move=int(player) - 1,
            ply=int(ply),
            preset=preset,
            turns=int(options.get("turns", DEFAULT_TURNS[preset])),
            suicide=options.get("suicide", "no") == "yes",
        )

    @property
    def text(self) -> str:
        rows = ["".join(self._sign(f"{letter}{number}") for number in ROWS[letter]) for letter in ROWS]
        return f"{'/'.join(rows)} {self.to_move + 1} {self.ply}"

    @property
    def is_over(self) -> bool:
        return self._is_decided or not self._possible_moves()

    @property
    def scores(self) -> tuple[int, ...]:
        return self._lost(1), self._lost(0)

    @property
    def result(self) -> tuple[float, ...] | None:
        if not self.is_over:
            return None
        first, second = self._lost(0), self._lost(1)
        if first == second and self.preset == "course":
            first, second = self._distance_sum(0), self._distance_sum(1)
        if first == second:
            return 0.5, 0.5
        return (1.0, 0.0) if first < second else (0.0, 1.0)

    def moves(self) -> list[str]:
        return [] if self._is_decided else self._possible_moves()

    def play(self, move: str) -> Position:
        first, rest = move[:2], move[2:]
        if rest in DIRECTIONS:
            marbles = self._after_push(first, rest)
        elif len(rest) == 2:
            marbles = self._after_push(first, direction_between(first, rest))
        else:
            marbles = self._after_side_step(first, rest[:2], rest[2:])
        return Position(marbles, 1 - self.to_move, self.ply + 1, self.preset, self.turns, self.suicide)

    @property
    def _is_decided(self) -> bool:
        return max(self._lost(0), self._lost(1)) >= LOST_TO_END or self.ply >= self.turns

    def _possible_moves(self) -> list[str]:
        """The moves that the marbles can make, whether or not the game is over."""
        own = [cell for cell, player in self.marbles.items() if player == self.to_move]
        found = [
            rear + (neighbour(rear, direction) or direction)
            for rear in own
            for direction in DIRECTIONS
            if self._may_push(rear, direction)
        ]
        if self.preset == "official":
            for first in own:
                found += self._side_steps(first)
        return found

    def _sign(self, cell: str) -> str:
        return str(self.marbles[cell] + 1) if cell in self.marbles else "."

    def _lost(self, player: int) -> int:
        return MARBLES - list(self.marbles.values()).count(player)

    def _distance_sum(self, player: int) -> int:
        return sum(distance_to_centre(cell) for cell, owner in self.marbles.items() if owner == player)

    def _may_push(self, rear: str, direction: str) -> bool:
        """Whether the group whose rearmost marble is on rear may step along its line."""
        contents = [self.marbles.get(cell) for cell in line_from(rear, direction)]
        group = leading(self.to_move, contents)
        if group > LARGEST_GROUP:
            return False
        ahead = contents[group:]
        if not ahead:
            return self.suicide
        enemies = leading(1 - self.to_move, ahead)
        behind = ahead[enemies:]
        return enemies < group and (not behind or behind[0] is None)

    def _side_steps(self, first: str) -> list[str]:
        """The side-steps of the groups whose end that is earlier in reading order is first."""
        found = []
        for axis in FORWARD:
            line = line_from(first, axis)
            own = leading(self.to_move, [self.marbles.get(cell) for cell in line])
            for size in range(2, min(LARGEST_GROUP, own) + 1):
                for direction in DIRECTIONS:
                    if direction not in (axis, OPPOSITE[axis]) and self._all_free(line[:size], direction):
                        found.append(f"{first}{line[size - 1]}{neighbour(first, direction)}")
        return found

    def _all_free(self, group: list[str], direction: str) -> bool:
        targets = [neighbour(cell, direction) for cell in group]
        return all(target is not None and target not in self.marbles for target in targets)

    def _after_push(self, rear: str, direction: str) -> dict[str, int]:
        """Every marble from rear on takes the next cell, up to the first gap; one that finds no cell is lost."""
        marbles = dict(self.marbles)
        carried = marbles.pop(rear)
        for cell in line_from(rear, direction)[1:]:
            met = marbles.get(cell)
            marbles[cell] = carried
            if met is None:
                break
            carried = met
        return marbles

    def _after_side_step(self, first: str, last: str, target: str) -> dict[str, int]:
        line = line_from(first, direction_between(first, last))
        group = line[: line.index(last) + 1]
        direction = direction_between(first, target)
        marbles = {cell: player for cell, player in self.marbles.items() if cell not in group}
        for cell in group:
            # A legal side-step never leads off the board.
            marbles[neighbour(cell, direction) or ""] = self.to_move
        return marbles
