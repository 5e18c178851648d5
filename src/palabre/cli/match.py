"""`palabre match`: two bots, many games, and what their score is worth."""

import dataclasses
import math
import time
from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from palabre.arena.match import Match
from palabre.arena.referee import Played
from palabre.arena.result import MatchResult, Side
from palabre.cli.clocks import TimePerGame, TimePerMove, read_clock
from palabre.cli.output import NOTHING, Json, Seed, console, interruptible, notes, print_json, progress, table
from palabre.core import registry
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.record import append

BotSpec = Annotated[str, typer.Argument(metavar="BOT", help="A bot: alphabeta:depth=4, path/mybot.py, …")]
REDRAW = 0.5  # seconds between two updates of the running score


def match(
    first: BotSpec,
    second: BotSpec,
    spec: Annotated[str, typer.Option("--game", metavar="SPEC", help="The game they play.")],
    games: Annotated[int, typer.Option(min=2, help="How many, an even number: each opening is played twice.")] = 100,
    seconds: TimePerMove = None,
    clock: TimePerGame = None,
    seed: Seed = 0,
    record: Annotated[Path | None, typer.Option(metavar="FILE", help="Add each game to this file as it ends.")] = None,
    as_json: Json = False,
) -> None:
    """Let two bots play many games, each opening from both seats. Ctrl-C stops and tells the score so far."""
    game = registry.game(spec)
    between = Match(first, second, game, games, clock=read_clock(game, seconds, clock), seed=seed)
    if record is not None:
        _touch(record)  # if it cannot be written, that is known before the first game
    played: list[Played] = []
    try:
        _play(between, played, record)
    except (KeyboardInterrupt, PalabreError):
        if played:
            _report(between, played, as_json)
        raise
    _report(between, played, as_json)


def _play(match: Match, played: list[Played], record: Path | None) -> None:
    """Play all games with a progress bar; those that have ended are in `played` and in the file of records."""
    reasons: set[str] = set()
    with progress("preparing…", match.games) as advance:
        coming = match.play()
        drawn = 0.0
        while len(played) < match.games:
            game = interruptible(next, coming)
            if record is not None:
                _keep(game, record)
            played.append(game)
            if game.reason is not None and game.reason not in reasons:
                reasons.add(game.reason)
                notes.print(f"game {len(played)}: {game.reason}", style="yellow")
            if time.monotonic() - drawn > REDRAW:
                advance(_running_score(match.result(played)))
                drawn = time.monotonic()
            else:
                advance(None)


def _running_score(result: MatchResult) -> str:
    return f"{result.wins}–{result.draws}–{result.losses}  {_score_in_words(result)}"


def _touch(file: Path) -> None:
    try:
        file.open("a", encoding="utf-8").close()
    except OSError as error:
        raise PalabreError(f"cannot write {file}: {error.strerror}") from error


def _keep(game: Played, file: Path) -> None:
    kept = dataclasses.replace(game.record, tags={"Date": date.today().isoformat(), **game.record.tags})
    try:
        append(kept, file)
    except OSError as error:
        raise PalabreError(f"cannot write {file}: {error.strerror}") from error


def _report(match: Match, played: list[Played], as_json: bool) -> None:
    result = match.result(played)
    if as_json:
        document = dataclasses.asdict(result)
        # JSON has no infinity: an infinite bound is null.
        document["elo"] = _finite(result.elo)
        document["elo_95"] = [_finite(bound) for bound in result.elo_95]
        print_json({**document, "seed": match.seed, "games_wanted": match.games})
        return
    played_of_all = f"{result.games}" if result.games == match.games else f"{result.games} of {match.games}"
    console.print(f"{played_of_all} games of {_rules(match.game)}")
    listing = table("bot", ">wins", ">draws", ">losses", ">forfeits", ">ms a move", ">slowest")
    for side, wins, losses in (
        (result.first, result.wins, result.losses),
        (result.second, result.losses, result.wins),
    ):
        listing.add_row(side.bot, str(wins), str(result.draws), str(losses), str(side.forfeits), *_times(side))
    console.print(listing)
    console.print(f"score of {result.first.bot}: {_score_in_words(result)}")
    low, high = result.elo_95
    console.print(f"Elo difference: {_elo(result.elo)} (95 %: {_elo(low)} to {_elo(high)})")
    console.print(f"pairs worth 0, ¼, ½, ¾, 1: {', '.join(str(count) for count in result.pairs)}")
    if result.lead is not None:
        console.print(f"mean lead at the end: {result.lead:+.2f}")


def _rules(game: Game) -> str:
    """A game, and what a reader of a result should know about its rules."""
    return f"{game.spec}, {game.facts.presets[game.options.preset].summary}"


def _score_in_words(result: MatchResult) -> str:
    low, high = result.score_95
    error = NOTHING if result.standard_error is None else f"{100 * result.standard_error:.1f}"
    return f"{100 * result.score:.1f} % ± {error} (95 %: {100 * low:.1f} to {100 * high:.1f} %)"


def _times(side: Side) -> list[str]:
    return [
        NOTHING if seconds is None else f"{1000 * seconds:.2f}"
        for seconds in (side.seconds_per_move, side.slowest_move)
    ]


def _elo(value: float) -> str:
    return f"{round(value):+d}" if math.isfinite(value) else "+∞" if value > 0 else "-∞"


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
