"""`palabre doctor`: what this installation is, and what is missing."""

import importlib.util
import os
import platform
import sys
from pathlib import Path

from palabre import __version__
from palabre.cli.output import Json, console, print_json, table
from palabre.compile import cache
from palabre.compile.compiler import is_disabled
from palabre.core import registry
from palabre.core.errors import PalabreError
from palabre.core.system import processor
from palabre.sandbox import bubblewrap
from palabre.sandbox.probe import WORDS, probe, way

# What developers of Palabre need, listed only in a checkout.
FOR_DEVELOPERS = {
    "pytest": "make test",
    "hypothesis": "make test",
    "ruff": "make check",
    "mypy": "make check",
    "pyspiel": "make bench",
    "easyAI": "make bench",
    "matplotlib": "make bench",
}


SOURCES = Path(__file__).parents[3] / "tests"  # is there only in a checkout


def doctor(as_json: Json = False) -> None:
    """Print versions, processor, cache folder and size, and which sandbox limits work here."""
    from importlib.metadata import version  # slow to import, and no other command needs it

    place = cache.root()
    facts: dict[str, object] = {
        "palabre": __version__,
        "python": platform.python_version(),
        "executable": sys.executable,
        "platform": platform.platform(),
        "processor": processor(),
        "cores": os.cpu_count(),
        **{name: version(name) for name in ("numba", "llvmlite", "numpy", "rich", "typer")},
        "kernels": "plain Python (NUMBA_DISABLE_JIT is set)" if is_disabled() else "compiled",
        "cache": str(place),
        "cache_bytes": cache.size(place),
        "cache_writable": _is_writable(place),
        "games": list(registry.names()),
        "sandbox": _sandbox(),
        **({"missing_for_developers": _missing()} if SOURCES.is_dir() else {}),
    }
    if as_json:
        print_json(facts)
        return
    listing = table("", "")
    listing.show_header = False
    for name, value in facts.items():
        listing.add_row(name.replace("_", " "), _in_words(name, value))
    console.print(listing)


def _missing() -> dict[str, str]:
    return {name: use for name, use in FOR_DEVELOPERS.items() if not importlib.util.find_spec(name)}


def _in_words(name: str, value: object) -> str:
    if name == "cache_bytes":
        return f"{int(str(value)) / 1e6:.1f} MB"
    if name == "missing_for_developers" and isinstance(value, dict):
        return ", ".join(f"{package} ({use})" for package, use in value.items()) or "nothing"
    if name == "sandbox" and isinstance(value, dict):
        holds = [words for limit, words in WORDS.items() if value[limit]]
        fails = [f"NOT: {words}" for limit, words in WORDS.items() if not value[limit]]
        return "; ".join([str(value["way"]), *fails, *holds])
    if isinstance(value, list):
        return ", ".join(str(item) for item in value)
    if isinstance(value, bool):
        return "yes" if value else "no: set PALABRE_CACHE to a writable folder"
    return str(value)


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
