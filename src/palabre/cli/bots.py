"""`palabre bots` and `palabre new`: which players there are, and files to start a bot or a game of your own from."""

import shlex
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from palabre.bots import new_files
from palabre.bots.bot import Bot
from palabre.bots.specs import ALIASES, bots_for, named_bots, parameters
from palabre.bots.templates import TEMPLATES
from palabre.cli.output import Json, add_parameter, console, notes, parameter_document, print_json, table
from palabre.cli.paths import new_file
from palabre.core import registry
from palabre.core.game import Game

new = typer.Typer(help="Write a bot or a game to start from.", no_args_is_help=True)


def bots(
    spec: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="List only the bots for this game, in detail.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List the bots and their parameters."""
    game = None if spec is None else registry.game(spec)
    games = [registry.game(name) for name in registry.names()] if game is None else [game]
    kinds = {name: kind for each in games for name, kind in named_bots(each).items()}
    games_of = {name: [each for each in games if name in bots_for(each)] for name in kinds}
    games_of = {name: played for name, played in games_of.items() if played}
    if as_json:
        print_json([_document(name, kinds[name], played) for name, played in games_of.items()])
        return
    listing = table("bot", "what it does")
    for name, played in games_of.items():
        listing.add_row(Text(", ".join([*_aliases(name), name]), "bold"), kinds[name].summary)
        if game is None:
            listing.add_row("", ", ".join(_choices(kinds[name], played)), style="dim")
        for parameter in parameters(kinds[name], game).values() if game is not None else ():
            add_parameter(listing, parameter, indent=2)
    console.print(listing)
    if game is None:
        notes.print("palabre bots GAME lists the values that the parameters can take in that game", style="dim")
        notes.print(
            "name a bot of your own by the path of its Python file, an external engine by ugi:COMMAND", style="dim"
        )


def _aliases(name: str) -> list[str]:
    return [alias for alias, meant in ALIASES.items() if meant == name]


def _choices(kind: type[Bot], games: list[Game]) -> list[str]:
    """The parameters of a bot with their defaults, or `…` where the default depends on the game."""
    defaults: dict[str, set[str]] = {}
    for game in games:
        for name, parameter in parameters(kind, game).items():
            defaults.setdefault(name, set()).add(str(parameter.default))
    return [f"{name}={min(values) if len(values) == 1 else '…'}" for name, values in defaults.items()]


def _document(name: str, kind: type[Bot], games: list[Game]) -> dict[str, object]:
    return {
        "name": name,
        "also": _aliases(name),
        "summary": kind.summary,
        "parameters": {
            game.spec: [parameter_document(parameter) for parameter in parameters(kind, game).values()]
            for game in games
        },
    }


NewFile = Annotated[Path, typer.Argument(callback=new_file, metavar="FILE", help="The Python file to create.")]


@new.command("bot")
def new_bot(
    file: NewFile,
    template: Annotated[
        str, typer.Option(metavar="NAME", help="; ".join(f"{name}: {what}" for name, what in TEMPLATES.items()))
    ] = new_files.FIRST_TEMPLATE,
) -> None:
    """Write a bot that already plays, for you to improve."""
    new_files.new_bot(file, template)
    console.print(f"wrote {file}; test it with\n  palabre match {shlex.quote(str(file))} random --game awele")


@new.command("game")
def new_game(file: NewFile) -> None:
    """Write a small game that already works, as a starting point for your own."""
    new_files.new_game(file)
    named = shlex.quote(str(file))
    console.print(f"wrote {file}; try it with\n  palabre check {named}\n  palabre play {named}")
