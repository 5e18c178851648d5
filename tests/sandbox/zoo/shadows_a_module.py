"""Puts a module of its own wherever Python might look for one, for the supervisor or the next game to import."""

import contextlib
import os
import sys
from pathlib import Path

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        written = []
        for name in {*sys.path, os.environ["PYTHONPATH"]}:
            for folder in (Path(name), *Path(name).parents):
                if folder == Path("/tmp"):
                    break
                with contextlib.suppress(OSError):
                    folder.mkdir(parents=True, exist_ok=True)
                    (folder / "tomllib.py").write_text("raise SystemExit")
                    written.append(str(folder))
        raise RuntimeError(f"wrote to {written}")
