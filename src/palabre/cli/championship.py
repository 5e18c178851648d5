"""`palabre championship`: from a folder of bots to standings and marks."""

import contextlib
import dataclasses
import re
import sys
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

import typer

from palabre.arena.championship import Championship, Plan
from palabre.arena.entries import is_handed_in
from palabre.arena.estimate import Estimate, estimate
from palabre.arena.formats import FORMATS, read_format
from palabre.arena.leaderboard import Leaderboard, Line
from palabre.arena.league import Version, progress_of
from palabre.arena.openings import OPENING_PLIES, read_openings
from palabre.arena.result import NORMAL_95
from palabre.arena.rows import BotRow
from palabre.bots.specs import split_specs
from palabre.cli.admission import print_admission, rejection
from palabre.cli.clocks import TimePerGame, TimePerMove, read_clock
from palabre.cli.lesson import USUAL_TIME, DataFile, LearningTime, read_lesson
from palabre.cli.live import LINE, Live, in_words, replays
from palabre.cli.match import (
    Again,
    On,
    OpeningsFile,
    Plies,
    Replay,
    Unbalanced,
    Workers,
    default_workers,
    elo_in_words,
    finite,
    game_document,
    read_workers,
)
from palabre.cli.output import (
    NOTHING,
    ForbidEngine,
    Json,
    Seed,
    Untrusted,
    a_number,
    console,
    notes,
    print_json,
    print_table,
    progress,
    table,
)
from palabre.cli.paths import appended_file, output_folder
from palabre.cli.report import Anonymous
from palabre.core.errors import PalabreError, listing
from palabre.core.game import Game
from palabre.core.words import own_words
from palabre.laws.first_use import checked_game
from palabre.web.report.write import write_report

say = own_words(__file__)

GRACE = 0.5  # seconds by which a bot may be late where strikes are allowed and nothing else is said
LONGEST_LIST = 10  # of things that are told in a line each


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
    learning: LearningTime = USUAL_TIME,
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
            _print_plan(held, players or here, as_json)
            return
        held.admit(renewed, withdrawn)
        try:
            _play(held, players, on, deadline, replay_forfeits)
        finally:
            if held.rows():
                _tell(held, as_json)
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
    found = re.fullmatch(r"([01]?[0-9]|2[0-3]):([0-5][0-9])", text.strip())
    if found is None:
        raise PalabreError(say("option.until", text=text))
    begin = now or datetime.now()
    end = begin.replace(hour=int(found[1]), minute=int(found[2]), second=0, microsecond=0)
    return (end if end > begin else end + timedelta(days=1)).timestamp()


# ---------------------------------------------------------------------------------------------------------- admission


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
    for group in held.same_files:
        notes.print(f"the same files, except for names: {listing(group)}", style="yellow")


def _plan(held: Championship, workers: int) -> Estimate:
    playing = [bot for bot in held.bots if bot.state == "admitted"]
    form = held.format(playing)
    form.check([bot.name for bot in playing])
    played = [] if held.store.is_new else held.rows()
    return estimate(form, [bot.name for bot in playing], held.game, list(held.verdicts.values()), played, workers)


def _print_plan(held: Championship, workers: int, as_json: bool) -> None:
    found = _plan(held, workers)
    if as_json:
        print_json({**dataclasses.asdict(found), "seconds": found.seconds, "bots": [_bot(bot) for bot in held.bots]})
        return
    is_certain = found.least_games == found.most_games
    between = say("cost.between", least=found.least_games, most=found.most_games)
    parts = [say("cost.games", games=found.most_games) if is_certain else between]
    if found.played:
        parts.append(say("cost.played", games=found.played))
    if found.seconds is not None:
        parts.append(say("cost.time", time=in_words(found.seconds), workers=max(1, found.workers)))
    if found.megabytes is not None:
        parts.append(say("cost.memory", megabytes=found.megabytes))
    console.print(str(say("cost.all", format=held.plan.format, game=held.game.spec, parts=listing(parts))))


# ------------------------------------------------------------------------------------------------------------ playing


