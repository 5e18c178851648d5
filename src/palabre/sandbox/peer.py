"""Inside the sandbox: the supervisor's line to a process of the bot, bounded in every direction."""

import contextlib
import fcntl
import os
import select
import socket
import struct
import termios

from palabre.core.words import Message, say

LONGEST_LINE = 1 << 16  # bytes of an answer
KEPT_OUTPUT = 4096  # bytes of what it printed, the last ones
LONGEST_STACK = 8192  # bytes of what a late process reports of its stack, the first ones
CHUNK = 1 << 16
SENDING = 1  # seconds for the bot to read a question
CONTROL = 0  # the descriptor on which the supervisor gets its orders
NOTHING = bytes(4)  # no bytes to read, as the system counts them


class PeerFailed(Exception):
    """The bot has failed: the kind and the reason."""

    def __init__(self, kind: str, reason: Message) -> None:
        super().__init__(kind, reason)
        self.kind, self.reason = kind, reason


class Closed(Exception):
    """The bot's end of the line is closed."""


class Peer:
    """A process of the bot that we ask, and what it prints."""

    def __init__(self) -> None:
        self.channel, self.theirs = socket.socketpair()
        self.number = self.channel.fileno()
        self.output, self.their_output = os.pipe()
        self.their_stop, self._stop = os.pipe()
        self._stack, self._their_stack = os.pipe()
        for number in (self.output, self._stack):
            os.set_blocking(number, False)
        # Not `settimeout`, with which Python would also wait where we only look whether there is something to read.
        self.channel.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", SENDING, 0))
        self.pid: int | None = None
        self.printed = 0  # bytes
        self.tail = b""
        self.reported: int | None = None  # how much of its output the referee knows
        self._buffer = b""
        self._unread = bytearray(NOTHING)  # changed in place: with `bytes`, Python takes three times as long
        self._poll = select.poll()
        for descriptor in (CONTROL, self.number, self.output):
            self._poll.register(descriptor, select.POLLIN)

    @property
    def their_ends(self) -> list[int]:
        """What the process gets: where it reads questions, prints, is stopped, and reports its stack."""
        return [self.theirs.fileno(), self.their_output, self.their_stop, self._their_stack]

    @property
    def their_links(self) -> list[str]:
        """What the same descriptors lead to, as /proc shows them."""
        return [os.readlink(f"/proc/self/fd/{number}") for number in self.their_ends]  # noqa: PTH115

    def keep_own_ends(self) -> None:
        """Close the ends that the process has by now."""
        self.theirs.close()
        for number in (self.their_output, self.their_stop, self._their_stack):
            os.close(number)

    def wait(self, seconds: float) -> dict[int, int]:
        """The descriptors with something to read, after waiting at most so long, and the events."""
        return dict(self._poll.poll(seconds * 1000 if seconds > 0 else 0))

    def send(self, message: bytes) -> bytes:
        """Send as much of a message as there is room for, without waiting; return the rest."""
        try:
            return message[self.channel.send(message, socket.MSG_DONTWAIT) :]
        except OSError:  # `send_rest` reports what it was
            return message

    def send_rest(self, message: bytes) -> None:
        """Send what `send` has left, while the process reads."""
        try:
            self.channel.sendall(message)
        except BlockingIOError:
            raise PeerFailed("closed", say("forfeit.deaf")) from None
        except OSError:
            raise Closed from None

    def receive(self) -> bytes | None:
        """The answer, or None if it is not complete yet."""
        try:
            chunk = self.channel.recv(CHUNK)
        except ConnectionError:
            raise Closed from None
        if not chunk:
            raise Closed
        self._buffer += chunk
        line, end, more = self._buffer.partition(b"\n")
        if more:
            raise PeerFailed("early", say("forfeit.twice"))
        if len(line) > LONGEST_LINE:
            raise PeerFailed("garbage", say("forfeit.too_long", most=LONGEST_LINE))
        if not end:
            return None
        self._buffer = b""
        return line

    def refuse_early(self) -> None:
        """Fail if the process has answered before a question. (To try to read it takes ten times as long.)"""
        fcntl.ioctl(self.number, termios.FIONREAD, self._unread)
        if self._unread != NOTHING:
            raise PeerFailed("early", say("forfeit.early"))

    def tell_to_stop(self) -> None:
        """Have the bot answer with the best move so far."""
        with contextlib.suppress(OSError):
            os.write(self._stop, b"\n")

    def read_output(self) -> None:
        """Keep the end of what was printed, and count it."""
        try:
            chunk = os.read(self.output, CHUNK)
        except BlockingIOError:
            return
        self.printed += len(chunk)
        self.tail = (self.tail + chunk)[-KEPT_OUTPUT:]
        if not chunk:  # the other end is closed
            with contextlib.suppress(KeyError):
                self._poll.unregister(self.output)

    def read_stack(self, stack: bytes, seconds: float) -> tuple[bytes, bool]:
        """The stack as far as it has been reported after waiting at most so long, and whether that is all of it."""
        select.select([self._stack], [], [], max(0.0, seconds))
        try:
            chunk = os.read(self._stack, LONGEST_STACK - len(stack))
        except BlockingIOError:
            return stack, False
        stack += chunk
        return stack, not chunk or len(stack) == LONGEST_STACK

    def close(self) -> None:
        self.channel.close()
        for number in (self.output, self._stop, self._stack):
            os.close(number)
