"""Files that travel to the nodes of a cluster, packed.

An archive is named by a digest of its content. A node keeps what it has unpacked, checks it again whenever it is used,
and asks only for what it lacks.
"""

import hashlib
import io
import json
import os
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

from palabre.bots.submission import LITTER, MOST_BYTES, MOST_FILES
from palabre.compile.cache import forget_unused
from palabre.core.errors import PalabreError
from palabre.core.words import say

SENT = "@palabre-sent"  # stands for the folder in which a node keeps what it has been sent
PYTHON = "@palabre-python"  # stands for the interpreter of a node


def files_below(folder: Path, title: str) -> dict[str, Path]:
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


def placed(text: bytes, root: Path) -> bytes:
    """A text of JSON in which what stands for folder and interpreter of a node has become these."""
    for sign, path in ((SENT, str(root)), (PYTHON, sys.executable)):
        text = text.replace(sign.encode(), json.dumps(path)[1:-1].encode())
    return text


def unpack_all(parcels: Mapping[str, Callable[[], bytes]]) -> Path:
    """Have all these parcels on this node; they are fetched by digest if they are missing. Returns their folder."""
    # Not in the cache of compiled code: every sandbox can read that, and bots must not read each other.
    root = Path(tempfile.gettempdir()) / f"palabre-sent-{os.getuid() if hasattr(os, 'getuid') else 0}"
    root.mkdir(mode=0o700, exist_ok=True)
    status = root.lstat()
    if hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & 0o077 or root.is_symlink()):
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
            target = draft / entry.filename  # the digest proves that the archive is ours
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(opened.read(entry))
            target.chmod(entry.external_attr >> 16 & 0o777)
    for _ in range(2):
        try:
            draft.rename(place)
            return
        except OSError:  # another process was faster, or what is there is damaged
            if _is_intact(place, digest):
                shutil.rmtree(draft)
                return
            place.rename(Path(tempfile.mkdtemp(prefix="draft-", dir=root)) / "damaged")
    raise PalabreError(say("cluster.packed", parcel=digest[:12], folder=root))


def _is_intact(place: Path, digest: str) -> bool:
    try:
        return hashlib.sha256(pack(files_below(place, ""))).hexdigest() == digest
    except (OSError, PalabreError):
        return False
