"""Writes a gigabyte to its scratch folder."""

import pathlib

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        for number in range(1000):
            pathlib.Path(f"/tmp/{number}").write_bytes(b"x" * 1_000_000)
