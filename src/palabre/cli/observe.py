"""`palabre observe`: games on record become observations, for bots that learn."""

from pathlib import Path
from typing import Annotated

import typer

from palabre.cli.output import console, write_file
from palabre.cli.records import Trust, read_games
from palabre.core.errors import PalabreError, clip
from palabre.core.observations import observed, to_text


def observe(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Files of records, or events.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="Write the observations here, for --data.")],
    trust: Trust = False,
) -> None:
    """Write the moves of games that somebody won, one per row, to a file that bots can learn from."""
    records = [record for file in files for record in read_games(file, trust=trust)]
    if not records:
        raise PalabreError(f"there are no games in {', '.join(map(str, files))}; palabre match --record writes some")
    game = records[0].game
    others = [record.game.spec for record in records if record.game != game]
    if others:
        raise PalabreError(f"there are games of {game.spec} and of {clip(others[0])}; observe one kind at a time")
    games = [found for record in records if (found := observed(record))]
    if not games:
        raise PalabreError(
            f"nobody won any of these {len(records)} games, so there is nothing to learn from; give other files"
        )
    rows = [row for found in games for row in found]
    write_file(out, to_text(rows, game))
    left_out = len(records) - len(games)
    told = f"; {left_out} without a winner left out" if left_out else ""
    console.print(f"{out}: {len(rows)} observations of {len(games)} games of {game.spec}{told}", markup=False)
