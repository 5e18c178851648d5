"""Becomes another bot."""

import pathlib

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        pathlib.Path(__file__).write_text("pass")
