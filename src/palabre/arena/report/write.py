"""Writing a report as a whole: pages for everybody, pages for authors, tables for other programs."""

from pathlib import Path

from palabre.arena.report.exports import write_games, write_parquet, write_records, write_standings
from palabre.arena.report.private import write_private
from palabre.arena.report.public import read_facts, write_public
from palabre.arena.store import Store
from palabre.core.errors import PalabreError


def write_report(store: Store, folder: Path, title: str, event: str, *, parquet: bool = False) -> None:
    """Write `public/` and `private/` into a folder; a `PalabreError` says why it cannot be done.

    `event` is how the event's file is named in the commands that the private pages show.
    """
    game = store.game()
    facts = read_facts(store, title)
    public = folder / "public"
    try:
        write_public(public, game, facts)
        write_standings(public / "standings.csv", facts)
        write_games(public / "games.csv", facts)
        write_records(public / "games.txt", store)
        if parquet:
            write_parquet(public / "games.parquet", store)
        write_private(folder / "private", game, facts, event)
    except OSError as error:
        raise PalabreError(f"cannot write {error.filename or folder}: {error.strerror}") from error
