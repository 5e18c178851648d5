"""The process that copies and reads a submission, within limits of memory and time.

The author of a submission chooses every byte of it, so any of them may exhaust or crash what reads it. `submission.py`
starts this process for each submission. It answers with one line of JSON; if it cannot, the submission is rejected.
"""

import ast
import hashlib
import json
import os
import re
import shlex
import stat
import sys
import tomllib
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from pathlib import Path, PurePosixPath
from typing import IO, Any

from palabre.bots.names import clean_name
from palabre.bots.submission import (
    BASES,
    KEYS,
    KINDS,
    LITTER,
    MEMORY,
    MOST_AUTHORS,
    MOST_BYTES,
    MOST_DEPTH,
    MOST_FILES,
    MOST_SOURCE,
    PROCESSOR_SECONDS,
    PROTOCOLS,
    TOML,
    ZIP,
    Rejected,
    Submission,
    digest_of,
)
from palabre.compile.digest import summary
from palabre.core.errors import clip, listing, printable
from palabre.core.files import line_of_null
from palabre.core.source import parse
from palabre.core.system import end_with_parent
from palabre.core.words import Message, say

LONGEST_COMMAND = 1000  # characters
LONGEST_PARAMETER = 400  # characters of what a message quotes
SPARE_BYTES = 1 << 20  # that a file may be longer than all files together, so that our own check comes first
_MAIN = re.compile(r"[\w./$-]*\w")  # a file, or a class of Java, that can stand in a spec and in a command


def main() -> None:
    """Copy or examine the submission that the arguments name, and print what is known of it."""
    job, path, *folder = sys.argv[1:]
    end_with_parent()
    _limit()
    try:
        answer = JOBS[job](Path(path), *map(Path, folder))
    except Rejected as error:
        answer = _rejected(error.message)
    except MemoryError:
        answer = _rejected(say("submission.needs_memory", path=path, most=MEMORY >> 20))
    except Exception as error:  # a submission can be wrong in ways that no one has thought of
        answer = _rejected(say("submission.unreadable", path=path, error=f"{type(error).__name__}: {error}"))
    print(json.dumps(answer), flush=True)


def _limit() -> None:
    """Let the system stop this process before it takes what the event needs."""
    try:
        import resource
    except ImportError:  # not POSIX
        return
    limits = {
        resource.RLIMIT_AS: MEMORY,
        resource.RLIMIT_CPU: PROCESSOR_SECONDS,
        resource.RLIMIT_FSIZE: MOST_BYTES + SPARE_BYTES,
        resource.RLIMIT_CORE: 0,
    }
    for which, value in limits.items():
        _, hard = resource.getrlimit(which)
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(which, (value, value))


def _rejected(message: Message | str) -> dict[str, Any]:
    assert isinstance(message, Message)
    params = {
        name: value if isinstance(value, int) else printable(str(value)[:LONGEST_PARAMETER])
        for name, value in message.params.items()
    }
    return {"rejected": {"id": message.id, "params": params}}


def _has_bot(path: Path) -> dict[str, Any]:
    with _open_plain(path) as file:
        content = file.read(MOST_SOURCE + 1)
    return {"has_bot": len(content) <= MOST_SOURCE and bool(_bots_in(content, path, path))}


def _summary(path: Path) -> dict[str, Any]:
    with _open_plain(path) as file:
        content = file.read(MOST_SOURCE + 1)
    if len(content) > MOST_SOURCE:
        raise Rejected(say("submission.large_source", path=path, name=path.name, most=MOST_SOURCE >> 20))
    try:
        return {"summary": summary(content)}
    except (RecursionError, MemoryError) as error:
        raise Rejected(say("submission.no_python", file=path.name, error=type(error).__name__)) from error


def _read(path: Path, folder: Path) -> dict[str, Any]:
    _copy(path, folder)
    facts = asdict(_submission(folder, path))
    return {"submission": {**facts, "folder": str(folder), "source": str(path)}}


JOBS: dict[str, Callable[..., dict[str, Any]]] = {"has_bot": _has_bot, "summary": _summary, "read": _read}


# -------------------------------------------------------------------------------------------------------------- copying


