"""What people read, in their language: messages with ids and parameters, their texts in TOML files.

A message is made where there is something to report, and becomes a text where a person reads it:

    say("game.resigns", player=1)           a Message; nothing is read or formatted yet
    message.text("fr"), str(message)        the French text; the English one

The texts of a language are in `words/en.toml`, `words/fr.toml`, …; nested tables give dotted ids. The general ones are
beside this file, those of a game or of another package beside its own files: `say = own_words(__file__)` makes messages
whose texts are looked up there first. In a text `{name}` stands for a parameter. What follows a colon says how it is
shown:

    {cells}, {kinds:or}       a list or tuple: "d, e and f", "d, e or f"
    {text:quote 400}          in quotes, on one line and cut after 400 characters (60 if no number is given)
    {error:said}              what a program has printed, which is in English: a quotation in other languages
    {seconds:.2f}, {n:,}      numbers as in Python, with the decimal sign of the language

A parameter may be a message itself, such as `the_player(seat)`: `with_names` puts their name there, if they have one.
A table of `one` and `many` is one text, chosen by the parameter `count`.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

LANGUAGES = {"en": "English", "fr": "Français"}
DEFAULT = "en"  # every text exists in this language, and stands in where a translation is missing
LONGEST_QUOTE = 60
PLAYER = "the_player"  # the id of a player who may have a name where the message is read

FIELD = re.compile(r"\{(\w+)(?::([^}]*))?\}")
GENERAL = str(Path(__file__).with_suffix(""))  # the folder of the words that are for any game
_LEAST_ONE = {"en": 1, "fr": 0}  # the least count that takes the singular; the greatest is 1
_QUOTATIONS = {"fr": "«\N{NO-BREAK SPACE}{}\N{NO-BREAK SPACE}»"}
_DECIMAL_SIGNS = {"fr": str.maketrans({".": ",", ",": "\N{NARROW NO-BREAK SPACE}"})}


@dataclass(frozen=True, slots=True)
class Message:
    """A message to a person: an id and its parameters. `home` is the folder whose texts come first."""

    id: str
    params: Mapping[str, object] = field(default_factory=dict, hash=False)
    home: str | None = None

    def text(self, language: str = DEFAULT) -> str:
        """The message in a language, or in English where it is not translated."""
        folders = (GENERAL,) if self.home is None else (self.home, GENERAL)
        text = find(folders, self.id, self.params, language)
        if text is None:
            places = " or ".join(f"{folder}/{DEFAULT}.toml" for folder in folders)
            raise KeyError(f"there is no text {self.id!r} in {places}")
        return text

    def __str__(self) -> str:
        return self.text()


def say(id: str, /, **params: object) -> Message:
    """A message from the general words."""
    return Message(id, params)


def the_player(seat: int) -> Message:
    """The player in a seat, 0, 1, …, as part of a message that may be read where the players have names."""
    return say(PLAYER, number=seat + 1)


def with_names(message: Message | str, names: Sequence[str]) -> Message | str:
    """A message with names for the players in it; those who have none are called as they were."""
    if not isinstance(message, Message):
        return message
    seat = int(str(message.params["number"])) - 1 if message.id == PLAYER else len(names)
    if seat < len(names):
        return names[seat]
    params = {
        key: with_names(param, names) if isinstance(param, Message) else param for key, param in message.params.items()
    }
    return replace(message, params=params)


def text_of(message: Message | str, language: str = DEFAULT) -> str:
    """A message in a language; a plain text is the same in all of them."""
    return message.text(language) if isinstance(message, Message) else message


def own_words(file: str) -> Callable[..., Message]:
    """The function that makes messages from the words beside a source file, or from the general ones."""
    home = str(beside(Path(file), "words"))

    def say_own(id: str, /, **params: object) -> Message:
        return Message(id, params, home)

    return say_own


def beside(file: Path, name: str) -> Path:
    """Where a package keeps a file: in its folder. A game in one file has it beside: `othello.py`, `othello.words`."""
    return file.parent / name if (file.parent / "__init__.py").is_file() else file.with_suffix(f".{name}")


def find(folders: Iterable[str], id: str, params: Mapping[str, object], language: str) -> str | None:
    """The text of a message from the first of some folders that has it; English, if no folder has it translated."""
    for known in dict.fromkeys((language, DEFAULT)):
        for folder in folders:
            forms = texts(folder, known).get(id)
            if forms is not None:
                return _filled(forms, params, known)
    return None


@cache
def texts(folder: str, language: str) -> dict[str, tuple[str, ...]]:
    """All texts of a folder in a language by id, each with its singular and plural or with one form for both."""
    import tomllib  # needed only when a text is read

    file = Path(folder, f"{language}.toml")
    if not file.is_file():
        return {}
    forms: dict[str, tuple[str, ...]] = {}
    _collect(tomllib.loads(file.read_text(encoding="utf-8")), "", language, forms)
    return forms


def parameters(text: str) -> set[str]:
    """The names of the parameters in a text."""
    return {match[1] for match in FIELD.finditer(text)}


def typeset(text: str, language: str) -> str:
    """A text with the no-break spaces and apostrophes of French print; authors write what is on the keyboard."""
    if language != "fr":
        return text
    text = re.sub(r"(?<=\w)'(?=\w|\{)", "\N{RIGHT SINGLE QUOTATION MARK}", text)
    narrow = re.sub(r"(?<=\S) (?=[;!?])", "\N{NARROW NO-BREAK SPACE}", text)
    return re.sub(r"(?<=\w|\)|»|`|\}) (?=[:»])|(?<=«) ", "\N{NO-BREAK SPACE}", narrow)


def quoted(text: str, length: int = LONGEST_QUOTE) -> str | Message:
    """A text as a message shows it: in quotes, on one line, and never long."""
    if len(text) <= length:
        return repr(text)
    return say("shortened", text=repr(text[:length]), length=len(text))


def _collect(table: Mapping[str, Any], prefix: str, language: str, forms: dict[str, tuple[str, ...]]) -> None:
    for name, entry in table.items():
        if isinstance(entry, str):
            forms[prefix + name] = (typeset(entry, language),)
        elif set(entry) == {"one", "many"}:
            forms[prefix + name] = typeset(entry["one"], language), typeset(entry["many"], language)
        else:
            _collect(entry, f"{prefix}{name}.", language, forms)


def _filled(forms: tuple[str, ...], params: Mapping[str, object], language: str) -> str:
    count = params.get("count")
    is_one = isinstance(count, int) and _LEAST_ONE[language] <= count <= 1
    text = forms[0 if is_one else -1]
    missing = parameters(text) - set(params)
    if missing:
        given = ", ".join(params) or "nothing"
        raise KeyError(f"the text {text!r} ({language}) has {{{min(missing)}}}, and is given {given}")
    return FIELD.sub(lambda match: _shown(params[match[1]], match[2] or "", language), text)


def _shown(value: object, how: str, language: str) -> str:
    """A parameter as part of a text."""
    if isinstance(value, Message):
        return value.text(language)
    if isinstance(value, list | tuple) and type(value) in (list, tuple):  # a NamedTuple is no list
        return _joined([_shown(item, "", language) for item in value], how or "and", language)
    if how.startswith("quote"):
        return _shown(quoted(str(value), int(how.removeprefix("quote") or LONGEST_QUOTE)), "", language)
    if how == "said" and value != "":
        return _QUOTATIONS.get(language, "{}").format(value)
    if isinstance(value, int | float) and how:
        return format(value, how).translate(_DECIMAL_SIGNS.get(language, {}))
    return str(value)


def _joined(items: list[str], conjunction: str, language: str) -> str:
    if len(items) < 2:
        return "".join(items)
    return say(f"list.{conjunction}", items=", ".join(items[:-1]), last=items[-1]).text(language)
