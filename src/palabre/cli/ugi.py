"""`palabre ugi`: a bot as an engine that other programs drive."""

import contextlib
import io
import sys
from typing import Annotated

import typer

from palabre.cli.output import Spec
from palabre.laws.first_use import checked_game
from palabre.ugi.engine import Conversation


def ugi(
    spec: Spec,
    bot: Annotated[str, typer.Option(metavar="BOT", help="The bot that plays; see palabre bots.")] = "palabre",
) -> None:
    """Run a bot as an engine that speaks the Universal Game Interface on standard input and output."""
    out = sys.stdout
    talk = Conversation(checked_game(spec), bot, lambda line: print(line, file=out, flush=True))
    with contextlib.redirect_stdout(sys.stderr):  # a bot's prints are not for the driver
        talk.run(sys.stdin.buffer if sys.stdin else io.BytesIO())  # a shell may have closed the input
