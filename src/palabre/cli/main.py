"""The `palabre` command: gathers the commands and turns every mistake into one clear line."""

import importlib
import io
import os
import sys
from typing import Annotated

import typer
from typer.exceptions import Abort, TyperException

from palabre import __version__
from palabre.cli.output import notes, show_notes
from palabre.cli.start import INTERRUPTED, ClosedOutput, interrupts_at_once
from palabre.compile.collector import freeze_collector
from palabre.core.culprit import in_one_line, is_user_code
from palabre.core.errors import PalabreError
from palabre.core.temporary import leave
from palabre.core.words import own_words

say = own_words(__file__)

app = typer.Typer(
    name="palabre",
    help="A workbench for board-game AI.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
# Each command and where its function is, in the order of the help.
COMMANDS = {
    "games": "games.games",
    "show": "games.show",
    "play": "play.play",
    "bots": "bots.bots",
    "match": "match.match",
    "sprt": "sprt.sprt_command",
    "championship": "championship.championship",
    "report": "report.report",
    "debug": "debug.debug",
    "analyse": "analyse.analyse",
    "replay": "records.replay",
    "stats": "records.stats",
    "observe": "observe.observe",
    "fit": "fit.fit",
    "train": "train.train",
    "learn": "learn.learn",
    "calibrate": "calibrate.calibrate",
    "new": "bots.new",
    "check": "check.check",
    "ugi": "ugi.ugi",
    "perft": "measure.perft_command",
    "playouts": "measure.playouts_command",
    "warmup": "warmup.warmup",
    "bench": "measure.bench",
    "doctor": "doctor.doctor",
}


def _add_commands(wanted: str | None) -> None:
    """Load only the command that is wanted, which halves the start-up time, or all of them for help and mistakes."""
    for name in [wanted] if wanted in COMMANDS else COMMANDS:
        module, function = COMMANDS[name].split(".")
        command = getattr(importlib.import_module(f"palabre.cli.{module}"), function)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name)(command)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"palabre {__version__}")
        raise typer.Exit


@app.callback()
def _about(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


def run() -> None:
    """Run the program, and exit at once when it is done: Python would need a third of a second to unload Numba."""
    try:
        main()
    except SystemExit as end:
        leave(end.code if isinstance(end.code, int) else 0)


def main() -> None:
    """Run a command. Bad input gets one line and exit code 2, Ctrl-C exit code 130."""
    try:
        with interrupts_at_once():
            show_notes()
            freeze_collector()
            for stream in (sys.stdin, sys.stdout, sys.stderr):
                if isinstance(stream, io.TextIOWrapper):
                    stream.reconfigure(errors="replace")  # a character that the terminal lacks becomes "?", no crash
            _add_commands(sys.argv[1] if len(sys.argv) > 1 else None)
        status = app(standalone_mode=False)
        sys.stdout.flush()
    except TyperException as error:
        # Without any command the help has been printed, and there is nothing to add.
        _fail(error.format_message().replace("\n", " "))
    except PalabreError as error:
        _fail(str(error))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except Abort as end:
        raise (end.__cause__ or end) from None  # Typer turns every EOFError into this; it is a bug of ours
    except OSError as error:
        if error.filename is not None:
            raise
        # Nobody reads our output any more, or a disk is full; Python would complain again when it closes the stream.
        if not isinstance(sys.stdout, ClosedOutput):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            sys.exit(141)
        _fail(str(say("output.unwritable", error=error.strerror)))
    except Exception as error:
        if not is_user_code(error):
            raise
        _fail(in_one_line(error))
    sys.exit(status if isinstance(status, int) else 0)


def _fail(message: str) -> None:
    if message:
        notes.print(f"palabre: {message}", style="red", markup=False)
    sys.exit(2)
