"""Hides memory in page tables: maps much more than it may hold, and only reads it."""

import mmap
import os
import time

from palabre import Bot

SIZE, TABLE = 14 << 30, 2 << 20  # bytes that are mapped, and those that one page of a page table leads to


class Hostile(Bot):
    def choose(self, position, clock):
        for _ in range(15):
            if os.fork() == 0:
                flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
                mapped = mmap.mmap(-1, SIZE, flags, mmap.PROT_READ)
                mapped.madvise(mmap.MADV_NOHUGEPAGE)
                for place in range(0, SIZE, TABLE):
                    mapped[place]
                time.sleep(1e6)
        time.sleep(1e6)
