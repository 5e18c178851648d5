"""`palabre debug`: see again what a bot did in a game of an event: in this process, without a sandbox."""

import traceback
from pathlib import Path
from typing import Annotated

import typer

from palabre.arena.debugging import find_moment, prepare
from palabre.arena.guard import Forfeit, position_after
from palabre.arena.store import read_store
from palabre.cli.lesson import DataFile
from palabre.cli.output import console, notes, print_board
from palabre.core.errors import PalabreError
from palabre.core.observations import read_observations


def debug(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="The bot's name in the event, or its file, folder or zip.")],
    event: Annotated[Path, typer.Option("--event", metavar="FILE", help="The event file.")],
    number: Annotated[int, typer.Option("--game", metavar="N", min=1, help="The number of the game in the report.")],
    ply: Annotated[int, typer.Option("--ply", metavar="K", min=0, help="Ask the bot for its move after K plies.")],
    data: DataFile = None,
    from_start: Annotated[
        bool, typer.Option("--from-start", help="Ask it for all its earlier moves first, in case it keeps state.")
    ] = False,
) -> None:
    """Ask a bot again for a move of an event. It runs without a sandbox: prints are shown, breakpoint() works."""
    with read_store(event) as store:
        moment = find_moment(store, number, ply)
        print_board(moment.position)
        console.print(f"{moment.name} is player {moment.seat + 1}; position: {moment.position.text}")
        try:
            observations = [] if data is None else read_observations(store.game(), data)
            made = prepare(store, moment, bot, observations)
            for position, clock in moment.past if from_start else ():
                made.choose(position, clock)
            answer = made.choose(moment.position, moment.clock)
        except PalabreError:
            raise
        except Exception:  # what the author wants to see
            notes.print(traceback.format_exc())
            raise typer.Exit(1) from None
    try:
        position_after(moment.position, answer)
    except Forfeit as forfeit:
        console.print(str(forfeit))
        raise typer.Exit(1) from None
    there = f"{moment.played} was played" if moment.played is not None else moment.row.ending
    console.print(f"it answers {answer}; in the event: {there}")
