"""Bots by name: `divine:depth=4`, `random:seed=7`, `path/mybot.py`, `path/mybot.py:MyBot,depth=3`, `ugi:./engine`.

A spec is a name of ours or the path of a Python file, then a colon and items separated by commas. The items are
`parameter=value`; after a path the first may be the name of a class. The canonical spelling leaves out all defaults.
After `ugi:` or `pipe:` comes the command line of a foreign program, and nothing else: `ugi:./engine --fast`.
"""

import inspect
import os
import re
from collections.abc import Mapping, Sequence
from functools import cache as remember
from pathlib import Path
from types import MappingProxyType, ModuleType
from weakref import WeakKeyDictionary

from palabre.bots import plain
from palabre.bots.bot import Bot
from palabre.bots.pipe import PREFIX as PIPE
from palabre.bots.pipe import pipe_bot
from palabre.bots.submission import Submission, submission_of
from palabre.core import registry
from palabre.core.culprit import in_one_line
from palabre.core.errors import BadSpec, did_you_mean, listing
from palabre.core.game import Game
from palabre.core.given import described
from palabre.core.registry import LONGEST_SPEC, is_path, load_file, split
from palabre.core.spec import Options, Parameter, Value, read_values, spell_values, split_items
from palabre.core.words import Message, say
from palabre.ugi.client import PREFIX as UGI
from palabre.ugi.client import ugi_bot

ALIASES = plain.ALIASES
_submissions: WeakKeyDictionary[Bot, Submission] = WeakKeyDictionary()  # whose files a bot needs
# What stands between two commas of a list of specs; in a command line, commas must be in quotes.
_WORD = re.compile(rf"""(?:^|,)(\s*(?:{UGI}|{PIPE})(?:"[^"]*"|'[^']*'|[^,])*|[^,]*)""")
SEED = Parameter("seed", 0, range(0, 10**9), "the seed of all its random choices")


def bot(spec: str, game: Game | str | Path, **options: Value | None) -> Bot:
    """The bot that a spec names for a game, which may also be given by its spec; a `BadSpec` lists what is valid.

    Parameters may also be arguments: `bot("alphabeta:depth=4", game, eval="score")`. One that is None is left out.
    """
    if not isinstance(spec, str):
        raise BadSpec(say("given.bot", given=described(spec)))
    if not isinstance(game, Game):
        from palabre.laws.first_use import given_game  # which checks it in a process; what plays knows its game

        game = given_game(game)
    if len(spec) > LONGEST_SPEC:
        raise BadSpec(say("spec.bot_too_long", spec=spec))
    text = spec.strip()
    given = {name: value for name, value in options.items() if value is not None}
    for prefix, make in ((UGI, ugi_bot), (PIPE, pipe_bot)):
        if text.startswith(prefix):
            _refuse_parameters(spec, given)
            return make(text.removeprefix(prefix).strip())
    name, items = split(text)
    words = split_items(items)
    if not is_path(name):
        return _make(_named(ALIASES.get(name, name), game), name, game, words, given)  # called as people call it
    submission = submission_of(text)
    if submission is not None:
        _refuse_parameters(spec, given)
        return _of_submission(submission, text, game)
    kind, title = _from_file(name, words.pop(0) if words and "=" not in words[0] else None)
    return _make(kind, title, game, words, given)


def _refuse_parameters(spec: str, given: Mapping[str, object]) -> None:
    """Refuse parameters of a bot that has none."""
    if given:
        about = {"name": next(iter(given)), "hint": "", "valid": say("spec.no_parameters")}
        raise BadSpec(say("spec.unknown_parameter", owner=spec, **about))


def split_specs(text: str) -> list[str]:
    """The specs in a list such as `person,alphabeta:depth=4,eval=score`; `parameter=…` belongs to the spec before it.

    In the command line of a foreign engine a comma may also stand in quotes: `person,ugi:./engine "a,b"`.
    """
    specs: list[str] = []
    for word in _WORD.findall(text):
        if specs and re.match(r"\s*\w+\s*=", word):
            specs[-1] += f",{word}"
        else:
            specs.append(word.strip())
    return specs


def parameters(kind: type[Bot], game: Game) -> dict[str, Parameter]:
    """All that can be chosen about a kind of bot in a game, by name."""
    try:
        return {parameter.name: parameter for parameter in (*kind.parameters(game), SEED)}
    except Exception as error:  # a user's class
        raise BadSpec(say("spec.no_parameters_told", kind=kind.__name__, error=in_one_line(error))) from error


