"""A player that is a foreign program: how it is started, told things, and certified dead."""

import shlex
import shutil
import time

from palabre.bots.bot import Bot
from palabre.bots.process import Broken, Process
from palabre.core.errors import BadSpec, PalabreError
from palabre.core.position import Position
from palabre.core.words import Message, say
from palabre.search.clock import Clock

LAST_WORDS = 120  # characters of them
STACK_SECONDS, LONGEST_STACK = 0.1, 8192  # in which a late program may report its stack, and bytes of it


class EngineDied(PalabreError):
    """A foreign program has failed; the message says which, how, what it had been told, and its last words."""

    stderr_tail: str = ""  # the end of what it wrote to standard error, for its author
    stack: str = ""  # where it was when its time was over, if it reports that


class Foreign(Bot):
    """A foreign program. If it fails in any way it loses the game, and the next game starts a new process."""

    any_seat = True
    command: str = ""  # set by whoever makes it, before any hook is called

    overtime: float = 0.0  # seconds for which it is waited for beyond its clock; infinite where another stops it

    def __init__(self) -> None:
        self.process: Process | None = None
        self.told = ""  # the last line it was told that asks for an answer
        self.said = ""  # what it said last of its own accord

    def is_timed(self, position: Position, clock: Clock) -> bool:
        return True  # for all we know

    def open(self) -> None:
        """Start the program."""
        self.told, self.said = "", ""
        try:
            self.process = Process(shlex.split(self.command))
        except OSError as error:
            raise self._dead(say("engine.unstartable", error=error.strerror)) from error

    def say(self, line: str) -> None:
        """Tell the program something."""
        if self.process is None:
            raise PalabreError(say("given.not_begun", bot=self.spec))
        try:
            self.process.say(line)
        except Broken as error:
            raise self.death(error.message) from error

    def hear(self, deadline: float) -> str | None:
        """The next line of the program, or None if there is none by this time of `time.monotonic`."""
        assert self.process is not None
        try:
            return self.process.line(deadline)
        except Broken as error:
            raise self.death(error.message) from error

    def death(self, how: Message, *, is_late: bool = False) -> EngineDied:
        """End the process, and say how the program died; one that is late is asked for its stack before."""
        assert self.process is not None
        stack = b"".join(self.process.stack(time.monotonic() + STACK_SECONDS)) if is_late else b""
        last_words, stderr_tail = self.process.last_words(), self.process.stderr_tail
        self.process.close()
        died = self._dead(how, last_words)
        died.stack = stack[:LONGEST_STACK].decode("utf-8", "replace")
        died.stderr_tail = stderr_tail
        return died

    def _dead(self, how: Message, last_words: str = "") -> EngineDied:
        """The certificate: how it died, what it had been told, and what it has said."""
        told = say("engine.died", command=self.command, how=how)
        if self.told:
            told = say("engine.told", death=told, line=self.told)
        if self.said:
            told = say("engine.said", death=told, line=self.said)
        if last_words:
            told = say("engine.last_words", death=told, words=last_words[-LAST_WORDS:])
        return EngineDied(told)


def check_command(prefix: str, command: str) -> None:
    """A `BadSpec` if a command line cannot be run."""
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
