"""`palabre replay` and `palabre stats`: step through recorded games, and show what a file of them has in it."""

from pathlib import Path
from typing import Annotated

import typer

from palabre.arena.record_stats import RecordStats, RecordTally, record_stats
from palabre.arena.recorded_games import find_game, read_games
from palabre.cli.output import NOTHING, Json, console, notes, print_board, print_json, table
from palabre.cli.paths import input_file
from palabre.core.errors import PalabreError, UnreadableText
from palabre.core.position import Position
from palabre.core.record import Record, is_reference
from palabre.core.words import own_words
from palabre.draw.terminal import status
from palabre.laws.first_use import checked_game

say = own_words(__file__)

Trust = Annotated[
    bool, typer.Option("--trust", help="Run the game files that the records name; only if you trust their authors.")
]
Reference = Annotated[
    str,
    typer.Argument(
        metavar="FILE[#GAME][@PLY]", help="A file of records, or an event; #3 is its third game, @20 is after ply 20."
    ),
]
GameOrRecord = Annotated[
    str,
    typer.Argument(metavar="SPEC", help="A game from palabre games, or a recorded one: games.txt#3@20."),
]
REPLAY_HELP = """\
  Enter, n     the next position             b            the one before
  NUMBER       the position after this ply   first, last  the first and the last position
  text         print the position in one line
  help         print this                    quit         stop"""


def first_position(spec: str, position: str | None, seed: int, *, trust: bool = False) -> Position:
    """Where to begin: the start of a game, a position of it, or a position of a recorded game, by default the last."""
    if not is_reference(spec):
        game = checked_game(spec)
        return game.start(seed) if position is None else game.position(position)
    if position is not None:
        raise PalabreError(say("option.two_starts", first="--position", second=spec))
    record, ply = find_game(spec, trusted=trust)
    return record.positions()[-1 if ply is None else ply]


def replay(reference: Reference, trust: Trust = False) -> None:
    """Step through a recorded game on the board. If the output is not a terminal, print every position."""
    record, ply = find_game(reference, trusted=trust)
    positions = record.positions()
    if console.is_terminal:
        Replay(record, positions, ply or 0).run()
        return
    for shown in range(len(positions)) if ply is None else [ply]:
        _show(record, positions, shown)


class Replay:
    """A recorded game in the terminal, and the ply that is shown."""

    def __init__(self, record: Record, positions: list[Position], ply: int) -> None:
        self.record = record
        self.positions = positions
        self.ply = ply

    def run(self) -> None:
        """Show positions until the person quits."""
        last = len(self.positions) - 1
        has_moved = True
        while True:
            if has_moved:
                console.clear()
                _show(self.record, self.positions, self.ply)
            try:
                word = console.input(f"{self.ply}/{last} (Enter: next, b: back, help) > ", markup=False).strip().lower()
            except (EOFError, KeyboardInterrupt):
                return
            if word in ("q", "quit", "exit"):
                return
            has_moved = self._go(word, last)

    def _go(self, word: str, last: int) -> bool:
        """Carry out a command; return whether another position is to be shown."""
        places = {"": self.ply + 1, "n": self.ply + 1, "b": self.ply - 1, "first": 0, "last": last}
        if word in places or (word.isascii() and word.isdigit()):
            wanted = places[word] if word in places else int(word)
            if not 0 <= wanted <= last:
                notes.print(str(say("step.no_ply", ply=wanted, last=last)), style="red")
                return False
            self.ply = wanted
            return True
        if word == "text":
            console.print(self.positions[self.ply].text, markup=False)
        else:
            if word not in ("help", "?"):
                notes.print(str(say("step.no_command", word=word)), style="red", markup=False)
            console.print(REPLAY_HELP)
        return False


def _show(record: Record, positions: list[Position], ply: int) -> None:
    """One position of a game, with the move that led to it and, at the end, how it ended."""
    position = positions[ply]
    if ply == 0:
        names = [record.tags.get(f"Player{seat}", NOTHING) for seat in range(1, record.game.players + 1)]
        console.print(f"{record.game.spec}: {' – '.join(names)}, {record.result}", markup=False)
    else:
        before = positions[ply - 1]
        name = record.tags.get(f"Player{before.to_move + 1}")
        player = f"player {before.to_move + 1}" + (f" ({name})" if name else "")
        console.print(str(say("step.played", ply=ply, player=player, move=record.moves[ply - 1])), markup=False)
    console.print()
    print_board(position)
    if ply == len(positions) - 1:
        ending = record.tags.get("Termination") or (status(position) if position.is_over else "unfinished")
        console.print(f"\n{record.result}: {ending}", style="bold", markup=False)
    console.print()


def stats(
    files: Annotated[
        list[Path], typer.Argument(callback=input_file, metavar="FILE…", help="Files of records, or events.")
    ],
    opening_plies: Annotated[
        int, typer.Option(min=0, max=100, help="Also show results by opening, that is, the first N plies.")
    ] = 0,
    trust: Trust = False,
    as_json: Json = False,
) -> None:
    """Show the results of recorded games by player, seat and opening, and the lengths of the games."""
    records = [record for file in files for record in read_games(file, trusted=trust)]
    if not records:
        raise UnreadableText(say("observe.no_records", files=", ".join(map(str, files))))
    for_each_game = record_stats(records, opening_plies)
    if as_json:
        print_json([stats.document() for stats in for_each_game])
        return
    for stats in for_each_game:
        _print_stats(stats)


def _print_stats(stats: RecordStats) -> None:
    unfinished = f", {stats.unfinished} unfinished" if stats.unfinished else ""
    console.print(f"{stats.game}: {stats.finished} games{unfinished}", style="bold", markup=False)
    quartiles = stats.length_quartiles()
    if quartiles is None:
        console.print()
        return
    shortest, low, middle, high, longest = quartiles
    console.print(
        f"plies: {shortest} to {longest}, half of the games {low:g} to {high:g}, median {middle:g}\n", markup=False
    )
    _print_tallies("player", sorted(stats.players.items(), key=lambda item: -item[1].score))
    _print_tallies("seat", [(f"player {seat}", tally) for seat, tally in sorted(stats.seats.items())])
    if stats.openings:
        by_number = sorted(stats.openings.items(), key=lambda item: (-item[1].games, item[0]))
        _print_tallies("opening (for player 1)", by_number)


def _print_tallies(heading: str, rows: list[tuple[str, RecordTally]]) -> None:
    listing = table(heading, ">games", ">wins", ">draws", ">losses", ">forfeits", ">score")
    for name, tally in rows:
        counts = (tally.games, tally.wins, tally.draws, tally.losses, tally.forfeits)
        listing.add_row(name, *map(str, counts), f"{100 * tally.score:.1f} %")
    console.print(listing)
    console.print()
