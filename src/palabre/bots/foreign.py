"""A player that is a foreign program: how it starts, what goes to and from it, and how it fails."""

import shlex
import shutil
import time

from palabre.bots.bot import Bot
from palabre.bots.line_program import Broken, LineProgram
from palabre.core.errors import BadSpec, PalabreError
from palabre.core.position import Position
from palabre.core.words import Message, say
from palabre.search.clock import Clock

LONGEST_ERROR = 120  # characters of its last lines on standard error
STACK_SECONDS, LONGEST_STACK = 0.1, 8192  # in which a late program may report its stack, and bytes of it


class EngineDied(PalabreError):
    """A foreign program has failed; the message has its command, how it failed, and what was sent and written last."""

    stderr_tail: str = ""  # the end of what it wrote to standard error, for its author
    stack: str = ""  # where it was when its time was over, if it reports that


class Foreign(Bot):
    """A foreign program. If it fails in any way it loses the game, and the next game starts a new process."""

    any_seat = True
    command: str = ""  # set by the function that makes it, before any hook is called

    overtime: float = 0.0  # seconds for which it is waited for beyond its clock; infinite where another stops it

    def __init__(self) -> None:
        self.process: LineProgram | None = None
        self.request = ""  # the last line sent that asks for an answer
        self.remark = ""  # what it reported last of its own accord

    def is_timed(self, position: Position, clock: Clock) -> bool:
        return True  # as far as is known

    def open(self) -> None:
        """Start the program."""
        self.request, self.remark = "", ""
        try:
            self.process = LineProgram(shlex.split(self.command))
        except OSError as error:
            raise self._failure(say("engine.unstartable", error=error.strerror)) from error

    def send(self, line: str) -> None:
        """Send the program a line."""
        if self.process is None:
            raise PalabreError(say("given.not_begun", bot=self.spec))
        try:
            self.process.send(line)
        except Broken as error:
            raise self.failure(error.message) from error

    def receive(self, deadline: float) -> str | None:
        """The next line of the program, or None if there is none by this time of `time.monotonic`."""
        assert self.process is not None
        try:
            return self.process.line(deadline)
        except Broken as error:
            raise self.failure(error.message) from error

    def failure(self, how: Message, *, is_late: bool = False) -> EngineDied:
        """End the process, and return how the program failed; one that is late is asked for its stack before."""
        assert self.process is not None
        stack = b"".join(self.process.stack(time.monotonic() + STACK_SECONDS)) if is_late else b""
        error_lines, stderr_tail = self.process.last_error_lines(), self.process.stderr_tail
        self.process.close()
        died = self._failure(how, error_lines)
        died.stack = stack[:LONGEST_STACK].decode("utf-8", "replace")
        died.stderr_tail = stderr_tail
        return died

    def _failure(self, how: Message, error_lines: str = "") -> EngineDied:
        """How it failed, what it was sent last, and what it wrote."""
        message = say("engine.died", command=self.command, how=how)
        if self.request:
            message = say("engine.told", death=message, line=self.request)
        if self.remark:
            message = say("engine.said", death=message, line=self.remark)
        if error_lines:
            message = say("engine.last_words", death=message, words=error_lines[-LONGEST_ERROR:])
        return EngineDied(message)


def check_command(prefix: str, command: str) -> None:
    """Raise `BadSpec` if a command line cannot be run."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BadSpec(
            say("engine.no_command_line", prefix=prefix, command=command, error=str(error).lower())
        ) from error
    if not words:
        raise BadSpec(say("engine.no_command", prefix=prefix))
    if not command.isprintable() or shutil.which(words[0]) is None:
        raise BadSpec(say("engine.no_program", prefix=prefix, command=command, program=words[0]))
