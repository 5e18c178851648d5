"""The menu of `palabre play --terminal`: which game, asked until the answer is one."""

from palabre.cli.output import console, notes
from palabre.cli.prompt import Quit, ask
from palabre.core import registry
from palabre.core.errors import BadSpec, did_you_mean
from palabre.core.game_words import capital
from palabre.core.words import own_words

say = own_words(__file__)

LEAVING = ("q", "quit", "exit", "quitter")


def ask_for_game(language: str) -> str:
    """The spec of the game that a person chooses, by its official rules where there are any."""
    names = registry.names()
    words = {name: registry.words(name, language) for name in names}
    for number, name in enumerate(names, start=1):
        console.print(f"  {number}  {words[name].title}: {words[name].summary}")
    known = {str(number): name for number, name in enumerate(names, start=1)}
    known |= {words[name].title.lower(): name for name in names} | {name: name for name in names}
    while True:
        answer = ask(say("menu.which").text(language))
        word = answer.lower()
        if word in LEAVING:
            raise Quit
        if word in known:
            facts = registry.facts(known[word])
            return f"{facts.name}:{facts.listed_presets[0].name}"
        name = registry.split(answer)[0]
        if registry.is_path(name) or name.lower() in names:  # a file, or a game with its rules or parameters
            spec = answer if registry.is_path(name) else word
            try:
                registry.game(spec)
            except BadSpec as error:
                notes.print(f"{capital(error.text(language))}.", style="red")
            else:
                return spec
        elif answer:
            told = say("menu.unknown", word=answer, hint=did_you_mean(word, names), games=len(names))
            notes.print(told.text(language), style="red")
