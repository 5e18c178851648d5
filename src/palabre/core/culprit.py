"""Whose mistake an error is, and where: in a user's game or bot, or in Palabre."""

import sysconfig
import traceback
from pathlib import Path

USER_MODULE_PREFIX = "palabre_"  # begins the name of every module made from a user's file

# Where the code is that no author of a game or of a bot has written.
_FOREIGN = tuple(
    {str(Path(__file__).parent.parent), *(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))}
)


def is_user_code(error: BaseException) -> bool:
    """Whether an error was raised in a user's game or bot, or in what that called."""
    frames = (frame for frame, _ in traceback.walk_tb(error.__traceback__))
    return any(frame.f_globals.get("__name__", "").startswith(USER_MODULE_PREFIX) for frame in frames)


def in_one_line(error: BaseException) -> str:
    """The class and text of an error, and where it comes from."""
    text = f"{type(error).__name__}: {' '.join(str(error).split())}"
    place = place_of(error)
    return text if place is None else f"{text} ({place.filename}, line {place.lineno})"


def place_of(error: BaseException) -> traceback.FrameSummary | None:
    """Where an error comes from: the last line of its author's own on the way there, else where it was raised."""
    lines = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith("<")]
    own = [frame for frame in lines if not frame.filename.startswith(_FOREIGN)]
    if isinstance(error, SyntaxError) or not lines:  # a syntax error names its own place
        return None
    return (own or lines)[-1]
