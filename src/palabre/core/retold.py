"""What was said in English, said again in the language of a reader.

Event files, records and processes that play say in English why a game has ended or a bot has failed, whoever reads it.
What they say was made from messages, so it is known again by their English texts; what is not known stays as it is.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from palabre.core.words import DEFAULT, FIELD, GENERAL, Message, text_of, texts

# The ids of what can end a game or keep a bot from playing.
SAID = (
    "game.", "forfeit.", "error.", "ended.", "engine.", "lesson.", "trial.", "submission.", "sandbox.", "spec.",
    "shortened", "did_you_mean", "the_player",
)  # fmt: skip
FEWEST_LETTERS = 4  # in a text without its parameters; one with fewer, "{least} to {most}", is found in anything
MOST_KEPT = 4096  # texts that have been known again
MESSAGE = "message"  # how a parameter is shown that is always a message itself
QUOTE = r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")(?:… \([\d,]+ characters\))?"""  # as Python writes a text, or cut
SIGNS = {
    "f": r"\d+(?:\.\d+)?",
    "g": r"\d+(?:\.\d+)?",
    ",": r"[\d,]*\d",
    "d": r"-?\d+",
}  # of numbers, by how they are shown


def retold(text: str, language: str, home: str | None = None) -> str:
    """What was said in English, in a language; `home` is where the words of a game are."""
    return text if language == DEFAULT else text_of(known_again(text, home), language)


@lru_cache(maxsize=MOST_KEPT)
def known_again(text: str, home: str | None = None) -> Message | str:
    """The message whose English text this is, its parameters known again as well; the text itself, if there is none."""
    for form in _forms(home):
        found = form.pattern.fullmatch(text) if form.may_be(text) else None
        if found is not None:
            params = {name: _parameter(found[name], how, home) for name, how in form.shown.items()}
            if all(_is_right(params[name], how, name == form.first) for name, how in form.shown.items()):
                return Message(form.id, params, form.home)
    return text


def _is_right(param: object, how: str, is_first: bool) -> bool:
    """Whether a parameter can be meant: what a text begins with is a name, and no other message, if not declared so."""
    return isinstance(param, Message) if how == MESSAGE else not (is_first and isinstance(param, Message))


def _parameter(text: str, how: str, home: str | None) -> object:
    if how.startswith("quote"):
        try:
            return ast.literal_eval(text)
        except (ValueError, SyntaxError):
            return known_again(text, home)  # it was cut
    if how[-1:] in SIGNS and how != "said":
        return float(text) if how[-1] in "fg" else int(text.replace(",", ""))
    return known_again(text, home)


class Form(NamedTuple):
    """The English text of a message, as it is looked for."""

    id: str
    home: str | None
    literals: list[str]  # what stands before, between and after the parameters
    shown: dict[str, str]  # the parameters, and how each is shown
    first: str | None  # the parameter with which the text begins
    pattern: re.Pattern[str]

    def may_be(self, text: str) -> bool:
        """Whether all that is no parameter is there, in its order: then the pattern need not try in vain for long."""
        place = 0
        for literal in self.literals:
            place = text.find(literal, place) + len(literal)
            if place < len(literal):
                return False
        return text.startswith(self.literals[0]) and text.endswith(self.literals[-1])


@cache
def _forms(home: str | None) -> list[Form]:
    """The messages that may be meant, the longest texts first."""
    return sorted(_candidates(home), key=lambda form: -sum(map(len, form.literals)))


def _candidates(home: str | None) -> Iterator[Form]:
    for where in (None, home) if home is not None else (None,):
        for id, forms in texts(where or GENERAL, DEFAULT).items():
            for form in forms if id.startswith(SAID) else ():
                found = _read(id, where, form)
                letters = sum(map(str.isalpha, "".join(found.literals)))
                if letters >= FEWEST_LETTERS or MESSAGE in found.shown.values():
                    yield found


def _read(id: str, home: str | None, text: str) -> Form:
    parts = FIELD.split(text)  # text, name, how, text, name, how, …, text
    literals, names, kinds = parts[::3], parts[1::3], [how or "" for how in parts[2::3]]
    pattern = re.escape(literals[0])
    for number, name in enumerate(names):
        group = f"(?P={name})" if name in names[:number] else f"(?P<{name}>{_sign(kinds[number])})"
        pattern += group + re.escape(literals[number + 1])
    first = names[0] if names and not literals[0] else None
    return Form(id, home, literals, dict(zip(names, kinds, strict=True)), first, re.compile(pattern, re.DOTALL))


def _sign(how: str) -> str:
    """What a parameter can look like that is shown in such a way."""
    return QUOTE if how.startswith("quote") else ".*?" if how == "said" else SIGNS.get(how[-1:], ".*?")
