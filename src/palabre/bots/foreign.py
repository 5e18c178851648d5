"""A player that is a foreign program: how it is started, told things, and certified dead."""

import shlex
import shutil

from palabre.bots.bot import Bot
from palabre.bots.process import Broken, Process
from palabre.core.errors import BadSpec, PalabreError, clip
from palabre.core.position import Position
from palabre.search.clock import Clock

CERTIFICATE_CHARACTERS = 120  # of what the program was told and has said


class EngineDied(PalabreError):
    """A foreign program has failed; the message says which, how, what it had been told, and its last words."""


class Foreign(Bot):
    """A foreign program. If it fails in any way it loses the game, and the next game starts a new process."""

    any_seat = True
    command: str = ""  # set by whoever makes it, before any hook is called

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
            raise EngineDied(f"{clip(self.command)} cannot be started: {error.strerror}") from error

    def say(self, line: str) -> None:
        """Tell the program something."""
        assert self.process is not None, "no game has begun"
        try:
            self.process.say(line)
        except Broken as error:
            raise self.death(str(error)) from error

    def hear(self, deadline: float) -> str | None:
        """The next line of the program, or None if there is none by this time of `time.monotonic`."""
        assert self.process is not None
        try:
            return self.process.line(deadline)
        except Broken as error:
            raise self.death(str(error)) from error

    def death(self, how: str) -> EngineDied:
        """End the process, and say how the program died."""
        assert self.process is not None
        last_words = self.process.last_words()
        self.process.close()
        told = [f"{clip(self.command)} {how}"]
        if self.told:
            told.append(f"it had been told {clip(self.told, CERTIFICATE_CHARACTERS)}")
        if self.said:
            told.append(f"it said {clip(self.said, CERTIFICATE_CHARACTERS)}")
        if last_words:
            told.append(f"its last words were {last_words[-CERTIFICATE_CHARACTERS:]!r}")
        return EngineDied("; ".join(told))


def check_command(prefix: str, command: str) -> None:
    """A `BadSpec` if a command line cannot be run."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BadSpec(f"{prefix}{clip(command)} is not a command line: {str(error).lower()}") from error
    if not words:
        raise BadSpec(f"{prefix} needs a command, as in {prefix}./engine --fast")
    if not command.isprintable() or shutil.which(words[0]) is None:
        raise BadSpec(f"{prefix}{clip(command)} cannot be run: there is no program {clip(words[0])}")
