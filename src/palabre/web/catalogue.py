"""What can be played and by whom, in the language of a browser: the facts behind the form for a new game."""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from palabre.bots.bot_words import BotWords
from palabre.bots.levels import STRONGEST
from palabre.bots.opponents import opponent
from palabre.bots.specs import bots_for, named_bots, parameters
from palabre.core import registry
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.game_words import GameWords
from palabre.core.spec import Decimal, Parameter
from palabre.web.messages import BotChoice, GameChoices, GameEntry, ParameterChoice, PresetChoice, RulesPage
from palabre.web.pictures import picture
from palabre.web.reading import Reader
from palabre.web.rules import lessons_markup, rules_markup


def catalogue(reader: Reader, language: str, *, shows_broken: bool) -> list[GameEntry]:
    """All games on offer: ours, and those of the operator's folders, who also sees which are broken and why."""
    entries = [_entry(reader.game(spec), language) for spec in registry.names()]
    for spec, file in reader.folders.game_files().items():
        if not _is_meant_as_game(file):
            continue
        try:
            entries.append(_entry(reader.game(spec), language))
        except PalabreError as error:
            if shows_broken:
                entries.append(GameEntry(spec, spec, "", spec, "", [], error.text(language)))
    return entries


def _is_meant_as_game(file: Path) -> bool:
    """Whether a file says that it is a game: others beside it only help."""
    source = file / "__init__.py" if file.is_dir() else file
    try:
        return b"GAME" in source.read_bytes()
    except OSError:
        return False


@lru_cache(maxsize=256)
def _entry(game: Game, language: str) -> GameEntry:
    words = game.words(language)
    name = registry.split(game.spec)[0]
    presets = [
        PresetChoice(
            preset.name,
            name if preset.name == game.facts.default_preset else f"{name}:{preset.name}",
            words.preset_title(preset.name),
            words.preset_summary(preset.name),
            [_rule_parameter(parameter, preset.name, words) for parameter in preset.parameters.values()],
        )
        for preset in game.facts.listed_presets
    ]
    return GameEntry(name, words.title, words.summary, presets[0].spec, _first(game, words.title), presets)


def choices(game: Game, reader: Reader, language: str) -> GameChoices:
    """What can be chosen for one variant of a game."""
    words = game.words(language)
    known, bot_words = named_bots(game), BotWords(game, language)
    bots = [
        BotChoice(
            name,
            bot_words.summary(name),
            [_bot_parameter(name, value, bot_words) for value in parameters(known[name], game).values()],
            known[name].can_analyse,
        )
        for name in bots_for(game)
        if not known[name].needs_data
    ]
    bots += [BotChoice(name, "", [], can_analyse=False) for name in reader.folders.bot_files()]
    return GameChoices(
        game.spec,
        game.players,
        [words.player(seat) for seat in range(game.players)],
        _first(game, words.title),
        bots,
        [opponent(game, level) for level in range(1, STRONGEST + 1)],
        game.facts.presets[game.options.preset].clock,
        game.has_random_start,
    )


@lru_cache(maxsize=256)
def _first(game: Game, title: str) -> str:
    """The first position of a game as a picture."""
    return picture(game.start(), title)


def rules_page(game: Game, language: str) -> RulesPage:
    """The rules and the lessons of a game for people to read."""
    return RulesPage(game.words(language).title, rules_markup(game, language), lessons_markup(game, language))


def _rule_parameter(parameter: Parameter, preset: str, words: GameWords) -> ParameterChoice:
    title, about = words.parameter_title(parameter.name), words.parameter_summary(preset, parameter.name)
    return _choice(parameter, title, about, lambda value: words.value(parameter.name, value))


def _bot_parameter(bot: str, parameter: Parameter, words: BotWords) -> ParameterChoice:
    return _choice(parameter, words.parameter_title(parameter), words.parameter_summary(bot, parameter), words.value)


def _choice(parameter: Parameter, title: str, about: str, label: Callable[[str], str]) -> ParameterChoice:
    name, default, values = parameter.name, parameter.default, parameter.choices
    if isinstance(values, range):
        return ParameterChoice(name, title, about, default, values[0], values[-1])
    if isinstance(parameter, Decimal):
        return ParameterChoice(name, title, about, default, parameter.lowest, parameter.highest, is_decimal=True)
    return ParameterChoice(name, title, about, default, choices=[(value, label(value)) for value in values])
