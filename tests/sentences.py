"""Sentences that a command prints, recognised by the message that they were made from: rewording it fails no test."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import palabre
from palabre.core.words import DEFAULT, FIELD, GENERAL, _filled, texts

CLI, LAWS = (str(Path(palabre.__file__).parent / part / "words") for part in ("cli", "laws"))


def tells(text: str, id: str, /, **parameters: object) -> bool:
    """Whether a text contains the English of a message, with these parameters; the others may be anything."""
    [home] = [folder for folder in (GENERAL, CLI, LAWS) if id in texts(folder, DEFAULT)]
    return any(re.search(_pattern(form, parameters), text) for form in texts(home, DEFAULT)[id])


def _pattern(form: str, parameters: dict[str, object]) -> str:
    parts = FIELD.split(form)  # text, name, how, text, name, how, …, text
    found = _begun(parts[0])
    for name, how, after in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        found += _shown(name, how, parameters) + re.escape(after)
    return found


def _begun(text: str) -> str:
    """The beginning of a message, which may also begin a sentence."""
    return f"[{text[0].lower()}{text[0].upper()}]{re.escape(text[1:])}" if text[:1].isalpha() else re.escape(text)


def _shown(name: str, how: str | None, parameters: dict[str, object]) -> str:
    """A parameter as a message shows it."""
    if name not in parameters:
        return ".*?"
    field = f"{{{name}:{how}}}" if how else f"{{{name}}}"
    return re.escape(_filled((field,), parameters, DEFAULT))


def tells_of(game: str, text: str, id: str, /, **parameters: object) -> bool:
    """Whether a text contains the English of a message from a game's own words."""
    home = str(Path(palabre.__file__).parent / "games" / game / "words")
    return any(re.search(_pattern(form, parameters), text) for form in texts(home, DEFAULT)[id])


class Told(NamedTuple):
    """What a text is to tell: a message, and what else it says, in the words of Python or of whoever wrote the code."""

    id: str
    params: Mapping[str, object] = {}
    says: str = ""

    def is_in(self, text: str) -> bool:
        return tells(text, self.id, **self.params) and self.says in text
