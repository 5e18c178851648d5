"""Makes files without end, which are empty."""

import itertools
import pathlib

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        for number in itertools.count():
            pathlib.Path(f"/tmp/{number}").touch()