class _Bulk:
    """How much has been copied, which has its limits."""

    def __init__(self, path: Path) -> None:
        self._path, self._files, self._bytes = path, 0, 0

    def add_file(self) -> None:
        """Count a file or a folder."""
        self._files += 1
        if self._files > MOST_FILES:
            raise Rejected(say("submission.too_many", path=self._path, most=MOST_FILES))

    def copy(self, source: IO[bytes], target: Path, *, is_executable: bool) -> None:
        """Copy a file. Nothing that anyone claims about its size is believed."""
        with target.open("xb") as file:
            while chunk := source.read(1 << 16):
                self._bytes += len(chunk)
                if self._bytes > MOST_BYTES:
                    raise Rejected(say("submission.too_large", path=self._path, most=MOST_BYTES >> 20))
                file.write(chunk)
        target.chmod(0o755 if is_executable else 0o644)


def _copy(path: Path, folder: Path) -> None:
    """Copy a file, a folder or what is in a zip; only plain files, and not too many or too much."""
    folder.mkdir(mode=0o755)
    try:
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            raise Rejected(say("submission.link", path=path))
        if stat.S_ISDIR(mode):
            _copy_folder(path, folder)
        elif stat.S_ISREG(mode) and path.suffix == ZIP:
            with _open_plain(path) as file, zipfile.ZipFile(file) as archive:
                _unpack(archive, path, folder)
        elif stat.S_ISREG(mode) and path.suffix == ".py":
            with _open_plain(path) as file:  # specs have colons and commas
                _Bulk(path).copy(file, folder / re.sub(r"[^\w.-]", "_", path.name), is_executable=False)
        else:
            raise Rejected(say("submission.no_kind", path=path))
    except FileNotFoundError as error:
        raise Rejected(say("submission.none", path=path)) from error
    except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:  # what zipfile raises
        raise Rejected(say("submission.unreadable", path=path, error=str(error))) from error


