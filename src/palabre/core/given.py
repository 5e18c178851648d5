"""What a program passes to the public functions: checked, so that a wrong value is refused in words.

Commands read what people type, and check it there. From Python anything can come, and would otherwise end in an
AttributeError deep inside, or in a search without a limit.
"""

import math
import os
from pathlib import Path

from palabre.core.errors import PalabreError, clip
from palabre.core.game import Game
from palabre.core.position import Position


def given_position(asker: str, given: object) -> Position:
    """What was given, if it is a position; else the error says how to get one."""
    if isinstance(given, Position):
        return given
    remedy = "palabre.game(SPEC).start() and palabre.game(SPEC).position(TEXT) are positions"
    if isinstance(given, Game):
        remedy = f"palabre.game({given.spec!r}).start() is its first"
    raise PalabreError(f"{asker} takes a Position, but was given {described(given)}; {remedy}")


def given_path(asker: str, given: object) -> Path:
    """The path of a file, given as such or as a text."""
    if isinstance(given, str | os.PathLike):
        return Path(given)
    raise PalabreError(
        f"{asker} takes the path of a file, but was given {described(given)}; give one such as 'games.event'"
    )


def given_count(asker: str, name: str, given: object, least: int = 1) -> None:
    """Refuse what is no whole number, or less than the least."""
    if not isinstance(given, int) or isinstance(given, bool) or given < least:
        raise PalabreError(f"{asker}: {name} is {described(given)}; it must be a whole number from {least}")


def given_limit(asker: str, name: str, given: object) -> None:
    """Refuse a limit that is no whole number above 0; None is no limit."""
    if given is not None:
        given_count(asker, name, given)


def given_seconds(asker: str, name: str, given: object) -> None:
    """Refuse a time that is no number above 0; None is no limit."""
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    if given is not None and not (is_number and math.isfinite(given) and given > 0):  # type: ignore[arg-type,operator]
        raise PalabreError(f"{asker}: {name} is {described(given)}; it must be a number of seconds above 0, or None")


def described(given: object) -> str:
    """A value as an error shows it: what is written in Python, and of what class it is where that does not tell."""
    told = repr(given)
    if isinstance(given, str | int | float | None):
        return clip(given) if isinstance(given, str) else told
    return f"{told if len(told) <= 60 and told.startswith('<') else 'a value'} of the class {type(given).__name__}"
