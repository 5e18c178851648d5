"""`palabre championship`: from a folder of bots to standings and marks."""

import contextlib
import re
import sys
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer

from palabre.arena.championship import Championship, Plan
from palabre.arena.entries import is_handed_in
from palabre.arena.formats import FORMATS, read_format
from palabre.arena.openings import OPENING_PLIES, read_openings
from palabre.bots.specs import split_specs
from palabre.cli.admission import print_admission
from palabre.cli.championship_report import print_cost, report_championship, same_files_lines
from palabre.cli.clocks import TimePerGame, TimePerMove, read_clock
from palabre.cli.event_options import (
    Again,
    DataFile,
    LearningTime,
    On,
    OpeningsFile,
    Plies,
    Replay,
    Unbalanced,
    Workers,
    default_workers,
    read_lesson,
    read_workers,
)
from palabre.cli.live import LINE, LiveTable
from palabre.cli.output import (
    ForbidEngine,
    Json,
    Seed,
    Untrusted,
    a_number,
    notes,
    progress,
)
from palabre.cli.paths import appended_file, output_folder
from palabre.cli.report import Anonymous
from palabre.core.errors import PalabreError, listing
from palabre.core.game import Game
from palabre.core.words import own_words
from palabre.laws.first_use import checked_game
from palabre.play.guard import LEARNING_SECONDS
from palabre.web.report.write import write_report

say = own_words(__file__)

GRACE = 0.5  # the default of --grace, in seconds


def championship(
    bots: Annotated[
        list[str],
        typer.Argument(metavar="FOLDER_OR_BOT…", help="Folders of bots, or single bots: mybot.py, bot.zip, greedy, …"),
    ],
    spec: Annotated[str, typer.Option("--game", metavar="SPEC", help="The game to play.")],
    format_: Annotated[
        str, typer.Option("--format", metavar="SPEC", help=f"{listing(FORMATS)}, as in round-robin:repeats=10.")
    ] = "round-robin",
    event: Annotated[
        Path | None,
        typer.Option(
            "--event",
            callback=appended_file,
            metavar="FILE",
            help="Keep the games in this file. (default: FOLDER.event in the current folder)",
        ),
    ] = None,
    seconds: TimePerMove = None,
    clock: TimePerGame = None,
    strikes: Annotated[int, typer.Option(min=0, max=1000, help="How many late moves a bot may make in a game.")] = 0,
    grace: Annotated[
        float,
        typer.Option(
            callback=a_number, min=0.0, max=3600.0, metavar="S", help="By how many seconds such a move may be late."
        ),
    ] = GRACE,
    seed: Seed = 0,
    workers: Workers = None,
    on: On = None,
    plies: Plies = None,
    unbalanced: Unbalanced = False,
    openings: OpeningsFile = None,
    data: DataFile = None,
    learning: LearningTime = LEARNING_SECONDS,
    staff: Annotated[
        str, typer.Option(metavar="BOT,…", help="Fixed opponents that are not ranked: palabre:level=3,palabre:level=5.")
    ] = "",
    demo: Annotated[str, typer.Option(metavar="BOT,…", help="Bots that play along but are not ranked.")] = "",
    marks: Annotated[
        str | None, typer.Option(metavar="SPEC", help="rank, rank:6,20, or vs BOT>=SHARE:MARK,…,else:MARK.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only run the admission test, and estimate how long the games will take.")
    ] = False,
    until: Annotated[
        str | None, typer.Option(metavar="HH:MM", help="Stop by this time, after a complete round or meeting.")
    ] = None,
    again: Again = None,
    withdraw: Annotated[
        list[str] | None, typer.Option(metavar="BOT", help="Withdraw this bot; its games no longer count.")
    ] = None,
    replay_forfeits: Replay = False,
    league: Annotated[
        bool, typer.Option("--league", help="Run a league, week after week: each author's latest version counts.")
    ] = False,
    untrusted: Untrusted = False,
    forbid_engine: ForbidEngine = False,
    report: Annotated[
        Path | None,
        typer.Option(callback=output_folder, metavar="FOLDER", help="Write a report to this folder at the end."),
    ] = None,
    anonymous: Anonymous = False,
    as_json: Json = False,
) -> None:
    """Run a championship: admission test, games, standings, marks. The same command resumes it."""
    game = checked_game(spec)
    plan = Plan(
        game,
        read_format(format_, players=game.players).spec,
        read_clock(game, seconds, clock),
        seed,
        OPENING_PLIES if plies is None else plies,
        not unbalanced,
        () if openings is None else tuple(read_openings(game, openings, plies)),
        grace if strikes else 0.0,
        strikes,
        league,
        untrusted,
        forbid_engine,
        read_lesson(game, data, learning),
    )
    deadline = None if until is None else read_until(until)
    file: Path | None = event or default_event(bots, plan.game)
    if dry_run and file is not None and not file.exists():
        file = None
    appended_file(file)
    with Championship(plan, bots, file, staff=split(staff), demo=split(demo), marks=marks) as held:
        # The admission test is held on this machine, wherever the games are played.
        here = default_workers(held.bots) if workers is None or on is not None else workers
        players = read_workers(workers, on, held.bots)
        renewed, withdrawn = held.find(again or (), "--again"), held.find(withdraw or (), "--withdraw")
        held.check(renewed, withdrawn)
        _examine(held, renewed, here, ours=dry_run, quiet=as_json)
        if dry_run:
            held.check_admitted()
            print_cost(held, players or here, as_json)
            return
        held.admit(renewed, withdrawn)
        try:
            _play(held, players, on, deadline, replay_forfeits)
        finally:
            if held.rows():
                report_championship(held, as_json)
                if report is not None:
                    assert held.store.file is not None
                    notes.print("writing the report…", style="dim")
                    write_report(held.store, report, held.store.file.stem, anonymous=anonymous)
                    notes.print(f"{report / 'public' / 'index.html'}: standings, cross-table and every game")


