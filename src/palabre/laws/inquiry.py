"""Inquiry: calls of a game's functions, where every mistake becomes one sentence with the remedy."""

from collections.abc import Callable, Iterable
from typing import Any

from palabre.core.culprit import in_one_line
from palabre.core.errors import BadSpec
from palabre.core.game import Game
from palabre.core.words import Message, own_words

say = own_words(__file__)

ROOM = 4096  # words of a buffer beyond MOST_MOVES: a rule that lists too many moves writes there, which shows


class LawBroken(Exception):
    """A game breaks a law; the message is a sentence with the position and the remedy."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


class GuardedBuffer(list[int]):
    """A buffer that refuses a negative index, which a list would count from its end, and to grow."""

    def __init__(self, numbers: Iterable[int], name: str = "moves") -> None:
        super().__init__(numbers)
        self.name = name

    def __setitem__(self, index: Any, value: Any) -> None:
        if index < 0:
            raise IndexError(f"it writes to {self.name}[{index}]")
        super().__setitem__(index, value)

    def append(self, value: Any) -> None:
        name, one = self.name, self.name.removesuffix("s")
        raise TypeError(f"{name} is a buffer that does not grow: write {name}[count] = {one}, and return the count")

    extend = append


class Inquiry:
    """The check of one game. `on_step` is called with the id of the next step, and where, before it."""

    def __init__(self, game: Game, on_step: Callable[[str, str], None]) -> None:
        self.game = game
        self.on_step = on_step
        self.cells = {cell.name for cell in game.view.cells(game.options)}
        self.where: str | Message = ""  # the position that is being checked, or the place in a file

    def new_buffer(self) -> GuardedBuffer:
        """A move buffer that shows where it was written to."""
        return GuardedBuffer([-1] * (self.game.rules.MOST_MOVES + ROOM))

    def ask(self, doing: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function of the game; if it raises anything, a law is broken."""
        try:
            return function(*arguments)
        except BadSpec as error:
            raise LawBroken(say("asked.refused", error=error.message)) from error
        except Exception as error:
            raise LawBroken(say("asked.raises", asked=doing, error=in_one_line(error), where=self.where)) from error

    def expect(self, holds: bool, id: str, /, **params: object) -> None:
        """Check a law. If it does not hold, the message has what is wrong, where, and how to put it right."""
        if not holds:
            raise LawBroken(say(id, where=self.where, **params))
