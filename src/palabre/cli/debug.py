"""`palabre debug`: see again what a bot did in a game of an event: in this process, without a sandbox."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from palabre.arena.debugging import DebugAnswer, Moment, debug_bot
from palabre.cli.event_options import DataFile
from palabre.cli.output import MOST, console, notes, print_board
from palabre.cli.paths import input_file
from palabre.cli.records import Trust
from palabre.core.words import say
from palabre.play.failures import Forfeit
from palabre.play.referee import details_of
from palabre.web.report.private import debug_words


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
    answer = debug_bot(
        event, bot, number, ply, data=data, from_start=from_start, trusted=trust, on_moment=_print_moment
    )
    moment = answer.moment
    if answer.forfeit is None:
        played = f"{moment.played} was played" if moment.played is not None else moment.row.ending
        console.print(f"it answers {answer.move}; in the event: {played}")
        return
    command = debug_words(bot, str(event), number, ply, trust=trust)
    command += [] if data is None else ["--data", str(data)]
    command += ["--from-start"] if from_start else []
    _print_failure(answer.forfeit, answer, command)
    raise typer.Exit(1)


def _print_moment(moment: Moment) -> None:
    print_board(moment.position)
    console.print(f"{moment.name} is player {moment.seat + 1}; position: {moment.position.text}")


def _print_failure(forfeit: Forfeit, answer: DebugAnswer, command: Sequence[str]) -> None:
    """Print what the author needs: why it failed, where in its code, in which position, and how to repeat it."""
    details = details_of(forfeit)
    if details is not None:
        notes.print(details)
    console.print(str(forfeit))
    if answer.place is not None:
        console.print(str(say("debug.place", **answer.place._asdict())))
    console.print(str(say("debug.position", position=answer.moment.position.text)))
    console.print(str(say("debug.again", command=shlex.join(command))))
