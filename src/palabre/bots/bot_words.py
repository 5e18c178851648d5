"""What bots and their parameters are called in a language.

In English the classes of the bots say what they do. Other languages, and the labels of parameters, are in
`words/en.toml`, `words/fr.toml`, … in this folder, and for the bots that a game brings along in the words of that game:

    [bot.NAME]         summary, and PARAMETER where a parameter means something special to this bot
    [parameter.NAME]   title, summary
    [value]            WORD, for values that are words of a language
"""

from collections.abc import Mapping
from pathlib import Path

from palabre.bots.specs import named_bots
from palabre.core.game import Game
from palabre.core.game_words import capital, sentence, spelled
from palabre.core.spec import Parameter, Value
from palabre.core.words import DEFAULT, beside, find

HOME = str(beside(Path(__file__), "words"))


class BotWords:
    """The words of the bots of one game in one language."""

    def __init__(self, game: Game, language: str = DEFAULT) -> None:
        self.language = language
        self._bots = named_bots(game)
        self._homes = (HOME, game.words(language).home)

    def summary(self, bot: str) -> str:
        """What a bot does, in one sentence."""
        return self._first(f"bot.{bot}.summary") or sentence(self._bots[bot].summary)

    def parameter_title(self, parameter: Parameter) -> str:
        """The label of a parameter."""
        return self._first(f"parameter.{parameter.name}.title") or capital(spelled(parameter.name))

    def parameter_summary(self, bot: str, parameter: Parameter) -> str:
        """What a parameter of a bot decides, in one sentence."""
        ids = f"bot.{bot}.{parameter.name}", f"parameter.{parameter.name}.summary"
        return self._first(*ids) or sentence(parameter.summary)

    def value(self, value: Value) -> str:
        """What people call a value: a word of the language, or else the name that it has everywhere."""
        return self._first(f"value.{value}") or str(value)

    def _first(self, *ids: str) -> str | None:
        none: Mapping[str, object] = {}
        return next((text for id in ids if (text := find(self._homes, id, none, self.language))), None)
