"""Never answers: it waits for a thread that never ends."""

import threading

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        worker = threading.Thread(target=self.search)
        worker.start()
        worker.join()

    def search(self):
        while True:
            pass
