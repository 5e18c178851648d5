"""What a pool and its workers send each other: JSON, one document in a line. Nothing is unpickled or believed.

A task is a struct with what to do; its layer also has a `Service`, which does it in the worker. What comes back is its
result, or why there is none, and reports on the way.
"""

from functools import cache
from typing import Any, ClassVar, Generic, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import Raw, Struct

from palabre.core.errors import PalabreError
from palabre.core.plain import from_plain
from palabre.core.words import Message, say

Outcome = TypeVar("Outcome")

FailureId = Literal[
    "task.refused",  # the task makes no sense: the message has the reason
    "task.stopped",  # it was stopped, and has no result that is of use
    "task.broken",  # there is a mistake in the code of a user's game, or in ours
    "task.late",  # it did not end in its time, and was ended
    "task.died",  # its workers have died
    "task.closed",  # the pool ends
    "task.greedy",  # its owner has too many tasks
    "task.busy",  # all owners together have
]


class Task(Struct, Generic[Outcome], frozen=True, tag=True):
    """Something to do for a worker; it has an outcome of this type."""

    RESULT: ClassVar[Any] = None  # the type of its result
    REPORT: ClassVar[Any] = Raw  # the type of its reports

    YIELDS: ClassVar[bool] = False  # whether a worker may leave it for others, to go on with its `rest` later

    def accepts(self, result: Outcome) -> bool:
        """Whether a result can be one of this task; a worker that sends another is ended."""
        return True

    def rest(self, result: Outcome, seconds: float) -> "Task[Outcome] | None":
        """What is left to do after so many seconds, which have had this result; None if it is that of the task."""
        return None

    def stand_in(self, *, is_stopped: bool) -> "Task[Outcome] | None":
        """What to do in another lane for the same result, while a compiler holds up this task; None if nothing."""
        return None


class Exit(NamedTuple):
    """How a worker has ended."""

    words: str
    status: int | None = None  # of its process, if it has ended by itself
    stderr_tail: tuple[str, ...] = ()  # the lines that it has written last

    def __str__(self) -> str:
        tail = " / ".join(self.stderr_tail)
        return f"{self.words}; it wrote {tail!r} last" if tail else self.words


class TaskFailed(PalabreError):
    """Why a task has no result: an id, and a message for people, usually that of the id.

    `name` is the id or the class of the error that a handler has raised. `exit` is how a worker that died has ended.
    """

    def __init__(
        self, id: FailureId, message: Message | str | None = None, *, name: str = "", **params: object
    ) -> None:
        super().__init__(say(id, **params) if message is None else message)
        self.id: FailureId = id
        self.name = name
        self.exit: Exit | None = None


class Stopped(Exception):
    """Raised by a handler whose task was stopped and has no result."""


# ------------------------------------------------------------------------------------------------------- to a worker


class Order(Struct, frozen=True, tag=True):
    """Do this task; a worker does one after another."""

    number: int
    task: Raw
    seconds: float | None = None  # after so many, not counting its preparation, it is to be stopped


class Stop(Struct, frozen=True, tag=True):
    """End the task of this number with what is known by now."""

    number: int


# ----------------------------------------------------------------------------------------------------- from a worker


class Ready(Struct, frozen=True, tag=True):
    """The worker has started, and its service is set up."""


class Preparing(Struct, frozen=True, tag=True):
    """Kernels are being compiled: how much of it is done, and about how long all of it takes, if that is known."""

    number: int
    fraction: float
    seconds: float | None = None


class Began(Struct, frozen=True, tag=True):
    """All is prepared: from here on the time of the task runs."""

    number: int


class Progress(Struct, frozen=True, tag=True):
    """A report on the way."""

    number: int
    report: Raw


class Result(Struct, frozen=True, tag=True):
    """The result, and the processor time that it took."""

    number: int
    result: Raw
    processor_seconds: float


class Failed(Struct, frozen=True, tag=True):
    """There is no result. Of number 0: the service cannot be set up."""

    number: int
    id: FailureId
    message: Any = None  # as plain data; None for that of the id
    name: str = ""
    processor_seconds: float = 0.0

    def error(self) -> TaskFailed:
        """The failure as an error."""
        return TaskFailed(self.id, from_plain(self.message), name=self.name)


ToWorker = Order | Stop
FromWorker = Ready | Preparing | Began | Progress | Result | Failed

to_worker = msgspec.json.Decoder(ToWorker)
from_worker = msgspec.json.Decoder(FromWorker)
_encoder = msgspec.json.Encoder()


def to_raw(value: object) -> Raw:
    """A value as part of a message."""
    return Raw(_encoder.encode(value))


def to_line(message: Struct) -> bytes:
    """A message as it goes through a pipe."""
    return _encoder.encode(message) + b"\n"


@cache
def decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    """The decoder of a type."""
    return msgspec.json.Decoder(kind)
