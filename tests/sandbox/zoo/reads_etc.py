"""Reads what is not its own."""

import pathlib

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        return pathlib.Path("/etc/passwd").read_text()
