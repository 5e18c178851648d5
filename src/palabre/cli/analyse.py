"""`palabre analyse`: what a bot that searches thinks of a position, while it thinks."""

import contextlib
import math
from collections.abc import Callable, Sequence
from concurrent.futures import wait
from functools import partial
from typing import Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.live import Live
from rich.text import Text

from palabre.arena.recorded_games import find_game
from palabre.bots.analysis import Lines, analysing_bot, analysis_facts, eval_of
from palabre.bots.analysis import analyse as library_analyse
from palabre.bots.bot import SearchBot
from palabre.cli.output import (
    NOTHING,
    Json,
    PositionText,
    Seed,
    a_number,
    console,
    in_background,
    print_board,
    print_json,
    table,
)
from palabre.cli.records import GameOrRecord, Trust, first_position
from palabre.cli.review import review_record
from palabre.core.errors import PalabreError
from palabre.core.position import Position
from palabre.core.record import is_reference
from palabre.core.words import own_words
from palabre.draw.terminal import status
from palabre.evaluation.names import evaluation, unit
from palabre.search.clock import Clock
from palabre.search.thought import Thought
from palabre.search.values import MAX_PLY

say = own_words(__file__)

REDRAW = 0.1  # seconds
STOPPING = 2.0  # seconds that a search may take to stop


def analyse(
    spec: GameOrRecord,
    position: PositionText = None,
    moves: Annotated[str, typer.Option(metavar="MOVES", help='Play these moves first: --moves "C d E".')] = "",
    seconds: Annotated[
        float | None,
        typer.Option(
            "--time",
            metavar="S",
            callback=a_number,
            min=0.01,
            max=86400,
            help="Seconds to think. (default: until Ctrl-C; 1 if the output is not a terminal)",
        ),
    ] = None,
    depth: Annotated[int | None, typer.Option(min=1, max=MAX_PLY, help="Maximum depth, in plies.")] = None,
    nodes: Annotated[
        int | None, typer.Option(min=1, max=2**62, help="Maximum number of nodes, or of simulations.")
    ] = None,
    lines: Annotated[int, typer.Option(metavar="K", min=1, max=500, help="Show the K best moves.")] = 1,
    bot: Annotated[
        str | None,
        typer.Option(
            metavar="BOT",
            help="The bot that analyses; see palabre bots. (default: palabre; mcts if there are more than two players "
            "or the evaluation has no odds)",
        ),
    ] = None,
    eval_name: Annotated[
        str | None, typer.Option("--eval", metavar="NAME", help="The bot's evaluation, or a file of weights.")
    ] = None,
    threads: Annotated[int | None, typer.Option(min=1, max=64, help="Number of search threads.")] = None,
    memory: Annotated[
        int | None, typer.Option(metavar="MB", min=1, max=4096, help="Megabytes for the bot's hash table or tree.")
    ] = None,
    seed: Seed = 0,
    trust: Trust = False,
    as_json: Json = False,
) -> None:
    """Analyse a position with a bot, deeper and deeper, or review a recorded game and mark its mistakes."""
    options: dict[str, Any] = {"eval": eval_name, "threads": threads, "memory": memory}
    if is_reference(spec):
        record, ply = find_game(spec, trusted=trust)
        if ply is None:
            if position is not None or moves:
                raise PalabreError(say("analysis.whole_game", spec=spec))
            reviewer = analysing_bot(bot, record.game, **options)
            review_record(record, Clock(seconds, depth=depth, nodes=nodes), reviewer, as_json=as_json)
            return
    start = first_position(spec, position, seed, trust=trust)
    game = start.game
    for move in moves.split():
        start = start.play(move)
    if eval_name is not None:
        evaluation(game, eval_name)  # refuses an unknown one by its name
    player = analysing_bot(bot, game, to_depth=depth is not None, **options)
    is_watched = console.is_terminal and not as_json
    if seconds is None and depth is None and nodes is None and is_watched:
        seconds = math.inf
    if not as_json:
        print_board(start)
    draw = partial(_table, start, unit(game, eval_of(player)))
    known, interrupted = Lines(), False
    if not start.is_over:
        search = partial(library_analyse, start, seconds, depth=depth, nodes=nodes, lines=lines, bot=player)
        interrupted = _watch(search, player, known, draw if is_watched else None)
    if as_json:
        print_json(analysis_facts(start, player, known.thoughts))
    elif start.is_over:
        console.print(f"\n{say('table.over', result=status(start))}", style="bold")
    elif not is_watched:
        console.print(draw(known.thoughts))
    if interrupted:
        raise KeyboardInterrupt


