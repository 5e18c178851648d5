"""`palabre match`: two or more bots, many games, and what their scores are worth."""

import contextlib
import dataclasses
import math
import sys
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Annotated, Any

import typer

from palabre.arena.match import Match
from palabre.arena.openings import OPENING_PLIES, read_openings
from palabre.arena.result import MatchResult, MatchTable, Side
from palabre.arena.rows import BotRow, GameRow
from palabre.cli.clocks import TimesPerGame, TimesPerMove, read_clocks
from palabre.cli.lesson import USUAL_TIME, DataFile, LearningTime, read_lesson
from palabre.cli.live import Extra, Live, replays
from palabre.cli.output import (
    MOST,
    NOTHING,
    ForbidEngine,
    Json,
    PositionText,
    Seed,
    Untrusted,
    console,
    notes,
    print_json,
    print_table,
    table,
)
from palabre.cli.paths import appended_file, input_file
from palabre.cli.records import Trust, first_position
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.core.record import append, is_reference
from palabre.core.system import usable_cores
from palabre.core.words import own_words
from palabre.laws.first_use import checked_game
from palabre.workers.cluster.connection import check_cluster

say = own_words(__file__)

BotSpecs = Annotated[list[str], typer.Argument(metavar="BOT BOT…", help="Bots: alphabeta:depth=4, path/mybot.py, …")]
GameSpec = Annotated[
    str,
    typer.Option("--game", metavar="SPEC", help="The game to play, or a recorded one to start from: games.txt#3@20."),
]
Workers = Annotated[
    int | None,
    typer.Option(
        min=0,
        max=1024,
        help="Number of worker processes, by default one per core; 0 plays in this process. On a cluster, the maximum.",
    ),
]
On = Annotated[
    str | None,
    typer.Option(
        "--on",
        metavar="ray|ray://…",
        help="Play on a Ray cluster: ray, or ray://HOST:PORT. Anyone who reaches its ports can run code on all nodes.",
    ),
]
EventFile = Annotated[
    Path | None,
    typer.Option(
        "--event",
        callback=appended_file,
        metavar="FILE",
        help="Keep the games in this file; the same command then resumes.",
    ),
]
Again = Annotated[
    list[str] | None,
    typer.Option("--again", metavar="BOT", help="In an event: play this bot's games again, because it has changed."),
]
RecordFile = Annotated[
    Path | None, typer.Option("--record", callback=appended_file, metavar="FILE", help="Append the games to this file.")
]
Replay = Annotated[
    bool, typer.Option("--replay-forfeits", help="Play forfeited games again; both games are kept, the second counts.")
]
Plies = Annotated[
    int | None,
    typer.Option(
        "--opening-plies", min=0, max=1000, help=f"Random moves before the bots take over; {OPENING_PLIES} by default."
    ),
]
Debug = Annotated[
    bool,
    typer.Option(
        "--debug", help="Play in this process, without sandboxes: print and breakpoint() work, tracebacks are shown."
    ),
]
Unbalanced = Annotated[
    bool, typer.Option("--unbalanced", help="Use random openings as they come, even nearly decided ones.")
]
OpeningsFile = Annotated[
    Path | None,
    typer.Option(
        "--openings",
        callback=input_file,
        metavar="FILE",
        help="Play these openings: records, or one position per line.",
    ),
]


def match(
    bots: BotSpecs,
    spec: GameSpec,
    games: Annotated[
        int, typer.Option(min=1, max=MOST, help="Games per line-up; every opening is played from every seat.")
    ] = 100,
    seconds: TimesPerMove = None,
    clock: TimesPerGame = None,
    seed: Seed = 0,
    workers: Workers = None,
    on: On = None,
    plies: Plies = None,
    unbalanced: Unbalanced = False,
    openings: OpeningsFile = None,
    position: PositionText = None,
    data: DataFile = None,
    learning: LearningTime = USUAL_TIME,
    trust: Trust = False,
    untrusted: Untrusted = False,
    forbid_engine: ForbidEngine = False,
    debug: Debug = False,
    event: EventFile = None,
    again: Again = None,
    replay_forfeits: Replay = False,
    record: RecordFile = None,
    as_json: Json = False,
) -> None:
    """Play many games between bots, each opening from every seat. Ctrl-C stops and shows the score so far."""
    game, after = where_to_begin(spec, position, trust=trust)
    if openings is not None and after is not None:
        raise PalabreError(say("option.two_starts", first="--openings", second=say("option.a_position")))
    if debug:
        refuse_with_debug(
            {
                "--untrusted": untrusted,
                "--forbid-engine": forbid_engine,
                "--workers": bool(workers),
                "--json": as_json,
                "--on": on is not None,
            }
        )
        notes.print(str(say("debug.unprotected")), style="yellow")
    with Match(
        bots,
        game,
        games,
        clocks=read_clocks(game, len(bots), seconds, clock),
        seed=seed,
        plies=OPENING_PLIES if plies is None else plies,
        balanced=not unbalanced,
        after=after,
        openings=() if openings is None else read_openings(game, openings, plies),
        file=event,
        again=again or (),
        untrusted=untrusted,
        forbids_engine=forbid_engine,
        lesson=read_lesson(game, data, learning),
        in_process=debug,
    ) as between:
        try:
            play(between, workers, on=on, replay_forfeits=replay_forfeits, record=record, debug=debug)
        except (KeyboardInterrupt, PalabreError):
            if between.rows():
                report(between, as_json)
            raise
        report(between, as_json)
        if any(_has_forfeited_all(bot, between.rows()) for bot in between.bots):
            raise typer.Exit(1)


