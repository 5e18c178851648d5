"""The errors that people can cause. Each message names the input and says what would be right."""

from collections.abc import Iterable


class PalabreError(ValueError):
    """Any mistake in what a person gave to Palabre; the command line prints it as one line."""


class BadSpec(PalabreError):
    """A game spec that names an unknown game, preset, parameter or value, or a game file that cannot be used."""


class UnreadableText(PalabreError):
    """A text that does not have the form it should have: a position, a move list, a record."""


class ImpossiblePosition(PalabreError):
    """A well-formed text that cannot be a position of its game."""


class IllegalMove(PalabreError):
    """A move that the rules do not allow in its position."""


def clip(text: str, length: int = 60) -> str:
    """A text for a message: quoted, on one line, and never long."""
    if len(text) <= length:
        return repr(text)
    return f"{text[:length]!r}… ({len(text):,} characters)"


def listing(choices: Iterable[object]) -> str:
    """The valid choices in words, for the end of a message."""
    return ", ".join(str(choice) for choice in choices)


def did_you_mean(word: str, choices: Iterable[str]) -> str:
    """` (did you mean …?)` if a choice is close to the word, else nothing."""
    import difflib  # slow to import, and needed only here

    close = difflib.get_close_matches(word.lower(), list(choices), n=1)
    return f" (did you mean {close[0]}?)" if close else ""
