"""`palabre play`: a game in the browser, or in the terminal."""

import secrets
from pathlib import Path
from typing import Annotated

import typer

from palabre.bots.opponents import USUAL_LEVEL
from palabre.cli.clocks import LONGEST, SHORTEST, TimePerGame, TimePerMove
from palabre.cli.output import MOST, PositionText, Untrusted, a_number
from palabre.cli.paths import appended_file, input_file, input_folder, made_file, output_folder
from palabre.cli.records import Trust
from palabre.core.errors import PalabreError
from palabre.core.words import own_words

say = own_words(__file__)

SERVER = "Server options"
# Settings of the server whose options have other names.
OPTIONS = {
    "names": "name",
    "seconds": "time-limit",
    "forgets_guests": "forget-guests",
    "opens_browser": "no-browser",
}


def play(
    spec: Annotated[
        str | None,
        typer.Argument(
            metavar="[SPEC]", help="A game, or a recorded one: games.txt#3@20. If you give none, you can choose."
        ),
    ] = None,
    terminal: Annotated[bool, typer.Option("--terminal", help="Play here, in the terminal.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Resume the last game in the terminal.")] = False,
    players: Annotated[
        str | None,
        typer.Option(
            metavar="WHO,WHO…",
            help=f"person or a bot, as in person,palabre:level=5. (default: you against level {USUAL_LEVEL})",
            show_default=False,
        ),
    ] = None,
    position: PositionText = None,
    seconds: TimePerMove = None,
    clock: TimePerGame = None,
    seed: Annotated[int | None, typer.Option("--seed", min=0, max=2**63 - 1, help="Random seed.")] = None,
    record: Annotated[
        Path | None,
        typer.Option(
            callback=appended_file, metavar="FILE", help="In the terminal: append the game to this file when it ends."
        ),
    ] = None,
    trust: Trust = False,
    untrusted: Untrusted = False,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the link instead of opening a browser.", rich_help_panel=SERVER)
    ] = False,
    host: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Listen on this address, so that others can join; 0.0.0.0 for all. (default: this machine only)",
            show_default=False,
            rich_help_panel=SERVER,
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=65535,
            help="Listen on this port. (default: 8017, or the next free one)",
            show_default=False,
            rich_help_panel=SERVER,
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A host name under which a proxy serves the page.", rich_help_panel=SERVER),
    ] = None,
    tls: Annotated[
        tuple[Path, Path] | None,
        typer.Option(
            callback=input_file,
            metavar="CERT KEY",
            help="Serve HTTPS with this certificate and key.",
            rich_help_panel=SERVER,
        ),
    ] = None,
    guests: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            max=MOST,
            help="With --host: how many browsers can join through the guest link. (default: 50)",
            show_default=False,
            rich_help_panel=SERVER,
        ),
    ] = None,
    forget_guests: Annotated[
        bool,
        typer.Option(
            "--forget-guests", help="Forget all guests of earlier runs; they need a new link.", rich_help_panel=SERVER
        ),
    ] = False,
    data: Annotated[
        Path | None,
        typer.Option(
            callback=made_file,
            metavar="FILE",
            help="Keep games in this file instead of the usual one.",
            rich_help_panel=SERVER,
        ),
    ] = None,
    bots: Annotated[
        list[Path] | None,
        typer.Option(
            "--bots",
            callback=input_folder,
            metavar="DIR",
            help="Offer the bots in this folder.",
            rich_help_panel=SERVER,
        ),
    ] = None,
    games: Annotated[
        list[Path] | None,
        typer.Option(
            "--games",
            callback=input_folder,
            metavar="DIR",
            help="Offer the games in this folder.",
            rich_help_panel=SERVER,
        ),
    ] = None,
    events: Annotated[
        list[Path] | None,
        typer.Option(
            "--events",
            callback=output_folder,
            metavar="DIR",
            help="Show the events in this folder.",
            rich_help_panel=SERVER,
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=64,
            help="How many bots think at once. (default: 2)",
            show_default=False,
            rich_help_panel=SERVER,
        ),
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(
            metavar="S",
            min=SHORTEST,
            max=LONGEST,
            callback=a_number,
            help="Maximum seconds that a bot may think about a move. (default: 5)",
            show_default=False,
            rich_help_panel=SERVER,
        ),
    ] = None,
) -> None:
    """Play in the browser or, with --terminal, here. People and bots (see palabre bots) can take any seat."""
    served = {
        **{"host": host, "port": port, "names": name, "tls": tls, "guests": guests, "data": data, "bots": bots},
        **{"games": games, "events": events, "workers": workers, "seconds": time_limit},
        "forgets_guests": forget_guests or None,
    }
    if tls is not None and tls[1].name.startswith("--"):
        raise PalabreError(say("option.no_key", certificate=tls[0]))
    if terminal:
        for option, value in {**served, "opens_browser": no_browser or None}.items():
            spoken = OPTIONS.get(option, option)
            _refuse_unless_none(value, spoken, "option.only_page")
        from palabre.cli.saved_game import GameOptions, load_game
        from palabre.cli.terminal import TerminalGame, play_in_terminal

        if resume:
            given = {"SPEC": spec, "--players": players, "--position": position, "--time": seconds, "--clock": clock}
            _refuse_with_resume({**given, "--seed": seed, "--record": record})
            TerminalGame(*load_game()).run()
            return
        seed = secrets.randbelow(1 << 31) if seed is None else seed  # every game is another
        file = None if record is None else str(record.resolve())
        play_in_terminal(spec, players, position, GameOptions(seed, seconds, clock, file, untrusted), trust=trust)
        return
    for option, value in {
        "time": seconds,
        "record": record,
        "untrusted": untrusted or None,
        "resume": resume or None,
    }.items():
        _refuse_unless_none(value, option, "option.only_terminal")
    from palabre.cli.browse import browse

    browse(spec, players, position, clock, seed, served, trust=trust, opens_browser=not no_browser)


def _refuse_with_resume(given: dict[str, object]) -> None:
    for option, value in given.items():
        if value is not None:
            raise PalabreError(say("option.not_with_resume", option=option))


def _refuse_unless_none(value: object, option: str, id: str) -> None:
    if value is not None and value != []:
        raise PalabreError(say(id, option=option))
