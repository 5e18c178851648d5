"""A driver of `palabre ugi`: the installed program at the other end of two pipes; nothing is waited for without end."""

import subprocess
import threading
from pathlib import Path
from queue import Queue
from types import TracebackType

from tests.command import COMMAND, PATIENCE, environment


class Driver:
    """Says lines to an engine and hears what it answers."""

    def __init__(self, *arguments: str, cwd: Path | None = None, cache: Path | None = None) -> None:
        pipe = subprocess.PIPE
        command = [COMMAND, "ugi", *arguments]
        self.engine = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment(cache), cwd=cwd)
        self.heard: Queue[str] = Queue()
        self.reader = threading.Thread(target=self._listen, daemon=True)
        self.reader.start()

    def _listen(self) -> None:
        assert self.engine.stdout is not None
        for line in self.engine.stdout:
            self.heard.put(line.decode().rstrip("\n"))
        self.heard.put("the end")

    def say(self, *lines: str | bytes) -> None:
        assert self.engine.stdin is not None
        for line in lines:
            self.engine.stdin.write(line.encode() if isinstance(line, str) else line)
            self.engine.stdin.write(b"\n")
        self.engine.stdin.flush()

    def until(self, word: str, seconds: float = PATIENCE) -> list[str]:
        """What is heard up to and with the line that begins with a word."""
        lines: list[str] = []
        while not lines or lines[-1].split()[:1] != [word]:
            lines.append(self.heard.get(timeout=seconds))
            assert lines[-1] != "the end", lines
        return lines

    def ask(self, line: str, word: str) -> str:
        """What follows the word in the answer to a line."""
        self.say(line)
        return self.until(word)[-1].removeprefix(word).strip()

    def explains(self, *lines: str | bytes) -> list[str]:
        """The `info string`s that are all that is said to some lines."""
        self.say(*lines, "isready")
        *told, _ = self.until("readyok")
        assert all(line.startswith("info string ") for line in told), told
        return [line.removeprefix("info string ") for line in told]

    def leave(self, line: str = "quit") -> tuple[int, str]:
        """Say the last line and close the pipe; the exit code, and what was on standard error."""
        assert self.engine.stdin is not None
        assert self.engine.stderr is not None
        self.say(line)
        self.engine.stdin.close()
        code = self.engine.wait(PATIENCE)
        self.reader.join(PATIENCE)
        return code, self.engine.stderr.read().decode()

    def __enter__(self) -> "Driver":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.engine.kill()
        self.engine.wait()
        self.reader.join(PATIENCE)
        for stream in (self.engine.stdin, self.engine.stdout, self.engine.stderr):
            assert stream is not None
            stream.close()
