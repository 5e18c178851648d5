"""Options of the commands that learn from games of the engine against itself (`fit`, `calibrate`), and these games."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from palabre.cli.event_options import On
from palabre.cli.output import MOST, Seed, notes, progress
from palabre.cli.paths import appended_file
from palabre.core.game import Game
from palabre.core.record import Record
from palabre.core.words import own_words
from palabre.learn.selfplay import SelfPlay, self_play_records

say = own_words(__file__)


@dataclass(frozen=True)
class SelfPlayOptions:
    """The options in the order of the help."""

    nodes: Annotated[int, typer.Option(min=1, max=MOST, help="Nodes that the engine searches per move.")] = 2_000
    record: Annotated[
        Path | None,
        typer.Option(
            callback=appended_file, metavar="FILE", help="Keep the games in this file, and reuse those it already has."
        ),
    ] = None
    processes: Annotated[
        int, typer.Option(min=1, max=256, help="How many games to play at once, except on a cluster.")
    ] = 2
    on: On = None
    seed: Seed = 0

    def play(self, game: Game, evaluation: str, games: int) -> list[Record]:
        """The games of the file and those that are missing, with a progress bar; Ctrl-C stops with the games so far."""
        how = SelfPlay(game.spec, evaluation, self.nodes, self.seed)
        records: list[Record] = []
        try:
            with progress("playing", games) as advance:
                for record in self_play_records(how, games, self.processes, self.record, self.on):
                    records.append(record)
                    advance(None)
        except KeyboardInterrupt:
            notes.print(str(say("fit.stopped", done=len(records), games=games)), style="yellow")
        return records
