"""Takes over the signal by which it is asked for its stack, answers with a move then, and lives on."""

import faulthandler
import json
import os
import signal

from palabre import Bot

CHANNEL, SIGNAL = 3, 64


class Hostile(Bot):
    def choose(self, position, clock):
        faulthandler.unregister(SIGNAL)
        answer = json.dumps({"move": position.moves()[0].text}).encode() + b"\n"
        signal.signal(SIGNAL, lambda *_: os.write(CHANNEL, answer))
        while True:
            pass
