"""The check in a process of its own, with bounds checks: even a crash or an endless loop becomes a sentence."""

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from typing import Any

from palabre.core.words import LANGUAGES, Message, own_words

say = own_words(__file__)

CODE = "from palabre.laws.check import main; main()"
COMPILING = 600.0  # seconds that compiling, and starting Python, may take on a busy machine
NO_RULE = ("compiling", "starting")  # how the names of what no rule takes part in begin
ENDING = 60.0  # seconds for the process to end after its last line
CLOSING = 5.0  # seconds for the reader of a killed process to end

Told = dict[str, Any]
Show = Callable[[str, int], None]


def check_apart(spec: str, arguments: list[str], patience: float, show: Show) -> Told:
    """Check the game of a spec, and return the last document that the process prints; `arguments` are those of `main`.

    It has `broken` with a sentence, `refused` if the game cannot be loaded, or else how much was checked. A rule may
    take so many seconds to answer. `show` is called with what is being done and how many positions have been seen.
    """
    return _told(_Child([spec, *arguments]), patience, show)


class _Child:
    """The process that checks a game, and the lines that it prints."""

    def __init__(self, arguments: list[str]) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (it lives as long as the process)
        environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "PYTHONIOENCODING": "utf-8"}
        self.process = subprocess.Popen(
            # Nothing in the current folder may take the place of a module of Python's.
            [sys.executable, "-P", "-c", CODE, *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            encoding="utf-8",
            errors="replace",
        )
        self.lines: queue.Queue[str | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as stream:
            for line in stream:
                self.lines.put(line)
        self.lines.put(None)

    def end(self) -> int:
        """Wait for the process, kill it if it does not end, and return its exit code."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.process.wait(ENDING)
        self.process.kill()
        return self.process.wait()

    def complaint(self) -> str:
        """The last line that it has written to standard error, such as that of a traceback."""
        self._errors.seek(0)
        lines = self._errors.read().decode("utf-8", "replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    def kill(self) -> None:
        """End the process, whatever it does, and leave nothing of it behind."""
        self.process.kill()
        self.process.wait()
        self._errors.close()
        self._reader.join(CLOSING)  # not for ever: the game may have started others that hold the pipe


def _told(child: _Child, patience: float, show: Show) -> Told:
    """The last document that the process prints; if it crashes or is stuck, a sentence about that."""
    last: Told = {"doing": "starting Python", "where": ""}
    seen = 0
    try:
        while True:
            try:
                line = child.lines.get(timeout=COMPILING if last["doing"].startswith(NO_RULE) else patience)
            except queue.Empty:
                return in_languages(say("apart.silent", seconds=patience, place=_place(last)))
            if line is None:
                return in_languages(_death(child.end(), _place(last), child.complaint()))
            with contextlib.suppress(ValueError):  # the game's own file may print anything
                document = json.loads(line)
                if isinstance(document, dict) and "doing" in document:
                    last = document
            if not last["doing"]:
                return last
            seen += bool(last["where"])
            show(last["doing"], seen)
    finally:
        child.kill()


def in_languages(broken: Message) -> Told:
    """What is told of a broken law: its sentence in English, and in each language."""
    return {"broken": str(broken), "texts": {language: broken.text(language) for language in LANGUAGES}}


def _place(last: Told) -> Message:
    if last["where"]:
        return say("apart.doing_in", doing=last["doing"], where=last["where"])
    return say("apart.doing", doing=last["doing"])


def _death(code: int, place: Message, complaint: str) -> Message:
    """How a process died, and what that usually means."""
    if code >= 0:
        said = say("apart.said", words=complaint) if complaint else ""
        return say("apart.exited", code=code, said=said, place=place)
    names = {each.value: each.name for each in signal.Signals}
    return say("apart.crashed", signal=names.get(-code, f"signal {-code}"), place=place)
