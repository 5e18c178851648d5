"""`palabre analyse FILE`: reviews a recorded game and marks the moves that cost most."""

from collections import Counter

from palabre.bots.bot import Bot
from palabre.bots.review import MISTAKES, ReviewedMove, review
from palabre.cli.output import NOTHING, console, interruptible, print_json, progress, table
from palabre.core.record import Record
from palabre.search.clock import Clock

SIGNS = {"blunder": "??", "mistake": "?", "inaccuracy": "?!"}  # as chess books print them


def review_record(record: Record, clock: Clock, bot: Bot, *, as_json: bool) -> None:
    """Review a game and print what its moves cost."""
    positions = record.positions()
    with progress("reviewing…", len(record.moves)) as advance:
        moves = interruptible(lambda: review(positions, clock, bot=bot, on_position=lambda: advance(None)))
    if as_json:
        facts = {"game": record.game.spec, "result": record.result, "tags": record.tags}
        print_json({**facts, "moves": [move.facts() for move in moves]})
    else:
        _print(record, moves)


def _print(record: Record, moves: list[ReviewedMove]) -> None:
    console.print(f"{record.game.spec}, {len(moves)} plies, {record.result}\n", markup=False)
    listing = table(">ply", "player", "move", "", ">chance", ">lost", f">{record.game.facts.unit} lost", "better")
    for move in moves:
        listing.add_row(
            str(move.ply),
            f"{move.player + 1}",
            move.move.text,
            SIGNS.get(move.mistake or "", ""),
            f"{100 * move.chance_after:.0f} %",
            f"{100 * move.chance_lost:.0f} %" if move.chance_lost >= 0.005 else "",
            NOTHING if move.points_lost is None else f"{move.points_lost:.1f}" if move.points_lost >= 0.05 else "",
            " ".join(best.text for best in move.best.line[:5]) if move.mistake else "",
        )
    console.print(listing)
    console.print()
    summary = table("player", *(f">{name}" for name in MISTAKES), ">chance lost a move")
    for player in range(record.game.players):
        own = [move for move in moves if move.player == player]
        counts = Counter(move.mistake for move in own)
        lost = sum(move.chance_lost for move in own) / len(own) if own else 0.0
        name = record.tags.get(f"Player{player + 1}")
        title = f"{player + 1} ({name})" if name else f"{player + 1}"
        summary.add_row(title, *(str(counts[kind]) for kind in MISTAKES), f"{100 * lost:.1f} %")
    console.print(summary)
