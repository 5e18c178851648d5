"""The stack that a late bot reports of itself, as its author reads it: the frames of the bot's own code.

None of it need be true, because the bot's own process writes it. It is text and nothing else.
"""

import re
from pathlib import Path

from palabre.play.guard import PACKAGE

BOT = Path("/bot")  # in a sandbox, the bot's own file or folder

FRAME = re.compile(r'  File "(?P<file>[^"]*)", line \d+ in ')  # as Python's faulthandler writes it, the innermost first
JAVA_FRAME = re.compile(r"\tat (?P<place>.*)")  # as a Java machine writes it
JAVA_HEADER = "Full thread dump"


def readable_stack(stack: str) -> str:
    """A stack without the threads and the outer frames that are not the bot's; as it is if no other is left."""
    threads = stack.split("\n\n") if JAVA_HEADER in stack else re.split(r"\n+(?=Thread |Current thread )", stack)
    own = _own_java(threads) if JAVA_HEADER in stack else [_own_frames(thread) for thread in threads]
    shown = "\n".join(thread for thread in own if thread) or stack
    return shown.replace(f'File "{BOT}/', 'File "').expandtabs(4).strip()


def _own_frames(thread: str) -> str:
    """A thread of Python, up to the outermost frame that is not Palabre's; empty if there is none."""
    lines = thread.splitlines()
    while lines and _is_foreign(lines[-1]):
        lines.pop()
    return "\n".join(lines) if any(map(FRAME.match, lines)) else ""


def _is_foreign(line: str) -> bool:
    """Whether a line names no frame of the bot's, or of a library that it calls."""
    frame = FRAME.match(line)
    return frame is None or frame["file"].startswith((PACKAGE, "<frozen"))


def _own_java(threads: list[str]) -> list[str]:
    """The threads of a Java machine in which code runs that is not Java's own."""
    frames = {thread: [frame["place"] for frame in JAVA_FRAME.finditer(thread)] for thread in threads}
    return [thread for thread in threads if any("@" not in place for place in frames[thread])]
