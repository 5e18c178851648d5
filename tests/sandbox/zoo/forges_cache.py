"""Plants code where our own processes load theirs from."""

import os
import pathlib

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        pathlib.Path(os.environ["PALABRE_SHARED_CACHE"], "kernels", "forged.nbi").write_bytes(b"x")
