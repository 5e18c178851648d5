"""`palabre match`: two or more bots, many games, and what their scores are worth."""

import contextlib
import sys
from collections.abc import Callable
from typing import Annotated

import typer

from palabre.arena.match import Match
from palabre.arena.match_records import MatchRecords
from palabre.arena.rows import BotRow, GameRow
from palabre.cli.event_options import Debug, Replay, read_workers
from palabre.cli.live import Extra, LiveTable
from palabre.cli.match_options import MatchOptions
from palabre.cli.match_report import report
from palabre.cli.option_groups import with_option_groups
from palabre.cli.output import MOST, ForbidEngine, Json, notes
from palabre.core.errors import PalabreError
from palabre.core.words import own_words

say = own_words(__file__)


@with_option_groups
def match(
    bots: Annotated[list[str], typer.Argument(metavar="BOT BOT…", help="Bots: alphabeta:depth=4, path/mybot.py, …")],
    games: Annotated[
        int, typer.Option(min=1, max=MOST, help="Games per line-up; every opening is played from every seat.")
    ] = 100,
    *,
    options: MatchOptions,
    forbid_engine: ForbidEngine = False,
    debug: Debug = False,
    replay_forfeits: Replay = False,
    as_json: Json = False,
) -> None:
    """Play many games between bots, each opening from every seat. Ctrl-C stops and shows the score so far."""
    game, settings = options.settings(len(bots))
    if debug:
        refuse_with_debug(
            {
                "--untrusted": options.untrusted,
                "--forbid-engine": forbid_engine,
                "--workers": bool(options.workers),
                "--json": as_json,
                "--on": options.on is not None,
            }
        )
        notes.print(str(say("debug.unprotected")), style="yellow")
    with Match(bots, game, games, forbids_engine=forbid_engine, in_process=debug, **settings) as between:
        play(between, options, lambda: report(between, as_json), replay_forfeits=replay_forfeits, debug=debug)
        if any(_has_forfeited_all(bot, between.rows()) for bot in between.bots):
            raise typer.Exit(1)


def refuse_with_debug(given: dict[str, bool]) -> None:
    """Refuse options that cannot be had together with a look into the bots."""
    for option, is_given in given.items():
        if is_given:
            raise PalabreError(say("option.not_with_debug", option=option))


def play(
    match: Match,
    options: MatchOptions,
    report: Callable[[], None],
    *,
    extra: Extra | None = None,
    replay_forfeits: bool = False,
    debug: bool = False,
) -> None:
    """Play the games that are missing, show how it goes, and report what they show, also if they are cut short.

    `extra` makes one more line from the games so far. With `debug` the bots have this process
    to themselves, its thread, its keyboard and its output.
    """
    try:
        with contextlib.ExitStack() as stack:
            records = None if options.record is None else stack.enter_context(MatchRecords(match, options.record))
            live = stack.enter_context(LiveTable(match, extra, debug=debug))
            if (
                not debug
            ):  # what a bot prints in this process must not stand where people, or programs, expect the result
                stack.enter_context(contextlib.redirect_stdout(sys.stderr))
            for row in match.play(
                0 if debug else read_workers(options.workers, options.on, match.bots),
                on=options.on,
                in_thread=not debug,
                replay_forfeits=replay_forfeits,
                watcher=live.update,
                on_output=live.on_output,
            ):
                if records is not None:
                    records.add(row)
    except (KeyboardInterrupt, PalabreError):
        if match.rows():
            report()
        raise
    report()


def _has_forfeited_all(bot: BotRow, rows: list[GameRow]) -> bool:
    played = [row for row in rows if bot.name in row.bots]
    return bool(played) and all(row.forfeit is not None and row.bots[row.forfeit] == bot.name for row in played)
