"""What the server itself says to people, as messages with ids; their texts are in `words/` beside this file."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from palabre.core.errors import IllegalMove, PalabreError
from palabre.core.words import Message, with_names

HOME = str(Path(__file__).with_name("words"))


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
    """Let whoever is told why a move is illegal read the names of the players."""
    try:
        yield
    except IllegalMove as error:
        error.message = with_names(error.message, names)
        raise
