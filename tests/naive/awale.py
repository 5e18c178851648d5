"""Awalé with three colours, the naive twin: RULES.md section 2 in its most obvious form, to check the fast rules.

A hole is a string with one letter a seed: `r` red, `b` blue, `t` transparent. The kind of a move, `r`, `b`, `tr` or
`tb`, lists the colours taken in the order in which they are sown; its last letter is the colour that it is played as.

Choices that are easy to get wrong:
- `tr` and `tb` need a transparent seed, not a coloured one; in a hole of transparent seeds only they are two moves;
- blue play goes by the owner of the holes, whatever the colour of the seeds sown;
- the capture goes round the ring over any hole with 2 or 3 seeds: the mover's own, the origin, holes not sown;
- a player to move without a seed leaves all seeds to the other; but with fewer than 10 seeds on the board the game is
  over before that is looked at, and they go to nobody.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

HOLES = range(1, 17)
COLOURS = "rbt"
KINDS = ("r", "b", "tr", "tb")
MAJORITY = 49
FEWEST_SEEDS = 10
LAST_PLY = 400
START = "/".join("2.2.2" for _ in HOLES) + " 0,0 1 0"

Board = Mapping[int, str]


def owner(hole: int) -> int:
    return 0 if hole % 2 == 1 else 1


def hole_after(hole: int) -> int:
    return 1 if hole == 16 else hole + 1


def hole_before(hole: int) -> int:
    return 16 if hole == 1 else hole - 1


def seeds_of(board: Board, player: int) -> int:
    return sum(len(board[hole]) for hole in HOLES if owner(hole) == player)


def read_move(move: str) -> tuple[int, str]:
    number = move.rstrip(COLOURS)
    return int(number), move.removeprefix(number)


def read_hole(text: str) -> str:
    return "".join(colour * int(count) for colour, count in zip(COLOURS, text.split("."), strict=True))


def hole_text(seeds: str) -> str:
    return ".".join(str(seeds.count(colour)) for colour in COLOURS)


def is_sown(hole: int, origin: int, played_as: str) -> bool:
    if played_as == "b":
        return owner(hole) != owner(origin)
    return hole != origin


def sow(board: Board, origin: int, kind: str) -> tuple[dict[int, str], int]:
    """The board after sowing, before any capture, and the hole of the last seed."""
    hand = "".join(colour * board[origin].count(colour) for colour in kind)
    sown = dict(board)
    sown[origin] = "".join(seed for seed in board[origin] if seed not in kind)
    hole = origin
    for seed in hand:
        hole = hole_after(hole)
        while not is_sown(hole, origin, played_as=kind[-1]):
            hole = hole_after(hole)
        sown[hole] += seed
    return sown, hole


@dataclass(frozen=True)
class Position:
    board: Board
    scores: tuple[int, ...]
    to_move: int
    ply: int
    is_over: bool = False

    @classmethod
    def start(cls, preset: str = "course", **options: int | str) -> "Position":
        return cls.from_text(START, preset, **options)

    @classmethod
    def from_text(cls, text: str, preset: str = "course", **options: int | str) -> "Position":
        if preset != "course" or options:
            raise ValueError(f"awale has only the preset course, without parameters, not {preset} {options}")
        holes, taken, player, ply = text.split()
        return cls(
            board=dict(zip(HOLES, map(read_hole, holes.split("/")), strict=True)),
            scores=tuple(map(int, taken.split(","))),
            to_move=int(player) - 1,
            ply=int(ply),
        ).with_end_rules_applied()

    @property
    def text(self) -> str:
        holes = "/".join(hole_text(self.board[hole]) for hole in HOLES)
        taken = ",".join(map(str, self.scores))
        return f"{holes} {taken} {self.to_move + 1} {self.ply}"

    @property
    def result(self) -> tuple[float, ...] | None:
        if not self.is_over:
            return None
        first, second = self.scores
        if first == second:
            return (0.5, 0.5)
        return (1.0, 0.0) if first > second else (0.0, 1.0)

    def moves(self) -> list[str]:
        if self.is_over:
            return []
        own_holes = [hole for hole in HOLES if owner(hole) == self.to_move]
        # The first letter of the kind is the colour that the move needs: transparent for tr and tb.
        return [f"{hole}{kind}" for hole in own_holes for kind in KINDS if kind[0] in self.board[hole]]

    def play(self, move: str) -> "Position":
        origin, kind = read_move(move)
        board, hole = sow(self.board, origin, kind)
        scores = list(self.scores)
        while len(board[hole]) in (2, 3):
            scores[self.to_move] += len(board[hole])
            board[hole] = ""
            hole = hole_before(hole)
        return replace(
            self, board=board, scores=tuple(scores), to_move=1 - self.to_move, ply=self.ply + 1
        ).with_end_rules_applied()

    def with_end_rules_applied(self) -> "Position":
        if max(self.scores) >= MAJORITY:
            return replace(self, is_over=True)
        if seeds_of(self.board, 0) + seeds_of(self.board, 1) < FEWEST_SEEDS:
            return replace(self, is_over=True)
        if seeds_of(self.board, self.to_move) == 0:
            return self._taken_by(1 - self.to_move)
        if self.ply >= LAST_PLY:
            return replace(self, is_over=True)
        return self

    def _taken_by(self, player: int) -> "Position":
        """The game over, the player having put all seeds on the board into his store."""
        scores = list(self.scores)
        scores[player] += seeds_of(self.board, 0) + seeds_of(self.board, 1)
        return replace(self, board=dict.fromkeys(HOLES, ""), scores=tuple(scores), is_over=True)
