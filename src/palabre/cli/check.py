"""`palabre check`: whether a game obeys the laws that everything else relies on.

The game runs in a process of its own with bounds checks, so that even a crash or an endless loop becomes a sentence.
"""

from typing import Annotated, Any

import typer

from palabre.cli.output import Json, Seed, Spec, console, notes, print_json, table
from palabre.core.errors import PalabreError
from palabre.core.registry import split
from palabre.laws.apart import check_apart

Games = Annotated[int, typer.Option("--games", min=1, max=100_000, help="How many random games to play.")]
Patience = Annotated[float, typer.Option("--patience", min=1.0, help="Seconds that a rule may take to answer.")]


def check(spec: Spec, games: Games = 50, seed: Seed = 0, patience: Patience = 30.0, as_json: Json = False) -> int:
    """Check a game's rules: random games, in plain Python and compiled, with bounds checks. Run it after every edit.

    Exit code 0: all laws hold. 1: a law is broken, and the message says which, where and what to do. 2: the game cannot
    be loaded.
    """
    with notes.status(f"checking {split(spec)[0]}…") as status:

        def show(doing: str, seen: int) -> None:
            status.update(f"{doing}: {seen:,} positions")

        told = check_apart(spec, [str(games), str(seed)], patience, show)
    if "refused" in told:
        raise PalabreError(told["refused"])
    broken = told.get("broken")
    if as_json:
        print_json({"game": spec, "holds": broken is None, "broken": broken, **_counts(told)})
    elif broken is not None:
        console.print(broken)
    else:
        _print_summary(told)
    return 1 if broken is not None else 0


def _counts(told: dict[str, Any]) -> dict[str, Any]:
    return {name: told.get(name) for name in ("games", "positions", "compiled")}


def _print_summary(told: dict[str, Any]) -> None:
    listing = table("what was checked", ">how often")
    listing.add_row("random games, played to the end", f"{told['games']:,}")
    listing.add_row("positions: moves, texts, keys, scores, views, evaluations", f"{told['positions']:,}")
    if told["compiled"]:
        listing.add_row("positions asked again of the compiled rules", f"{told['positions']:,}")
    console.print(listing)
    agree = "compiled and plain agree" if told["compiled"] else "nothing was compiled (NUMBA_DISABLE_JIT is set)"
    console.print(f"{told['games']:,} games, {told['positions']:,} positions: no law is broken, {agree}")
