"""A running sandbox, from outside: bubblewrap's process, and the line to the supervisor in it."""

import json
import math
import os
import socket
import struct
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from typing import IO, Any

from palabre.core.plain import from_plain
from palabre.core.words import Message, say
from palabre.play.failures import Limits, SandboxBroken, Turn
from palabre.sandbox import bubblewrap, seccomp

BACKSTOP = 60  # seconds that the supervisor may be late with its own answer before all is killed
LEAVING = 10.0  # seconds for the supervisor to end after we have hung up
CHUNK = 1 << 16
STOP = b"stop 0\n"

_launchers: dict[int, ThreadPoolExecutor] = {}


def launcher() -> ThreadPoolExecutor:
    """The thread that starts sandboxes: a sandbox dies with the thread that has started it, not only the process."""
    return _launchers.setdefault(os.getpid(), ThreadPoolExecutor(1, "palabre-sandboxes"))


class Sandbox:
    """A running sandbox: the process of bubblewrap, and the line to the supervisor in it."""

    def __init__(self, limits: Limits, files: bubblewrap.Files) -> None:
        self._uid = bubblewrap.Uid() if bubblewrap.is_root() else None
        self._line, theirs = socket.socketpair()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed by `close`)
        uid = None if self._uid is None else self._uid.number
        settings = {"limits": asdict(limits), "uid": uid, "is_program": files.has_programs}
        words = [bubblewrap.python(), "-P", "-m", "palabre.sandbox.supervisor", json.dumps(settings)]
        process = launcher().submit(_start, limits, files, words, theirs, self._errors).result()
        theirs.close()
        self._process: subprocess.Popen[bytes] = process
        self._limit(socket.SO_SNDTIMEO, BACKSTOP)
        self._backstop = BACKSTOP + limits.stack
        self._patience = 0  # seconds after which the system reports a timeout
        self._buffer = b""
        self._sending = threading.Lock()  # what follows is shared with threads that stop the bot
        self._can_stop = self._is_asked = self._is_to_stop = False
        self.close = weakref.finalize(self, _close, process, self._line, self._errors, self._uid)

    @property
    def is_open(self) -> bool:
        return bool(self.close.alive)

    def ask(
        self, order: bytes, question: str = "", seconds: float = 0.0, *, timed: bool = False
    ) -> tuple[Turn, dict[str, Any], str]:
        """Send an order to the supervisor, or a question to the bot, which has so many seconds.

        Return what the turn cost, the supervisor's report if there is more, and the bot's answer.
        """
        with self._sending:
            self._send(b"%b %f\n%b\n" % (order, seconds, question.encode()))
            self._is_asked = timed
            if self._is_to_stop:
                self._send(STOP)
        patience = math.ceil(seconds + self._backstop)
        if patience != self._patience:
            self._limit(socket.SO_RCVTIMEO, patience)
            self._patience = patience
        while self._buffer.count(b"\n") < 3:
            try:
                chunk = self._line.recv(CHUNK)
            except BlockingIOError:
                raise self._broken(say("sandbox.silent")) from None
            except OSError as error:
                raise self._broken(say("sandbox.failed"), str(error.strerror)) from error
            if not chunk:
                raise self._broken(say("sandbox.ended"))
            self._buffer += chunk
        with self._sending:
            self._can_stop = self._is_asked = self._is_to_stop = False
        numbers, text, answer, self._buffer = self._buffer.split(b"\n", 3)
        report: dict[str, Any] = json.loads(text) if text else {}
        wall, cpu, waited, memory, stalled, between, has_stirred = map(float, numbers.split())
        turn = Turn(wall, cpu, waited, memory, stalled, between, has_stirred != 0)
        return turn, report, answer.decode("utf-8", "replace")

    def run(self, words: Sequence[str], seconds: float) -> tuple[int, str]:
        """Run a program to its end inside: its exit code and the end of what it printed."""
        _, report, answer = self.ask(b"load", json.dumps({"do": "run", "words": list(words)}), seconds)
        output = report.get("output", "")
        if "kind" in report:
            return 1, f"error: {from_plain(report['reason'])} {output}"
        return int(json.loads(answer).get("code", 1)), output

    def expect_stop(self) -> None:
        """The bot is about to be asked for a move: from now on until it has answered, another thread may stop it."""
        with self._sending:
            self._can_stop, self._is_to_stop = True, False

    def tell_to_stop(self) -> None:
        """Have the bot answer now, if it thinks or is about to."""
        with self._sending:
            self._is_to_stop = self._can_stop
            if self._is_asked:
                self._send(STOP)

    def _limit(self, direction: int, seconds: int) -> None:
        """Have the system wait no longer for the supervisor. (A poll before each message costs more.)"""
        self._line.setsockopt(socket.SOL_SOCKET, direction, struct.pack("ll", seconds, 0))

    def _send(self, message: bytes) -> None:
        try:
            self._line.sendall(message)
        except OSError as error:
            raise self._broken(say("sandbox.deaf")) from error

    def _broken(self, how: Message, *words: str) -> SandboxBroken:
        self._process.kill()
        self._process.wait()
        self._errors.seek(0)
        stderr_tail = self._errors.read()[-2000:].decode("utf-8", "replace").strip()
        self.close()
        details = " / ".join([*words, *stderr_tail.splitlines()[-3:]])
        return SandboxBroken(
            say("sandbox.broken_saying", how=how, words=details) if details else say("sandbox.broken", how=how)
        )


def _start(
    limits: Limits,
    files: bubblewrap.Files,
    words: Sequence[str],
    line: socket.socket,
    errors: IO[bytes],
) -> "subprocess.Popen[bytes]":
    filters = seccomp.program()
    reader = None
    try:
        if filters is not None:
            reader, writer = os.pipe()
            os.write(writer, filters)
            os.close(writer)
        given = bubblewrap.command(limits, files, words, seccomp=reader)
        before = os.sched_getaffinity(0)
        if limits.processors:
            os.sched_setaffinity(0, limits.processors)  # of this thread, and of what it starts
        try:
            return subprocess.Popen(
                given,
                stdin=line.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=errors,
                pass_fds=[] if reader is None else [reader],
                start_new_session=True,  # Ctrl-C is for us
            )
        finally:
            os.sched_setaffinity(0, before)
    finally:
        if reader is not None:
            os.close(reader)


def _close(
    process: "subprocess.Popen[bytes]", line: socket.socket, errors: IO[bytes], uid: bubblewrap.Uid | None
) -> None:
    """End a sandbox. Once process 1 has ended, so have all the others, and only then bubblewrap ends."""
    line.close()
    try:
        process.wait(LEAVING)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    errors.close()
    if uid is not None:
        uid.close()
