"""Writing a report as a whole: pages for everyone, pages for authors, tables for other programs."""

import re
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from palabre.arena.store import Store
from palabre.core.errors import PalabreError
from palabre.core.words import DEFAULT, say
from palabre.web.report.exports import write_games, write_parquet, write_records, write_standings
from palabre.web.report.facts import read_facts
from palabre.web.report.private import write_private
from palabre.web.report.public import write_public

_OF_A_BOT = re.compile(r"bot-[0-9]{3,}(\.zip)?")


def write_report(
    store: Store,
    folder: Path,
    title: str,
    *,
    anonymous: bool = False,
    parquet: bool = False,
    language: str = DEFAULT,
    on_game: Callable[[], None] | None = None,
) -> None:
    """Write `public/`, in a language, and `private/` into a folder; a `PalabreError` says why it cannot be done.

    All of it is written beside what is there, and then put in its place: no reader ever sees pages of two reports.
    `on_game` is called after each game that has been drawn, which takes most of the time.
    """
    game = store.game()
    facts = read_facts(store, title, anonymous=anonymous)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".writing-", dir=folder) as place:
            public, private = Path(place, "public"), Path(place, "private")
            write_public(public, store, game, facts, language, on_game)
            write_standings(public / "standings.csv", facts)
            write_games(public / "games.csv", facts)
            write_records(public / "games.txt", game, facts)
            if parquet:
                write_parquet(public / "games.parquet", store)
            write_private(private, game, facts, store.settings)
            _put(public, folder / "public")
            _close(private)
            _close(folder / "private")  # also of a report that an earlier version has written
            _put(private, folder / "private")
    except OSError as error:
        raise PalabreError(say("database.unwritable", file=error.filename or folder, error=error.strerror)) from error


def _close(folder: Path) -> None:
    """Keep other users of the machine out of a folder, and of all that is in it."""
    folder.mkdir(mode=0o700, exist_ok=True)
    for place in (folder, *folder.rglob("*")):
        if not place.is_symlink():
            place.chmod(0o700 if place.is_dir() else 0o600)


def _put(new: Path, old: Path) -> None:
    """Put files in the place of older ones. What is not ours stays; folders of bots that have gone do not."""
    old.mkdir(exist_ok=True)
    for path in old.iterdir():
        if _OF_A_BOT.fullmatch(path.name) and not (new / path.name).exists():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    for file in [path for path in new.rglob("*") if path.is_file()]:
        target = old / file.relative_to(new)
        if not target.parent.exists():
            target.parent.mkdir(parents=True)
            shutil.copymode(file.parent, target.parent)
        file.replace(target)
