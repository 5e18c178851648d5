"""Raises at import."""

from palabre import Bot

raise RuntimeError("not today")


class Hostile(Bot):
    def choose(self, position, clock):
        return position.moves()[0]