def _play(held: Championship, workers: int, on: str | None, until: float | None, replay_forfeits: bool) -> None:
    with contextlib.ExitStack() as stack:
        live = stack.enter_context(Live(held))
        stack.enter_context(contextlib.redirect_stdout(sys.stderr))  # what our own bots print in this process
        for _ in held.play(
            workers, on=on, until=until, replay_forfeits=replay_forfeits, watcher=live.update, on_output=live.say
        ):
            pass


# ---------------------------------------------------------------------------------------------------------- the table


def _tell(held: Championship, as_json: bool) -> None:
    board = held.leaderboard()
    versions = progress_of(held.store) if held.plan.league else []
    if as_json:
        print_json(_document(held, board, versions))
        return
    id = "championship.games" if held.is_finished else "championship.games_so_far"
    console.print(str(say(id, games=board.games, game=held.game.spec, format=held.plan.format)))
    print_table(console, _drawn(board))
    if versions:
        print_table(console, _drawn_progress(versions))
    for note in _notes(held, board):
        console.print(note)


def _drawn(board: Leaderboard) -> Any:
    marks = (">mark",) if board.marks is not None else ()
    made = table(
        *(">rank", "bot", ">points", ">games", ">W–D–L", ">forfeits", ">Elo (95 %)", *marks),
    )
    for line in board.lines:
        mark = () if not marks else (NOTHING if line.mark is None else f"{line.mark:g}",)
        made.add_row(*_cells(line), *mark)
    return made


def _cells(line: Line) -> tuple[str, ...]:
    row, rating = line.standing, line.rating
    if row is None or rating is None:
        return ("rejected", line.bot.name, *[NOTHING] * 5)
    rank = line.bot.role if row.rank is None else str(row.rank)
    results = f"{row.wins}–{row.draws}–{row.losses}"
    elo = f"{elo_in_words(rating.elo)} ± {NORMAL_95 * rating.error:.0f}"
    return (rank, line.bot.name, f"{row.points:g}", str(row.games), results, str(row.forfeits), elo)


def _drawn_progress(versions: Sequence[Version]) -> Any:
    made = table("bot", "since", ">games", ">Elo", ">±", title="progress")
    for one in versions:
        made.add_row(one.title, one.since[:10], str(one.games), elo_in_words(one.elo), f"{NORMAL_95 * one.error:.0f}")
    return made


def _notes(held: Championship, board: Leaderboard) -> list[str]:
    told = [rejection(line.bot) for line in board.lines if line.standing is None]
    told += list(board.notes)
    told += replays(held.rows(superseded=True))
    told += [f"the same files, except for names: {listing(group)}" for group in held.same_files]
    alike = held.same_moves()
    told += [
        str(say("championship.alike", first=one.bots[0], second=one.bots[1], positions=one.positions))
        for one in alike[:LONGEST_LIST]
    ]
    if len(alike) > LONGEST_LIST:
        told.append(f"so did {len(alike) - LONGEST_LIST} other pairs")
    if not held.is_finished:
        told.append(str(say("championship.unfinished")))
    return told


def _bot(bot: BotRow) -> dict[str, Any]:
    return {**dataclasses.asdict(bot), "options": dict(bot.options)}


def _document(held: Championship, board: Leaderboard, versions: Sequence[Version]) -> dict[str, Any]:
    return {
        "game": held.game.spec,
        "format": held.plan.format,
        "seed": held.plan.seed,
        "openings": dict(held.store.settings.openings),
        "data": held.store.settings.data,
        "is_finished": held.is_finished,
        "games": board.games,
        "marks": board.marks,
        "standings": [_line(line) for line in board.lines],
        "bots": [_bot(bot) for bot in held.store.bots()],
        "notes": _notes(held, board),
        "progress": [dataclasses.asdict(one) for one in versions],
        "played": [game_document(row) for row in held.rows(superseded=True)],
    }


def _line(line: Line) -> dict[str, Any]:
    standing = {} if line.standing is None else dataclasses.asdict(line.standing)
    rating = line.rating
    elo = None if rating is None else {"elo": finite(rating.elo), "standard_error": finite(rating.error)}
    return {
        **standing,
        "rank": standing.get("rank"),
        "bot": line.bot.name,
        "authors": line.bot.authors,
        "role": line.bot.role,
        "state": line.bot.state,
        "rating": elo,
        "mark": line.mark,
    }
