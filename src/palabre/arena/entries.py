"""Who enters a championship: files, folders and zips that people handed in, and bots that are named by a spec.

Nothing of a submission is run here. Each is copied, so that what is played is what was admitted.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from palabre.arena.admission import admit, submission_digest
from palabre.arena.rows import COMPETITOR, BotRow
from palabre.bots.names import clean_name, distinct_names, skeleton
from palabre.bots.specs import is_registered, registered_names
from palabre.bots.submission import LITTER, TOML, Rejected, Submission, read_submission
from palabre.core.errors import PalabreError, printable
from palabre.core.game import Game
from palabre.core.plain import renamed
from palabre.core.registry import is_path
from palabre.core.words import Message, say
from palabre.sandbox.players import place_of
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
    called: str = ""  # its own name, if it is listed by another one because it looks like a bot before it

    @property
    def place(self) -> str:
        """The spec by which a worker finds it."""
        return self.row.spec if self.submission is None else place_of(self.submission)

    @property
    def was_handed_in(self) -> bool:
        """Whether it is a competitor's file, folder or zip, and none that the organiser has chosen by name or role."""
        return self.row.role == COMPETITOR and bool(self.submission is not None or self.row.state == "rejected")


def gather(
    given: Sequence[str],
    game: Game,
    clock: Clock,
    role: str = COMPETITOR,
    *,
    untrusted: bool = False,
    forbids_engine: bool = False,
) -> list[Entry]:
    """The entries in folders, in files, and by name; a `BadSpec` says what is wrong with a spec.

    What is wrong with a submission is in the note of its row.
    """
    paths: list[Path] = []
    specs: list[str] = []
    for word in given:
        if is_handed_in(word, game):
            path = Path(word)
            paths += contents(path) if _is_collection(path) else [path]
        else:
            specs.append(word)
    read = [_read(path, game, clock, role) for path in dict.fromkeys(paths)]
    named = admit(specs, game, [clock] * len(specs), untrusted=untrusted, forbids_engine=forbids_engine)
    return [*read, *(Entry(replace(row, role=role)) for row in named)]


def rename(entries: Sequence[Entry], known: Sequence[BotRow] = ()) -> list[Entry]:
    """The entries with names of which no two look the same.

    A bot keeps the name that it has in the event. It is known by where it comes from, by its content, or by its
    authors.
    """
    names: dict[int, str] = {}
    for mark in ("spec", "digest", "authors"):
        for number, entry in enumerate(entries):
            if number not in names:
                free = (bot.name for bot in known if bot.name not in names.values() and _is_same(entry.row, bot, mark))
                if name := next(free, ""):
                    names[number] = name
    taken = [*names.values(), *(bot.name for bot in known if bot.name not in names.values())]
    others = [number for number in range(len(entries)) if number not in names]
    others.sort(key=lambda number: entries[number].was_handed_in)  # the organiser's bots keep their names
    fresh = distinct_names([*taken, *(entries[number].row.name for number in others)])[len(taken) :]
    names |= dict(zip(others, fresh, strict=True))
    return [_named(entry, names[number]) for number, entry in enumerate(entries)]


def _named(entry: Entry, name: str) -> Entry:
    called = entry.row.name if name != entry.row.name else entry.called
    return replace(entry, row=replace(entry.row, name=name), called=called)


def refuse_reserved_names(entries: Sequence[Entry], game: Game) -> list[Entry]:
    """The entries; those with a name of ours, or that looks like a name of a bot of the organiser, are rejected."""
    registered = {skeleton(name): name for name in registered_names(game)}
    reserved = {skeleton(entry.row.name): entry.row.name for entry in entries if not entry.was_handed_in}

    def examined(entry: Entry) -> Entry:
        name = entry.row.name
        looks = skeleton(name)
        # `palabre:level=3` looks like a spec of `palabre`, whether that bot takes part or not.
        owner = reserved.get(looks) or registered.get(looks) or registered.get(looks.partition(":")[0])
        if owner is None or entry.submission is None or not entry.was_handed_in:
            return entry
        return _reject(entry, say("submission.reserved_name", file=Path(entry.row.spec).name, name=name, owner=owner))

    return [examined(entry) for entry in entries]


def _reject(entry: Entry, reason: Message) -> Entry:
    """A submission that could be read and may not take part, listed by its file."""
    name = clean_name(Path(entry.row.spec).stem) or "nameless"
    return Entry(replace(entry.row, name=name, authors="").rejected(reason), date=entry.date)