def why_not(kind: type[Bot], game: Game) -> Message | None:
    """Why a kind of bot does not play a game, or None if it does."""
    if kind.games and game.facts.name not in kind.games:
        return say("spec.bot_of_games", games=listing(kind.games), game=game.facts.name)
    if kind.most_players is not None and game.players > kind.most_players:
        return say("spec.bot_of_players", most=kind.most_players, game=game.spec, players=game.players)
    return None


@remember
def bots_for_any_game() -> dict[str, type[Bot]]:
    """Our bots by name, the simplest first. A bot in a file needs none of them, and they take long to import."""
    from palabre.bots import engine, manyplayers, montecarlo, textbook

    return {**plain.BOTS, **textbook.BOTS, **manyplayers.BOTS, **montecarlo.BOTS, **engine.BOTS}


def named_bots(game: Game) -> dict[str, type[Bot]]:
    """The bots of a game by name: those for any game, and the game's own."""
    return {**bots_for_any_game(), **getattr(game.part("bots"), "BOTS", {})}


def registered_names(game: Game) -> list[str]:
    """The names that a spec of a bot of ours can begin with in a game."""
    return [*named_bots(game), *ALIASES]


def bots_for(game: Game) -> list[str]:
    """The names of the bots that play a game."""
    return [name for name, kind in named_bots(game).items() if why_not(kind, game) is None]


def is_registered(name: str, game: Game) -> bool:
    """Whether a bot of this game, of another one or of any game has this name."""
    try:
        return bool(_named(ALIASES.get(name, name), game))
    except BadSpec:
        return False


def _named(name: str, game: Game) -> type[Bot]:
    known = named_bots(game)
    if name in known:
        return known[name]
    for other in map(registry.game, registry.names()):  # a bot of another game is refused for that reason
        if name in named_bots(other):
            return named_bots(other)[name]
    if os.path.exists(name):  # noqa: PTH110 (a Path raises if it is too long)
        raise BadSpec(say("spec.bot_without_separator", name=name))
    raise BadSpec(say("spec.no_bot", name=name, hint=did_you_mean(name, [*known, *ALIASES]), bots=listing(known)))


def _from_file(path: str, wanted: str | None) -> tuple[type[Bot], str]:
    """The class of this name in a file, or the only bot in it, and what to call it."""
    classes = _bots_in(load_file(Path(path), "bot"))
    if not classes:
        raise BadSpec(say("spec.no_bot_in_file", path=path))
    if wanted is None and len(classes) > 1:
        raise BadSpec(say("spec.several_bots", path=path, bots=listing(classes), first=next(iter(classes))))
    if wanted is not None and wanted not in classes:
        hint = did_you_mean(wanted, classes)
        raise BadSpec(say("spec.not_that_bot", path=path, name=wanted, hint=hint, bots=listing(classes)))
    kind = classes[wanted] if wanted is not None else next(iter(classes.values()))
    if kind.choose is Bot.choose and kind.score_moves is Bot.score_moves:
        raise BadSpec(say("spec.no_choose", kind=kind.__name__, path=path))
    return kind, path if len(classes) == 1 else f"{path}:{kind.__name__}"


def _of_submission(submission: Submission, spec: str, game: Game) -> Bot:
    """The bot of a submission in Python, made in this process."""
    if submission.kind != "python":
        raise BadSpec(say("spec.not_in_this_process", path=spec))
    kind, title = _from_file(str(submission.folder / submission.main), submission.class_name)
    made = _make(kind, title, game)
    made.spec = spec
    _submissions[made] = submission
    return made


def _bots_in(module: ModuleType) -> dict[str, type[Bot]]:
    """The bots that a module defines; those that it imports are not its own."""
    return {
        kind.__name__: kind
        for kind in vars(module).values()
        if inspect.isclass(kind) and issubclass(kind, Bot) and kind.__module__ == module.__name__
    }


def _make(
    kind: type[Bot],
    title: str,
    game: Game,
    words: Sequence[str] = (),
    given: Mapping[str, object] = MappingProxyType({}),
) -> Bot:
    """A bot with the parameters that a spec and a program name, if it plays this game."""
    refusal = why_not(kind, game)
    if refusal is not None:
        raise BadSpec(say("spec.bot_refuses", bot=title, refusal=refusal, bots=listing(bots_for(game))))
    known = parameters(kind, game)
    values = read_values(title, words, known, given)
    items = ",".join(spell_values(values, known))
    # A colon begins the items, unless the class in a file has done so already.
    colon = "," if ":" in title.removeprefix(split(title)[0]) else ":"
    spec = f"{title}{colon}{items}" if items else title
    try:
        made = kind()
        made.options, made.spec = Options("", values), spec
    except (Exception, SystemExit) as error:  # a user's __init__
        raise BadSpec(say("spec.not_created", spec=spec, error=in_one_line(error))) from error
    return made
