"""Files that travel to the nodes of a cluster: what somebody's bots, games and weights consist of.

A parcel is named by a digest of its content. A node keeps what it has unpacked, checks it again whenever it is used,
and asks only for what it lacks. In a spec, SENT stands for the folder in which a node keeps its parcels.
"""

import hashlib
import io
import os
import shlex
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath

from palabre.arena.players import SUBMISSION, files_of, is_command, is_foreign, split_command
from palabre.arena.sandbox.bubblewrap import BOT, PROGRAMS
from palabre.arena.worker import Setup
from palabre.bots.submission import LITTER, MOST_BYTES, MOST_FILES, is_submission
from palabre.compile.cache import forget_unused
from palabre.core.errors import PalabreError
from palabre.core.registry import is_path, split
from palabre.core.spec import split_items
from palabre.core.words import say

SENT = "@sent"
PYTHON = "@python"  # stands for the interpreter of a node


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
            return SUBMISSION + self._add(_below(Path(spec.removeprefix(SUBMISSION)), ""))
        if is_submission(spec):
            path = Path(spec.strip())
            name = path.resolve().name
            return f"{self._add(_below(path, f'{name}/') if path.is_dir() else {name: path})}/{name}"
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
        found: dict[str, Path] = {}
        for place, path in files.read.items():
            title = str(PurePosixPath(place).relative_to(BOT))
            found |= _below(path, f"{title}/") if path.is_dir() else {title: path}
        return self._add(found) + inside.removeprefix(str(BOT))

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


def _below(folder: Path, title: str) -> dict[str, Path]:
    """The files below a folder, by names that begin with a title."""
    return {
        f"{title}{path.relative_to(folder).as_posix()}": path
        for path in folder.rglob("*")
        if path.is_file() and not set(path.relative_to(folder).parts) & set(LITTER)
    }


def pack(files: Mapping[str, Path]) -> bytes:
    """An archive of files by name; the same files make the same bytes."""
    size = sum(path.stat().st_size for path in files.values())
    if len(files) > MOST_FILES or size > MOST_BYTES:
        first = min(map(str, files.values()))
        limits = {"most": MOST_FILES, "megabytes": MOST_BYTES >> 20}
        raise PalabreError(say("cluster.too_much", file=first, files=len(files), size=size >> 20, **limits))
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name)  # dated 1980, whenever the file was written
            entry.create_system = 3  # which has the rights of files
            entry.external_attr = (0o100755 if os.access(files[name], os.X_OK) else 0o100644) << 16
            archive.writestr(entry, files[name].read_bytes())
    return content.getvalue()


# ----------------------------------------------------------------------------------------------------------- on a node


def unpack_setup(setup: Setup, digests: Mapping[str, Callable[[], bytes]]) -> Setup:
    """The setup with specs that hold on this node, which has all its parcels afterwards."""
    root = unpack_all(digests)
    bots = {name: (here(spec, root), clock) for name, (spec, clock) in setup.bots.items()}
    return replace(setup, game=here(setup.game, root), bots=bots)


def here(spec: str, root: Path) -> str:
    """A spec or a file name as it is on this node."""
    if not is_command(spec):
        return spec.replace(SENT, str(root))
    prefix, command = split_command(spec)
    words = [sys.executable if word == PYTHON else word.replace(SENT, str(root)) for word in shlex.split(command)]
    return prefix + shlex.join(words)


def unpack_all(parcels: Mapping[str, Callable[[], bytes]]) -> Path:
    """Have all these parcels on this node; they are fetched by digest if they are missing. Returns their folder."""
    # Not in the cache of compiled code: every sandbox can read that, and bots must not read each other.
    root = Path(tempfile.gettempdir()) / f"palabre-sent-{os.getuid() if hasattr(os, 'getuid') else 0}"
    root.mkdir(mode=0o700, exist_ok=True)
    found = root.lstat()
    if hasattr(os, "getuid") and (found.st_uid != os.getuid() or found.st_mode & 0o077 or root.is_symlink()):
        raise PalabreError(say("cluster.open_folder", folder=root))
    forget_unused(root)
    for digest, fetch in parcels.items():
        _unpack(root, digest, fetch)
    return root


def _unpack(root: Path, digest: str, fetch: Callable[[], bytes]) -> None:
    place = root / digest
    if _is_intact(place, digest):
        os.utime(place)
        return
    archive = fetch()
    if hashlib.sha256(archive).hexdigest() != digest:
        raise PalabreError(say("cluster.damaged", parcel=digest[:12]))
    draft = Path(tempfile.mkdtemp(prefix="draft-", dir=root))
    draft.chmod(0o755)
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        for entry in opened.infolist():
            target = draft / entry.filename  # the digest says that it was we who made it
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(opened.read(entry))
            target.chmod(entry.external_attr >> 16 & 0o777)
    for _ in range(2):
        try:
            draft.rename(place)
            return
        except OSError:  # somebody else was faster, or what is there is damaged
            if _is_intact(place, digest):
                shutil.rmtree(draft)
                return
            place.rename(Path(tempfile.mkdtemp(prefix="draft-", dir=root)) / "damaged")
    raise PalabreError(say("cluster.packed", parcel=digest[:12], folder=root))


def _is_intact(place: Path, digest: str) -> bool:
    try:
        return hashlib.sha256(pack(_below(place, ""))).hexdigest() == digest
    except (OSError, PalabreError):
        return False
