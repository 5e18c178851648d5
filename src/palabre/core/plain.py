"""Messages as plain data, for the store and for other processes: everybody reads them in their own language later."""

from collections.abc import Callable
from typing import Any

from palabre.core.errors import PalabreError
from palabre.core.words import Message

Home = str | None  # the folder whose words come first, or what stands for it


def same(home: Home) -> Home:
    """A folder under its own name: good for as long as the server runs."""
    return home


def to_plain(told: object, name: Callable[[Home], Home] = same) -> Any:
    """A message or a text as JSON can hold it; `name` says what stands for a folder of words."""
    if isinstance(told, Message):
        params = {key: to_plain(param, name) for key, param in told.params.items()}
        return {"id": told.id, "params": params, "home": name(told.home)}
    if isinstance(told, list | tuple):
        return [to_plain(item, name) for item in told]
    return told if isinstance(told, int | float) else str(told)


def from_plain(plain: Any, folder: Callable[[Home], Home] = same) -> Any:
    """What was made plain; `folder` says for which folder of words a name stands."""
    if isinstance(plain, dict):
        params = {key: from_plain(param, folder) for key, param in plain["params"].items()}
        return Message(plain["id"], params, folder(plain.get("home")))
    return [from_plain(item, folder) for item in plain] if isinstance(plain, list) else plain


def renamed(error: PalabreError, place: str, name: str) -> Message | str:
    """What an error says, with a name instead of a place on the server's disk."""

    def without_place(plain: Any) -> Any:
        if isinstance(plain, dict):
            return {**plain, "params": {key: without_place(param) for key, param in plain["params"].items()}}
        if isinstance(plain, list):
            return [without_place(item) for item in plain]
        return plain.replace(place, name) if isinstance(plain, str) else plain

    said: Message | str = from_plain(without_place(to_plain(error.message)))
    return said
