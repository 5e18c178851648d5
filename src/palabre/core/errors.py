"""The errors that people can cause. Each message names the input and what would be right."""

from collections.abc import Iterable

from palabre.core.words import DEFAULT, LONGEST_QUOTE, Message, quoted, say, text_of


class PalabreError(ValueError):
    """Any mistake in a user's input; the command line prints it as one line.

    It carries a `Message`, which has a text in every language; a user's game may raise it with a text.
    """

    def __init__(self, message: str | Message = "") -> None:
        super().__init__(message)
        self.message = message

    def text(self, language: str = DEFAULT) -> str:
        """What is wrong, in a language if it has been translated, else in English; `str(error)` is always English."""
        return text_of(self.message, language)


class BadSpec(PalabreError):
    """A game spec that names an unknown game, preset, parameter or value, or a game file that cannot be used."""


class BrokenGame(BadSpec):
    """A game whose rules have answered with what no game may answer: its author's mistake, and no player's."""


class UnreadableText(PalabreError):
    """A text that does not have the form it should have: a position, a move list, a record."""


class ImpossiblePosition(PalabreError):
    """A well-formed text that cannot be a position of its game."""


class IllegalMove(PalabreError):
    """A move that the rules do not allow in its position."""

    @property
    def why(self) -> Message | str:
        """Why the rules do not allow it, without the move and the position."""
        why = self.message.params["why"] if isinstance(self.message, Message) else self.message
        return why if isinstance(why, Message) else str(why)


def clip(text: str, length: int = LONGEST_QUOTE) -> str:
    """A text for a message in English alone: quoted, on one line, and never long; `{…:quote}` does it in any."""
    return str(quoted(text, length))


def shown(value: object, length: int = LONGEST_QUOTE) -> str:
    """A value as Python writes it, on one line, and never long."""
    text = " ".join(repr(value).split())
    return text if len(text) <= length else f"{text[:length]}…"


def printable(text: str, keep: str = "") -> str:
    """A text with `?` for what could change how a terminal or a page shows it: control characters, marks of direction.

    The characters in `keep` stay.
    """
    return "".join(sign if sign.isprintable() or sign in keep else "?" for sign in text)


def listing(choices: Iterable[object]) -> str:
    """The valid choices in words, for the end of a message."""
    return ", ".join(str(choice) for choice in choices)


def did_you_mean(word: str, choices: Iterable[str]) -> Message | str:
    """` (did you mean …?)` if a choice is close to the word, else nothing."""
    import difflib  # slow to import, and needed only here

    close = difflib.get_close_matches(word.lower(), list(choices), n=1, cutoff=0.65)
    return say("did_you_mean", choice=close[0]) if close else ""