def _open_plain(path: Path) -> IO[bytes]:
    """A file that is one; if it has been replaced by a link or a pipe meanwhile, an `OSError`."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    file = os.fdopen(os.open(path, flags), "rb")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(f"{path.name} is no plain file")
    return file


def _copy_folder(path: Path, folder: Path) -> None:
    bulk = _Bulk(path)
    for place, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if name not in LITTER)
        inner = Path(place).relative_to(path)
        _refuse_depth(path, inner)
        target = folder / inner
        target.mkdir(mode=0o755, exist_ok=True)
        for name in [*folders, *names]:
            source = Path(place) / name
            mode = source.lstat().st_mode
            if stat.S_ISLNK(mode) or not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)):
                raise Rejected(say("submission.no_file", path=path, name=name))
            if name in LITTER:
                continue
            bulk.add_file()
            if stat.S_ISREG(mode):
                with _open_plain(source) as file:
                    bulk.copy(file, target / name, is_executable=os.access(source, os.X_OK))


def _unpack(archive: zipfile.ZipFile, path: Path, folder: Path) -> None:
    """Unpack a zip."""
    bulk = _Bulk(path)
    for entry in archive.infolist():
        if entry.is_dir():
            continue
        bulk.add_file()
        name = PurePosixPath(entry.filename.replace("\\", "/"))
        mode = entry.external_attr >> 16
        if name.is_absolute() or ".." in name.parts or ":" in entry.filename or "\0" in entry.filename:
            raise Rejected(say("submission.outside", path=path, name=entry.filename))
        if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
            raise Rejected(say("submission.no_plain_file", path=path, name=entry.filename))
        if set(name.parts) & set(LITTER):
            continue
        _refuse_depth(path, name)
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists():
            raise Rejected(say("submission.twice", path=path, name=entry.filename))
        with archive.open(entry) as packed:
            bulk.copy(packed, target, is_executable=bool(mode & stat.S_IXUSR))
    while len(inside := list(folder.iterdir())) == 1 and inside[0].is_dir():  # a folder that was packed as a whole
        inner = inside[0].rename(folder.with_name("packed"))
        folder.rmdir()
        folder = inner.rename(folder)


def _refuse_depth(path: Path, inner: PurePosixPath | Path) -> None:
    """Refuse folders so deep that nothing could walk through them, or remove them."""
    if len(inner.parts) > MOST_DEPTH:
        raise Rejected(say("submission.too_deep", path=path, most=MOST_DEPTH))


# -------------------------------------------------------------------------------------------------------------- reading


def _submission(folder: Path, path: Path) -> Submission:
    given = _toml(folder, path)
    kind = given.get("kind") or _guess_kind(folder, path, given)
    if kind not in KINDS:
        raise Rejected(say("submission.wrong_kind", path=path, toml=TOML, kind=kind, kinds=listing(KINDS)))
    _refuse_large_sources(folder, path, KINDS[kind])
    facts: dict[str, Any] = {}
    if kind == "python":
        main_file, facts = _python(folder, path, given)
    elif kind == "program":
        main_file = _command(folder, path, given)
    else:
        main_file = given.get("main") or _only(folder, path, KINDS[kind])
        _refuse_odd_name(path, main_file)
    name = clean_name(given.get("name", facts.get("name", "")))
    authors = _authors(given.get("authors", facts.get("authors", ())))
    if not name or not authors:
        lacks = "no_authors" if name else "no_name" if authors else "anonymous"
        raise Rejected(say(f"submission.{lacks}", path=path, toml=TOML))
    protocol = given.get("protocol", PROTOCOLS[0])
    if protocol not in PROTOCOLS:
        known = listing(PROTOCOLS)
        raise Rejected(say("submission.wrong_protocol", path=path, toml=TOML, protocol=protocol, protocols=known))
    return Submission(
        name,
        authors,
        kind,
        folder,
        main_file,
        facts.get("class", ""),
        protocol,
        given.get("upper", False),
        given.get("keep", False),
        digest_of(folder),
        fingerprint(folder),
        path,
    )


def _toml(folder: Path, path: Path) -> dict[str, Any]:
    file = folder / TOML
    if not os.path.lexists(file):
        return {}
    try:
        if file.stat().st_size > MOST_SOURCE:
            raise Rejected(say("submission.large_source", path=path, name=TOML, most=MOST_SOURCE >> 20))
        given = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        if isinstance(error, Rejected):
            raise
        raise Rejected(say("submission.wrong_toml", path=path, toml=TOML, error=str(error))) from error
    unknown = set(given) - set(KEYS)
    if unknown:
        keys = listing(sorted(map(clip, unknown)))
        raise Rejected(say("submission.unknown_keys", path=path, toml=TOML, keys=keys, known=listing(KEYS)))
    for key, value in given.items():
        kinds = KEYS[key]
        if not isinstance(value, kinds):
            raise Rejected(say(f"submission.{_need(kinds)}", path=path, toml=TOML, key=key))
    return given


def _need(kinds: type | tuple[type, ...]) -> str:
    """The message about what a key of `bot.toml` must be."""
    return "needs_boolean" if kinds is bool else "needs_text" if kinds is str else "needs_texts"


def _refuse_large_sources(folder: Path, path: Path, ending: str) -> None:
    for file in _files(folder, ending) if ending else ():
        if file.stat().st_size > MOST_SOURCE:
            name = file.relative_to(folder).as_posix()
            raise Rejected(say("submission.large_source", path=path, name=name, most=MOST_SOURCE >> 20))


def _files(folder: Path, ending: str) -> list[Path]:
    return sorted(file for file in folder.rglob(f"*{ending}") if file.is_file())


def _guess_kind(folder: Path, path: Path, given: dict[str, Any]) -> str:
    if "command" in given:
        return "program"
    kinds = [kind for kind, ending in KINDS.items() if ending and _files(folder, ending)]
    if len(kinds) == 1:
        return kinds[0]
    if not kinds:
        raise Rejected(say("submission.no_source", path=path, toml=TOML))
    raise Rejected(say("submission.several_kinds", path=path, toml=TOML, kinds=listing(kinds), kind=kinds[0]))


def _only(folder: Path, path: Path, ending: str) -> str:
    """The source file to begin with: the only one, or the one that is called main or bot."""
    files = [file.relative_to(folder).as_posix() for file in _files(folder, ending)]
    named = [file for file in files if Path(file).stem.lower() in ("main", "bot")]
    for choice in (files, named):
        if len(choice) == 1:
            return choice[0]
    raise Rejected(say("submission.several_files", path=path, toml=TOML, files=len(files), ending=ending))


def _command(folder: Path, path: Path, given: dict[str, Any]) -> str:
    """The command line of a program, of which at least the first word can be looked up."""
    command: str = given.get("command", "")
    if not command.strip():
        raise Rejected(say("submission.no_command", path=path, toml=TOML))
    try:
        if len(command) > LONGEST_COMMAND or not command.isprintable():
            raise ValueError(f"it has {len(command)} characters" if command.isprintable() else "it is not plain text")
        program, *_ = shlex.split(command)
        (folder / program).is_file()
    except (OSError, ValueError) as error:
        raise Rejected(
            say("submission.wrong_command", path=path, toml=TOML, command=command, error=str(error))
        ) from error
    return command


def _authors(given: object) -> tuple[str, ...]:
    listed = [given] if isinstance(given, str) else list(given) if isinstance(given, list | tuple) else []
    authors = (clean_name(author) for author in listed[:MOST_AUTHORS] if isinstance(author, str))
    return tuple(author for author in authors if author)


def _python(folder: Path, path: Path, given: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The file and the class of the only competitor."""
    wanted = given.get("main")
    files = _files(folder, ".py")
    if wanted:
        files = [file for file in files if file.relative_to(folder).as_posix() == wanted]
        if not files:
            raise Rejected(say("submission.no_main", path=path, toml=TOML, name=wanted))
    bots = [
        (file.relative_to(folder).as_posix(), facts)
        for file in files
        for facts in _bots_in(file.read_bytes(), file, path)
    ]
    if "class" in given:
        bots = [(file, facts) for file, facts in bots if facts["class"] == given["class"]]
    named = [one for one in bots if "name" in one[1]]
    choice = named if len(bots) > 1 else bots
    if not bots:
        raise Rejected(say("spec.no_bot_in_file", path=path))
    if len(choice) != 1:
        classes = listing(f"{facts['class']} in {file}" for file, facts in choice or bots)
        raise Rejected(say("submission.several_bots", path=path, number=len(choice or bots), bots=classes))
    _refuse_odd_name(path, choice[0][0])
    return choice[0]


