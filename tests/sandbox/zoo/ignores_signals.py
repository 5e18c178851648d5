"""Cannot be asked to leave."""

import contextlib
import signal

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        for sign in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(sign, signal.SIG_IGN)
        while True:
            with contextlib.suppress(BaseException):
                while True:
                    pass
