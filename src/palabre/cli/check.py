"""`palabre check`: whether a game obeys the laws that everything else relies on, and whether a bot may compete.

The game runs in a process of its own with bounds checks, so that even a crash or an endless loop becomes a sentence. A
bot is put through the admission test of championships.
"""

from pathlib import Path
from typing import Annotated

import typer

from palabre.arena.bot_check import check_bot
from palabre.arena.documents import bot_document
from palabre.bots.submission import has_bot
from palabre.cli.admission import print_admission
from palabre.cli.clocks import TimePerGame, TimePerMove, read_clock
from palabre.cli.output import Json, Seed, a_number, console, notes, own_language, print_json, table
from palabre.core.errors import PalabreError
from palabre.core.registry import is_path, split
from palabre.core.words import Message, own_words
from palabre.laws.apart import Checked, check_game
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
    result = check_bot(spec, game, read_clock(game, seconds, clock))
    if as_json:
        print_json([bot_document(bot) for bot in result.bots])
    else:
        for bot in result.bots:
            if details := bot.note.partition("\n")[2]:
                notes.print(details, style="dim")
        print_admission(console, result.bots, result.verdicts, result.ignored)
    return 0 if result.is_admitted else 1


def _check_game(spec: str, games: int, seed: int, patience: float, *, as_json: bool) -> int:
    with notes.status(f"checking {split(spec)[0]}…") as status:

        def show(doing: Message, seen: int) -> None:
            status.update(f"{doing}: {seen:,} positions")

        result = check_game(spec, games, seed=seed, patience=patience, on_step=show)
    law = result.law
    if as_json:
        counts = {
            name: None if law else getattr(result, name) for name in ("games", "positions", "closely", "compiled")
        }
        print_json({"game": spec, "holds": law is None, "broken": None if law is None else str(law), **counts})
    elif law is not None:
        console.print(law.text(own_language()))
    else:
        _print_summary(result)
    return 0 if law is None else 1


def _print_summary(result: Checked) -> None:
    listing = table("what was checked", ">how often")
    listing.add_row("random games, played to the end", f"{result.games:,}")
    listing.add_row("positions: moves, turns, scores, bounds, repetitions", f"{result.positions:,}")
    listing.add_row("of these also: texts, keys, views, explanations, evaluations", f"{result.closely:,}")
    if result.compiled:
        listing.add_row("of these again with the compiled rules", f"{result.closely:,}")
    console.print(listing)
    agreement = say("check.agree" if result.compiled else "check.uncompiled")
    console.print(str(say("check.holds", games=result.games, positions=result.positions, agreement=agreement)))