def _refuse_odd_name(path: Path, name: str) -> None:
    if not _MAIN.fullmatch(name):
        raise Rejected(say("submission.odd_name", path=path, name=name))


def _named(file: Path, path: Path) -> str:
    """A file of a submission, which may be all of it."""
    return str(path) if path.suffix == ".py" else f"{path}: {file.name}"


def _bots_in(content: bytes, file: Path, path: Path) -> list[dict[str, Any]]:
    """The classes in a file that are bots, with what they say of themselves in plain text."""
    tree = _parse(content, file, path)
    bases, bots = set(BASES), []
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and any(_last_name(base) in bases for base in node.bases):
            bases.add(node.name)
            bots.append({"class": node.name, **_facts(node, path)})
    return bots


def _parse(content: bytes, file: Path, path: Path) -> ast.Module:
    null = line_of_null(content)
    if null is not None:
        raise Rejected(say("spec.null_byte", file=_named(file, path), line=null))
    try:
        return parse(content)
    except SyntaxError as error:
        line = f"line {error.lineno}: {error.msg}: {(error.text or '').strip()}".removesuffix(": ")
        raise Rejected(say("submission.no_python", file=_named(file, path), error=line)) from error
    except (ValueError, RecursionError, MemoryError) as error:
        why = str(error) or type(error).__name__
        raise Rejected(say("submission.no_python", file=_named(file, path), error=why)) from error


def _last_name(base: ast.expr) -> str:
    """`Bot` in `Bot` and in `palabre.Bot`; other expressions have none."""
    return base.id if isinstance(base, ast.Name) else base.attr if isinstance(base, ast.Attribute) else ""


def _facts(node: ast.ClassDef, path: Path) -> dict[str, Any]:
    """Name and authors of a class, if it has them."""
    facts: dict[str, Any] = {}
    for name, value in _assigned(node.body):
        if name in ("name", "authors"):
            try:
                facts[name] = ast.literal_eval(value)
            except (ValueError, TypeError, RecursionError, MemoryError):
                facts[name] = None
            if not isinstance(facts[name], str if name == "name" else (str, list, tuple)):
                raise Rejected(say("submission.computed", path=path, attribute=f"{node.name}.{name}"))
    return facts


def _assigned(body: Iterable[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    """The names that statements assign to, and what they assign."""
    for statement in body:
        if isinstance(statement, ast.Assign):
            targets, value = statement.targets, statement.value
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            targets, value = [statement.target], statement.value
        else:
            continue
        yield from ((target.id, value) for target in targets if isinstance(target, ast.Name))


# ------------------------------------------------------------------------------------------------------------- likeness


def fingerprint(folder: Path) -> str:
    """A digest of what is in a folder that is the same for a copy under other names.

    The names of files do not count, nor comments, nor the name and authors of a Python class.
    """
    parts = sorted(_content(file) for file in folder.rglob("*") if file.is_file() and file.name != TOML)
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _content(file: Path) -> str:
    content = file.read_bytes()
    if file.suffix == ".py" and len(content) <= MOST_SOURCE:
        try:
            tree = parse(content)
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef):
                    node.name, node.body = "", [part for part in node.body if not _names_someone(part)]
            content = ast.dump(tree).encode(errors="surrogatepass")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            pass  # as it is, then
    return hashlib.sha256(content).hexdigest()


def _names_someone(statement: ast.stmt) -> bool:
    return any(name in ("name", "authors") for name, _ in _assigned([statement]))
