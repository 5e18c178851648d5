"""What this installation is: versions, processor, cache, and which limits of a sandbox take effect here."""

import os
import platform
import sys
from pathlib import Path

from palabre import __version__
from palabre.compile import cache
from palabre.compile.compiler import is_disabled
from palabre.core import registry
from palabre.core.errors import PalabreError
from palabre.core.system import processor
from palabre.sandbox import bubblewrap
from palabre.sandbox.probe import probe, way

PACKAGES = ("numba", "llvmlite", "numpy", "rich", "typer")


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
        return {"way": way(), **probe()}
    except PalabreError as error:
        return f"none, other people's bots run unprotected: {error}"


def _is_writable(place: Path) -> bool:
    """Whether a folder, or the nearest one above it that exists, can be written to."""
    while not place.exists():
        place = place.parent
    return place.is_dir() and os.access(place, os.W_OK)
