"""Starts threads until it cannot."""

import threading
import time

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        while True:
            threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
