"""`palabre observe`: games on record become observations, for bots that learn."""

from pathlib import Path
from typing import Annotated

import typer

from palabre.cli.output import console
from palabre.cli.paths import input_file, output_file, write_file
from palabre.cli.records import Trust, read_games
from palabre.core.errors import PalabreError, listing
from palabre.core.observations import observed, to_text
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
    """Write the moves of games that somebody won, one per row, to a file that bots can learn from."""
    records = [record for file in files for record in read_games(file, trust=trust)]
    if not records:
        raise PalabreError(say("observe.no_games", files=listing(files)))
    game = records[0].game
    others = [record.game.spec for record in records if record.game != game]
    if others:
        raise PalabreError(say("observe.mixed", game=game.spec, other=others[0]))
    games = [found for record in records if (found := observed(record))]
    if not games:
        raise PalabreError(say("observe.nobody_won", games=len(records)))
    rows = [row for found in games for row in found]
    write_file(out, to_text(rows, game))
    left_out = len(records) - len(games)
    told = f"; {left_out} without a winner left out" if left_out else ""
    console.print(f"{out}: {len(rows)} observations of {len(games)} games of {game.spec}{told}", markup=False)
