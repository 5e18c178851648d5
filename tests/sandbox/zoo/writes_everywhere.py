"""Writes to every folder there is."""

import contextlib
import glob
import os
import pathlib

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        written = []
        for folder in ["/", *glob.glob("/*/"), *glob.glob("/*/*/"), *glob.glob("/*/*/*/"), os.path.dirname(__file__)]:
            if folder.startswith(("/proc", "/tmp", "/dev/shm")):
                continue
            with contextlib.suppress(OSError):
                pathlib.Path(folder, "hostile").write_text("was here")
                written.append(folder)
        raise RuntimeError(f"wrote to {written}")
