"""A bot as somebody hands it in: a Python file, a folder or a zip, with a name and authors, for one competitor.

Nothing of it is run here. Name and authors of a Python bot are read from its source as plain texts; `bot.toml` may say
them instead, and must for programs in other languages. The content is copied to a folder of our own, so that nobody
changes it while an event goes on.
"""

import ast
import contextlib
import hashlib
import os
import re
import shutil
import stat
import tempfile
import time
import tomllib
import unicodedata
import weakref
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from palabre.core.errors import PalabreError, clip, listing
from palabre.core.source import parse
from palabre.core.system import try_locked
from palabre.core.words import say

TOML = "bot.toml"
MOST_BYTES = 64 << 20  # of a submission, unpacked
MOST_FILES = 2000
LONGEST_NAME = 40  # characters
MOST_AUTHORS = 10
KINDS = {"python": ".py", "c++": ".cpp", "java": ".java", "program": ""}  # and the ending of its sources
PROTOCOLS = ("pipe", "ugi")
KEYS = ("name", "authors", "kind", "main", "class", "command", "protocol", "upper", "keep")
BASES = ("Bot", "SearchBot")
# What editors, systems and Python leave behind, which is no part of a bot.
LITTER = ("__pycache__", "__MACOSX", ".git", ".idea", ".vscode", ".DS_Store", ".mypy_cache", ".pytest_cache")


class Rejected(PalabreError):
    """A submission that cannot take part; the message says why, and what to do about it."""


COPY, LOCK = "palabre-bot-", "lock"  # how the folders of our copies begin, and what says that one is in use


YOUNG = 60.0  # seconds in which a copy is nobody's business


@dataclass(frozen=True)
class Submission:
    """A bot that may be loaded."""

    name: str
    authors: tuple[str, ...]
    kind: str  # one of KINDS
    folder: Path  # our copy
    main: str  # the file with the bot, or the class with `main`, relative to the folder; the command of a program
    class_name: str = ""  # of a Python bot
    protocol: str = "pipe"  # of all other kinds
    is_upper: bool = False  # whether moves are told in capital letters
    is_kept: bool = False  # whether its process stays from game to game
    digest: str = ""  # of all files and their names
    source: Path = field(default=Path(), compare=False)  # what was handed in


def read_submission(path: Path) -> Submission:
    """Read what somebody has handed in; a `Rejected` says why it cannot take part."""
    _remove_abandoned_copies()
    folder = Path(tempfile.mkdtemp(prefix=COPY))
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        stack.enter_context(try_locked(folder / LOCK))  # as long as we live: the system takes it back
        content = folder / "bot"
        _copy(path, content)
        found = _read(content, path)
        folder.chmod(0o755)
        weakref.finalize(found, stack.pop_all().close)
    return found


@cache
def _remove_abandoned_copies() -> None:
    """Remove copies whose process was killed and could not do so itself; once is enough."""
    for folder in Path(tempfile.gettempdir()).glob(f"{COPY}*"):
        with contextlib.suppress(OSError):  # it is somebody else's, or just gone
            # A process that has just made its copy may not have locked it yet.
            if time.time() - (folder / LOCK).stat().st_mtime > YOUNG:
                with try_locked(folder / LOCK) as is_abandoned:
                    if is_abandoned:
                        shutil.rmtree(folder, ignore_errors=True)


def has_bot(path: Path) -> bool:
    """Whether a file of Python has a bot in it, as far as can be seen without running it."""
    with contextlib.suppress(Rejected, OSError):
        return path.suffix == ".py" and bool(_bots_in(path, path))
    return False


def clean_name(text: str) -> str:
    """A name that can be printed anywhere: no control or invisible characters, no runs of blanks, not long."""
    normal = unicodedata.normalize("NFC", text[: 20 * LONGEST_NAME])
    visible = "".join(sign if sign.isprintable() else " " for sign in normal)
    return " ".join(visible.split())[:LONGEST_NAME].strip()


def distinct_names(names: Iterable[str]) -> list[str]:
    """The same names, the second `Max` as `Max (2)`; names that only look different count as the same."""
    given: set[str] = set()
    found = []
    for name in names:
        number, candidate = 1, name
        while unicodedata.normalize("NFKC", candidate).casefold() in given:
            number += 1
            candidate = f"{name} ({number})"
        given.add(unicodedata.normalize("NFKC", candidate).casefold())
        found.append(candidate)
    return found


def digest_of(folder: Path) -> str:
    """A digest of the files in a folder and their names, as they are now."""
    total = hashlib.sha256()
    for file in sorted(file for file in folder.rglob("*") if file.is_file()):
        content = hashlib.sha256(file.read_bytes()).hexdigest()
        total.update(f"{file.relative_to(folder).as_posix()}\0{content}\n".encode())
    return total.hexdigest()


