"""Tables for other programs: CSV, Parquet, and records in the shape of PGN."""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from palabre.arena.store import Store
from palabre.core.errors import PalabreError
from palabre.core.files import replace_file
from palabre.core.game import Game
from palabre.core.record import result_text, save
from palabre.core.words import say
from palabre.web.report.facts import Facts, public_ending
from palabre.web.report.markup import shown

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would run a text that begins with one of these
LONGEST_TEXT = 1000


def harmless(value: object) -> object:
    """A value that a spreadsheet shows and does not run."""
    if not isinstance(value, str):
        return value
    text = shown(value, LONGEST_TEXT)
    return f"'{text}" if text.startswith(FORMULA) else text


def write_csv(file: Path, headings: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a table; the file is replaced as a whole."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(headings)
    writer.writerows([harmless(value) for value in row] for row in rows)
    replace_file(file, text.getvalue())


def write_standings(file: Path, facts: Facts) -> None:
    """The standings as CSV."""
    rows = []
    for name in facts.names:
        rating, own = facts.ratings.of(name), facts.rows[name]
        points = own.games * own.score if own.points is None else own.points
        counts = (own.games, own.wins, own.draws, own.losses, own.forfeits, points)
        rows.append((facts.rank(name), name, *counts, round(rating.elo, 1), round(rating.error, 1)))
    headings = ("rank", "bot", "games", "wins", "draws", "losses", "forfeits", "points", "elo", "standard_error")
    write_csv(file, headings, rows)


def write_games(file: Path, facts: Facts) -> None:
    """All games as CSV, one in a row."""
    headings = (
        "game",
        "round",
        "repeat",
        "rotation",
        "players",
        "result",
        "scores",
        "margin",
        "plies",
        "forfeit",
        "end",
        "moves",
    )
    rows = (
        (
            number,
            row.meeting.round,
            row.meeting.repeat,
            row.rotation,
            " – ".join(row.bots),
            result_text(row.shares),
            " – ".join(map(str, row.scores)),
            row.margin,
            row.plies,
            None if row.forfeit is None else row.forfeit + 1,
            public_ending(row),
            " ".join(row.moves),
        )
        for number, row in enumerate(facts.games, start=1)
    )
    write_csv(file, headings, rows)


def write_records(file: Path, game: Game, facts: Facts) -> None:
    """All games as records."""
    numbered = enumerate(facts.games, start=1)
    save(
        [
            replace(row, ending=public_ending(row), message=None).record(game, None, {"Round": str(n)})
            for n, row in numbered
        ],
        file,
    )


def write_parquet(file: Path, store: Store) -> None:
    """All games, superseded ones included, for data frames; without what only the authors of bots should read."""
    frame = store.to_dataframe().drop(columns="details")
    frame["ending"] = [public_ending(row) for row in store.games(superseded=True)]
    try:
        frame.to_parquet(file)
    except ImportError as error:
        raise PalabreError(say("event.no_pyarrow", command="pip install pyarrow")) from error
