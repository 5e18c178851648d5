"""What a person types in the terminal, and the game that they choose there."""

import contextlib
import sys

from palabre.cli.output import as_text, notes, print_text
from palabre.core import registry
from palabre.core.errors import BadSpec
from palabre.core.game_words import capital
from palabre.core.words import own_words

with contextlib.suppress(ImportError):  # not everywhere; then lines are edited as the terminal does it
    import readline  # noqa: F401  (gives `input` the arrow keys and a history)

say = own_words(__file__)

# Other words for the commands: short ones, those of other programs, and French.
ALIASES = {
    **{"q": "quit", "exit": "quit", "?": "help", "h": "help"},
    **{"coups": "moves", "indice": "hint", "reprendre": "undo", "annuler": "undo", "niveau": "level"},
    **{"règles": "rules", "regles": "rules", "texte": "text", "aide": "help", "quitter": "quit"},
}


class Quit(Exception):
    """The person at the board wants to stop."""


def ask(prompt: str) -> str:
    """Read a line from the person; the end of the input means that they want to stop."""
    sys.stderr.flush()
    try:
        return input(as_text(prompt)).strip()
    except EOFError:
        raise Quit from None


def command_in(line: str) -> tuple[str, str]:
    """The command that a line begins with, by its English name, and what follows it."""
    word, _, rest = line.partition(" ")
    return ALIASES.get(word.lower(), word.lower()), rest.strip()


def ask_for_game(language: str) -> str:
    """The spec of the game that a person chooses, by its official rules where there are any."""
    names = registry.names()
    words = [registry.words(name, language) for name in names]
    menu = "\n".join(f"  {number}  {each.title}: {each.summary}" for number, each in enumerate(words, start=1))
    how = say("menu.how", games=len(names)).text(language)
    print_text(menu)
    numbers = {str(number): name for number, name in enumerate(names, start=1)}
    while True:
        answer = ask(say("menu.which").text(language))
        command, _ = command_in(answer)
        if command == "quit":
            raise Quit
        if command == "help":
            print_text(f"{menu}\n{how}")
        elif answer:
            try:
                game = registry.game(numbers.get(answer, answer))
            except BadSpec as error:
                print_text(f"{capital(error.text(language))}. {how}", style="red", on=notes)
            else:
                name, rules = registry.split(answer)
                names_rules = bool(rules) or registry.is_path(name)
                return game.spec if names_rules else f"{game.facts.name}:{game.facts.listed_presets[0].name}"
