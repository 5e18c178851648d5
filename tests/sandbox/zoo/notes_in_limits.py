"""Lowers a limit of the process that its games are forked from, and so of the next game."""

import contextlib
import os
import resource

from palabre import Bot

PARENT = os.getpid()


class Hostile(Bot):
    def choose(self, position, clock):
        has_note = resource.getrlimit(resource.RLIMIT_SIGPENDING)[0] == 123
        with contextlib.suppress(PermissionError):
            resource.prlimit(PARENT, resource.RLIMIT_SIGPENDING, (123, 123))
        return "noted" if has_note else position.moves()[0]
