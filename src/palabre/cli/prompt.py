"""What a person types in the terminal, the game that they choose there, and the language that they read."""

import contextlib
import locale
import os
import sys

from palabre.cli.output import as_text, notes, print_text
from palabre.core import registry
from palabre.core.errors import BadSpec, did_you_mean
from palabre.core.game_words import capital
from palabre.core.words import DEFAULT, LANGUAGES, own_words

with contextlib.suppress(ImportError):  # not everywhere; then lines are edited as the terminal does it
    import readline  # noqa: F401  (gives `input` the arrow keys and a history)

say = own_words(__file__)

SETTINGS = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set decides, as everywhere on POSIX systems
HELP = ("?", "h", "help", "aide")
QUIT = ("q", "quit", "exit", "quitter")


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
    code = setting[:2].lower()
    return code if code in LANGUAGES else DEFAULT


def ask_for_game(language: str) -> str:
    """The spec of the game that a person chooses, by its official rules where there are any."""
    names = registry.names()
    numbered = {str(number): name for number, name in enumerate(names, start=1)}
    words = {name: registry.words(name, language) for name in names}
    menu = "\n".join(f"  {number}  {words[name].title}: {words[name].summary}" for number, name in numbered.items())
    help_text = say("menu.how", games=len(names)).text(language)
    print_text(menu)
    while True:
        answer = ask(say("menu.which").text(language))
        word = answer.lower()
        if word in QUIT:
            raise Quit
        if word in HELP:
            print_text(f"{menu}\n{help_text}")
            continue
        name, items = registry.split(answer)
        if registry.is_path(name) or items:  # a file, or a game with its rules or parameters
            try:
                return str(registry.game(answer).spec)
            except BadSpec as error:
                print_text(f"{capital(error.text(language))}.", style="red", on=notes)
        elif answer:
            try:
                facts = registry.facts(numbered.get(word) or registry.called(answer))
            except BadSpec:
                unknown = say("menu.unknown", word=answer, hint=did_you_mean(registry.plain(answer), names))
                print_text(f"{unknown.text(language)} {help_text}", style="red", on=notes)
            else:
                return f"{facts.name}:{facts.listed_presets[0].name}"
