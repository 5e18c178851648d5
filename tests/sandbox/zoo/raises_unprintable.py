"""Raises an error whose text fails."""

from palabre import Bot


class Unprintable(Exception):
    def __str__(self):
        raise ValueError("no text")


class Hostile(Bot):
    def choose(self, position, clock):
        raise Unprintable
