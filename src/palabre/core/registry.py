"""Finding games: those that come with Palabre by name, anybody else's by the path of their file or folder."""

import hashlib
import importlib
import importlib.util
import pkgutil
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import palabre.games
from palabre.core.errors import BadSpec, clip, did_you_mean, listing
from palabre.core.game import Game
from palabre.core.spec import GameFacts

LONGEST_SPEC = 500


@cache
def names() -> tuple[str, ...]:
    """The games that come with Palabre."""
    return tuple(sorted(found.name for found in pkgutil.iter_modules(palabre.games.__path__)))


def facts(name: str) -> GameFacts:
    """What is known of a game of ours without loading its rules."""
    found: GameFacts = importlib.import_module(f"palabre.games.{name}").GAME
    return found


def game(spec: str) -> Game:
    """The game that a spec names: `awele`, `abalone:official,layout=alien`, `examples/connect_four.py`."""
    if len(spec) > LONGEST_SPEC:
        raise BadSpec(f"{clip(spec)} is too long to be a game spec")
    name, items = _split(spec.strip())
    if _is_path(name):
        module = _load(Path(name))
        return Game(module, module.GAME.read_options(items), name)
    if name not in names():
        raise BadSpec(
            f"there is no game {clip(name)}{did_you_mean(name, names())}; the games are {listing(names())}, "
            "or the path of a game file such as examples/connect_four.py"
        )
    return Game(importlib.import_module(f"palabre.games.{name}"), facts(name).read_options(items))


def _split(spec: str) -> tuple[str, str]:
    """A spec's game and its items; the colon after a Windows drive letter belongs to the path."""
    head, _, items = spec.partition(":")
    if len(head) == 1 and items[:1] in ("/", "\\"):
        rest, _, items = items.partition(":")
        return f"{head}:{rest}", items
    return head, items


def _is_path(name: str) -> bool:
    return name.endswith(".py") or "/" in name or "\\" in name


def _load(path: Path) -> ModuleType:
    """Import a game file, or a folder with an `__init__.py`, under a name that depends on its place alone."""
    file = path / "__init__.py" if path.is_dir() else path
    if not file.is_file():
        raise BadSpec(f"there is no game file {clip(str(path))}; give the path of a .py file or of a game's folder")
    place = file.resolve()
    name = f"palabre_game_{place.stem}_{hashlib.sha256(str(place).encode()).hexdigest()[:12]}"
    if name not in sys.modules:
        _import_file(name, place)
    module = sys.modules[name]
    if not isinstance(getattr(module, "GAME", None), GameFacts):
        del sys.modules[name]
        raise BadSpec(f"{path} has no GAME = GameFacts(…); see docs/adding_a_game.md")
    return module


def _import_file(name: str, file: Path) -> None:
    search = [str(file.parent)] if file.name == "__init__.py" else None
    found = importlib.util.spec_from_file_location(name, file, submodule_search_locations=search)
    if found is None or found.loader is None:
        raise BadSpec(f"{file} cannot be loaded as Python")
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module
    sys.path.append(str(file.parent))  # a game may keep helpers beside it
    try:
        found.loader.exec_module(module)
    except Exception as error:  # whatever the file's own code raises is the file's mistake, not ours
        del sys.modules[name]
        line = f", line {error.lineno}" if isinstance(error, SyntaxError) else ""
        raise BadSpec(f"{file}{line} cannot be loaded: {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(str(file.parent))
