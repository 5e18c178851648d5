"""`palabre report`: the pages and tables of an event."""

from pathlib import Path
from typing import Annotated

import typer

from palabre.arena.store import read_store
from palabre.cli.output import console, notes, progress
from palabre.cli.paths import input_file, output_folder
from palabre.cli.records import Trust
from palabre.web.report.write import write_report
from palabre.web.requests import Language

Anonymous = Annotated[bool, typer.Option("--anonymous", help="Leave the authors out of the public pages.")]


def report(
    event: Annotated[
        Path,
        typer.Argument(callback=input_file, metavar="EVENT", help="An event file; the event may still be under way."),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            callback=output_folder, metavar="FOLDER", help="Where to write. (default: EVENT-report next to EVENT)"
        ),
    ] = None,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="The title of the event.")] = None,
    anonymous: Anonymous = False,
    parquet: Annotated[bool, typer.Option("--parquet", help="Also write games.parquet.")] = False,
    language: Annotated[Language, typer.Option(help="The language of the public page.")] = "en",
    trust: Trust = False,
) -> None:
    """Write web pages and tables: public/ for everyone, private/ with a folder for the author of each bot."""
    folder = out or output_folder(event.with_name(f"{event.stem}-report"))
    with read_store(event, trusted=trust) as store:
        notes.print("writing the report…", style="dim")
        with progress("drawing games", store.count_games()) as advance:
            write_report(
                store,
                folder,
                title or event.stem,
                anonymous=anonymous,
                parquet=parquet,
                language=language,
                on_game=lambda: advance(None),
            )
    console.print(f"{folder / 'public' / 'index.html'}: standings, cross-table, times and every game", markup=False)
    console.print(f"{folder / 'private' / 'index.html'}: for you only, with a folder and a zip for each author")
