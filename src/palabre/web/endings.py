"""Why a game has ended, in the language of a reader.

Event files and records say it in English, whoever writes or reads them. What they say was made from messages, so it is
known again by their English texts, and said anew; what is not known stays as it is.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache

from palabre.core.words import DEFAULT, GENERAL, Message, texts

SAID = ("game.", "forfeit.", "error.")  # ids of what can end a game
FIELD = re.compile(r"\\\{(\w+)(?::([^}]*))?\\\}")  # of a text in which all signs are escaped


def ending_in(language: str, text: str, home: str | None = None) -> str:
    """The reason for an end, given in English; `home` is where the words of the game are."""
    return text if language == DEFAULT else _said(_known_again(text, home), language)


def _said(told: object, language: str) -> str:
    return told.text(language) if isinstance(told, Message) else str(told)


def _known_again(text: str, home: str | None) -> object:
    """The message whose English text this is, its parameters known again as well; the text itself, if there is none."""
    for id, pattern, kinds, where in _patterns(home):
        found = pattern.fullmatch(text)
        if found is not None:
            params = {name: _parameter(found[name], how, home) for name, how in kinds.items()}
            return Message(id, params, where)
    return text


def _parameter(text: str, how: str, home: str | None) -> object:
    if how.startswith("quote"):
        try:
            return ast.literal_eval(text)
        except (ValueError, SyntaxError):  # it was cut
            return text
    return float(text) if how.endswith("f") else _known_again(text, home)


@cache
def _patterns(home: str | None) -> list[tuple[str, re.Pattern[str], dict[str, str], str | None]]:
    """The messages that may be meant, the longest texts first: id, pattern, how parameters are shown, home."""
    found = sorted(_candidates(home), key=lambda one: -len(FIELD.sub("", one[1])))
    return [(id, *_read(text), where) for id, text, where in found]


def _candidates(home: str | None) -> Iterator[tuple[str, str, str | None]]:
    for where in (None, home) if home is not None else (None,):
        for id, forms in texts(where or GENERAL, DEFAULT).items():
            if id.startswith(SAID):
                yield from ((id, re.escape(form), where) for form in forms)


def _read(escaped: str) -> tuple[re.Pattern[str], dict[str, str]]:
    kinds = {found[1]: (found[2] or "").replace("\\", "") for found in FIELD.finditer(escaped)}

    def group(found: re.Match[str]) -> str:
        how = kinds[found[1]]
        sign = r"[\d.]+" if how.endswith("f") else r"['\"].*?" if how.startswith("quote") else r".+?"
        return f"(?P<{found[1]}>{sign})"

    return re.compile(FIELD.sub(group, escaped), re.DOTALL), kinds
