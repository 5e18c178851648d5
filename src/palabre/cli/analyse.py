"""`palabre analyse`: what the engine thinks of a position, while it thinks."""

import time
from typing import Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.live import Live
from rich.text import Text

from palabre.cli.output import (
    NOTHING,
    Background,
    Json,
    PositionText,
    Seed,
    Spec,
    a_number,
    console,
    interruptible,
    print_board,
    print_json,
    table,
)
from palabre.core import registry
from palabre.core.errors import PalabreError
from palabre.core.position import Position
from palabre.draw.terminal import status
from palabre.evaluation.names import default_evaluation, evaluation, formula
from palabre.search.clock import Clock
from palabre.search.engine import Engine
from palabre.search.thought import Thought
from palabre.search.values import MAX_PLY

USUAL_TIME = 1.0  # seconds, where nobody watches who could stop it
REDRAW = 0.1  # seconds
STOPPING = 2.0  # seconds that a search may take to hear that it must stop
IN_GAME_UNITS = (
    "standard",
    "score",
)  # evaluations that count what the scoreboard counts; the others have their own scale


def analyse(
    spec: Spec,
    position: PositionText = None,
    moves: Annotated[str, typer.Option(metavar="MOVES", help='Play these first, as in --moves "C d E".')] = "",
    seconds: Annotated[
        float | None,
        typer.Option(
            "--time",
            metavar="S",
            callback=a_number,
            min=0.01,
            max=86400,
            help="Seconds to think. [default: until Ctrl-C; 1 where the output is no terminal]",
        ),
    ] = None,
    depth: Annotated[int | None, typer.Option(min=1, max=MAX_PLY, help="Plies to look ahead at most.")] = None,
    nodes: Annotated[int | None, typer.Option(min=1, max=2**62, help="Positions to look at.")] = None,
    lines: Annotated[int, typer.Option(metavar="K", min=1, max=500, help="How many of the best moves to show.")] = 1,
    eval_name: Annotated[
        str | None, typer.Option("--eval", metavar="NAME", help="What a position is worth; also a file of weights.")
    ] = None,
    threads: Annotated[int, typer.Option(min=1, max=256, help="How many search at once.")] = 1,
    memory: Annotated[int, typer.Option(metavar="MB", min=1, max=65536, help="Megabytes to remember in.")] = 64,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Show what the engine thinks of a position: score, winning chance and best play, deeper and deeper."""
    game = registry.game(spec)
    if game.players != 2:
        raise PalabreError(f"the engine analyses games of two, and {game.spec} has {game.players} players")
    start = game.start(seed) if position is None else game.position(position)
    for move in moves.split():
        start = start.play(move)
    eval_name = eval_name or default_evaluation(game)
    analysis = Analysis(start, eval_name)
    weights = evaluation(game, eval_name)
    is_watched = console.is_terminal and not as_json
    if seconds is None and depth is None and nodes is None and not is_watched:
        seconds = USUAL_TIME
    if not as_json:
        print_board(start)
    interrupted = False
    if not start.is_over:
        engine = Engine(game, weights, memory, threads)
        interruptible(engine.think, start, Clock(depth=1))  # compiled before the clock starts
        interrupted = _think(engine, analysis, Clock(depth=depth, nodes=nodes), lines, seconds, is_watched)
    if as_json:
        print_json(analysis.document())
    elif start.is_over:
        console.print(f"\nThe game is over: {status(start)}.", style="bold")
    elif not is_watched:
        console.print(analysis.shown())
    if interrupted:
        raise KeyboardInterrupt


def _think(
    engine: Engine, analysis: "Analysis", clock: Clock, lines: int, seconds: float | None, is_watched: bool
) -> bool:
    """Let the engine think until it is done or the time is up; whether it was Ctrl-C that ended it."""
    search = Background(engine.think, analysis.position, clock, analysis.add, lines)
    end = None if seconds is None else time.monotonic() + seconds
    interrupted = False
    live = Live(console=console, auto_refresh=False) if is_watched else None
    try:
        if live is not None:
            live.start()
        while not search.wait(REDRAW if end is None else min(REDRAW, max(0.0, end - time.monotonic()))):
            if live is not None:
                live.update(analysis.shown(is_short=True), refresh=True)
            if end is not None and time.monotonic() >= end:
                break
    except KeyboardInterrupt:
        interrupted = True
    finally:
        engine.stop()
        if search.wait(STOPPING):
            analysis.finish(search.result())
        if live is not None:
            live.update(analysis.shown(), refresh=True)
            live.stop()
    return interrupted


class Analysis:
    """What is known of a position so far: the best lines, each as deep as it has been seen."""

    def __init__(self, position: Position, eval_name: str) -> None:
        self.position = position
        self.eval_name = eval_name
        self.unit = position.game.facts.unit if formula(position.game, eval_name) in IN_GAME_UNITS else "points"
        self.lines: tuple[Thought, ...] = ()
        self.nodes = 0
        self.seconds = 0.0

    def add(self, thought: Thought) -> None:
        """Take in what the engine has just found; called from its thread."""
        better = self.lines[: thought.rank - 1]
        worse = [line for line in self.lines[len(better) :] if line.rank > thought.rank and line.move != thought.move]
        self.lines = (*better, thought, *worse)
        self.nodes, self.seconds = thought.nodes, thought.seconds

    def finish(self, last: Thought) -> None:
        """Take in what the engine thinks in the end; an unfinished look may have found a better move."""
        if not self.lines or last.move != self.lines[0].move:
            self.lines = (last, *(line for line in self.lines if line.move != last.move))
        self.nodes, self.seconds = last.nodes, last.seconds

    def shown(self, is_short: bool = False) -> RenderableType:
        """The table; with one row for each line if it is to be short."""
        if not self.lines:
            return Text("thinking…", style="dim")
        listing = table(">", ">depth", f">{self.unit}", ">chance", "best play")
        listing.columns[-1].no_wrap = is_short
        for rank, thought in enumerate(self.lines, start=1):
            moves = " ".join(move.text for move in thought.line)
            listing.add_row(f"{rank}", f"{thought.depth}", _score(thought), _chance(thought), moves)
        speed = self.nodes / max(self.seconds, 1e-9)
        told = f"for player {self.position.to_move + 1}; {self.nodes:,} positions, {speed / 1e6:.1f} million a second"
        return Group("", listing, Text(told, style="dim"))

    def document(self) -> dict[str, Any]:
        """All of it, for a program."""
        best = self.lines[0] if self.lines else None
        return {
            "game": self.position.game.spec,
            "position": self.position.text,
            "to_move": self.position.to_move + 1,
            "result": self.position.result,
            "eval": self.eval_name,
            "unit": self.unit,
            "depth": best.depth if best else 0,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "proven": best.is_proven if best else self.position.is_over,
            "lines": [
                {
                    "moves": [move.text for move in thought.line],
                    "depth": thought.depth,
                    "score": thought.points if not thought.is_proven else None,
                    "chance": thought.chance,
                    "proven": thought.is_proven,
                    "plies_to_win": thought.plies_to_win,
                    "margin": thought.margin,
                }
                for thought in self.lines
            ],
        }


def _score(thought: Thought) -> str:
    """The score with its sign, or what is proven."""
    plies, margin = thought.plies_to_win, thought.margin
    if not thought.is_proven:
        return f"{round(thought.points, 2) + 0.0:+.2f}"
    if plies is not None:
        return f"proven {'win' if plies > 0 else 'loss'} in {abs(plies)} {'ply' if abs(plies) == 1 else 'plies'}"
    if margin is not None:
        return f"proven {'win' if thought.value > 0 else 'loss'}{f' by {abs(margin)} or more' if margin else ''}"
    return "proven draw"


def _chance(thought: Thought) -> str:
    """The winning chance; what is not proven is never certain."""
    if thought.chance is None:
        return NOTHING
    percent = 100 * thought.chance
    return f"{percent if thought.is_proven else max(1.0, min(99.0, percent)):.0f} %"
