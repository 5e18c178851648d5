"""The menu of `palabre play --terminal`: which game, asked until the answer is one."""

from palabre.cli.output import notes, print_text
from palabre.cli.prompt import Quit, ask
from palabre.core import registry
from palabre.core.errors import BadSpec, did_you_mean
from palabre.core.game_words import capital
from palabre.core.words import own_words

say = own_words(__file__)

ASKING = ("?", "h", "help", "aide")
LEAVING = ("q", "quit", "exit", "quitter")


def ask_for_game(language: str) -> str:
    """The spec of the game that a person chooses, by its official rules where there are any."""
    names = registry.names()
    words = {name: registry.words(name, language) for name in names}
    known = {str(number): name for number, name in enumerate(names, start=1)}
    listed = [f"  {number}  {words[name].title}: {words[name].summary}" for number, name in enumerate(names, start=1)]
    print_text("\n".join(listed))
    while True:
        answer = ask(say("menu.which").text(language))
        word = answer.lower()
        if word in LEAVING:
            raise Quit
        if word in ASKING:
            print_text("\n".join([*listed, say("menu.how", games=len(names)).text(language)]))
            continue
        name, items = registry.split(answer)
        if registry.is_path(name) or items:  # a file, or a game with its rules or parameters
            try:
                return str(registry.game(answer).spec)
            except BadSpec as error:
                print_text(f"{capital(error.text(language))}.", style="red", on=notes)
        elif answer:
            try:
                facts = registry.facts(known.get(word) or registry.called(answer))
            except BadSpec:
                told = say("menu.unknown", word=answer, hint=did_you_mean(registry.plain(answer), names))
                how = say("menu.how", games=len(names)).text(language)
                print_text(f"{told.text(language)} {how}", style="red", on=notes)
            else:
                return f"{facts.name}:{facts.listed_presets[0].name}"
