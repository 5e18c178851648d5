"""Lets its time run out while threads of its own, which need no interpreter, wait for a processor."""

import hashlib
import threading
import time

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        data = bytes(8 << 20)
        for _ in range(15):
            threading.Thread(target=hashlib.sha256, args=[data], daemon=True).start()
        time.sleep(600)
