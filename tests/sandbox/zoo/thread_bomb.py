"""Starts threads until it cannot."""

import threading
import time

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        while True:
            threading.Thread(target=time.sleep, args=(1e6,), daemon=True).start()
