"""Does not let the signal through by which it is asked for its stack."""

import signal

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        while True:
            pass
