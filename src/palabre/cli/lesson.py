"""What bots learn from: the options `--data` and `--learning-time`, wherever bots learn."""

from pathlib import Path
from typing import Annotated

import typer

from palabre.cli.output import a_number
from palabre.cli.paths import input_file
from palabre.core.game import Game
from palabre.core.observations import read_observations
from palabre.play.guard import LEARNING_SECONDS, Lesson

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
USUAL_TIME = LEARNING_SECONDS


def read_lesson(game: Game, data: Path | None, seconds: float) -> Lesson:
    """What the bots of an event are given to learn from."""
    return Lesson(() if data is None else read_observations(game, data), seconds)
