"""A game whose compiler waits half-way for a file: what happens meanwhile does not depend on the machine's speed."""

from pathlib import Path

from tests import take_away

# It reports how far it is as long as it waits, more slowly than a process passes reports on: each of them arrives.
HOLD = """

import logging, time

class _Hold(logging.Handler):
    has_begun = False

    def emit(self, record):
        if not self.has_begun and 0.2 <= getattr(record, "fraction", 0.0) < 1:
            self.has_begun = True
            while not Path({gate!r}).exists():
                time.sleep(0.2)
                logging.getLogger("palabre.compile").handle(record)

logging.getLogger("palabre.compile").addHandler(_Hold())
"""


def held_game(folder: Path, gate: Path) -> Path:
    """The small game in a file of its own; its kernels are half compiled and no further until the gate exists."""
    file = folder / "held.py"
    file.write_text(take_away.source() + HOLD.format(gate=str(gate)), encoding="utf-8")
    return file
