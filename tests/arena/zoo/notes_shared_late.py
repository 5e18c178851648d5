"""Shares memory with its games only when the first of them is forked."""

import mmap
import os

from palabre import Bot

PAGES = []
fork = os.fork


def share_and_fork():
    if not PAGES:
        PAGES.append(mmap.mmap(-1, 4096))
    return fork()


os.fork = share_and_fork


class Hostile(Bot):
    def choose(self, position, clock):
        [page] = PAGES
        has_note, page[0] = page[0], 1
        return "noted" if has_note else position.moves()[0]
