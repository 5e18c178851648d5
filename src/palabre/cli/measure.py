"""`palabre perft`, `playouts` and `bench`: counting positions and measuring speed."""

import time
from typing import Annotated

import typer
from rich.text import Text

from palabre.cli.output import (
    MOST,
    Json,
    PositionText,
    Seed,
    Spec,
    Specs,
    a_number,
    console,
    interruptible,
    notes,
    print_json,
    progress,
    table,
)
from palabre.cli.records import first_position
from palabre.core import registry
from palabre.core.errors import PalabreError
from palabre.core.position import Position
from palabre.core.words import own_words
from palabre.evaluation.playout import play_randomly
from palabre.laws.first_use import checked_game
from palabre.search.perft import count_sequences
from palabre.search.speed import MAX_PERFT_DEPTH, measure_speed

say = own_words(__file__)


def perft_command(
    spec: Spec,
    depth: Annotated[int, typer.Argument(min=0, max=MAX_PERFT_DEPTH, help="Depth in plies.")],
    position: PositionText = None,
    seed: Seed = 0,
    divide: Annotated[bool, typer.Option("--divide", help="Show the count below each first move.")] = False,
    as_json: Json = False,
) -> None:
    """Count the move sequences of exactly DEPTH plies."""
    start = first_position(spec, position, seed)
    interruptible(count_sequences, start, 0)  # compiled before the clock starts
    begin = time.perf_counter()
    counts = _count_below(start, depth) if depth > 0 else {}
    total = sum(counts.values()) if depth > 0 else 1
    seconds = time.perf_counter() - begin
    if as_json:
        document = {"game": start.game.spec, "position": start.text, "depth": depth, "nodes": total, "seconds": seconds}
        print_json({**document, "divide": counts} if divide else document)
        return
    if divide:
        listing = table("move", ">sequences")
        for move, count in counts.items():
            listing.add_row(move, f"{count:,}")
        console.print(listing)
    console.print(f"{total}")
    notes.print(f"{seconds:.2f} s, {total / max(seconds, 1e-9) / 1e6:.1f} million a second", style="dim")


def _count_below(start: Position, depth: int) -> dict[str, int]:
    """The sequences below each first move, with a progress bar."""
    counts: dict[str, int] = {}
    with progress("perft", len(start.moves())) as advance:
        for move in start.moves():
            counts[move.text] = interruptible(count_sequences, start.play(move), depth - 1)
            advance(None)
    return counts


def playouts_command(
    spec: Spec,
    seconds: Annotated[
        float | None,
        typer.Option(
            callback=a_number, min=0.01, max=86400, help="Seconds to play. (default: 1, or until --games are played)"
        ),
    ] = None,
    games: Annotated[int | None, typer.Option(min=1, max=MOST, help="Stop after this many games.")] = None,
    threads: Annotated[int, typer.Option(min=1, max=256, help="Number of threads.")] = 1,
    position: PositionText = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Play random games, and show how fast they are and how they end."""
    start = first_position(spec, position, seed)
    if start.is_over:
        raise PalabreError(say("analysis.is_over", position=start.text))
    if games is None and seconds is None:
        seconds = 1.0
    with notes.status("[dim]playing…") as status:
        result = play_randomly(
            start,
            games=games,
            seconds=seconds,
            seed=seed,
            threads=threads,
            progress=lambda done, spent: status.update(f"[dim]{done:,} games in {spent:.0f} s"),
        )
    if as_json:
        print_json(
            {
                "game": start.game.spec,
                "position": start.text,
                "games": result.games,
                "seconds": result.seconds,
                "games_per_second": result.games / result.seconds,
                "moves_per_second": result.plies / result.seconds,
                "mean_plies": result.plies / result.games,
                "longest": result.longest,
                "wins": result.wins,
                "shared": result.shared,
                "mean_scores": result.mean_scores,
            }
        )
        return
    console.print(
        f"{result.games:,} games in {result.seconds:.2f} s: {result.games / result.seconds:,.0f} games and "
        f"{result.plies / result.seconds:,.0f} moves a second; {result.plies / result.games:.1f} moves a game, "
        f"the longest {result.longest}"
    )
    listing = table("player", ">wins", ">shared", ">mean score")
    for player, (won, shared, score) in enumerate(zip(result.wins, result.shared, result.mean_scores, strict=True)):
        listing.add_row(str(player + 1), f"{won / result.games:.1%}", f"{shared / result.games:.1%}", f"{score:.2f}")
    console.print(listing)


def bench(
    specs: Specs = None,
    seconds: Annotated[
        float, typer.Option(callback=a_number, min=0.05, max=600, help="Seconds of random play for each game.")
    ] = 1.0,
    as_json: Json = False,
) -> None:
    """Measure the speed of perft and of random games on one thread.

    Perft counts the moves of the last ply without playing them (bulk counting). `make bench` compares the
    speed with that of other programs."""
    speeds = []
    for spec in specs or registry.names():
        game = checked_game(spec)
        with notes.status(Text(f"{game.spec}…", "dim")):
            speeds.append(interruptible(measure_speed, game, seconds))
    if as_json:
        print_json([speed._asdict() for speed in speeds])
        return
    listing = table("game", ">perft depth", ">million leaves/s, bulk-counted", ">random games/s", ">million moves/s")
    for speed in speeds:
        leaves, moves = speed.bulk_counted_leaves_per_second / 1e6, speed.moves_per_second / 1e6
        numbers = (f"{speed.perft_depth}", f"{leaves:.1f}", f"{speed.games_per_second:,.0f}", f"{moves:.1f}")
        listing.add_row(speed.game, *numbers)
    console.print(listing)
