"""Maps memory at import that all its games share."""

import mmap

from palabre import Bot

PAGE = mmap.mmap(-1, 4096)


class Hostile(Bot):
    def choose(self, position, clock):
        has_note, PAGE[0] = PAGE[0], 1
        return "noted" if has_note else position.moves()[0]
