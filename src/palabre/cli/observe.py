"""`palabre observe`: games on record become observations, for bots that learn."""

from pathlib import Path
from typing import Annotated

import typer

from palabre.arena.recorded_games import read_games
from palabre.cli.output import console
from palabre.cli.paths import input_file, output_file, write_file
from palabre.cli.records import Trust
from palabre.core.errors import PalabreError, listing
from palabre.core.observations import observations_to_text
from palabre.core.observations import observe as observe_games
from palabre.core.words import own_words

say = own_words(__file__)


def observe(
    files: Annotated[
        list[Path], typer.Argument(callback=input_file, metavar="FILE…", help="Files of records, or events.")
    ],
    out: Annotated[
        Path, typer.Option(callback=output_file, metavar="FILE", help="Write the observations here, for --data.")
    ],
    trust: Trust = False,
) -> None:
    """Write the moves of games that have a winner, one per row, to a file that bots can learn from."""
    records = [record for file in files for record in read_games(file, trusted=trust)]
    if not records:
        raise PalabreError(say("observe.no_games", files=listing(files)))
    game, games = records[0].game, observe_games(records)
    rows = [row for observations in games for row in observations]
    write_file(out, observations_to_text(rows, game))
    left_out = len(records) - len(games)
    rest = f"; {left_out} without a winner left out" if left_out else ""
    console.print(f"{out}: {len(rows)} observations of {len(games)} games of {game.spec}{rest}", markup=False)
