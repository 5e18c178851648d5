"""Options of the commands that play events (`match`, `sprt`, `championship`), and what they stand for."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from palabre.arena.openings import OPENING_PLIES
from palabre.arena.rows import BotRow
from palabre.cli.output import a_number
from palabre.cli.paths import appended_file, input_file
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.observations import read_observations
from palabre.core.system import usable_cores
from palabre.core.words import own_words
from palabre.play.guard import Lesson
from palabre.workers.cluster.connection import check_cluster

say = own_words(__file__)

GameSpec = Annotated[
    str,
    typer.Option("--game", metavar="SPEC", help="The game to play, or a recorded one to start from: games.txt#3@20."),
]
Workers = Annotated[
    int | None,
    typer.Option(
        min=0,
        max=1024,
        help="Number of worker processes, by default one per core; 0 plays in this process. On a cluster, the maximum.",
    ),
]
On = Annotated[
    str | None,
    typer.Option(
        "--on",
        metavar="ray|ray://…",
        help="Play on a Ray cluster: ray, or ray://HOST:PORT. Anyone who reaches its ports can run code on all nodes.",
    ),
]
EventFile = Annotated[
    Path | None,
    typer.Option(
        "--event",
        callback=appended_file,
        metavar="FILE",
        help="Keep the games in this file; the same command then resumes.",
    ),
]
Again = Annotated[
    list[str] | None,
    typer.Option("--again", metavar="BOT", help="In an event: play this bot's games again, because it has changed."),
]
RecordFile = Annotated[
    Path | None, typer.Option("--record", callback=appended_file, metavar="FILE", help="Append the games to this file.")
]
Replay = Annotated[
    bool, typer.Option("--replay-forfeits", help="Play forfeited games again; both games are kept, the second counts.")
]
Plies = Annotated[
    int | None,
    typer.Option(
        "--opening-plies", min=0, max=1000, help=f"Random moves before the bots take over; {OPENING_PLIES} by default."
    ),
]
Debug = Annotated[
    bool,
    typer.Option(
        "--debug", help="Play in this process, without sandboxes: print and breakpoint() work, tracebacks are shown."
    ),
]
Unbalanced = Annotated[
    bool, typer.Option("--unbalanced", help="Use random openings as they come, even nearly decided ones.")
]
OpeningsFile = Annotated[
    Path | None,
    typer.Option(
        "--openings",
        callback=input_file,
        metavar="FILE",
        help="Play these openings: records, or one position per line.",
    ),
]
DataFile = Annotated[
    Path | None,
    typer.Option(
        "--data",
        callback=input_file,
        metavar="FILE",
        help="Observations that all bots learn from; see palabre observe.",
    ),
]
LearningTime = Annotated[
    float,
    typer.Option(
        "--learning-time", callback=a_number, metavar="S", min=0.1, max=86_400.0, help="Seconds each bot has to learn."
    ),
]


def read_lesson(game: Game, data: Path | None, seconds: float) -> Lesson:
    """What the bots of an event learn from."""
    return Lesson(() if data is None else read_observations(game, data), seconds)


def read_workers(workers: int | None, on: str | None, bots: Sequence[BotRow]) -> int:
    """How many processes play: as many as are wanted, or one per core; 0 on a cluster, which knows its own cores."""
    if on is None:
        return default_workers(bots) if workers is None else workers
    check_cluster(on)
    if workers == 0:
        raise PalabreError(say("option.not_both_places", on=on))
    return workers or 0


def default_workers(bots: Sequence[BotRow]) -> int:
    """As many processes as there are cores for the threads with which the bots search."""
    return max(1, usable_cores() // max(int(bot.options.get("threads", 1)) for bot in bots))
