"""Makes files and removes them, which the next game sees by the number of a file of its own."""

import pathlib

from palabre import Bot

NOTE = pathlib.Path("/tmp/note")


class Hostile(Bot):
    def choose(self, position, clock):
        has_note = self.make() > 50
        for _ in range(100):
            self.make()
        return "noted" if has_note else position.moves()[0]

    def make(self):
        NOTE.write_text("")
        number = NOTE.stat().st_ino
        NOTE.unlink()
        return number
