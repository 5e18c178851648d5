"""Position and Move: the friendly, checked, immutable face of a game, in plain Python."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from palabre.core import contract, verbs
from palabre.core.errors import IllegalMove
from palabre.core.words import Message, say

if TYPE_CHECKING:
    from palabre.core.game import Game

LONGEST_MOVE = 100  # no game has a longer move text, so a longer one is not worth comparing


class Move(NamedTuple):
    """A legal move: its code for the rules, its text for people."""

    code: int
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, eq=False, repr=False)
class Position:
    """A position of a game, and the moves that led to it.

    Positions never change: `play` returns a new one. Get the first from `Game.start` or `Game.position`. Two positions
    are equal if no continuation could tell them apart: the moves that led to them do not count, except where the
    rules look for repetitions.
    """

    game: "Game"
    state: Any  # a `verbs.State`; its class and fields are known only to the game's own code
    ply: int
    seen: tuple[int, ...]  # the `repetition_key` of every position up to this one; empty if it has no meaning
    played: tuple[Move, ...] = ()  # the moves since the first position
    first_state: verbs.State | None = None  # the state of the first position, or None in that position itself

    @classmethod
    def first(cls, game: "Game", state: verbs.State) -> "Position":
        """A position without a past; a `BrokenGame` if `state` is not a state of the game."""
        if not contract.is_state(game.rules, state):
            contract.check_state(game.rules, state, say("contract.origin.first"))
        if verbs.is_over(state):
            state = verbs.award_remaining(state)
        mark = verbs.repetition_key(state)
        return cls(game, state, verbs.ply(state), (mark,) if mark else ())

    @property
    def start_text(self) -> str | None:
        """The text of the first position, or None if that is where every game begins."""
        first = self.state if self.first_state is None else self.first_state
        return None if first == self.game.usual_start else str(self.game.notation.state_to_text(first))

    @cached_property
    def _codes(self) -> list[int]:
        buffer = verbs.move_buffer(self.state)
        return list(buffer[: verbs.legal_moves(self.state, buffer)])

    @cached_property
    def _legal(self) -> tuple[Move, ...]:
        return tuple(Move(code, self._text_of(code)) for code in self._codes)

    def _text_of(self, code: int) -> str:
        return str(self.game.notation.move_to_text(self.state, code))

    def moves(self) -> list[Move]:
        """The legal moves; none when the game is over."""
        return list(self._legal)

    def move(self, text: str) -> Move:
        """The legal move that a text names; raises `IllegalMove` if there is none."""
        if not isinstance(text, str):
            from palabre.core.given import given_text  # which imports this module

            given_text("Position.move", text, "position.moves()[0].text")
        wanted = text.strip() if len(text) <= LONGEST_MOVE else text
        exact = [move for move in self._legal if move.text == wanted]
        candidates = exact or [move for move in self._legal if move.text.lower() == wanted.lower()]
        if len(candidates) == 1:
            return candidates[0]
        raise self._illegal(text, self._why_not(wanted, candidates))

    def has(self, move: Move) -> bool:
        """Whether this is a legal move here, by code and by text."""
        if not isinstance(move, Move):
            from palabre.core.given import given_instance  # which imports this module

            given_instance("Position.has", move, Move, "position.move(TEXT) is one")
        return move.code in self._codes and move.text == self._text_of(move.code)

    def copy(self) -> "Position":
        """A copy that the receiver may change; it keeps the legal moves that were generated."""
        copied = object.__new__(Position)
        copied.__dict__.update(self.__dict__, _codes=self._codes.copy())
        return copied

    def _illegal(self, text: str, why: Message | str) -> IllegalMove:
        return IllegalMove(say("error.illegal_move", move=text, position=self.text, why=why))

    def _why_not(self, text: str, candidates: list[Move]) -> Message | str:
        if candidates:
            return say("error.ambiguous_move", moves=[move.text for move in candidates])
        if self.is_over:
            return say("error.game_is_over")
        if text and len(text) <= LONGEST_MOVE:
            return self.game.explain(self.state, text)
        return say("error.no_move")

    def play(self, move: Move | str) -> "Position":
        """The position after a legal move, given as a `Move` of this position or as its text.

        Raises `BrokenGame` if the game's rules have made what cannot be a state.
        """
        if not isinstance(move, Move):
            move = self.move(str(move))
        elif not self.has(move):
            raise self._illegal(move.text, say("error.move_of_another_position"))
        state = verbs.play(self.state, move.code)
        if not contract.is_state(self.game.rules, state):
            origin = say("contract.origin.move", position=self.text, move=move.text)
            contract.check_state(self.game.rules, state, origin)
        mark = verbs.repetition_key(state)
        if verbs.is_over(state):
            state = verbs.award_remaining(state)
        elif mark and mark in self.seen:
            state = contract.ended_by_repetition(self.game.rules, state)
        return Position(
            self.game,
            state,
            self.ply + 1,
            (*self.seen, mark) if mark else (),
            (*self.played, move),
            self.state if self.first_state is None else self.first_state,
        )

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
        """What the scoreboard shows for each player."""
        return tuple(verbs.score(self.state, player) for player in range(self.game.players))

    @property
    def result(self) -> tuple[float, ...] | None:
        """Each player's share of an ended game (1 win, 0 loss, 1/k for each of k who share), or None before the end."""
        if not self.is_over:
            return None
        return tuple(verbs.share(self.state, player) for player in range(self.game.players))

    @property
    def why_over(self) -> Message | str | None:
        """Why the game has ended by its rules, or None before the end."""
        if not self.is_over:
            return None
        # The state on the board has been awarded what was left, so the reason is sought in the state before that.
        state = self.state if self.first_state is None else self.first_state
        for move in self.played:
            state = verbs.play(state, move.code)
        return self.game.why_over(state) if verbs.is_over(state) else say("over.repetition")

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

    def __reduce__(self) -> tuple[Any, ...]:
        # A state goes as bare numbers: its class may come from a file that the reading process has not loaded yet.
        first = None if self.first_state is None else tuple(self.first_state)
        return _restored, (self.game, tuple(self.state), self.ply, self.seen, self.played, first)

    def __repr__(self) -> str:
        return f"<Position {self.game.spec} {self.text}>"

    def __str__(self) -> str:
        from palabre.draw.terminal import draw  # drawing stands on positions, and not the other way round

        return draw(self)

    def _repr_svg_(self) -> str:
        """The board as a notebook shows it."""
        from palabre.draw.svg import draw

        return draw(self)


def _restored(
    game: "Game",
    state: tuple[int, ...],
    ply: int,
    seen: tuple[int, ...],
    played: tuple[Move, ...],
    first: tuple[int, ...] | None,
) -> Position:
    """A position from what a pickle holds of it."""
    make: Any = game.state_class
    return Position(game, make(*state), ply, seen, played, None if first is None else make(*first))
