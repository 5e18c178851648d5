"""The pages for everybody: standings with error bars, the cross-table, thinking times, and every game on a board."""

import math
import statistics
from collections import defaultdict
from pathlib import Path

from palabre.arena.result import NORMAL_95
from palabre.arena.rows import MACHINE_LATE, GameRow, replays
from palabre.core.game import Game
from palabre.core.record import result_text
from palabre.core.words import say
from palabre.web.report.facts import Facts, public_ending
from palabre.web.report.markup import Markup, copy_static, join, page, shown, table, tag
from palabre.web.report.progress import progress_section
from palabre.web.report.replays import write_replays

WHISKER_WIDTH, WHISKER_HEIGHT = 160, 20  # pixels of a plot in a table
SURE = 0.95  # a likelihood of superiority above this is set in bold
SHORTEST = 0.01  # milliseconds; a plot of powers of ten has no zero
NONE = "–"


def write_public(folder: Path, game: Game, facts: Facts) -> None:
    """Write the pages and the games into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    copy_static(folder, "report.css")
    (folder / "index.html").write_text(_index(facts), encoding="utf-8")
    write_replays(folder, game, facts.games, facts.title)


def _index(facts: Facts) -> str:
    parts = [
        tag("h1", facts.title),
        tag(
            "p",
            f"{facts.spec}, {facts.format}, {len(facts.games):,} games of {len(facts.tallies)} bots",
            class_="facts",
        ),
        tag("h2", "Standings"),
        _standings(facts),
        *_counted(facts),
        *_seats(facts),
        *_notes(facts),
        *progress_section(facts.progress),
        tag("h2", "Who beat whom"),
        tag("p", "The score of the row against the column; each cell leads to the games.", class_="facts"),
        _cross_table(facts),
        tag("h2", "Likelihood of superiority"),
        tag("p", "The chance that the row is the better bot, from all games together.", class_="facts"),
        _superiority(facts),
        tag("h2", "Thinking time"),
        _times(facts),
        *_rejected(facts),
        tag("h2", "Games"),
        _games(facts),
    ]
    return page(facts.title, *parts)


def _standings(facts: Facts) -> Markup:
    lows, highs = (
        zip(*(rating.elo_95 for rating in facts.ratings.bots), strict=True) if facts.ratings.bots else ((0.0,), (0.0,))
    )
    authors = {bot.name: "" if facts.is_anonymous else bot.authors for bot in facts.bots}
    has_authors = any(authors.values())
    again = replays(facts.replayed)
    rows = []
    for name in facts.names:
        rating, own = facts.ratings.of(name), facts.tallies[name]
        extreme = " (all alike)" if rating.is_extreme else ""
        rows.append(
            (
                shown(rating.bot),
                *([shown(authors.get(rating.bot, ""))] if has_authors else []),
                facts.rank(name),
                own.games,
                own.wins,
                own.draws,
                own.losses,
                own.forfeits,
                *([again[name]] if again else []),
                f"{own.points:g}",
                f"{round(rating.elo):+d} ± {NORMAL_95 * rating.error:.0f}{extreme}",
                _whisker(rating.elo, rating.elo_95, min(lows), max(highs)),
            )
        )
    replayed = ("replayed",) if again else ()
    counts = ("rank", "games", "wins", "draws", "losses", "forfeits", *replayed, "points", "Elo (95 %)", "")
    named = ("bot", "authors") if has_authors else ("bot",)
    return table((*named, *counts), rows, numbers_from=len(named))


def _counted(facts: Facts) -> list[Markup]:
    """What the numbers in the standings count."""
    told = "Forfeits are among the losses."
    if not facts.counts_staff:
        told += f" {say('report.competitors_only')}"
    late = sum(row.superseded == MACHINE_LATE for row in facts.replayed)
    if late:
        told += f" {say('report.late', count=late)}"
    return [tag("p", told, class_="facts")]


def _whisker(mean: float, interval: tuple[float, float], low: float, high: float) -> Markup:
    """A small plot: a dot with its error bar on the scale of the whole table."""
    span = (high - low) or 1.0

    def place(value: float) -> float:
        return 6 + (WHISKER_WIDTH - 12) * (value - low) / span

    middle, left, right = WHISKER_HEIGHT / 2, place(interval[0]), place(interval[1])
    zero = (
        f'<line class="zero" x1="{place(0):.1f}" x2="{place(0):.1f}" y1="0" y2="{WHISKER_HEIGHT}"/>'
        if low <= 0 <= high
        else ""
    )
    return Markup(
        f'<td><svg width="{WHISKER_WIDTH}" height="{WHISKER_HEIGHT}" aria-hidden="true">{zero}'
        f'<line class="whisker" x1="{left:.1f}" x2="{right:.1f}" y1="{middle}" y2="{middle}"/>'
        f'<circle class="mean" cx="{place(mean):.1f}" cy="{middle}" r="4"/></svg></td>'
    )


def _seats(facts: Facts) -> list[Markup]:
    told = ", ".join(
        f"seat {seat.seat + 1}: {round(seat.elo):+d} ± {NORMAL_95 * seat.error:.0f}" for seat in facts.ratings.seats
    )
    return [tag("p", f"What a seat is worth, in Elo: {told}", class_="facts")] if told else []


def _notes(facts: Facts) -> list[Markup]:
    return [tag("p", shown(note, 1000), class_="facts") for note in (facts.board.notes if facts.board else ())]


def _cross_table(facts: Facts) -> Markup:
    """The share of each bot against each other in the games that they played together."""
    points: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for row in facts.games:
        for seat, bot in enumerate(row.bots):
            for other in set(row.bots) - {bot}:
                points[bot, other].append(row.shares[seat])
    names = facts.names
    rows = []
    for row_number, name in enumerate(names):
        cells: list[object] = [f"{row_number + 1}. {shown(name)}"]
        for column, other in enumerate(names):
            found = points[name, other]
            if row_number == column:
                cells.append(Markup('<td class="self"></td>'))
            elif not found:
                cells.append(NONE)
            else:
                label = f"{sum(found):g}/{len(found)}"
                cells.append(tag("a", label, href=f"#games-{min(row_number, column)}-{max(row_number, column)}"))
        rows.append(cells)
    return table(["", *(str(number + 1) for number in range(len(names)))], rows, numbers_from=1, class_="cross")


def _superiority(facts: Facts) -> Markup:
    names = facts.names
    rows = []
    for place, name in enumerate(names):
        cells: list[object] = [f"{place + 1}. {shown(name)}"]
        for column, chance in enumerate(facts.ratings.los(name, other) for other in names):
            if column == place:
                cells.append(Markup('<td class="self"></td>'))
            elif math.isnan(chance):
                cells.append(NONE)
            else:
                cells.append(tag("span", f"{100 * chance:.0f} %", **({"class_": "sure"} if chance >= SURE else {})))
        rows.append(cells)
    return table(["", *(str(number + 1) for number in range(len(names)))], rows, numbers_from=1, class_="cross")


def _times(facts: Facts) -> Markup:
    """Thinking times of each bot, with a small plot on a common scale of powers of ten."""
    told = {}
    for name in facts.names:
        seconds = sorted(facts.seconds[name])
        if seconds:
            middle = (statistics.median(seconds), seconds[math.ceil(0.95 * len(seconds)) - 1], seconds[-1])
            told[name] = len(seconds), tuple(max(1000 * value, SHORTEST) for value in middle)
    scale = [math.log10(value) for _, values in told.values() for value in values]
    rows = []
    for bot, (moves, values) in told.items():
        median, most, slowest = (math.log10(value) for value in values)
        plot = _whisker(median, (min(scale), most), min(scale), max(*scale, slowest))
        rows.append((shown(bot), f"{moves:,}", *(f"{value:.1f}" for value in values), plot))
    return table(("bot", "moves", "median, ms", "95 % below, ms", "slowest, ms", ""), rows, numbers_from=1)


def _rejected(facts: Facts) -> list[Markup]:
    """Who was not admitted, but not why: that is between the authors and the teacher."""
    rejected = [bot for bot in facts.bots if bot.state == "rejected"]
    if not rejected:
        return []
    told = f"{len(rejected)} of {len(facts.bots)} bots"  # a file without a readable name may be named after a person
    if not facts.is_anonymous:
        told += f": {', '.join(shown(bot.name) for bot in rejected)}"
    return [tag("h2", "Not admitted"), tag("p", told)]


def _games(facts: Facts) -> Markup:
    """All games, grouped by who played, so that the cross-table can lead to them."""
    rank = {name: number for number, name in enumerate(facts.names)}
    groups: defaultdict[tuple[int, ...], list[tuple[int, GameRow]]] = defaultdict(list)
    for number, row in enumerate(facts.games, start=1):
        groups[tuple(sorted({rank[bot] for bot in row.bots if bot in rank}))].append((number, row))
    parts = []
    for members, rows in sorted(groups.items()):
        anchors = [tag("span", "", id=f"games-{one}-{two}") for one in members for two in members if one < two]
        listed = [
            (
                tag("a", number, href=f"replay.html#{number}@0"),
                " – ".join(shown(bot) for bot in row.bots),
                public_ending(row),
                result_text(row.shares),
                " – ".join(str(score) for score in row.scores),
                row.plies,
            )
            for number, row in rows
        ]
        names = " – ".join(shown(facts.names[member]) for member in members)
        head = ("game", "players", "end", "result", "scores", "plies")
        parts.append(
            join([*anchors, tag("details", tag("summary", f"{names}: {len(rows)} games"), table(head, listed, 3))])
        )
    return tag("div", *parts, class_="pairs")
