"""What this installation is: versions, processor, cache, and which limits of a sandbox take effect here."""

import json
import os
import platform
import sys
import time
from pathlib import Path

from palabre import __version__
from palabre.compile import cache
from palabre.compile.compiler import is_disabled
from palabre.core import registry
from palabre.core.errors import PalabreError
from palabre.core.system import processor
from palabre.core.words import say
from palabre.play.failures import MEGABYTE, Limits, SandboxBroken
from palabre.play.judge import SPARE
from palabre.sandbox import bubblewrap
from palabre.sandbox.box import Sandbox
from palabre.sandbox.bubblewrap import Files, is_root, python

PACKAGES = ("numba", "llvmlite", "numpy", "rich", "typer")
LIMITS = Limits(memory=256, scratch=8, processes=24, strikes=0)
SECONDS = 20.0
PAUSE = 0.2  # seconds in which a suspended process must not run
SPINNER = "import os\nif os.fork() == 0:\n    while True: pass"
# Four processes that are each allowed what they take.
CROWD = "import os, time\nos.fork(); os.fork()\nx = b'x' * (90 << 20)\ntime.sleep(600)"

WORDS = {
    "network": "no network",
    "files": "sees and changes only its own files",
    "rights": "has no capabilities",
    "namespaces": "cannot create namespaces",
    "memory": "memory of a process is limited",
    "processes": "processes are limited",
    "suspension": "is paused during the opponent's turn",
    "total memory": "memory of all its processes is limited",
}


def installation() -> dict[str, object]:
    """Facts about this installation, for reports of faults; a sandbox is started to see what it holds back."""
    from importlib.metadata import version  # slow to import

    place = cache.root()
    return {
        "palabre": __version__,
        "python": platform.python_version(),
        "executable": sys.executable,
        "platform": platform.platform(),
        "processor": processor(),
        "cores": os.cpu_count(),
        **{name: version(name) for name in PACKAGES},
        "kernels": "plain Python (NUMBA_DISABLE_JIT is set)" if is_disabled() else "compiled",
        "cache": str(place),
        "cache_bytes": cache.size(place),
        "cache_writable": _is_writable(place),
        "games": list(registry.names()),
        "sandbox": _sandbox(),
    }


def _sandbox() -> dict[str, object] | str:
    """What a bot cannot do in a sandbox here, as tried just now, or why there are no sandboxes."""
    refusal = bubblewrap.why_not()
    if refusal is not None:
        return f"none, other people's bots run unprotected: {refusal}"
    try:
        kind = ", a user id for each sandbox" if is_root() else " in a user namespace"
        return {"way": f"bubblewrap{kind}", **probe()}
    except PalabreError as error:
        return f"none, other people's bots run unprotected: {error}"


def _is_writable(place: Path) -> bool:
    """Whether a folder, or the nearest one above it that exists, can be written to."""
    while not place.exists():
        place = place.parent
    return place.is_dir() and os.access(place, os.W_OK)


def probe() -> dict[str, bool]:
    """What a bot in a sandbox cannot do, by name (see `WORDS`); a `SandboxBroken` if there are no sandboxes here."""
    box = Sandbox(LIMITS, Files())
    try:
        inmate = ["-m", "palabre.sandbox.inmate", str(LIMITS.memory * MEGABYTE), str(LIMITS.processes)]
        code, output = box.run([python(), "-P", *inmate], SECONDS)
        if code != 0:
            raise SandboxBroken(say("sandbox.probe", words=output.strip()[-300:]))
        refused: dict[str, bool] = json.loads(output.strip().splitlines()[-1])
        box.run([python(), "-c", SPINNER], SECONDS)
        time.sleep(PAUSE)
        nothing = json.dumps({"do": "run", "words": [python(), "-c", ""]})
        turn, *_ = box.ask(b"load", nothing, SECONDS, timed=True)
        refused["suspension"] = turn.between <= SPARE and not turn.has_stirred
    finally:
        box.close()
    box = Sandbox(LIMITS, Files())
    try:
        crowd = json.dumps({"do": "run", "words": [python(), "-c", CROWD]})
        _, words, _ = box.ask(b"load", crowd, SECONDS)
        refused["total memory"] = words.get("kind") == "memory"
    finally:
        box.close()
    return refused
