"""Runs a shell."""

import subprocess

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        return subprocess.check_output(["/bin/sh", "-c", "id"])
