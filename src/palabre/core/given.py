"""What a program passes to the public functions: checked, so that a wrong value is refused in words.

Commands read what people type, and check it there. From Python anything can come, and would otherwise end in an
AttributeError deep inside, or in a search without a limit.
"""

import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TypeGuard

from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.core.words import LONGEST_QUOTE, Message, quoted, say


def given_position(asker: str, given: object) -> Position:
    """The argument, if it is a position; else an error with how to get one."""
    if isinstance(given, Position):
        return given
    remedy = say("given.start", spec=given.spec) if isinstance(given, Game) else say("given.positions")
    raise PalabreError(say("given.instance", asker=asker, kind="Position", remedy=remedy, given=described(given)))


def given_instance(asker: str, given: object, kind: type, remedy: Message | str) -> None:
    """Refuse what is not of this class."""
    if not isinstance(given, kind):
        raise PalabreError(
            say("given.instance", asker=asker, kind=kind.__name__, remedy=remedy, given=described(given))
        )


def given_path(asker: str, given: object) -> Path:
    """The path of a file, given as such or as a text."""
    if isinstance(given, str | os.PathLike):
        return Path(given)
    raise PalabreError(say("given.path", asker=asker, given=described(given)))


def given_count(asker: str, name: str, given: object, least: int = 1) -> None:
    """Refuse what is no whole number, or less than the least."""
    if not isinstance(given, int) or isinstance(given, bool) or given < least:
        raise PalabreError(say("given.count", asker=asker, name=name, least=least, given=described(given)))


def given_limit(asker: str, name: str, given: object) -> None:
    """Refuse a limit that is no whole number above 0; None is no limit."""
    if given is not None:
        given_count(asker, name, given)


def given_seconds(asker: str, name: str, given: object) -> None:
    """Refuse a time that is no number above 0; None is no limit."""
    if given is not None and not (_is_number(given) and given > 0):
        raise PalabreError(say("given.seconds", asker=asker, name=name, given=described(given)))


def given_text(asker: str, given: object, example: str) -> str:
    """The argument, if it is a text."""
    if isinstance(given, str):
        return given
    raise PalabreError(say("given.text", asker=asker, example=example, given=described(given)))


def given_number(asker: str, name: str, given: object) -> None:
    """Refuse what is no finite number."""
    if not _is_number(given):
        raise PalabreError(say("given.number", asker=asker, name=name, given=described(given)))


def given_integer(asker: str, name: str, given: object) -> None:
    """Refuse what is no whole number."""
    if not isinstance(given, int) or isinstance(given, bool):
        raise PalabreError(say("given.integer", asker=asker, name=name, given=described(given)))


def given_list(asker: str, name: str, given: object, kind: type, example: str) -> None:
    """Refuse what is no sequence of values of this class."""
    values = given if isinstance(given, Sequence) and not isinstance(given, str) else None
    wrong = [given] if values is None else [value for value in values if not isinstance(value, kind)]
    if wrong:
        raise PalabreError(
            say("given.list", asker=asker, name=name, kind=kind.__name__, remedy=example, given=described(wrong[0]))
        )


def given_function(asker: str, name: str, given: object) -> None:
    """Refuse what cannot be called; None is no function."""
    if given is not None and not callable(given):
        raise PalabreError(say("given.function", asker=asker, name=name, given=described(given)))


def _is_number(given: object) -> TypeGuard[int | float]:
    return isinstance(given, int | float) and not isinstance(given, bool) and math.isfinite(given)


def described(given: object) -> Message | str:
    """A value as an error shows it: as Python writes it, with its class where that is not obvious."""
    text = repr(given)
    if isinstance(given, str | int | float | None):
        return quoted(given) if isinstance(given, str) else text
    kind = type(given).__name__
    is_short = len(text) <= LONGEST_QUOTE and text.startswith("<")
    return say("given.shown", value=text, kind=kind) if is_short else say("given.value", kind=kind)
