"""What a spec from a browser may say: the names of registered games and bots, and values up to the server's limits.

A file is never named by its path. The operator may offer folders of games and bots; a file in them goes by the name of
its folder and its own, as in `mine/greedy.py:depth=3`. The code of a foreign bot runs in a sandbox only, so what
stands after the colon is checked there.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from palabre.bots.limits import UNLIMITED
from palabre.bots.specs import ALIASES, bots_for, parameters
from palabre.bots.specs import bot as find_bot
from palabre.bots.submission import TOML, ZIP
from palabre.core import registry
from palabre.core.errors import BadSpec, BrokenGame, did_you_mean
from palabre.core.game import Game
from palabre.core.plain import renamed
from palabre.core.registry import LONGEST_SPEC, is_path, split
from palabre.core.spec import Options, Value, spell_values
from palabre.core.words import say
from palabre.evaluation.names import FILE_ENDINGS

COMMANDS = ("ugi:", "pipe:")


@dataclass(frozen=True)
class ServerLimits:
    """The most that one move may cost, whatever a browser asks for."""

    seconds: float = 5.0
    depth: int = 40  # plies; what takes too long is stopped in any case
    nodes: int = 20_000_000
    playouts: int = 100_000
    threads: int = 1
    memory: int = 16  # megabytes for the table of one bot

    @property
    def highest(self) -> dict[str, float]:
        """The highest value of each parameter of bots that costs time or memory."""
        return {
            "time": self.seconds,
            "depth": self.depth,
            "nodes": self.nodes,
            "playouts": self.playouts,
            "threads": self.threads,
            "memory": self.memory,
        }


@dataclass(frozen=True)
class Folders:
    """The folders that the operator offers, and the files in them by the names that browsers use.

    `broken` are games in them that were found to break a law, each with the sentence that says so: they are never run.
    """

    bots: tuple[Path, ...] = ()
    games: tuple[Path, ...] = ()
    broken: tuple[tuple[Path, str], ...] = ()

    def bot_files(self) -> dict[str, Path]:
        """The bots on offer."""
        return _offered(self.bots, _is_bot)

    def game_files(self) -> dict[str, Path]:
        """The games on offer."""
        return _offered(self.games, _is_python)


NO_FOLDERS = Folders()
USUAL_LIMITS = ServerLimits()


def read_game(spec: str, folders: Folders = NO_FOLDERS) -> Game:
    """The game that a browser names; a `BadSpec` says why there is none. Its spec never has a path in it."""
    _check_length(spec)
    name, items = split(spec.strip())
    if not is_path(name):
        return registry.game(spec)
    file = _find(name, folders.game_files(), "game", registry.names())
    for broken, why in folders.broken:
        if broken == file:
            raise BrokenGame(why.replace(str(file), name))
    try:
        game = registry.game(f"{file}:{items}" if items else str(file))
    except BadSpec as error:
        raise BadSpec(renamed(error, str(file), name)) from error  # people must not see the path
    return Game(game.module, game.options, name)


def read_bot(spec: str, game: Game, limits: ServerLimits = USUAL_LIMITS, folders: Folders = NO_FOLDERS) -> str:
    """The canonical spec of the bot that a browser names, its values lowered to the limits.

    A bot that nothing limits gets the time of the server. A `BadSpec` says why there is no such bot.
    """
    _check_length(spec)
    name, items = split(spec.strip())
    if spec.strip().startswith(COMMANDS):
        raise BadSpec(say("server.no_programs", spec=spec, bots=bots_for(game)))
    if is_path(name):
        _find(name, folders.bot_files(), "bot", bots_for(game))
        return f"{name}:{items}" if items else name
    for word in items.split(","):
        value = word.partition("=")[2].strip()
        if is_path(value) or value.endswith(FILE_ENDINGS):
            raise BadSpec(say("server.no_weights", value=value))
    bot = find_bot(spec, game)
    if bot.needs_data:  # and people may not name files here
        raise BadSpec(say("server.no_data", bot=split(bot.spec)[0]))
    known = parameters(type(bot), game)
    given = {word.partition("=")[0].strip() for word in items.split(",")}
    values = dict(bot.options.values)
    highest = limits.highest
    lowered = {name: _lower(value, highest[name]) for name, value in values.items() if name in given & set(highest)}
    values.update(lowered)
    if "time" in values and not is_limited(values, {parameter.name: parameter.default for parameter in known.values()}):
        values["time"] = float(limits.seconds)
    words = ",".join(spell_values(values.items(), known))
    called = split(bot.spec)[0]
    title = ALIASES.get(called, called)  # the page has words for one name of each bot
    return f"{title}:{words}" if words else title


def is_limited(values: Mapping[str, Value], defaults: Mapping[str, Value]) -> bool:
    """Whether a bot with these values has a limit of its own: seconds, plies, nodes, playouts, or those of a level."""
    if any(values.get(name, UNLIMITED) != UNLIMITED for name in ("time", "depth", "nodes", "playouts")):
        return True
    return "level" in values and values["level"] != defaults["level"]


def lower_memory(options: Options, megabytes: int) -> Options:
    """The options of a bot, with at most so much memory and with one thread."""
    highest = {"memory": megabytes, "threads": 1}
    values = ((name, _lower(value, highest[name]) if name in highest else value) for name, value in options.values)
    return Options(options.preset, tuple(values))


def bot_spec_with_path(spec: str, folders: Folders) -> str:
    """The spec by which a process finds a bot of the operator's folders."""
    name, items = split(spec)
    file = _find(name, folders.bot_files(), "bot", ())
    return f"{file}:{items}" if items else str(file)


def _lower(value: Value, highest: float) -> Value:
    """A value, or the highest one if it is lower; the type stays."""
    assert not isinstance(value, str), "what costs time or memory is a number"
    return type(value)(min(value, highest))


def _check_length(spec: str) -> None:
    if len(spec) > LONGEST_SPEC:
        raise BadSpec(say("server.too_long", spec=spec))


def _find(name: str, files: Mapping[str, Path], kind: str, names: Iterable[str]) -> Path:
    if name in files:
        return files[name]
    known = [*names, *files]
    raise BadSpec(say(f"server.no_{kind}", name=name, hint=did_you_mean(name, known), known=known))


def _offered(folders: Iterable[Path], is_code: Callable[[Path], bool]) -> dict[str, Path]:
    """The files and folders of code in some folders, by the name of the folder and their own.

    What begins with an underscore or a dot is no offer, and neither is a link that leads out of its folder. Of two
    folders with the same name the first is offered. A file or package may also be offered alone.
    """
    offered: dict[str, Path] = {}
    for folder in folders:
        place = folder.resolve()
        home = place.parent if is_code(place) else place
        for file in [place] if is_code(place) else sorted(home.iterdir()) if home.is_dir() else ():
            is_inside = all(part.resolve().is_relative_to(home) for part in (file, *file.rglob("*.py")))
            if is_code(file) and is_inside and not file.name.startswith(("_", ".")):
                offered.setdefault(f"{home.name}/{file.name}", file.resolve())
    return offered


def _is_python(file: Path) -> bool:
    return file.suffix == ".py" or (file / "__init__.py").is_file()


def _is_bot(file: Path) -> bool:
    return _is_python(file) or file.suffix == ZIP or (file / TOML).is_file()