def split(text: str) -> list[str]:
    """The bots in a list that may be empty."""
    return split_specs(text) if text.strip() else []


def default_event(bots: Sequence[str], game: Game) -> Path:
    """The default file of an event: after the folder of submissions, if there is one."""
    folders = [Path(word) for word in bots if is_handed_in(word, game) and Path(word).is_dir()]
    return Path(f"{folders[0].resolve().name}.event" if len(folders) == 1 else "championship.event")


def read_until(text: str, now: datetime | None = None) -> float:
    """The next time that the clock shows this, as seconds since 1970."""
    match = re.fullmatch(r"([01]?[0-9]|2[0-3]):([0-5][0-9])", text.strip())
    if match is None:
        raise PalabreError(say("option.until", text=text))
    begin = now or datetime.now()
    end = begin.replace(hour=int(match[1]), minute=int(match[2]), second=0, microsecond=0)
    return (end if end > begin else end + timedelta(days=1)).timestamp()


def _examine(held: Championship, again: Sequence[str], workers: int, *, ours: bool, quiet: bool) -> None:
    """The admission test, and its verdicts as a table."""
    last = time.monotonic()
    with progress("admission test", len(held.entries)) as advance:
        for count, done in enumerate(held.examine(again, at_once=max(1, workers), ours=ours), start=1):
            advance(done.bot.name)
            if not notes.is_terminal and time.monotonic() - last > LINE:
                last = time.monotonic()
                notes.print(f"admission test: {count} of {held.to_examine} bots", style="dim")
    is_news = held.has_new and any(bot.state == "rejected" for bot in held.bots)
    if quiet or not (held.verdicts or is_news):
        return
    print_admission(notes, held.bots, held.verdicts, held.ignored, held.look_alikes)
    for line in same_files_lines(held):
        notes.print(line, style="yellow")


def _play(championship: Championship, workers: int, on: str | None, until: float | None, replay_forfeits: bool) -> None:
    with contextlib.ExitStack() as stack:
        live = stack.enter_context(LiveTable(championship))
        stack.enter_context(contextlib.redirect_stdout(sys.stderr))  # what our own bots print in this process
        for _ in championship.play(
            workers, on=on, until=until, replay_forfeits=replay_forfeits, watcher=live.update, on_output=live.on_output
        ):
            pass
