"""Position and Move: the friendly, checked, immutable face of a game, in plain Python."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from palabre.core import verbs
from palabre.core.errors import IllegalMove, clip

if TYPE_CHECKING:
    from palabre.core.game import Game

LONGEST_MOVE = 100  # no game has a longer move text; a longer one is not worth looking at


class Move(NamedTuple):
    """A legal move: its code inside, its text outside."""

    code: int
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, eq=False, repr=False)
class Position:
    """A position of a game, with as much of its past as the rules ask for.

    Positions never change: `play` returns a new one. Get the first from `Game.start` or `Game.position`.
    """

    game: "Game"
    state: Any
    ply: int
    seen: tuple[int, ...]  # the `repetition_key` numbers of the positions so far, this one included; none if not needed
    start_text: str | None = None  # the text of the first position, None for the usual one
    played: tuple[Move, ...] = ()  # the moves from there; equality ignores them

    @classmethod
    def first(cls, game: "Game", state: Any) -> "Position":
        """A position without a past."""
        is_usual = state == game.rules.start(game.options, 0)
        if verbs.is_over(state):
            state = verbs.award_remaining(state)
        mark = verbs.repetition_key(state)
        start_text = None if is_usual else str(game.notation.state_to_text(state))
        return cls(game, state, verbs.ply(state), (mark,) if mark else (), start_text)

    @cached_property
    def _legal(self) -> tuple[Move, ...]:
        buffer = verbs.move_buffer(self.state)
        count = verbs.legal_moves(self.state, buffer)
        text = self.game.notation.move_to_text
        return tuple(Move(code, text(self.state, code)) for code in buffer[:count])

    def moves(self) -> list[Move]:
        """The legal moves; none when the game is over."""
        return list(self._legal)

    def move(self, text: str) -> Move:
        """The legal move that a text names; `IllegalMove` says why there is none."""
        wanted = text.strip() if len(text) <= LONGEST_MOVE else text
        exact = [move for move in self._legal if move.text == wanted]
        found = exact or [move for move in self._legal if move.text.lower() == wanted.lower()]
        if len(found) == 1:
            return found[0]
        raise IllegalMove(f"{clip(text)} is not a legal move in {clip(self.text, 400)}: {self._why_not(wanted, found)}")

    def _why_not(self, text: str, found: list[Move]) -> str:
        if found:
            return f"it could mean {' or '.join(move.text for move in found)}"
        if self.is_over:
            return "the game is over"
        if text and len(text) <= LONGEST_MOVE:
            return str(self.game.explain(self.state, text))
        return "that is not a move"

    def play(self, move: Move | str) -> "Position":
        """The position after a legal move, given as a `Move` of this position or as its text."""
        if not isinstance(move, Move):
            move = self.move(str(move))
        elif move not in self._legal:
            told = f"{clip(move.text)} is not a legal move in {clip(self.text, 400)}"
            raise IllegalMove(f"{told}: it is a move of another position")
        state = verbs.play(self.state, move.code)
        mark = verbs.repetition_key(state)
        if verbs.is_over(state) or (mark and mark in self.seen):
            state = verbs.award_remaining(state)
        seen = (*self.seen, mark) if mark else ()
        return Position(self.game, state, self.ply + 1, seen, self.start_text, (*self.played, move))

    @property
    def to_move(self) -> int:
        """The player whose turn it is, 0, 1, …"""
        return int(verbs.to_move(self.state))

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(verbs.is_over(self.state))

    @property
    def scores(self) -> tuple[int, ...]:
        """What the scoreboard shows, for each player."""
        return tuple(verbs.score(self.state, player) for player in range(self.game.players))

    @property
    def result(self) -> tuple[float, ...] | None:
        """Each player's share of an ended game (1 win, 0 loss, 1/k for each of k who share), None before the end."""
        if not self.is_over:
            return None
        return tuple(verbs.share(self.state, player) for player in range(self.game.players))

    @property
    def text(self) -> str:
        """The position in one line; `Game.position` reads it back."""
        return str(self.game.notation.state_to_text(self.state))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return (self.game, self.state, self.seen) == (other.game, other.state, other.seen)

    def __hash__(self) -> int:
        return hash((self.game, self.state))

    def __repr__(self) -> str:
        return f"<Position {self.game.spec} {self.text}>"

    def __str__(self) -> str:
        from palabre.draw.terminal import draw

        return draw(self)
