"""`palabre check`: whether a game obeys the laws that everything else relies on, and whether a bot may compete.

The game runs in a process of its own with bounds checks, so that even a crash or an endless loop becomes a sentence. A
bot is put through the admission test of championships.
"""

import dataclasses
from pathlib import Path
from typing import Annotated, Any

import typer

from palabre.arena.entries import gather, ignored, is_handed_in, refuse_reserved_names, rename
from palabre.arena.players import check_protection, is_foreign
from palabre.arena.trial import after_trial, examine_all
from palabre.bots.submission import has_bot
from palabre.cli.admission import print_admission
from palabre.cli.clocks import TimePerGame, TimePerMove, read_clock
from palabre.cli.output import Json, Seed, a_number, console, notes, print_json, table
from palabre.cli.prompt import own_language
from palabre.core.errors import PalabreError
from palabre.core.registry import is_path, split
from palabre.core.words import own_words
from palabre.laws.apart import check_apart
from palabre.laws.first_use import checked_game

say = own_words(__file__)
Games = Annotated[int, typer.Option("--games", min=1, max=100_000, help="How many random games to play.")]
Patience = Annotated[
    float,
    typer.Option(
        "--patience", callback=a_number, min=1.0, max=86_400.0, help="Seconds that a rule may take to return."
    ),
]


def check(
    spec: Annotated[
        str,
        typer.Argument(metavar="GAME_OR_BOT", help="A game, by name or path, or a bot: mybot.py, bot.zip, …"),
    ],
    game: Annotated[str | None, typer.Option("--game", metavar="SPEC", help="For a bot: the game it plays.")] = None,
    seconds: TimePerMove = None,
    clock: TimePerGame = None,
    games: Games = 50,
    seed: Seed = 0,
    patience: Patience = 30.0,
    as_json: Json = False,
) -> int:
    """Check a game's rules or, with --game, put a bot through the admission test. Run it after every edit.

    Exit code 0: everything is fine. 1: the game breaks a law, or the bot is rejected, and the message says why and what
    to do. 2: the game cannot be loaded.
    """
    if game is not None:
        return _check_bot(spec, game, seconds, clock, as_json=as_json)
    if is_path(spec) and (has_bot(Path(spec)) or Path(spec).suffix == ".zip"):
        raise PalabreError(say("admission.which_game", path=spec, bot=spec))
    return _check_game(spec, games, seed, patience, as_json=as_json)


def _check_bot(spec: str, game_spec: str, seconds: float | None, clock: str | None, *, as_json: bool) -> int:
    """The admission test, with everything that its author should know."""
    game = checked_game(game_spec)
    is_protected = check_protection([spec] if is_handed_in(spec, game) or is_foreign(spec) else [], untrusted=False)
    gathered = gather([spec], game, read_clock(game, seconds, clock), untrusted=is_protected)
    entries = rename(refuse_reserved_names(gathered, game))
    coming = [(entry.row, entry.place) for entry in entries if entry.row.state == "admitted"]
    found = {verdict.bot.name: verdict for verdict in examine_all(coming, game, untrusted=is_protected)}
    bots = [after_trial(entry.row, found.get(entry.row.name)) for entry in entries]
    if as_json:
        print_json([{**dataclasses.asdict(bot), "options": dict(bot.options)} for bot in bots])
    else:
        for bot in bots:
            if details := bot.note.partition("\n")[2]:
                notes.print(details, style="dim")
        print_admission(console, bots, found, ignored([spec], game))
    return 0 if all(bot.state == "admitted" for bot in bots) else 1


def _check_game(spec: str, games: int, seed: int, patience: float, *, as_json: bool) -> int:
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
        console.print(told.get("texts", {}).get(own_language(), broken))
    else:
        _print_summary(told)
    return 1 if broken is not None else 0


def _counts(told: dict[str, Any]) -> dict[str, Any]:
    return {name: told.get(name) for name in ("games", "positions", "closely", "compiled")}


def _print_summary(told: dict[str, Any]) -> None:
    listing = table("what was checked", ">how often")
    listing.add_row("random games, played to the end", f"{told['games']:,}")
    listing.add_row("positions: moves, turns, scores, bounds, repetitions", f"{told['positions']:,}")
    listing.add_row("of these also: texts, keys, views, explanations, evaluations", f"{told['closely']:,}")
    if told["compiled"]:
        listing.add_row("of these again with the compiled rules", f"{told['closely']:,}")
    console.print(listing)
    agreement = say("check.agree" if told["compiled"] else "check.uncompiled")
    console.print(str(say("check.holds", games=told["games"], positions=told["positions"], agreement=agreement)))
