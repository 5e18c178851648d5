"""The quick check that every game of a user passes before it is first used.

It takes a second or two, in a process of its own, and is remembered in the cache by a digest of the game's files: the
next use of the same game costs nothing. The games that come with Palabre are checked by its tests instead.
"""

import contextlib
import hashlib
import logging
import os
from pathlib import Path

from palabre.compile import cache
from palabre.compile.digest import PACKAGE, source_digest
from palabre.core import registry
from palabre.core.errors import BadSpec, BrokenGame, PalabreError
from palabre.core.files import replace_file
from palabre.core.game import Game
from palabre.core.given import described
from palabre.core.words import LANGUAGES, Message, beside, say
from palabre.laws.apart import CheckGame, check_apart

log = logging.getLogger(__name__)

SECONDS = 1.0  # of random games that are checked closely
PATIENCE = 10.0  # seconds that a rule may take to answer


def checked_game(spec: str) -> Game:
    """The game that a spec names; raises `BrokenGame` if it is a user's and breaks a law."""
    if registry.is_path(registry.split(spec.strip())[0]):
        check_first_use(spec)
    return registry.game(spec)


def given_game(given: Game | str | Path) -> Game:
    """The game that a program names: the game itself, its spec, or the path of a user's."""
    if isinstance(given, Game):
        return given
    if isinstance(given, str | Path):
        return checked_game(str(given))
    raise BadSpec(say("given.game", example=registry.names()[0], given=described(given)))


def check_first_use(spec: str) -> None:
    """Check the user's game in this file or folder, unless the very same has passed before.

    The game is not loaded here: loading alone can block or kill a process. What cannot be loaded breaks no law; loading
    it reports why.
    """
    name, items = registry.split(spec.strip())
    file = Path(name, "__init__.py") if os.path.isdir(name) else Path(name)  # noqa: PTH112 (a Path raises if too long)
    if not os.path.isfile(file):  # noqa: PTH113
        return
    mark = cache.root() / "checked" / f"{file.resolve().stem}-{_digest(file.resolve(), items)}"
    cache.borrow(mark)
    if mark.is_file():
        return

    is_announced = False

    def show(doing: Message, seen: int) -> None:
        nonlocal is_announced
        if seen and not is_announced:  # it has been loaded
            log.info("checking the rules of %s, once…", name)
            is_announced = True

    try:
        law = check_apart(CheckGame(spec, seconds=SECONDS), PATIENCE, show).law
    except PalabreError:
        return  # it cannot be loaded
    if law is not None:
        raise BrokenGame(say("first_use.broken", game=name, law=law))
    with contextlib.suppress(OSError):  # a cache that cannot be written to: it is checked again next time
        mark.parent.mkdir(parents=True, exist_ok=True)
        replace_file(mark, spec)


def _digest(file: Path, items: str) -> str:
    """A name for all that the check depends on: the game's code, words, pages and options."""
    sources = file.parent.glob("*.py") if file.name == "__init__.py" else [file]
    texts = [beside(file, "words") / f"{language}.toml" for language in LANGUAGES]
    texts += [beside(file, f"rules.{language}.md") for language in LANGUAGES]
    contents = [hashlib.sha256(text.read_bytes()).hexdigest() if text.is_file() else "" for text in texts]
    return source_digest([*sources, *(PACKAGE / "laws").glob("*.py")], "\n".join([items, *contents]))