# -------------------------------------------------------------------------------------------------------------- copying


def _copy(path: Path, folder: Path) -> None:
    """Copy a file, a folder or what is in a zip; only plain files, and not too many or too much."""
    folder.mkdir(mode=0o755)
    try:
        if path.is_dir():
            _copy_folder(path, folder)
        elif path.suffix == ".zip" and path.is_file():
            _unpack(path, folder)
        elif path.suffix == ".py" and path.is_file():
            _refuse_bulk(path, 1, path.stat().st_size)
            shutil.copyfile(path, folder / re.sub(r"[^\w.-]", "_", path.name))  # specs have colons and commas
        elif path.exists():
            raise Rejected(say("submission.no_kind", path=path))
        else:
            raise Rejected(say("submission.none", path=path))
    except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:  # what zipfile raises
        raise Rejected(say("submission.unreadable", path=path, error=str(error))) from error


def _copy_folder(path: Path, folder: Path) -> None:
    files = size = 0
    for place, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if name not in LITTER)
        target = folder / Path(place).relative_to(path)
        target.mkdir(mode=0o755, exist_ok=True)
        for name in [*folders, *names]:
            source = Path(place) / name
            mode = source.lstat().st_mode
            if stat.S_ISLNK(mode) or not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)):
                raise Rejected(say("submission.no_file", path=path, name=name))
        for name in names:
            if name in LITTER:
                continue
            source = Path(place) / name
            files, size = files + 1, size + source.stat().st_size
            _refuse_bulk(path, files, size)
            shutil.copyfile(source, target / name)
            (target / name).chmod(0o755 if os.access(source, os.X_OK) else 0o644)


def _unpack(path: Path, folder: Path) -> None:
    """Unpack a zip. Its own words about sizes are not believed."""
    with zipfile.ZipFile(path) as archive:
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        _refuse_bulk(path, len(entries), 0)
        size = 0
        for entry in entries:
            name = PurePosixPath(entry.filename.replace("\\", "/"))
            mode = entry.external_attr >> 16
            if name.is_absolute() or ".." in name.parts or ":" in entry.filename or "\0" in entry.filename:
                raise Rejected(say("submission.outside", path=path, name=entry.filename))
            if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
                raise Rejected(say("submission.no_plain_file", path=path, name=entry.filename))
            if set(name.parts) & set(LITTER):
                continue
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if target.exists():
                raise Rejected(say("submission.twice", path=path, name=entry.filename))
            with archive.open(entry) as packed, target.open("wb") as file:
                while chunk := packed.read(1 << 16):
                    size += len(chunk)
                    _refuse_bulk(path, 1, size)
                    file.write(chunk)
            target.chmod(0o755 if mode & stat.S_IXUSR else 0o644)
    while len(inside := list(folder.iterdir())) == 1 and inside[0].is_dir():  # a folder that was packed as a whole
        inner = inside[0].rename(folder.with_name("packed"))
        folder.rmdir()
        folder = inner.rename(folder)


def _refuse_bulk(path: Path, files: int, size: int) -> None:
    if files > MOST_FILES:
        raise Rejected(say("submission.too_many", path=path, most=MOST_FILES))
    if size > MOST_BYTES:
        raise Rejected(say("submission.too_large", path=path, most=MOST_BYTES >> 20))


# -------------------------------------------------------------------------------------------------------------- reading


def _read(folder: Path, path: Path) -> Submission:
    said = _toml(folder, path)
    kind = str(said.get("kind") or _guess_kind(folder, path, said))
    if kind not in KINDS:
        raise Rejected(say("submission.wrong_kind", path=path, toml=TOML, kind=kind, kinds=listing(KINDS)))
    facts: dict[str, Any] = {}
    if kind == "python":
        main, facts = _python(folder, path, said)
    elif kind == "program":
        main = str(said.get("command", ""))
        if not main:
            raise Rejected(say("submission.no_command", path=path, toml=TOML))
    else:
        main = str(said.get("main", "")) or _only(folder, path, KINDS[kind])
    name = clean_name(str(said.get("name", facts.get("name", ""))))
    authors = _authors(said.get("authors", facts.get("authors", ())))
    if not name or not authors:
        lacks = "no_authors" if name else "no_name" if authors else "anonymous"
        raise Rejected(say(f"submission.{lacks}", path=path, toml=TOML))
    protocol = str(said.get("protocol", PROTOCOLS[0]))
    if protocol not in PROTOCOLS:
        known = listing(PROTOCOLS)
        raise Rejected(say("submission.wrong_protocol", path=path, toml=TOML, protocol=protocol, protocols=known))
    return Submission(
        name,
        authors,
        kind,
        folder,
        main,
        str(facts.get("class", "")),
        protocol,
        bool(said.get("upper", False)),
        bool(said.get("keep", False)),
        digest_of(folder),
        path,
    )


