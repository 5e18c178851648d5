"""`palabre check`: whether a game obeys the laws that everything else relies on, and whether a bot may compete.

The game runs in a process of its own with bounds checks, so that even a crash or an endless loop becomes a sentence. A
bot is put through the admission test of championships.
"""

import dataclasses
from pathlib import Path
from typing import Annotated

import typer

from palabre.arena.entries import gather, ignored, is_handed_in, refuse_reserved_names, rename
from palabre.arena.trial import after_trial, examine_all
from palabre.bots.submission import has_bot
from palabre.cli.admission import print_admission
from palabre.cli.clocks import TimePerGame, TimePerMove, read_clock
from palabre.cli.output import Json, Seed, a_number, console, notes, print_json, table
from palabre.cli.prompt import own_language
from palabre.core.errors import PalabreError
from palabre.core.registry import is_path, split
from palabre.core.words import own_words
from palabre.laws.apart import Checked, CheckGame, check_apart
from palabre.laws.first_use import checked_game
from palabre.sandbox.players import check_protection, is_foreign

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
    bots = [after_trial(entry.row, found.get(entry.row.name), game) for entry in entries]
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

        found = check_apart(CheckGame(spec, games, seed), patience, show)
    law = found.law
    if as_json:
        counts = {name: None if law else getattr(found, name) for name in ("games", "positions", "closely", "compiled")}
        print_json({"game": spec, "holds": law is None, "broken": None if law is None else str(law), **counts})
    elif law is not None:
        console.print(law.text(own_language()))
    else:
        _print_summary(found)
    return 0 if law is None else 1


def _print_summary(found: Checked) -> None:
    listing = table("what was checked", ">how often")
    listing.add_row("random games, played to the end", f"{found.games:,}")
    listing.add_row("positions: moves, turns, scores, bounds, repetitions", f"{found.positions:,}")
    listing.add_row("of these also: texts, keys, views, explanations, evaluations", f"{found.closely:,}")
    if found.compiled:
        listing.add_row("of these again with the compiled rules", f"{found.closely:,}")
    console.print(listing)
    agreement = say("check.agree" if found.compiled else "check.uncompiled")
    console.print(str(say("check.holds", games=found.games, positions=found.positions, agreement=agreement)))
