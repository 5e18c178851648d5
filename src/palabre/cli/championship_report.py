"""What a championship costs and has shown, as people read it."""

from collections.abc import Sequence

from rich.table import Table

from palabre.arena.championship import Championship
from palabre.arena.documents import championship_document, estimate_document
from palabre.arena.leaderboard import Leaderboard, Line
from palabre.arena.league import Version
from palabre.arena.result import NORMAL_95
from palabre.cli.admission import rejection
from palabre.cli.live import in_words, replays
from palabre.cli.match_report import elo_in_words
from palabre.cli.output import NOTHING, console, print_json, print_table, table
from palabre.core.errors import listing
from palabre.core.words import own_words

say = own_words(__file__)

LONGEST_LIST = 10  # of things that have a line each


def print_cost(championship: Championship, workers: int, as_json: bool) -> None:
    """Print how many games there will be, and what they will take."""
    if as_json:
        print_json(estimate_document(championship, workers))
        return
    cost = championship.estimate(workers)
    is_certain = cost.least_games == cost.most_games
    between = say("cost.between", least=cost.least_games, most=cost.most_games)
    parts = [say("cost.games", games=cost.most_games) if is_certain else between]
    if cost.played:
        parts.append(say("cost.played", games=cost.played))
    if cost.seconds is not None:
        parts.append(say("cost.time", time=in_words(cost.seconds), workers=max(1, cost.workers)))
    if cost.megabytes is not None:
        parts.append(say("cost.memory", megabytes=cost.megabytes))
    format, game = championship.plan.format, championship.game.spec
    console.print(str(say("cost.all", format=format, game=game, parts=listing(parts))))


def report_championship(championship: Championship, as_json: bool) -> None:
    """Print the table of the games so far, at least one."""
    board = championship.leaderboard()
    lines = _notes(championship, board)
    if as_json:
        print_json({**championship_document(championship), "notes": lines})
        return
    id = "championship.games" if championship.is_finished else "championship.games_so_far"
    format, game = championship.plan.format, championship.game.spec
    console.print(str(say(id, games=board.games, game=game, format=format)))
    print_table(console, _standings(board))
    versions = championship.versions()
    if versions:
        print_table(console, _progress(versions))
    for line in lines:
        console.print(line)


def _standings(board: Leaderboard) -> Table:
    marks = (">mark",) if board.marks is not None else ()
    rows = table(">rank", "bot", ">points", ">games", ">W–D–L", ">forfeits", ">Elo (95 %)", *marks)
    for line in board.lines:
        mark = () if not marks else (NOTHING if line.mark is None else f"{line.mark:g}",)
        rows.add_row(*_cells(line), *mark)
    return rows


def _cells(line: Line) -> tuple[str, ...]:
    row, rating = line.standing, line.rating
    if row is None or rating is None:
        return ("rejected", line.bot.name, *[NOTHING] * 5)
    rank = line.bot.role if row.rank is None else str(row.rank)
    results = f"{row.wins}–{row.draws}–{row.losses}"
    elo = f"{elo_in_words(rating.elo)} ± {NORMAL_95 * rating.error:.0f}"
    return (rank, line.bot.name, f"{row.points:g}", str(row.games), results, str(row.forfeits), elo)


def _progress(versions: Sequence[Version]) -> Table:
    rows = table("bot", "since", ">games", ">Elo", ">±", title="progress")
    for each in versions:
        elo, error = elo_in_words(each.elo), f"{NORMAL_95 * each.error:.0f}"
        rows.add_row(each.title, each.since[:10], str(each.games), elo, error)
    return rows


def _notes(championship: Championship, board: Leaderboard) -> list[str]:
    """What a reader of the table should know, a line for each."""
    lines = [rejection(line.bot) for line in board.lines if line.standing is None]
    lines += [*board.notes, *replays(championship.rows(superseded=True)), *same_files_lines(championship)]
    alike = championship.same_moves()
    lines += [
        str(say("championship.alike", first=each.bots[0], second=each.bots[1], positions=each.positions))
        for each in alike[:LONGEST_LIST]
    ]
    if len(alike) > LONGEST_LIST:
        lines.append(f"so did {len(alike) - LONGEST_LIST} other pairs")
    if not championship.is_finished:
        lines.append(str(say("championship.unfinished")))
    return lines


def same_files_lines(championship: Championship) -> list[str]:
    """A line for each group of submissions that are the same but for names."""
    return [f"the same files, except for names: {listing(group)}" for group in championship.same_files]