def refuse_with_debug(given: dict[str, bool]) -> None:
    """Refuse options that cannot be had together with a look into the bots."""
    for option, is_given in given.items():
        if is_given:
            raise PalabreError(say("option.not_with_debug", option=option))


def where_to_begin(spec: str, position: str | None, *, trust: bool) -> tuple[Game, Position | None]:
    """The game, and the position from which it is played, if it is not the usual one."""
    if position is None and not is_reference(spec):
        return checked_game(spec), None
    after = first_position(spec, position, 0, trust=trust)
    return after.game, after


def play(
    match: Match,
    workers: int | None,
    *,
    on: str | None = None,
    replay_forfeits: bool = False,
    record: Path | None = None,
    extra: Extra | None = None,
    debug: bool = False,
) -> None:
    """Play the games that are missing, and show how it goes; `record` gets them in their order.

    `extra` says in one line what else there is to know of the games so far. With `debug` the bots have this process
    to themselves, its thread, its keyboard and its output.
    """
    with contextlib.ExitStack() as stack:
        records = None if record is None else stack.enter_context(Records(match, record))
        live = stack.enter_context(Live(match, extra, debug=debug))
        if not debug:  # what a bot prints in this process must not stand where people, or programs, expect the result
            stack.enter_context(contextlib.redirect_stdout(sys.stderr))
        for row in match.play(
            0 if debug else read_workers(workers, on, match.bots),
            on=on,
            in_thread=not debug,
            replay_forfeits=replay_forfeits,
            watcher=live.update,
            on_output=live.say,
        ):
            if records is not None:
                records.add(row)


def read_workers(workers: int | None, on: str | None, bots: Sequence[BotRow]) -> int:
    """How many processes play: as many as are wanted, or all cores, which are 0 on a cluster that tells itself."""
    if on is None:
        return default_workers(bots) if workers is None else workers
    check_cluster(on)
    if workers == 0:
        raise PalabreError(say("option.not_both_places", on=on))
    return workers or 0


