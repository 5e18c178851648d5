"""Uses two cores in its own turn, by a thread that needs no interpreter lock, until it has had its advantage."""

import hashlib
import threading
import time

from palabre import Bot

DATA = b"x" * 1_000_000


class Hostile(Bot):
    def choose(self, position, clock):
        begin, before = time.monotonic(), time.process_time()
        thinking = True

        def work():
            while thinking:
                hashlib.sha256(DATA)

        helper = threading.Thread(target=work)
        helper.start()
        while (wall := time.monotonic() - begin) < 0.4 and time.process_time() - before < 0.05 + 1.15 * wall:
            hashlib.sha256(DATA)
        thinking = False
        helper.join()
        return position.moves()[0]
