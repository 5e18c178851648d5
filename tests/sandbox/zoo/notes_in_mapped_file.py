"""Maps a file at import, which is still there when its name is gone."""

import mmap
import pathlib

from palabre import Bot

FILE = pathlib.Path("/tmp/note")
FILE.write_bytes(bytes(4096))
with FILE.open("r+b") as file:
    PAGE = mmap.mmap(file.fileno(), 4096)


class Hostile(Bot):
    def choose(self, position, clock):
        has_note, PAGE[0] = PAGE[0], 1
        return "noted" if has_note else position.moves()[0]
