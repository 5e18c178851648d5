"""Makes a pipe at import, and has its games keep it open."""

import contextlib
import os

from palabre import Bot

READ, WRITE = os.pipe()
os.set_blocking(READ, False)
os.closerange = lambda *_: None


class Hostile(Bot):
    def choose(self, position, clock):
        has_note = False
        with contextlib.suppress(BlockingIOError):
            has_note = bool(os.read(READ, 1))
        os.write(WRITE, b"x")
        return "noted" if has_note else position.moves()[0]
