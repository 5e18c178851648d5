"""The server's own texts for people, as messages with ids; their texts are in `words/` beside this file."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from palabre.core.errors import IllegalMove, PalabreError
from palabre.core.words import Message, text_of, texts, with_names

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


@cache
def page_words(language: str) -> dict[str, Any]:
    """The texts of the page in a language by their ids, each as one text or as its singular and plural."""
    return {
        id: forms[0] if len(forms) == 1 else {"one": forms[0], "many": forms[1]}
        for id, forms in texts(HOME, language).items()
    }


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
