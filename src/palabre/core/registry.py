"""Finding games: the ones that come with Palabre by name, those of users by the path of their file or folder."""

import hashlib
import importlib
import importlib.util
import os
import pkgutil
import re
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from types import ModuleType

import palabre.games
from palabre.core.contract import NEEDED
from palabre.core.culprit import USER_MODULE_PREFIX, in_one_line
from palabre.core.errors import BadSpec, did_you_mean, listing
from palabre.core.files import line_of_null
from palabre.core.game import OPTIONAL, Game, optional_part
from palabre.core.game_words import GameWords
from palabre.core.spec import GameFacts
from palabre.core.words import DEFAULT, LANGUAGES, say

LONGEST_SPEC = 500
CODE_ENDINGS = (".py", ".zip")

_helpers: dict[str, Path] = {}  # modules that games have imported from their own folders, and these folders


@cache
def names() -> tuple[str, ...]:
    """The games that come with Palabre."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(palabre.games.__path__)))


def facts(name: str) -> GameFacts:
    """What is known of a built-in game without loading its rules."""
    game_facts: GameFacts = importlib.import_module(f"palabre.games.{name}").GAME
    return game_facts


def words(name: str, language: str = DEFAULT) -> GameWords:
    """What a built-in game calls its things in a language, without loading its rules."""
    return GameWords(importlib.import_module(f"palabre.games.{name}"), language)


def game(spec: str) -> Game:
    """The game that a spec names: `awele`, `abalone:official,layout=alien`, `examples/connect_four.py`."""
    if len(spec) > LONGEST_SPEC:
        raise BadSpec(say("spec.game_too_long", spec=spec))
    name, items = split(spec.strip())
    if is_path(name):
        module = _load(Path(name))
        return Game(module, module.GAME.read_options(items), name)
    module = importlib.import_module(f"palabre.games.{name if name in names() else called(name)}")
    return Game(module, module.GAME.read_options(items))


def called(title: str) -> str:
    """The name of the game that people call so in any language, whatever the case and accents: `Awélé`, `pingouins`."""
    for name in names():
        if plain(title) in {plain(one) for one in (name, *(words(name, language).title for language in LANGUAGES))}:
            return name
    raise BadSpec(say("spec.no_game", name=title, hint=did_you_mean(plain(title), names()), games=listing(names())))


def plain(text: str) -> str:
    """A word as people mean it: without capitals and accents."""
    parts = unicodedata.normalize("NFD", text.casefold())
    return "".join(sign for sign in parts if not unicodedata.combining(sign))


def split(spec: str) -> tuple[str, str]:
    """A spec's name or path and its items; the colon after a Windows drive letter belongs to the path."""
    head, _, items = spec.partition(":")
    if len(head) == 1 and items[:1] in ("/", "\\"):
        rest, _, items = items.partition(":")
        return f"{head}:{rest}", items
    return head, items


def is_path(name: str) -> bool:
    """Whether the first part of a spec is a path: it has a separator or the ending of a file or an archive.

    The files in the current folder make no difference: a name without either is the name of a registered game or bot.
    """
    return name.endswith(CODE_ENDINGS) or "/" in name or "\\" in name


def _load(path: Path) -> ModuleType:
    module = load_file(path, "game")
    if not isinstance(getattr(module, "GAME", None), GameFacts):
        del sys.modules[module.__name__]
        raise BadSpec(say("spec.no_game_in_file", path=path))
    return module


def load_file(path: Path, kind: str) -> ModuleType:
    """Import a game or bot file, or a folder with an `__init__.py`. The module's name depends on its place alone."""
    file = path / "__init__.py" if os.path.isdir(path) else path  # noqa: PTH112 (a Path raises if it is too long)
    if not os.path.isfile(file):  # noqa: PTH113
        raise BadSpec(say(f"spec.no_{kind}_file", path=path))
    place = file.resolve()
    title = re.sub(r"\W", "_", place.parent.name if file != path else place.stem)
    name = f"{USER_MODULE_PREFIX}{kind}_{title}_{hashlib.sha256(os.fsencode(place)).hexdigest()[:12]}"
    if name not in sys.modules:
        _refuse_null_bytes(place)
        _import_file(name, place)
    return sys.modules[name]


def _refuse_null_bytes(file: Path) -> None:
    with suppress(OSError):  # the import reports why it cannot be read
        line = line_of_null(file.read_bytes())
        if line is not None and file.suffix == ".py":
            raise BadSpec(say("spec.null_byte", file=file, line=line))


def _import_file(name: str, file: Path) -> None:
    is_folder = file.name == "__init__.py"
    search = [str(file.parent)] if is_folder else None
    spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=search)
    if spec is None or spec.loader is None:
        raise BadSpec(say("spec.no_python", file=file))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with _helpers_from(file.parent):
            spec.loader.exec_module(module)
            for part in (*NEEDED, *OPTIONAL) if is_folder and hasattr(module, "GAME") else ():
                optional_part(module, part)
    except (Exception, SystemExit) as error:  # whatever the file's own code raises is the file's mistake
        del sys.modules[name]
        raise BadSpec(say("spec.unloadable", file=file, error=in_one_line(error))) from error


@contextmanager
def _helpers_from(folder: Path) -> Iterator[None]:
    """Let a game import what lies beside it, as it is now.

    It must get neither another game's helper of the same name nor old bytecode.
    """
    for helper, home in _helpers.items():
        top = helper.partition(".")[0]
        if home != folder and ((folder / top).is_dir() or (folder / f"{top}.py").is_file()):
            sys.modules.pop(helper, None)
    before = set(sys.modules)
    # Python believes that bytecode is fresh if the source has the same size and second, as after a quick edit.
    writes_none, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    sys.path.append(str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        sys.dont_write_bytecode = writes_none
        for helper in set(sys.modules) - before:
            if folder in Path(getattr(sys.modules[helper], "__file__", None) or "").parents:
                _helpers[helper] = folder
