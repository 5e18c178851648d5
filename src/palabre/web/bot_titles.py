"""What to call bots: `palabre:level=3` is "Level 3", and `alphabeta:depth=2` is "alphabeta"."""

import re
from collections import Counter
from collections.abc import Iterable

from palabre.bots.bot_words import BotWords
from palabre.bots.specs import named_bots, parameters
from palabre.core.game import Game
from palabre.core.registry import split
from palabre.web.refusal import in_language

LEVELLED = ("palabre", "mcts")  # bots that play levels for people
COPY = re.compile(r"(.*?)( \(\d+\))?", re.DOTALL)  # a bot that is in an event more than once has a number


def bot_title(name: str, game: Game, language: str, *, shortens: bool = True) -> str:
    """What to call a bot, given its spec or its name in an event; anything else is its own name.

    Its level is enough, or else its name, unless it is not to be shortened: then it is "alphabeta, depth 2".
    """
    spec, copy = COPY.fullmatch(name).groups("")  # type: ignore[union-attr]  # it matches any text
    level = level_title(spec, language) if shortens else ""
    if level:
        return level + copy
    bot, items = split(spec)
    chosen = [item.partition("=") for item in items.split(",") if item]
    known = named_bots(game).get(bot)
    if shortens and known is not None:
        return bot + copy
    described = {} if known is None else parameters(known, game)
    if not all(key in described for key, _, _ in chosen):
        return name
    words = BotWords(game, language)
    parts = [f"{words.parameter_title(described[key]).lower()} {words.value(value)}" for key, _, value in chosen]
    return ", ".join([bot, *parts]) + copy


def level_title(spec: str, language: str) -> str:
    """What to call a bot of which nothing but its level was chosen; nothing for any other."""
    bot, items = split(spec)
    name, _, level = items.partition("=")
    is_level = bot in LEVELLED and name == "level" and level.isdecimal()
    return in_language("listed.level", language, level=level) if is_level else ""


def bot_titles(names: Iterable[str], game: Game, language: str) -> dict[str, str]:
    """What to call the bots of an event, no two of them the same; those called by their names are left out."""
    wanted = dict.fromkeys(names)
    short = {name: bot_title(name, game, language) for name in wanted}
    count = Counter(short.values())
    clear = {
        name: title if count[title] == 1 else bot_title(name, game, language, shortens=False)
        for name, title in short.items()
    }
    return {name: title for name, title in clear.items() if title != name}