def default_workers(bots: Sequence[BotRow]) -> int:
    """As many processes as there are cores for the threads with which the bots search."""
    return max(1, usable_cores() // max(int(bot.options.get("threads", 1)) for bot in bots))


class Records:
    """A file that gets the records of a match in their order, however many workers end games in another one.

    When the match is stopped, it also gets the games that still wait for an earlier one.
    """

    def __init__(self, match: Match, file: Path) -> None:
        self._match, self._file = match, file
        played = {(row.meeting, row.rotation) for row in match.rows()}
        seats = range(match.game.players)
        numbered = [(meeting, rotation) for meeting in match.meetings() for rotation in seats]
        self._coming = iter([key for key in numbered if key not in played])
        self._next = next(self._coming, None)
        self._waiting: dict[Any, list[GameRow]] = {}
        with _telling_of(file):
            file.open("a", encoding="utf-8").close()  # if it cannot be written, that is known before the first game

    def __enter__(self) -> "Records":
        return self

    def __exit__(self, *_: object) -> None:
        for row in sorted((row for rows in self._waiting.values() for row in rows), key=self._match.number):
            self._write(row)

    def add(self, row: GameRow) -> None:
        """A game has ended."""
        self._waiting.setdefault((row.meeting, row.rotation), []).append(row)
        while (ready := self._waiting.get(self._next)) and ready[-1].superseded is None:
            for attempt in self._waiting.pop(self._next):
                self._write(attempt)
            self._next = next(self._coming, None)

    def _write(self, row: GameRow) -> None:
        kept = self._match.record(row)
        with _telling_of(self._file):
            append(dataclasses.replace(kept, tags={"Date": date.today().isoformat(), **kept.tags}), self._file)


@contextlib.contextmanager
def _telling_of(file: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise PalabreError(say("path.unwritable", path=file, error=error.strerror)) from error


def _has_forfeited_all(bot: BotRow, rows: list[GameRow]) -> bool:
    played = [row for row in rows if bot.name in row.bots]
    return bool(played) and all(row.forfeit is not None and row.bots[row.forfeit] == bot.name for row in played)


# --------------------------------------------------------------------------------------------------------- the report


def report(match: Match, as_json: bool) -> None:
    """Print what the games so far, at least one, show."""
    is_duel = len(match.bots) == 2 and match.game.players == 2
    if as_json:
        shown = duel_document(match.result()) if is_duel else dataclasses.asdict(match.table())
        print_json({**shown, **document(match)})
        return
    rows = match.rows(superseded=True)
    played = sum(row.superseded is None for row in rows)
    played_of_all = f"{played}" if played == match.games else f"{played} of {match.games}"
    console.print(str(say("played.games", games=played_of_all, game=rules(match.game))))
    if is_duel:
        print_duel(match.result())
    else:
        _print_table(match.table())
    for line in replays(rows):
        console.print(line)


def document(match: Match) -> dict[str, Any]:
    """What the JSON document of a match has, whoever plays: its settings, its bots and every game."""
    return {
        "seed": match.seed,
        "games_wanted": match.games,
        "openings": dict(match.store.settings.openings),
        "data": match.store.settings.data,
        "bots": [
            {
                "name": bot.name,
                "spec": bot.spec,
                "parameters": dict(bot.options),
                "clock": dataclasses.asdict(bot.clock),
                "digest": bot.digest or None,
            }
            for bot in match.bots
        ],
        "played": [{"number": match.number(row), **game_document(row)} for row in match.rows(superseded=True)],
    }


def game_document(row: GameRow) -> dict[str, Any]:
    plain = dict(vars(row))
    del plain["meeting"]
    return {"repeat": row.meeting.repeat, **plain, "plies": row.plies}


def duel_document(result: MatchResult) -> dict[str, Any]:
    """The result of a match of two for JSON, which has no infinity: an infinite bound is null."""
    shown = dataclasses.asdict(result)
    shown["elo"] = finite(result.elo)
    shown["elo_95"] = [finite(bound) for bound in result.elo_95]
    return shown


def print_duel(result: MatchResult) -> None:
    """The result of a match of two, in words."""
    listing = table("bot", ">wins", ">draws", ">losses", ">forfeits", ">ms a move", ">slowest")
    for side, wins, losses in (
        (result.first, result.wins, result.losses),
        (result.second, result.losses, result.wins),
    ):
        listing.add_row(side.bot, str(wins), str(result.draws), str(losses), str(side.forfeits), *_times(side))
    print_table(console, listing)
    console.print(f"score of {result.first.bot}: {_score_in_words(result)}")
    low, high = result.elo_95
    console.print(f"Elo difference: {elo_in_words(result.elo)} (95 %: {elo_in_words(low)} to {elo_in_words(high)})")
    console.print(f"pairs worth 0, ¼, ½, ¾, 1: {', '.join(str(count) for count in result.pairs)}")
    if result.games_for_one_percent is not None:
        console.print(f"games needed to know the score to ± 1 % (95 %): {result.games_for_one_percent:,}")
    if result.lead is not None:
        console.print(f"mean lead at the end: {result.lead:+.2f}")


def _print_table(found: MatchTable) -> None:
    listing = table("bot", ">score", ">±", ">seats", ">wins", ">shared", ">losses", ">forfeits", ">ms/move", ">slowest")
    for one in found.standings:
        error = NOTHING if one.standard_error is None else f"{100 * one.standard_error:.1f}"
        counts = (str(count) for count in (one.seats, one.wins, one.draws, one.losses, one.side.forfeits))
        listing.add_row(one.side.bot, f"{100 * one.score:.1f} %", error, *counts, *_times(one.side))
    print_table(console, listing)
    console.print(str(say("played.fair_share", percent=100 * found.fair_share)))


def rules(game: Game) -> str:
    """A game, and what a reader of a result should know about its rules."""
    return f"{game.spec}, {game.facts.presets[game.options.preset].line}"


def _score_in_words(result: MatchResult) -> str:
    low, high = result.score_95
    error = NOTHING if result.standard_error is None else f"{100 * result.standard_error:.1f}"
    return f"{100 * result.score:.1f} % ± {error} (95 %: {100 * low:.1f} to {100 * high:.1f} %)"


def _times(side: Side) -> list[str]:
    return [
        NOTHING if seconds is None else f"{1000 * seconds:.2f}"
        for seconds in (side.seconds_per_move, side.slowest_move)
    ]


def elo_in_words(value: float) -> str:
    """An Elo difference, which may be infinite."""
    return f"{round(value):+d}" if math.isfinite(value) else "+∞" if value > 0 else "-∞"


def finite(value: float) -> float | None:
    """A number for JSON, which has no infinity."""
    return value if math.isfinite(value) else None