def _is_same(row: BotRow, known: BotRow, mark: str) -> bool:
    """Whether a bot of the event has the same mark, if there is one, and the name, perhaps with a number."""
    is_marked = getattr(row, mark) == getattr(known, mark) and getattr(row, mark) != ""
    return is_marked and (known.name == row.name or known.name.startswith(f"{row.name} ("))


def contents(folder: Path) -> list[Path]:
    """What was handed in to a folder, in the order of the file names; notes and the like are left out."""
    paths = []
    for path in sorted(folder.iterdir()):
        if path.name in LITTER or path.name.startswith((".", "__")):
            continue
        if path.is_dir() or path.suffix.lower() in (*HANDED_IN, *USELESS):
            paths.append(path)
    if not paths:
        raise PalabreError(say("event.no_bots", folder=folder))
    return paths


def ignored(given: Iterable[str], game: Game) -> list[Path]:
    """What lies in folders of bots and is none."""
    folders = [Path(word) for word in given if is_handed_in(word, game) and _is_collection(Path(word))]
    return [
        path
        for folder in folders
        for path in sorted(set(folder.iterdir()) - set(contents(folder)))
        if path.name not in LITTER and not path.name.startswith((".", "__"))
    ]


def bind_authors(entries: Sequence[Entry], bound: Mapping[str, str]) -> tuple[list[Entry], dict[str, str]]:
    """The entries, without those that claim authors of another submission, and the file to which each author is bound.

    An author is bound to the name of the file or folder of their first submission. A file with the same stem may take
    its place (`anna.zip` that of `anna.py`), unless both are there.
    """
    owners = dict(bound)
    result = list(entries)

    def distance(number: int) -> tuple[int, float, str]:
        """How far the name of a file is from the one that its authors are bound to."""
        file = Path(entries[number].row.spec).name
        files = {owners[author] for author in _authors(entries[number]) if author in owners}
        known = 0 if files <= {file} else 1 if {Path(one).stem for one in files} == {Path(file).stem} else 2
        return known, entries[number].date, file

    taken: set[str] = set()
    for number in sorted(range(len(entries)), key=distance):
        entry, file = entries[number], Path(entries[number].row.spec).name
        rival = next(
            (
                author
                for author in _authors(entry)
                if author in taken or Path(owners.get(author, file)).stem != Path(file).stem
            ),
            None,
        )
        if rival is not None:
            names = {skeleton(author): author for author in entry.submission.authors} if entry.submission else {}
            reason = say("submission.claimed", file=file, author=names[rival], owner=owners[rival])
            result[number] = _reject(entry, reason)
            continue
        for author in _authors(entry):
            taken.add(author)
            owners[author] = file
    return result, owners


def _authors(entry: Entry) -> list[str]:
    """What its authors are known by, whatever letters they choose."""
    is_bound = entry.submission is not None and entry.was_handed_in
    return sorted({skeleton(author) for author in entry.submission.authors}) if is_bound and entry.submission else []


def is_handed_in(word: str, game: Game) -> bool:
    """Whether a word names something that was handed in, or a folder of such things; others name a bot by a spec.

    A folder of submissions needs no separator, as in `championship submissions`, unless a bot has the same name.
    """
    try:
        if is_path(word):
            return Path(word).exists()
        return Path(word).is_dir() and not is_registered(word, game)
    except (OSError, ValueError):
        return False


def _is_collection(path: Path) -> bool:
    return path.is_dir() and not (path / TOML).is_file() and not (path / "__init__.py").is_file()


def _read(path: Path, game: Game, clock: Clock, role: str) -> Entry:
    status = path.lstat()
    date = status.st_mtime
    try:
        submission = read_submission(path)
    except Rejected as error:
        name = clean_name(path.stem) or "nameless"
        # Of what was rejected nothing is read again: its size and date tell one version from the next.
        version = (str(error), status.st_size, status.st_mtime_ns)
        digest = hashlib.sha256(repr(version).encode()).hexdigest()
        spec = printable(str(path))
        row = BotRow(name, spec, digest, clock=clock, role=role)
        return Entry(row.rejected(renamed(error, str(path), path.name)), date=date)
    digest = submission_digest(submission, game, clock)
    row = BotRow(submission.name, str(path), digest, clock=clock, authors=", ".join(submission.authors), role=role)
    return Entry(row, submission, date)
