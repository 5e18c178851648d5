"""What a person types in the terminal, and the language that they read."""

import contextlib
import locale
import os
import sys

from palabre.cli.output import as_text
from palabre.core.words import DEFAULT, LANGUAGES

with contextlib.suppress(ImportError):  # not everywhere; then lines are edited as the terminal does it
    import readline  # noqa: F401  (gives `input` the arrow keys and a history)

SETTINGS = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set decides, as everywhere on POSIX systems


class Quit(Exception):
    """The person at the board wants to stop."""


def ask(prompt: str) -> str:
    """Read a line from the person; the end of the input means that they want to stop."""
    sys.stderr.flush()
    try:
        return input(as_text(prompt)).strip()
    except EOFError:
        raise Quit from None


def own_language() -> str:
    """The language that the person's system is set to, if we speak it."""
    setting = next((value for name in SETTINGS if (value := os.environ.get(name))), None)
    if setting is None:
        setting = locale.getlocale()[0] or ""  # `French_France` where no such variables are used
    spoken = setting[:2].lower()
    return spoken if spoken in LANGUAGES else DEFAULT
