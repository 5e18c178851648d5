"""What travels to the nodes of a cluster: the files of which users' bots, games and weights consist.

In a spec, SENT stands for the folder in which a node keeps what it has been sent, and PYTHON for its interpreter.
"""

import hashlib
import os
import shlex
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath

from palabre.arena.playing import Setup
from palabre.bots.submission import is_submission
from palabre.core.registry import is_path, split
from palabre.core.spec import split_items
from palabre.play.stacks import BOT
from palabre.sandbox import bubblewrap
from palabre.sandbox.bubblewrap import PROGRAMS
from palabre.sandbox.players import SUBMISSION, files_of, is_command, is_foreign, split_command
from palabre.workers.cluster.archives import PYTHON, SENT, files_below, pack


class Parcels:
    """The parcels of an event, and specs that name what is in them."""

    def __init__(self) -> None:
        self.archives: dict[str, bytes] = {}  # by digest
        self._rivals: list[str] = []  # the specs of all bots

    def setup(self, setup: Setup) -> Setup:
        """The same setup, for nodes that do not have our files."""
        self._rivals = [spec for spec, _ in setup.bots.values()]
        bots = {name: (self.bot(spec), clock) for name, (spec, clock) in setup.bots.items()}
        return replace(setup, game=self.game(setup.game), bots=bots)

    def game(self, spec: str) -> str:
        """The spec of a game, for nodes."""
        return self._code(spec) if is_path(split(spec.strip())[0]) else spec

    def bot(self, spec: str) -> str:
        """The spec of a bot, for nodes."""
        if is_command(spec):
            return self._command(spec.strip())
        if spec.startswith(SUBMISSION):
            return SUBMISSION + self._add(files_below(Path(spec.removeprefix(SUBMISSION)), ""))
        if is_submission(spec):
            path = Path(spec.strip())
            name = path.resolve().name
            return f"{self._add(files_below(path, f'{name}/') if path.is_dir() else {name: path})}/{name}"
        if is_foreign(spec):
            return self._code(spec, self._rivals)
        name, items = split(spec.strip())
        words = [key + equals + self.file(value) for key, equals, value in _items(items)]
        return f"{name}:{','.join(words)}" if words else spec

    def file(self, name: str) -> str:
        """The name of a file, for nodes; a text that is not the name of one stays as it is."""
        if not os.path.isfile(name):  # noqa: PTH113 (a Path raises if it is too long)
            return name
        path = Path(name)
        return f"{self._add({path.name: path})}/{path.name}"

    def _code(self, spec: str, rivals: Iterable[str] = ()) -> str:
        """A Python file, with those files beside it that it imports; or a folder."""
        inside, files = files_of(spec.strip(), rivals)
        parts: dict[str, Path] = {}
        for place, path in files.read.items():
            title = str(PurePosixPath(place).relative_to(BOT))
            parts |= files_below(path, f"{title}/") if path.is_dir() else {title: path}
        return self._add(parts) + inside.removeprefix(str(BOT))

    def _command(self, spec: str) -> str:
        """A command line: files that it names travel, and programs of the system are those of the node."""
        prefix, command = split_command(spec)
        words = []
        for word in shlex.split(command):
            is_file = os.path.isfile(word)  # noqa: PTH113
            if word == sys.executable:
                word = PYTHON
            elif is_file and not any(Path(word).absolute().is_relative_to(place) for place in (*PROGRAMS, sys.prefix)):
                word = self.file(word)
            words.append(word)
        return prefix + shlex.join(words)

    def _add(self, files: Mapping[str, Path]) -> str:
        archive = pack(files)
        digest = hashlib.sha256(archive).hexdigest()
        self.archives[digest] = archive
        return f"{SENT}/{digest}"


def _items(text: str) -> list[tuple[str, str, str]]:
    return [item.partition("=") for item in split_items(text)]


def no_sandbox() -> str | None:
    """Why bots of others cannot play on this node, or None if they can."""
    refusal = bubblewrap.why_not()
    return None if refusal is None else f"it has no sandbox for other people's bots: {refusal}"


NEEDS_SANDBOX = f"{__name__}:{no_sandbox.__name__}"  # how a cluster asks whether a node has one