def _watch(
    search: Callable[..., list[Thought]],
    player: SearchBot,
    known: Lines,
    draw: Callable[..., RenderableType] | None,
) -> bool:
    """Analyse until the search ends, keep what is known, and draw it again and again; return whether Ctrl-C came."""
    future = in_background(partial(search, watch=known.add))
    interrupted = False
    with contextlib.ExitStack() as stack:
        live = stack.enter_context(Live(console=console, auto_refresh=False)) if draw is not None else None

        def show(is_short: bool) -> None:
            if live is not None and draw is not None:
                live.update(draw(known.thoughts, is_short), refresh=True)

        try:
            while not wait([future], REDRAW).done:
                show(is_short=True)
        except KeyboardInterrupt:
            player.stop()
            if not known.thoughts:  # it may still be compiling
                raise
            interrupted = True
            wait([future], STOPPING)
        if future.done():
            known.thoughts = tuple(future.result())  # raises what the search raised
        show(is_short=False)
    return interrupted


def _table(position: Position, unit: str, thoughts: Sequence[Thought], is_short: bool = False) -> RenderableType:
    """The table of an analysis; in its short form, each line of play has one row on the screen."""
    if not thoughts:
        return Text("thinking…", style="dim")
    is_sampled = thoughts[0].visits > 0
    seats = range(position.game.players)
    has_shares = len(seats) > 2 and thoughts[0].shares is not None
    chances = [f">player {seat + 1}" for seat in seats] if has_shares else [">chance"]
    listing = table(">", ">depth", ">visits" if is_sampled else f">{unit}", *chances, "best play")
    listing.columns[-1].no_wrap = is_short
    for rank, thought in enumerate(thoughts, start=1):
        moves = " ".join(move.text for move in thought.line)
        shares = thought.shares if has_shares and thought.shares is not None else (thought.chance,)
        percents = [_percent(share, thought.is_proven) for share in shares]
        listing.add_row(f"{rank}", f"{thought.depth}", _score(thought), *percents, moves)
    nodes, seconds = max(thought.nodes for thought in thoughts), max(thought.seconds for thought in thoughts)
    speed = nodes / max(seconds, 1e-9)
    rate = f"{speed / 1e6:.1f} million" if speed >= 1e5 else f"{speed:,.0f}"
    what = "simulations" if is_sampled else "positions"
    effort = f"for player {position.to_move + 1}; {nodes:,} {what}, {rate} a second"
    return Group("", listing, Text(effort, style="dim"))


def _score(thought: Thought) -> str:
    """The proven result if there is one, else the score with its sign, or the visits of a search that samples games."""
    if not thought.is_proven:
        return f"{thought.visits:,}" if thought.visits else f"{round(thought.points, 2) + 0.0:+.2f}"
    plies = thought.plies_to_win
    if plies is not None:
        return f"proven {'win' if plies > 0 else 'loss'} in {abs(plies)} {'ply' if abs(plies) == 1 else 'plies'}"
    return {1: "proven win", 0: "proven draw", -1: "proven loss"}[thought.proven_result or 0]


def _percent(share: float | None, is_proven: bool) -> str:
    """A share in percent; without a proof it is never shown as 0 or 100."""
    if share is None:
        return NOTHING
    percent = 100 * share
    return f"{percent if is_proven else max(1.0, min(99.0, percent)):.0f} %"
