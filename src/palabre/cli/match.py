"""`palabre match`: two or more bots, many games, and what their scores are worth."""

import contextlib
import sys
from pathlib import Path
from typing import Annotated

import typer

from palabre.arena.match import Match
from palabre.arena.match_records import MatchRecords
from palabre.arena.openings import OPENING_PLIES, read_openings
from palabre.arena.rows import BotRow, GameRow
from palabre.cli.clocks import TimesPerGame, TimesPerMove, read_clocks
from palabre.cli.event_options import (
    Again,
    DataFile,
    Debug,
    EventFile,
    GameSpec,
    LearningTime,
    On,
    OpeningsFile,
    Plies,
    RecordFile,
    Replay,
    Unbalanced,
    Workers,
    read_lesson,
    read_workers,
    where_to_begin,
)
from palabre.cli.live import Extra, LiveTable
from palabre.cli.match_report import report
from palabre.cli.output import MOST, ForbidEngine, Json, PositionText, Seed, Untrusted, notes
from palabre.cli.records import Trust
from palabre.core.errors import PalabreError
from palabre.core.words import own_words
from palabre.play.guard import LEARNING_SECONDS

say = own_words(__file__)


def match(
    bots: Annotated[list[str], typer.Argument(metavar="BOT BOT…", help="Bots: alphabeta:depth=4, path/mybot.py, …")],
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
    learning: LearningTime = LEARNING_SECONDS,
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

    `extra` makes one more line from the games so far. With `debug` the bots have this process
    to themselves, its thread, its keyboard and its output.
    """
    with contextlib.ExitStack() as stack:
        records = None if record is None else stack.enter_context(MatchRecords(match, record))
        live = stack.enter_context(LiveTable(match, extra, debug=debug))
        if not debug:  # what a bot prints in this process must not stand where people, or programs, expect the result
            stack.enter_context(contextlib.redirect_stdout(sys.stderr))
        for row in match.play(
            0 if debug else read_workers(workers, on, match.bots),
            on=on,
            in_thread=not debug,
            replay_forfeits=replay_forfeits,
            watcher=live.update,
            on_output=live.on_output,
        ):
            if records is not None:
                records.add(row)


def _has_forfeited_all(bot: BotRow, rows: list[GameRow]) -> bool:
    played = [row for row in rows if bot.name in row.bots]
    return bool(played) and all(row.forfeit is not None and row.bots[row.forfeit] == bot.name for row in played)
