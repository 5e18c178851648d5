"""Thinks with several threads that need no interpreter lock."""

import hashlib
import threading
import time

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        data = b"x" * 10_000_000

        def work():
            while True:
                hashlib.sha256(data)

        for _ in range(3):
            threading.Thread(target=work, daemon=True).start()
        time.sleep(0.2)
        return position.moves()[0]
