"""Awélé, the naive twin: the rules of RULES.md section 1 in their most obvious form, to check the fast ones.

A board is a mapping from pit name to seeds; the name of a pit is also the text of the move that empties it. Sowing runs
A B C D E F a b c d e f and round.

Choices that are easy to get wrong:
- the pit of origin is skipped on every lap, not only on the first;
- a grand slam is legal, captures nothing, and so counts as a ply without a capture;
- feeding looks at the board after sowing and before the capture;
- `course` checks its ends in order: a stagnated game hands out nothing, even if the player to move has no legal move;
- `abapa` hands out the seeds at each of its three ends, 25 seeds included; `course` only to a player without a move;
- seeds handed out at the end are no capture: the count of plies since the last capture stays.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

START = "4,4,4,4,4,4/4,4,4,4,4,4 0,0 1 0"
SIDES = ("ABCDEF", "abcdef")
RING = SIDES[0] + SIDES[1]
MAJORITY = 25
DEFAULTS: dict[str, dict[str, int]] = {"course": {"stop": 6, "stagnation": 1000}, "abapa": {}}

Board = Mapping[str, int]


def pit_after(pit: str) -> str:
    return RING[(RING.index(pit) + 1) % len(RING)]


def pit_before(pit: str) -> str:
    return RING[(RING.index(pit) - 1) % len(RING)]


def seeds_on_side(board: Board, player: int) -> int:
    return sum(board[pit] for pit in SIDES[player])


def sow(board: Board, origin: str) -> tuple[dict[str, int], str]:
    """The board after sowing, before any capture, and the pit of the last seed."""
    sown = dict(board)
    sown[origin] = 0
    pit = origin
    for _ in range(board[origin]):
        pit = pit_after(pit)
        if pit == origin:
            pit = pit_after(pit)
        sown[pit] += 1
    return sown, pit


def captured_pits(sown: Board, last: str, opponent: int) -> list[str]:
    pits = []
    pit = last
    while pit in SIDES[opponent] and sown[pit] in (2, 3):
        pits.append(pit)
        pit = pit_before(pit)
    is_grand_slam = sum(sown[pit] for pit in pits) == seeds_on_side(sown, opponent)
    return [] if is_grand_slam else pits


def legal_moves(board: Board, player: int) -> list[str]:
    opponent = 1 - player
    moves = [pit for pit in SIDES[player] if board[pit] > 0]
    if seeds_on_side(board, opponent) == 0:
        moves = [pit for pit in moves if seeds_on_side(sow(board, pit)[0], opponent) > 0]
    return moves


def board_text(board: Board) -> str:
    return "/".join(",".join(str(board[pit]) for pit in side) for side in SIDES)


def rule_values(preset: str, options: Mapping[str, int | str]) -> dict[str, int]:
    defaults = DEFAULTS[preset]
    if unknown := set(options) - set(defaults):
        raise ValueError(f"awele:{preset} has no {sorted(unknown)}")
    return {name: int(options.get(name, value)) for name, value in defaults.items()}


@dataclass(frozen=True)
class Position:
    preset: str
    rules: Mapping[str, int]
    board: Board
    scores: tuple[int, ...]
    to_move: int
    quiet_plies: int  # since the last capture
    ply: int
    history: tuple[str, ...]  # board and player to move of each position since the last capture, this one included
    is_over: bool = False

    @classmethod
    def start(cls, preset: str = "course", **options: int | str) -> "Position":
        return cls.from_text(START, preset, **options)

    @classmethod
    def from_text(cls, text: str, preset: str = "course", **options: int | str) -> "Position":
        pits, taken, player, quiet_plies = text.split()
        board = dict(zip(RING, map(int, pits.replace("/", ",").split(",")), strict=True))
        return cls(
            preset=preset,
            rules=rule_values(preset, options),
            board=board,
            scores=tuple(map(int, taken.split(","))),
            to_move=int(player) - 1,
            quiet_plies=int(quiet_plies),
            ply=0,
            history=(f"{board_text(board)} {player}",),
        ).with_end_rules_applied()

    @property
    def text(self) -> str:
        taken = ",".join(map(str, self.scores))
        return f"{board_text(self.board)} {taken} {self.to_move + 1} {self.quiet_plies}"

    @property
    def result(self) -> tuple[float, ...] | None:
        if not self.is_over:
            return None
        first, second = self.scores
        if first == second:
            return (0.5, 0.5)
        return (1.0, 0.0) if first > second else (0.0, 1.0)

    def moves(self) -> list[str]:
        return [] if self.is_over else legal_moves(self.board, self.to_move)

    def play(self, move: str) -> "Position":
        opponent = 1 - self.to_move
        board, last = sow(self.board, move)
        scores = list(self.scores)
        captured = captured_pits(board, last, opponent)
        for pit in captured:
            scores[self.to_move] += board[pit]
            board[pit] = 0
        reached = f"{board_text(board)} {opponent + 1}"
        return replace(
            self,
            board=board,
            scores=tuple(scores),
            to_move=opponent,
            quiet_plies=0 if captured else self.quiet_plies + 1,
            ply=self.ply + 1,
            history=(reached,) if captured else (*self.history, reached),
        ).with_end_rules_applied()

    def with_end_rules_applied(self) -> "Position":
        return self._after_course_ends() if self.preset == "course" else self._after_abapa_ends()

    def _after_course_ends(self) -> "Position":
        has_majority = max(self.scores) >= MAJORITY
        is_nearly_empty = sum(self.board.values()) < self.rules["stop"]
        is_stagnant = self.quiet_plies >= self.rules["stagnation"]
        if has_majority or is_nearly_empty or is_stagnant:
            return self._ended(takers=())
        if not legal_moves(self.board, self.to_move):
            return self._ended(takers=(self.to_move,))
        return self

    def _after_abapa_ends(self) -> "Position":
        has_majority = max(self.scores) >= MAJORITY
        is_stuck = not legal_moves(self.board, self.to_move)
        is_repeated = self.history.count(self.history[-1]) >= 2
        return self._ended(takers=(0, 1)) if has_majority or is_stuck or is_repeated else self

    def _ended(self, takers: tuple[int, ...]) -> "Position":
        """The game over, the takers having put the seeds on their own side into their stores."""
        board, scores = dict(self.board), list(self.scores)
        for player in takers:
            for pit in SIDES[player]:
                scores[player] += board[pit]
                board[pit] = 0
        return replace(self, board=board, scores=tuple(scores), is_over=True)
