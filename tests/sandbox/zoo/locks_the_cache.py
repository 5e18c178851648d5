"""Looks for locks in the cache of compiled code, to have everybody wait who compiles."""

import fcntl
import os

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        self.held = []
        for place, _, names in os.walk(os.environ["PALABRE_SHARED_CACHE"]):
            for name in names:
                if name.endswith(".lock"):
                    self.held.append(os.open(os.path.join(place, name), os.O_RDONLY))
                    fcntl.flock(self.held[-1], fcntl.LOCK_EX | fcntl.LOCK_NB)
        raise RuntimeError(f"locked {self.held}")