def _toml(folder: Path, path: Path) -> dict[str, Any]:
    try:
        said = tomllib.loads((folder / TOML).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError) as error:
        raise Rejected(say("submission.wrong_toml", path=path, toml=TOML, error=str(error))) from error
    unknown = set(said) - set(KEYS)
    if unknown:
        keys = listing(sorted(map(clip, unknown)))
        raise Rejected(say("submission.unknown_keys", path=path, toml=TOML, keys=keys, known=listing(KEYS)))
    return said


def _guess_kind(folder: Path, path: Path, said: dict[str, Any]) -> str:
    if "command" in said:
        return "program"
    found = [kind for kind, ending in KINDS.items() if ending and any(folder.rglob(f"*{ending}"))]
    if len(found) == 1:
        return found[0]
    if not found:
        raise Rejected(say("submission.no_source", path=path, toml=TOML))
    raise Rejected(say("submission.several_kinds", path=path, toml=TOML, kinds=listing(found), kind=found[0]))


def _only(folder: Path, path: Path, ending: str) -> str:
    """The source file to begin with: the only one, or the one that is called main or bot."""
    files = [file.relative_to(folder).as_posix() for file in sorted(folder.rglob(f"*{ending}"))]
    named = [file for file in files if Path(file).stem.lower() in ("main", "bot")]
    for choice in (files, named):
        if len(choice) == 1:
            return choice[0]
    raise Rejected(say("submission.several_files", path=path, toml=TOML, files=len(files), ending=ending))


def _authors(given: object) -> tuple[str, ...]:
    listed = [given] if isinstance(given, str) else list(given) if isinstance(given, list | tuple) else []
    authors = (clean_name(author) for author in listed[:MOST_AUTHORS] if isinstance(author, str))
    return tuple(author for author in authors if author)


def _python(folder: Path, path: Path, said: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The file and the class of the only competitor."""
    wanted = said.get("main")
    files = sorted(folder.rglob("*.py"))
    if wanted:
        files = [file for file in files if file.relative_to(folder).as_posix() == str(wanted)]
        if not files:
            raise Rejected(say("submission.no_main", path=path, toml=TOML, name=str(wanted)))
    bots = [(file.relative_to(folder).as_posix(), facts) for file in files for facts in _bots_in(file, path)]
    if "class" in said:
        bots = [(file, facts) for file, facts in bots if facts["class"] == said["class"]]
    named = [found for found in bots if "name" in found[1]]
    choice = named if len(bots) > 1 else bots
    if not bots:
        raise Rejected(say("spec.no_bot_in_file", path=path))
    if len(choice) != 1:
        found = listing(f"{facts['class']} in {file}" for file, facts in choice or bots)
        raise Rejected(say("submission.several_bots", path=path, number=len(choice or bots), bots=found))
    if not re.fullmatch(r"[\w./-]+", choice[0][0]):
        raise Rejected(say("submission.odd_name", path=path, name=choice[0][0]))
    return choice[0]


def _named(file: Path, path: Path) -> str:
    """A file of a submission, which may be all of it."""
    return str(path) if path.suffix == ".py" else f"{path}: {file.name}"


def _bots_in(file: Path, path: Path) -> list[dict[str, Any]]:
    """The classes in a file that are bots, with what they say of themselves in plain text."""
    try:
        tree = parse(file.read_bytes())
    except SyntaxError as error:
        line = f"line {error.lineno}: {error.msg}: {(error.text or '').strip()}".removesuffix(": ")
        raise Rejected(say("submission.no_python", file=_named(file, path), error=line)) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise Rejected(say("submission.no_python", file=_named(file, path), error=str(error))) from error
    bases, found = set(BASES), []
    for node in tree.body:
        if not isinstance(node, ast.ClassDef):
            continue
        if not any(ast.unparse(base).rpartition(".")[2] in bases for base in node.bases):
            continue
        bases.add(node.name)
        facts: dict[str, Any] = {"class": node.name}
        for statement in node.body:
            targets = statement.targets if isinstance(statement, ast.Assign) else []
            if isinstance(statement, ast.AnnAssign) and statement.value is not None:
                targets = [statement.target]
            for target in targets:
                if isinstance(target, ast.Name) and target.id in ("name", "authors"):
                    try:
                        facts[target.id] = ast.literal_eval(statement.value)  # type: ignore[attr-defined]
                    except (ValueError, RecursionError, MemoryError):
                        attribute = f"{node.name}.{target.id}"
                        raise Rejected(say("submission.computed", path=path, attribute=attribute)) from None
        found.append(facts)
    return found
