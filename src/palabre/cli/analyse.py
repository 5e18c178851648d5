"""`palabre analyse`: what a bot that searches thinks of a position, while it thinks."""

from typing import Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.live import Live
from rich.text import Text

from palabre.bots.analysis import USUAL_TIME, Lines, analysing_bot, think_lines
from palabre.bots.bot import SearchBot
from palabre.bots.specs import bots_for, named_bots
from palabre.cli.output import (
    NOTHING,
    Background,
    Json,
    PositionText,
    Seed,
    a_number,
    console,
    interruptible,
    print_board,
    print_json,
    table,
)
from palabre.cli.records import GameOrRecord, Trust, find_game, first_position
from palabre.cli.review import review_record
from palabre.core.errors import PalabreError, listing
from palabre.core.position import Position
from palabre.core.record import is_reference
from palabre.core.words import own_words
from palabre.draw.terminal import status
from palabre.evaluation.names import evaluation, unit
from palabre.search.clock import AnalysisClock, Clock
from palabre.search.thought import Thought, thought_facts
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
    options = {"eval": eval_name, "threads": threads, "memory": memory}
    if is_reference(spec):
        record, ply = find_game(spec, trust=trust)
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
    player = analysing_bot(bot, game, **options)
    if depth is not None and not player.counts_depth:
        known = named_bots(game)
        others = [name for name in bots_for(game) if getattr(known[name], "counts_depth", False)]
        raise PalabreError(say("analysis.no_depth", bot=player.spec, bots=listing(others)))
    analysis = Analysis(start, player)
    is_watched = console.is_terminal and not as_json
    if seconds is None and depth is None and nodes is None and not is_watched:
        seconds = USUAL_TIME
    if not as_json:
        print_board(start)
    interrupted = False
    if not start.is_over:
        interruptible(player.sit_down, game, start.to_move)  # compiled before the clock starts
        clock = AnalysisClock(seconds, depth=depth, nodes=nodes)
        interrupted = _think(player, analysis, clock, lines, is_watched)
    if as_json:
        print_json(analysis.document())
    elif start.is_over:
        console.print(f"\n{say('table.over', result=status(start))}", style="bold")
    elif not is_watched:
        console.print(analysis.shown())
    if interrupted:
        raise KeyboardInterrupt


def _think(player: SearchBot, analysis: "Analysis", clock: AnalysisClock, lines: int, is_watched: bool) -> bool:
    """Let the bot think until it is done; returns whether Ctrl-C ended it."""
    search = Background(think_lines, player, analysis.position, clock, lines, analysis.lines)
    interrupted = False
    live = Live(console=console, auto_refresh=False) if is_watched else None
    try:
        if live is not None:
            live.start()
        while not search.wait(REDRAW):
            if live is not None:
                live.update(analysis.shown(is_short=True), refresh=True)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        player.stop()
        if search.wait(STOPPING):
            search.result()  # raises what the search raised
        if live is not None:
            live.update(analysis.shown(), refresh=True)
            live.stop()
    return interrupted


class Analysis:
    """A bot's best lines so far, and how to show them."""

    def __init__(self, position: Position, player: SearchBot) -> None:
        self.position = position
        self.player = player
        eval_name = dict(player.options.values).get("eval")
        self.eval_name = None if eval_name is None else str(eval_name)
        self.unit = unit(position.game, self.eval_name)
        self.lines = Lines()

    def shown(self, is_short: bool = False) -> RenderableType:
        """The table; in its short form, each line of play has one row on the screen."""
        thoughts = self.lines.thoughts
        if not thoughts:
            return Text("thinking…", style="dim")
        is_sampled = thoughts[0].visits > 0
        seats = range(self.position.game.players)
        has_shares = len(seats) > 2 and thoughts[0].shares is not None
        chances = [f">player {seat + 1}" for seat in seats] if has_shares else [">chance"]
        listing = table(">", ">depth", ">visits" if is_sampled else f">{self.unit}", *chances, "best play")
        listing.columns[-1].no_wrap = is_short
        for rank, thought in enumerate(thoughts, start=1):
            moves = " ".join(move.text for move in thought.line)
            shares = thought.shares if has_shares and thought.shares is not None else (thought.chance,)
            told = [_percent(share, thought.is_proven) for share in shares]
            listing.add_row(f"{rank}", f"{thought.depth}", _score(thought), *told, moves)
        return Group("", listing, Text(self._effort(is_sampled), style="dim"))

    def _effort(self, is_sampled: bool) -> str:
        speed = self.lines.nodes / max(self.lines.seconds, 1e-9)
        rate = f"{speed / 1e6:.1f} million" if speed >= 1e5 else f"{speed:,.0f}"
        what = "simulations" if is_sampled else "positions"
        return f"for player {self.position.to_move + 1}; {self.lines.nodes:,} {what}, {rate} a second"

    def document(self) -> dict[str, Any]:
        """The whole analysis, for a program."""
        thoughts = self.lines.thoughts
        best = thoughts[0] if thoughts else None
        return {
            "game": self.position.game.spec,
            "position": self.position.text,
            "to_move": self.position.to_move + 1,
            "result": self.position.result,
            "bot": self.player.spec,
            "eval": self.eval_name,
            "unit": self.unit,
            "depth": best.depth if best else 0,
            "nodes": self.lines.nodes,
            "seconds": self.lines.seconds,
            "proven": best.is_proven if best else self.position.is_over,
            "lines": [thought_facts(thought) for thought in thoughts],
        }


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
