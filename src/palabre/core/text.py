"""Readers for the parts of a position text, so that every game refuses bad input in the same words."""

from palabre.core.errors import ImpossiblePosition, UnreadableText
from palabre.core.words import Message, say

Form = Message | str  # what was expected, in words


def fields(text: str, count: int, form: Form, separator: str = " ") -> list[str]:
    """The parts of a text, which must be `count`; `form` shows what was expected."""
    parts = text.split(separator)
    if len(parts) != count:
        raise UnreadableText(say("text.parts", text=text, found=len(parts), wanted=count, form=form))
    return parts


def number(text: str, most: int, form: Form) -> int:
    """A number from 0 to `most`, written in the one usual way (no sign, no leading zero)."""
    if not (text.isascii() and text.isdigit() and len(text) < 12 and str(int(text)) == text):
        raise UnreadableText(say("text.not_a_number", text=text, form=form))
    if int(text) > most:
        raise ImpossiblePosition(say("text.too_large", number=text, most=most, form=form))
    return int(text)


def numbers(text: str, count: int, most: int, form: Form, separator: str = ",") -> list[int]:
    """Exactly `count` numbers from 0 to `most`."""
    return [number(part, most, form) for part in fields(text, count, form, separator)]


def player_from_text(text: str, players: int) -> int:
    """The player (0, 1, …) that a text (1, 2, …) names."""
    if len(text) != 1 or text not in "123456789"[:players]:
        raise ImpossiblePosition(say("text.player_to_move", text=text, players=players))
    return int(text) - 1
