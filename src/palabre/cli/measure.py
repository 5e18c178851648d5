"""`palabre perft`, `playouts`, `warmup` and `bench`: counting positions and measuring speed."""

import time
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from palabre.cli.output import (
    Json,
    PositionText,
    Seed,
    Spec,
    a_number,
    console,
    interruptible,
    notes,
    print_json,
    table,
)
from palabre.compile.compiler import compiled, words
from palabre.core import registry
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.core.verbs import repetition_key
from palabre.evaluation.playout import PER_PLAYER, WINS, play_randomly, playouts
from palabre.search.perft import count_sequences, perft, perft_with_repetition

MAX_PERFT_DEPTH = 60  # more plies than any perft will see the end of
# Depths whose perft takes a fraction of a second, and so measures well; other games get 4.
BENCH_DEPTHS = {"awele": 9, "awale": 4, "abalone": 4, "avalam": 3, "penguins": 3}


def _position(spec: str, text: str | None, seed: int) -> Position:
    game = registry.game(spec)
    return game.start(seed) if text is None else game.position(text)


def perft_command(
    spec: Spec,
    depth: Annotated[int, typer.Argument(min=0, max=MAX_PERFT_DEPTH, help="How many plies.")],
    position: PositionText = None,
    seed: Seed = 0,
    divide: Annotated[bool, typer.Option("--divide", help="Count below each first move.")] = False,
    as_json: Json = False,
) -> None:
    """Count the move sequences of exactly DEPTH plies."""
    start = _position(spec, position, seed)
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
    """Sequences below each first move, with a progress bar when it takes long."""
    counts: dict[str, int] = {}
    columns = (TextColumn("[dim]perft"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=notes, transient=True) as progress:
        for move in progress.track(start.moves(), description="perft"):
            counts[move.text] = interruptible(count_sequences, start.play(move), depth - 1)
    return counts


def playouts_command(
    spec: Spec,
    seconds: Annotated[
        float | None,
        typer.Option(
            callback=a_number, min=0.01, max=86400, help="For how long. [default: 1, or until --games are played]"
        ),
    ] = None,
    games: Annotated[int | None, typer.Option(min=1, help="Stop after so many games.")] = None,
    threads: Annotated[int, typer.Option(min=1, max=256, help="How many at once.")] = 1,
    position: PositionText = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Play random games and tell how fast and how they end."""
    start = _position(spec, position, seed)
    if start.is_over:
        raise PalabreError(f"the game is over in {start.text}; give a position with moves to play")
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


def warmup(
    specs: Annotated[list[str] | None, typer.Argument(metavar="[SPEC]…", help="Games; all of ours if none.")] = None,
    as_json: Json = False,
) -> None:
    """Compile the games and their usual search ahead of time, so that nothing is slow when it is first used."""
    # Only this command needs the layers above core; the others start faster without.
    from palabre.evaluation.names import evaluation, textbook_evaluation
    from palabre.search.alphabeta import AlphaBeta
    from palabre.search.clock import Clock

    ready: dict[str, float] = {}
    for spec in specs or registry.names():
        game = registry.game(spec)
        begin = time.perf_counter()
        interruptible(_prepare, game)
        search = AlphaBeta(game, evaluation(game, textbook_evaluation(game)))
        interruptible(search.think, game.start(), Clock(depth=1))
        ready[game.spec] = time.perf_counter() - begin
        if not as_json:
            console.print(f"{game.title}: ready ({ready[game.spec]:.1f} s)")
    if as_json:
        print_json({"ready": ready})


def _prepare(game: Game) -> None:
    """Have every kernel of this version for a game."""
    state = game.start().state
    compiled(perft, game)(state, 0)
    compiled(playouts, game)(state, 0, 0, 0, words([0] * (WINS + PER_PLAYER * game.players)))
    variants = (Game(game.module, game.facts.read_options(preset)) for preset in game.facts.presets)
    if any(repetition_key(variant.start().state) for variant in variants):
        compiled(perft_with_repetition, game)(state, 0, words([0]), 0)


def bench(
    specs: Annotated[list[str] | None, typer.Argument(metavar="[SPEC]…", help="Games; all of ours if none.")] = None,
    seconds: Annotated[float, typer.Option(callback=a_number, min=0.05, max=600, help="For how long each.")] = 1.0,
    as_json: Json = False,
) -> None:
    """Measure perft and random games, one thread. `make bench` compares with other systems."""
    rows = []
    for spec in specs or registry.names():
        game = registry.game(spec)
        start = game.start()
        depth = BENCH_DEPTHS.get(game.facts.name, 4)
        with notes.status(Text(f"{game.spec}…", "dim")):
            interruptible(_prepare, game)
            begin = time.perf_counter()
            nodes = interruptible(count_sequences, start, depth)
            spent = time.perf_counter() - begin
            random_games = play_randomly(start, seconds=seconds)
        rows.append(
            {
                "game": game.spec,
                "perft_depth": depth,
                "perft_per_second": nodes / spent,
                "games_per_second": random_games.games / random_games.seconds,
                "moves_per_second": random_games.plies / random_games.seconds,
            }
        )
    if as_json:
        print_json(rows)
        return
    listing = table("game", ">perft depth", ">million leaves/s", ">random games/s", ">million moves/s")
    for row in rows:
        listing.add_row(
            str(row["game"]),
            str(row["perft_depth"]),
            f"{float(row['perft_per_second']) / 1e6:.1f}",
            f"{float(row['games_per_second']):,.0f}",
            f"{float(row['moves_per_second']) / 1e6:.1f}",
        )
    console.print(listing)
