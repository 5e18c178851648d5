"""Looks for the bots of others."""

import os
import pathlib

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        own = pathlib.Path(__file__)
        rivals = [file for file in own.parent.rglob("*") if file != own]
        homes = [
            name for name in ("/home", "/root/.ssh", "/etc/shadow", "/var", "/srv", "/mnt") if os.path.exists(name)
        ]
        raise RuntimeError(f"found {rivals + homes}")
