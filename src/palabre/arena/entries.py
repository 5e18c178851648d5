"""Who enters a championship: files, folders and zips that people handed in, and bots that are named by a spec.

Nothing of a submission is run here. Each is copied, so that what is played is what was admitted.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from palabre import __version__
from palabre.arena.admission import admit
from palabre.arena.likeness import fingerprint
from palabre.arena.players import SUBMISSION
from palabre.arena.rows import COMPETITOR, BotRow
from palabre.arena.submission import LITTER, TOML, Rejected, Submission, clean_name, distinct_names, read_submission
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.search.clock import Clock

# What is handed in, and what people hand in although it is of no use: the last get a verdict, too.
HANDED_IN = (".py", ".zip")
USELESS = (".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar", ".cpp", ".cc", ".java", ".jar", ".class", ".ipynb")


@dataclass(frozen=True)
class Entry:
    """A bot that wants to take part, as far as it can be known without running it."""

    row: BotRow
    submission: Submission | None = None  # None for a bot that is named by a spec, and for one that was rejected
    date: float = 0.0  # when it was handed in, as the file says: seconds since 1970
    fingerprint: str = ""  # the same for copies under other names

    @property
    def place(self) -> str:
        """The spec by which a worker finds it."""
        return self.row.spec if self.submission is None else f"{SUBMISSION}{self.submission.folder}"


def gather(
    given: Sequence[str], game: Game, clock: Clock, role: str = COMPETITOR, *, untrusted: bool = False
) -> list[Entry]:
    """The entries in folders, in files, and by name; a `BadSpec` says what is wrong with a spec.

    What is wrong with a submission is in the note of its row.
    """
    paths: list[Path] = []
    specs: list[str] = []
    for word in given:
        if is_handed_in(word):
            path = Path(word)
            paths += contents(path) if _is_collection(path) else [path]
        else:
            specs.append(word)
    read = [_read(path, game, clock, role) for path in dict.fromkeys(paths)]
    named = admit(specs, game, [clock] * len(specs), untrusted=untrusted)
    return [*read, *(Entry(replace(row, role=role)) for row in named)]


def rename(entries: Sequence[Entry], known: Sequence[BotRow] = ()) -> list[Entry]:
    """The entries with names of which no two look the same.

    A bot keeps the name that it has in the event. It is known by where it comes from, by its content, or by its
    authors.
    """
    names: dict[int, str] = {}
    for is_same in (_is_from_there, _is_equal, _is_by_them):
        for number, entry in enumerate(entries):
            if number not in names:
                free = (bot.name for bot in known if bot.name not in names.values() and is_same(entry.row, bot))
                found = next(free, None)
                if found is not None:
                    names[number] = found
    taken = [*names.values(), *(bot.name for bot in known if bot.name not in names.values())]
    others = [number for number in range(len(entries)) if number not in names]
    fresh = distinct_names([*taken, *(entries[number].row.name for number in others)])[len(taken) :]
    names |= dict(zip(others, fresh, strict=True))
    return [replace(entry, row=replace(entry.row, name=names[number])) for number, entry in enumerate(entries)]


def _is_from_there(row: BotRow, known: BotRow) -> bool:
    return row.spec == known.spec and _is_named_so(row, known)


def _is_equal(row: BotRow, known: BotRow) -> bool:
    return row.digest == known.digest and _is_named_so(row, known)


def _is_by_them(row: BotRow, known: BotRow) -> bool:
    return bool(row.authors) and row.authors == known.authors and _is_named_so(row, known)


def _is_named_so(row: BotRow, known: BotRow) -> bool:
    return known.name == row.name or known.name.startswith(f"{row.name} (")


def contents(folder: Path) -> list[Path]:
    """What was handed in to a folder, in the order of the file names; notes and the like are left out."""
    found = []
    for path in sorted(folder.iterdir()):
        if path.name in LITTER or path.name.startswith((".", "__")):
            continue
        if path.is_dir() or path.suffix.lower() in (*HANDED_IN, *USELESS):
            found.append(path)
    if not found:
        raise PalabreError(
            f"there are no bots in {folder}; it should hold Python files, zips, or a folder for each bot"
        )
    return found


def ignored(given: Iterable[str]) -> list[Path]:
    """What lies in folders of bots and is none."""
    folders = [Path(word) for word in given if is_handed_in(word) and _is_collection(Path(word))]
    return [
        path
        for folder in folders
        for path in sorted(set(folder.iterdir()) - set(contents(folder)))
        if path.name not in LITTER and not path.name.startswith((".", "__"))
    ]


def newest(entries: Iterable[Entry]) -> tuple[list[Entry], list[Entry]]:
    """The newest submission of each author or team, and the older ones; bots without authors stay."""
    latest: dict[tuple[str, ...], Entry] = {}
    listed = list(entries)
    for entry in listed:
        team = _team(entry)
        if team and (team not in latest or entry.date > latest[team].date):
            latest[team] = entry
    stay = [entry for entry in listed if not _team(entry) or latest[_team(entry)] is entry]
    return stay, [entry for entry in listed if entry not in stay]


def _team(entry: Entry) -> tuple[str, ...]:
    return tuple(sorted(author.casefold() for author in entry.submission.authors)) if entry.submission else ()


def is_handed_in(word: str) -> bool:
    """Whether a word names something that was handed in, or a folder of such things; others name a bot by a spec."""
    try:
        return Path(word).exists() and ("/" in word or Path(word).is_dir() or Path(word).suffix in HANDED_IN)
    except (OSError, ValueError):
        return False


def _is_collection(path: Path) -> bool:
    return path.is_dir() and not (path / TOML).is_file() and not (path / "__init__.py").is_file()


def _read(path: Path, game: Game, clock: Clock, role: str) -> Entry:
    date = path.stat().st_mtime
    try:
        found = read_submission(path)
    except Rejected as error:
        name = clean_name(path.stem) or "nameless"
        content = path.read_bytes() if path.is_file() else str(error).encode()
        digest = hashlib.sha256(content).hexdigest()
        row = BotRow(name, str(path), digest, clock=clock, state="rejected", note=_note(error, path), role=role)
        return Entry(row, date=date)
    digest = _digest(found, game, clock)
    row = BotRow(found.name, str(path), digest, clock=clock, authors=", ".join(found.authors), role=role)
    return Entry(row, found, date, fingerprint(found.folder))


def _note(error: Rejected, path: Path) -> str:
    """What an author should read: without our path."""
    return str(error).replace(str(path), path.name)


def _digest(submission: Submission, game: Game, clock: Clock) -> str:
    """A digest of all that decides how a submission plays."""
    from palabre.compile.digest import source_digest  # slow to import

    said = json.dumps([__version__, submission.digest, submission.main, submission.class_name, asdict(clock)])
    return source_digest(game.sources(), said)
