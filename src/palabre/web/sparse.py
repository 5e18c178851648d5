"""The log of the server: the same line at most once a minute, from any module, and not too many different ones."""

import logging
import re
import time
from collections.abc import Callable

from palabre.core.errors import printable

SAME_AGAIN = 60.0  # seconds for which a line that is already in the log is not repeated
MOST_LINES = 60  # different lines in that time
MOST_CHARACTERS = 200  # of a line's beginning by which lines differ
_CHANGING = re.compile(r"0x[0-9a-f]+|\d+")  # addresses, descriptors, ports


class Sparse(logging.Filter):
    """Lets a line pass once a minute, so that no browser can fill the log.

    Lines are the same if their first lines differ only in numbers: asyncio writes the descriptor into some of its own.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._logged: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        now = self._clock()
        self._logged = {line: moment for line, moment in self._logged.items() if now - moment < SAME_AGAIN}
        first = str(record.msg).strip().partition("\n")[0][:MOST_CHARACTERS]
        line = f"{record.name} {_CHANGING.sub('', first)}"
        if line in self._logged or len(self._logged) >= MOST_LINES:
            return False
        self._logged[line] = now
        return True


class AsText(logging.Formatter):
    """Writes lines in which nothing instructs the terminal of the operator."""

    def format(self, record: logging.LogRecord) -> str:
        return printable(super().format(record), keep="\n")


def log_to_stderr() -> None:
    """Log warnings and errors of all modules, in short, to standard error; the traceback if it is a bug of ours."""
    handler = logging.StreamHandler()
    handler.setFormatter(AsText("%(asctime)s %(message)s", "%H:%M:%S"))
    handler.addFilter(Sparse())
    handler.setLevel(logging.WARNING)
    logging.getLogger().addHandler(handler)
    theirs = logging.getLogger("uvicorn")
    theirs.handlers, theirs.propagate = [], True
    theirs.setLevel(logging.WARNING)
