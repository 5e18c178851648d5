"""The process that copies and reads a submission, within limits of memory and time.

The author of a submission chooses every byte of it, so any of them may exhaust or crash what reads it. `submission.py`
starts this process for each submission. It answers with one line of JSON; if it cannot, the submission is rejected.
"""

import json
import os
import re
import shlex
import sys
import tomllib
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from palabre.bots.names import clean_name
from palabre.bots.submission import (
    KEYS,
    KINDS,
    MEMORY,
    MOST_AUTHORS,
    MOST_BYTES,
    MOST_SOURCE,
    PROCESSOR_SECONDS,
    PROTOCOLS,
    TOML,
    Rejected,
    Submission,
    digest_of,
)
from palabre.bots.submission_copy import copy, open_plain
from palabre.bots.submission_source import bots_in, fingerprint
from palabre.compile.digest import summary
from palabre.core.errors import clip, listing, printable
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
    with open_plain(path) as file:
        content = file.read(MOST_SOURCE + 1)
    return {"has_bot": len(content) <= MOST_SOURCE and bool(bots_in(content, path, path))}


def _summary(path: Path) -> dict[str, Any]:
    with open_plain(path) as file:
        content = file.read(MOST_SOURCE + 1)
    if len(content) > MOST_SOURCE:
        raise Rejected(say("submission.large_source", path=path, name=path.name, most=MOST_SOURCE >> 20))
    try:
        return {"summary": summary(content)}
    except (RecursionError, MemoryError) as error:
        raise Rejected(say("submission.no_python", file=path.name, error=type(error).__name__)) from error


def _read(path: Path, folder: Path) -> dict[str, Any]:
    copy(path, folder)
    facts = asdict(_submission(folder, path))
    return {"submission": {**facts, "folder": str(folder), "source": str(path)}}


JOBS: dict[str, Callable[..., dict[str, Any]]] = {"has_bot": _has_bot, "summary": _summary, "read": _read}


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
        for facts in bots_in(file.read_bytes(), file, path)
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
