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
    given_position,
    interruptible,
    notes,
    print_json,
    progress,
    table,
)
from palabre.compile.compiler import compiled, integers
from palabre.core import registry
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.core.words import own_words
from palabre.evaluation.playout import PER_PLAYER, WINS, play_randomly, playouts
from palabre.laws.first_use import checked_game
from palabre.search.perft import count_sequences

say = own_words(__file__)

MAX_PERFT_DEPTH = 60  # plies, more than any perft can finish
MEASURED_SECONDS = 0.3  # how long a perft must take to be measured well


def perft_command(
    spec: Spec,
    depth: Annotated[int, typer.Argument(min=0, max=MAX_PERFT_DEPTH, help="Depth in plies.")],
    position: PositionText = None,
    seed: Seed = 0,
    divide: Annotated[bool, typer.Option("--divide", help="Show the count below each first move.")] = False,
    as_json: Json = False,
) -> None:
    """Count the move sequences of exactly DEPTH plies."""
    start = given_position(checked_game(spec), position, seed)
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
    start = given_position(checked_game(spec), position, seed)
    if start.is_over:
        raise PalabreError(say("analysis.is_over", position=start.text))
    if games is None and seconds is None:
        seconds = 1.0
    with notes.status("[dim]playing…") as status:
        found = play_randomly(
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
                "games": found.games,
                "seconds": found.seconds,
                "games_per_second": found.games / found.seconds,
                "moves_per_second": found.plies / found.seconds,
                "mean_plies": found.plies / found.games,
                "longest": found.longest,
                "wins": found.wins,
                "shared": found.shared,
                "mean_scores": found.mean_scores,
            }
        )
        return
    console.print(
        f"{found.games:,} games in {found.seconds:.2f} s: {found.games / found.seconds:,.0f} games and "
        f"{found.plies / found.seconds:,.0f} moves a second; {found.plies / found.games:.1f} moves a game, "
        f"the longest {found.longest}"
    )
    listing = table("player", ">wins", ">shared", ">mean score")
    for player, (won, shared, score) in enumerate(zip(found.wins, found.shared, found.mean_scores, strict=True)):
        listing.add_row(str(player + 1), f"{won / found.games:.1%}", f"{shared / found.games:.1%}", f"{score:.2f}")
    console.print(listing)


def prepare_counting(game: Game) -> None:
    """Compile, or load from disk, the kernels that count positions and play random games."""
    start = game.start()
    count_sequences(start, 0)
    compiled(playouts, game)(start.state, 0, 0, 0, integers([0] * (WINS + PER_PLAYER * game.players)))


def _measure_perft(start: Position) -> tuple[int, float]:
    """The first depth whose perft takes long enough to measure well, and the leaves that it counts a second.

    The moves of the last ply are counted and not played (bulk counting).
    """
    for depth in range(1, MAX_PERFT_DEPTH + 1):
        begin = time.perf_counter()
        nodes = interruptible(count_sequences, start, depth)
        spent = time.perf_counter() - begin
        if spent >= MEASURED_SECONDS or nodes == 0:
            break
    return depth, nodes / spent


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
    rows = []
    for spec in specs or registry.names():
        game = checked_game(spec)
        start = game.start()
        with notes.status(Text(f"{game.spec}…", "dim")):
            interruptible(prepare_counting, game)
            depth, leaves_per_second = _measure_perft(start)
            random_games = play_randomly(start, seconds=seconds)
        rows.append(
            {
                "game": game.spec,
                "perft_depth": depth,
                "bulk_counted_leaves_per_second": leaves_per_second,
                "games_per_second": random_games.games / random_games.seconds,
                "moves_per_second": random_games.plies / random_games.seconds,
            }
        )
    if as_json:
        print_json(rows)
        return
    listing = table("game", ">perft depth", ">million leaves/s, bulk-counted", ">random games/s", ">million moves/s")
    for row in rows:
        listing.add_row(
            str(row["game"]),
            str(row["perft_depth"]),
            f"{float(row['bulk_counted_leaves_per_second']) / 1e6:.1f}",
            f"{float(row['games_per_second']):,.0f}",
            f"{float(row['moves_per_second']) / 1e6:.1f}",
        )
    console.print(listing)
