"""A bot as a competitor hands it in: a Python file, a folder or a zip, with a name and authors, for one competitor.

Nothing of it is run here. Name and authors of a Python bot are read from its source as plain texts; `bot.toml` may have
them instead, and must for programs in other languages. The content is copied to a folder of our own, so that it cannot
change while an event goes on. Another process does both, within limits (`submission_reader.py`).
"""

import contextlib
import hashlib
import json
import os
import subprocess
import sys
import weakref
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import palabre
from palabre.core.errors import BadSpec, PalabreError, printable
from palabre.core.registry import is_path, split
from palabre.core.system import end_in_words
from palabre.core.temporary import temporary_folder
from palabre.core.words import Message, say

TOML = "bot.toml"
ZIP = ".zip"
MOST_BYTES = 64 << 20  # of a submission, unpacked
MOST_FILES = 2000  # with its folders
MOST_DEPTH = 32  # folders within each other
MOST_SOURCE = 1 << 20  # bytes of a source: 12 MB of Python can take 6 GB to parse
MEMORY = 1 << 30  # bytes that reading it may take,
PROCESSOR_SECONDS = 30  # with so much of the processor
PATIENCE = 300.0  # seconds, when the machine has other things to do
MOST_AUTHORS = 10
KINDS = {"python": ".py", "c++": ".cpp", "java": ".java", "program": ""}  # and the ending of its sources
PROTOCOLS = ("pipe", "ugi")
# What `bot.toml` may say.
KEYS: dict[str, type | tuple[type, ...]] = {
    **dict.fromkeys(("name", "kind", "main", "class", "command", "protocol"), str),
    "authors": (str, list),
    **dict.fromkeys(("upper", "keep"), bool),
}
COPY = "palabre-bot-"  # how the folders of our copies begin
READ = "import sys; sys.path.insert(0, {root!r}); from palabre.bots.submission_reader import main; main()"
BASES = ("Bot", "SearchBot")
# What editors, systems and Python leave behind, which is no part of a bot.
LITTER = ("__pycache__", "__MACOSX", ".git", ".idea", ".vscode", ".DS_Store", ".mypy_cache", ".pytest_cache")


class Rejected(PalabreError):
    """A submission that cannot take part; the message has the reason and the remedy."""


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
    is_upper: bool = False  # whether it gets moves in capital letters
    is_kept: bool = False  # whether its process stays from game to game
    digest: str = ""  # of all files and their names
    fingerprint: str = ""  # the same for copies under other names
    source: Path = field(default=Path(), compare=False)  # what was handed in


def read_submission(path: Path) -> Submission:
    """Copy and read what was handed in; raises `Rejected` if it cannot take part."""
    folder, closing = temporary_folder(COPY)
    with closing as stack:
        facts = _answer("read", path, folder / "bot")["submission"]
        submission = Submission(
            **{**facts, "authors": tuple(facts["authors"]), "folder": Path(facts["folder"]), "source": path}
        )
        folder.chmod(0o755)
        weakref.finalize(submission, stack.pop_all().close)
    return submission


def has_bot(path: Path) -> bool:
    """Whether a file of Python has a bot in it, as far as can be seen without running it."""
    with contextlib.suppress(Rejected):
        return path.suffix == ".py" and bool(_answer("has_bot", path)["has_bot"])
    return False


def summary_of(path: Path) -> tuple[str, list[tuple[int, str]]]:
    """The summary of a user's file (`compile/digest.py`), with its imports; raises `Rejected` if it cannot be read."""
    digest, imports = _answer("summary", path)["summary"]
    return digest, [(level, name) for level, name in imports]


def _answer(job: str, path: Path, *folder: Path) -> dict[str, Any]:
    """What the reading process answers; if it ends in any other way, that is the submission's fault."""
    if not path.name.isprintable():
        raise Rejected(say("submission.odd_path", path=printable(path.name)))
    root = str(Path(palabre.__file__).parent.parent)
    words: list[str | Path] = [sys.executable, "-P", "-c", READ.format(root=root), job, path, *folder]
    try:
        done = subprocess.run(
            words, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=PATIENCE, check=False
        )
        answer: dict[str, Any] = json.loads(done.stdout)
    except subprocess.TimeoutExpired as error:
        raise Rejected(say("submission.needs_time", path=path, most=PATIENCE)) from error
    except json.JSONDecodeError as error:
        raise Rejected(say("submission.unreadable", path=path, error=end_in_words(done.returncode))) from error
    except (OSError, ValueError) as error:
        raise Rejected(say("submission.unreadable", path=path, error=printable(str(error)))) from error
    if "rejected" in answer:
        raise Rejected(Message(**answer["rejected"]))
    return answer


def is_submission(spec: str) -> bool:
    """Whether a spec is the path of a zip, or of a folder that is no Python package."""
    name, _ = split(spec.strip())
    if not is_path(name):
        return False
    has_init, has_toml = (os.path.isfile(os.path.join(name, file)) for file in ("__init__.py", TOML))  # noqa: PTH113, PTH118
    return name.endswith(ZIP) or has_toml or (os.path.isdir(name) and not has_init)  # noqa: PTH112


def submission_of(spec: str) -> Submission | None:
    """The submission whose path a spec is, or None if the spec is of another kind."""
    if not is_submission(spec):
        return None
    name, items = split(spec.strip())
    if items:
        raise BadSpec(say("spec.takes_none", name=name, items=items))
    return read_submission(Path(name))


def digest_of(folder: Path) -> str:
    """A digest of the files in a folder and their names, as they are now."""
    total = hashlib.sha256()
    for file in sorted(file for file in folder.rglob("*") if file.is_file()):
        content = hashlib.sha256(file.read_bytes()).hexdigest()
        total.update(f"{file.relative_to(folder).as_posix()}\0{content}\n".encode())
    return total.hexdigest()
