"""The server's own texts for people, as messages with ids; their texts are in `words/` beside this file."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from palabre.core.errors import IllegalMove, PalabreError
from palabre.core.words import Message, text_of, with_names

HOME = str(Path(__file__).with_name("words"))

# Endings that say which player lost, and how to say so by name.
NAMED_ENDINGS = {"game.loses": "ended.loses", "game.resigns": "ended.resigns"}


class Refused(PalabreError):
    """Why the server does not do what a browser asks; the text is the message `refusal.ID`."""

    def __init__(self, id: str, **parameters: object) -> None:
        super().__init__(Message(f"refusal.{id}", parameters, HOME))
        self.id = id


def in_language(id: str, language: str, **parameters: object) -> str:
    """A message of the web layer as a text."""
    return Message(id, parameters, HOME).text(language)


@contextmanager
def by_name(names: Sequence[str]) -> Iterator[None]:
    """Have the reason why a move is illegal call the players by these names."""
    try:
        yield
    except IllegalMove as error:
        error.message = with_names(error.message, names)
        raise


def why_ended(reason: Message | str, names: Sequence[str], language: str) -> str:
    """Why a game has ended, with the players by their names."""
    named = with_names(reason, names)
    if isinstance(named, Message) and named.id in NAMED_ENDINGS:
        number = str(named.params["player"])
        if number.isdecimal() and 0 < int(number) <= len(names):
            return in_language(NAMED_ENDINGS[named.id], language, **{**named.params, "player": names[int(number) - 1]})
    return text_of(named, language)
