"""Messages as plain data, for files and for other processes: they become texts in the language of each reader.

`to_plain` and `from_plain` are for processes of one machine, which have the same folders of words. What is `stored` is
for files and for what others read: it is bounded in size, and has no path. Its author may be anyone. `readable`
makes a message of it only if it has a text in every language, and else falls back to the English text beside it.
"""

import math
from collections.abc import Callable
from typing import Any

from palabre.core.errors import PalabreError
from palabre.core.words import LANGUAGES, Message

OF_GAME = "game"  # stands for the folder of the words of the game that is played
DEEPEST = 8  # messages and lists within each other
MOST_PARTS = 100  # of a message: parameters and items of lists, those of the messages within it included
LONGEST_NAME = 60  # characters of an id and of the name of a parameter
LONGEST_TEXT = 2000  # characters of a parameter
LARGEST = 2**63 - 1
LISTS = (list, tuple)  # which are shown item by item; a NamedTuple is one value


class BadMessage(ValueError):
    """Data that is no message as `stored` writes it."""


def to_plain(value: object) -> Any:
    """A message or a text as JSON can hold it."""
    if isinstance(value, Message):
        params = {key: to_plain(param) for key, param in value.params.items()}
        return {"id": value.id, "params": params, "home": value.home}
    if isinstance(value, list | tuple) and type(value) in LISTS:
        return [to_plain(item) for item in value]
    return value if isinstance(value, int | float) else str(value)


def from_plain(plain: Any, home: str | None = None) -> Any:
    """What was made plain, or stored; `home` is the folder of the game's words."""
    if isinstance(plain, dict):
        params = {key: from_plain(param, home) for key, param in plain["params"].items()}
        return Message(plain["id"], params, home if plain.get("home") == OF_GAME else plain.get("home"))
    return [from_plain(item, home) for item in plain] if isinstance(plain, list) else plain


def with_texts(plain: Any, change: Callable[[str], str]) -> Any:
    """The same with each text among the parameters changed."""
    if isinstance(plain, dict) and isinstance(plain.get("params"), dict):
        return {**plain, "params": {key: with_texts(param, change) for key, param in plain["params"].items()}}
    if isinstance(plain, list):
        return [with_texts(item, change) for item in plain]
    return change(plain) if isinstance(plain, str) else plain


def renamed(error: PalabreError, place: str, name: str) -> Message | str:
    """The message of an error, with a name instead of a place on the server's disk."""
    message: Message | str = from_plain(with_texts(to_plain(error.message), lambda text: text.replace(place, name)))
    return message


# ------------------------------------------------------------------------------------------------ for files and others


def stored(value: object, home: str | None = None, depth: int = 0) -> Any:
    """A message as files keep it; `home` is the folder of the game's words. The words of other packages become text."""
    if isinstance(value, Message):
        if depth >= DEEPEST or value.home not in (None, home):
            return _bounded(_english(value))
        plain = {"id": value.id, "params": {key: stored(param, home, depth + 1) for key, param in value.params.items()}}
        return plain if value.home is None else {**plain, "home": OF_GAME}
    if isinstance(value, list | tuple) and type(value) in LISTS and depth < DEEPEST:
        return [stored(item, home, depth + 1) for item in value]
    return value if _is_number(value) else _bounded(str(value))


def readable(plain: Any, home: str | None, text: str, change: Callable[[str], str] | None = None) -> Message | str:
    """The message that was stored, or the text beside it if these words do not have the message.

    It may be that of another version, of another game, or of a forger. `change` changes the texts in it.
    """
    try:
        check(plain)
        message: Message = from_plain(plain if change is None else with_texts(plain, change), home)
        for language in LANGUAGES:
            message.text(language)
    except (BadMessage, KeyError, ValueError, OverflowError):
        return text
    return message


def check(plain: Any) -> None:
    """Raise `BadMessage` for data that is no message as `stored` writes it."""
    if not isinstance(plain, dict) or _parts(plain, 0) > MOST_PARTS:
        raise BadMessage("a message")


def _parts(plain: Any, depth: int) -> int:
    """How many parts there are, itself included."""
    if isinstance(plain, dict | list) and depth > DEEPEST:
        raise BadMessage("the depth of a message")
    if isinstance(plain, dict):
        id, params, home = plain.get("id"), plain.get("params"), plain.get("home")
        if not (_is_name(id) and isinstance(params, dict) and all(map(_is_name, params)) and home in (None, OF_GAME)):
            raise BadMessage("a message")
        return 1 + sum(_parts(param, depth + 1) for param in params.values())
    if isinstance(plain, list):
        return 1 + sum(_parts(item, depth + 1) for item in plain)
    if not (_is_number(plain) or (isinstance(plain, str) and plain == _bounded(plain))):
        raise BadMessage("a parameter of a message")
    return 1


def _is_name(name: object) -> bool:
    return isinstance(name, str) and 0 < len(name) <= LONGEST_NAME and name.isprintable()


def _is_number(value: object) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and abs(value) <= LARGEST


def _bounded(text: str) -> str:
    """A text that is not long, and that every file can hold."""
    return text[:LONGEST_TEXT].encode("utf-8", "replace").decode()


def _english(message: Message) -> str:
    try:
        return message.text()
    except (KeyError, ValueError):  # a user's bot may raise it with a text that does not exist
        return message.id
