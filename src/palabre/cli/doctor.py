"""`palabre doctor`: what this installation is, and what is missing."""

import importlib.util
from pathlib import Path

from palabre.cli.output import Json, console, print_json, table
from palabre.sandbox.installation import WORDS, installation

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
    facts = installation()
    if SOURCES.is_dir():
        facts["missing_for_developers"] = _missing()
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
