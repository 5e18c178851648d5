"""Thinks with several threads that need no interpreter lock, until they have thought for some time."""

import hashlib
import threading
import time

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        begin, before = time.monotonic(), time.process_time()
        data = b"x" * 10_000_000

        def work():
            while True:
                hashlib.sha256(data)

        for _ in range(3):
            threading.Thread(target=work, daemon=True).start()
        while time.process_time() - before < 0.05 + 0.15 * (time.monotonic() - begin):
            time.sleep(0.01)
        return position.moves()[0]
