"""Shares memory with its games only when the first of them is forked."""

import mmap

from palabre import Bot
from palabre.sandbox import warm

PAGES = []
fork = warm.fork_sibling


def share_and_fork():
    if not PAGES:
        PAGES.append(mmap.mmap(-1, 4096))
    return fork()


warm.fork_sibling = share_and_fork


class Hostile(Bot):
    def choose(self, position, clock):
        [page] = PAGES
        has_note, page[0] = page[0], 1
        return "noted" if has_note else position.moves()[0]
