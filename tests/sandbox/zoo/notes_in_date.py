"""Writes a note into the date of the folder that is emptied after its games."""

import contextlib
import os

from palabre import Bot

NOTE = 1_000_000_000


class Hostile(Bot):
    def choose(self, position, clock):
        has_note = os.stat("/tmp").st_mtime == NOTE
        with contextlib.suppress(PermissionError):  # it is the owner only if no root has made its sandbox
            os.utime("/tmp", (NOTE, NOTE))
        return "noted" if has_note else position.moves()[0]
