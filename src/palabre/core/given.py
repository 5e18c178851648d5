"""What a program passes to the public functions: checked, so that a wrong value is refused in words.

Commands read what people type, and check it there. From Python anything can come, and would otherwise end in an
AttributeError deep inside, or in a search without a limit.
"""

import math
import os
from collections.abc import Sequence
from pathlib import Path

from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.core.words import LONGEST_QUOTE, Message, quoted, say


def given_position(asker: str, given: object) -> Position:
    """What was given, if it is a position; else the error says how to get one."""
    if isinstance(given, Position):
        return given
    remedy = say("given.start", spec=given.spec) if isinstance(given, Game) else say("given.positions")
    told = described(given)
    raise PalabreError(say("given.instance", asker=asker, kind="Position", given=told, remedy=remedy))


def given_instance(asker: str, given: object, kind: type, remedy: Message | str) -> None:
    """Refuse what is not of this class."""
    if not isinstance(given, kind):
        told = described(given)
        raise PalabreError(say("given.instance", asker=asker, kind=kind.__name__, given=told, remedy=remedy))


def given_path(asker: str, given: object) -> Path:
    """The path of a file, given as such or as a text."""
    if isinstance(given, str | os.PathLike):
        return Path(given)
    raise PalabreError(say("given.path", asker=asker, given=described(given)))


def given_count(asker: str, name: str, given: object, least: int = 1) -> None:
    """Refuse what is no whole number, or less than the least."""
    if not isinstance(given, int) or isinstance(given, bool) or given < least:
        raise PalabreError(say("given.count", asker=asker, name=name, given=described(given), least=least))


def given_limit(asker: str, name: str, given: object) -> None:
    """Refuse a limit that is no whole number above 0; None is no limit."""
    if given is not None:
        given_count(asker, name, given)


def given_seconds(asker: str, name: str, given: object) -> None:
    """Refuse a time that is no number above 0; None is no limit."""
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    if given is not None and not (is_number and math.isfinite(given) and given > 0):  # type: ignore[arg-type,operator]
        raise PalabreError(say("given.seconds", asker=asker, name=name, given=described(given)))


def given_text(asker: str, given: object, example: str) -> str:
    """What was given, if it is a text."""
    if isinstance(given, str):
        return given
    raise PalabreError(say("given.text", asker=asker, given=described(given), example=example))


def given_number(asker: str, name: str, given: object) -> None:
    """Refuse what is no finite number."""
    if not isinstance(given, int | float) or isinstance(given, bool) or not math.isfinite(given):
        raise PalabreError(say("given.number", asker=asker, name=name, given=described(given)))


def given_integer(asker: str, name: str, given: object) -> None:
    """Refuse what is no whole number."""
    if not isinstance(given, int) or isinstance(given, bool):
        raise PalabreError(say("given.integer", asker=asker, name=name, given=described(given)))


def given_list(asker: str, name: str, given: object, kind: type, example: str) -> None:
    """Refuse what is no sequence of values of this class."""
    if isinstance(given, Sequence) and not isinstance(given, str) and all(isinstance(one, kind) for one in given):
        return
    wrong = given
    if isinstance(given, Sequence) and not isinstance(given, str):
        wrong = next(one for one in given if not isinstance(one, kind))
    told = described(wrong)
    raise PalabreError(say("given.list", asker=asker, name=name, kind=kind.__name__, given=told, remedy=example))


def given_function(asker: str, name: str, given: object) -> None:
    """Refuse what cannot be called; None is no function."""
    if given is not None and not callable(given):
        raise PalabreError(say("given.function", asker=asker, name=name, given=described(given)))


def described(given: object) -> Message | str:
    """A value as an error shows it: what is written in Python, and of what class it is where that does not tell."""
    told = repr(given)
    if isinstance(given, str | int | float | None):
        return quoted(given) if isinstance(given, str) else told
    kind = type(given).__name__
    is_short = len(told) <= LONGEST_QUOTE and told.startswith("<")
    return say("given.shown", value=told, kind=kind) if is_short else say("given.value", kind=kind)
