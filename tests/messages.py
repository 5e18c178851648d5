"""Assertions on messages by their ids and parameters: rewording a text fails no test."""

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest

from palabre.bots.line_program import Broken
from palabre.core.errors import IllegalMove, PalabreError
from palabre.core.position import Position
from palabre.core.words import Message
from palabre.laws.inquiry import LawBroken
from palabre.play.failures import Forfeit

REFUSALS = (PalabreError, Forfeit, Broken, LawBroken)  # the errors that carry a message


@contextlib.contextmanager
def refuses(id: str, /, **parameters: object) -> Iterator["pytest.ExceptionInfo[Any]"]:
    """Assert that an error is raised whose message, or a message within it, has this id and these parameters."""
    with pytest.raises(REFUSALS) as caught:
        yield caught
    assert isinstance(caught.value, REFUSALS)
    holds(caught.value.message, id, **parameters)


def holds(message: Message | str, id: str, /, **parameters: object) -> None:
    """Assert that a message, or one that it holds, has this id and these parameters."""
    having_id = [part for part in parts(message) if part.id == id]
    assert having_id, f"no message {id!r} in {message!r}"
    assert any(all(part.params.get(name) == value for name, value in parameters.items()) for part in having_id), (
        having_id
    )


def why_illegal(position: Position, move: str) -> Message:
    """Why a move is illegal: the message within that of the error."""
    with pytest.raises(IllegalMove) as caught:
        position.play(move)
    message = caught.value.message
    assert isinstance(message, Message)
    why = message.params["why"]
    assert isinstance(why, Message)
    return why


def parts(message: object) -> list[Message]:
    """A message and all messages among its parameters; none if it is a plain text."""
    if not isinstance(message, Message):
        return []
    return [message, *(part for parameter in message.params.values() for part in parts(parameter))]
