"""`palabre debug`: see again what a bot did in a game of an event: in this process, without a sandbox."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from palabre.arena.debugging import Moment, find_moment, place_of_failure, prepare
from palabre.arena.report.private import debug_words
from palabre.arena.store import read_store
from palabre.bots.bot import Bot
from palabre.cli.lesson import DataFile
from palabre.cli.output import MOST, console, notes, print_board
from palabre.cli.paths import input_file
from palabre.cli.records import Trust
from palabre.core.observations import read_observations
from palabre.core.words import say
from palabre.play.failures import Forfeit
from palabre.play.guard import ask, guard
from palabre.play.referee import details_of


def debug(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="The bot's name in the event, or its file, folder or zip.")],
    event: Annotated[Path, typer.Option("--event", callback=input_file, metavar="FILE", help="The event file.")],
    number: Annotated[
        int, typer.Option("--game", metavar="N", min=1, max=MOST, help="The number of the game in the report.")
    ],
    ply: Annotated[
        int, typer.Option("--ply", metavar="K", min=0, max=MOST, help="Ask the bot for its move after K plies.")
    ],
    data: DataFile = None,
    from_start: Annotated[
        bool, typer.Option("--from-start", help="Ask it for all its earlier moves first, in case it keeps state.")
    ] = False,
    trust: Trust = False,
) -> None:
    """Ask a bot again for a move of an event. It runs without a sandbox: prints are shown, breakpoint() works."""
    with read_store(event, trusted=trust) as store:
        moment = find_moment(store, number, ply)
        print_board(moment.position)
        console.print(f"{moment.name} is player {moment.seat + 1}; position: {moment.position.text}")
        observations = [] if data is None else read_observations(store.game(), data)
        made: Bot | None = None
        try:
            made = prepare(store, moment, bot, observations, trusted=trust)
            for position, clock in moment.past if from_start else ():
                guard(made.choose, position, clock)
            after, _ = ask(made, moment.position, moment.clock, store.settings.grace)
        except Forfeit as forfeit:
            command = debug_words(bot, str(event), number, ply, trust=trust)
            command += [] if data is None else ["--data", str(data)]
            print_failure(forfeit, made, moment, [*command, *(["--from-start"] if from_start else [])])
            raise typer.Exit(1) from None
    there = f"{moment.played} was played" if moment.played is not None else moment.row.ending
    console.print(f"it answers {after.played[-1]}; in the event: {there}")


def print_failure(forfeit: Forfeit, bot: Bot | None, moment: Moment, command: Sequence[str]) -> None:
    """Print what the author needs: why it failed, where in its code, in which position, and how to repeat it."""
    details = details_of(forfeit)
    if details is not None:
        notes.print(details)
    console.print(str(forfeit))
    place = place_of_failure(forfeit, bot)
    if place is not None:
        console.print(str(say("debug.place", **place._asdict())))
    console.print(str(say("debug.position", position=moment.position.text)))
    console.print(str(say("debug.again", command=shlex.join(command))))
