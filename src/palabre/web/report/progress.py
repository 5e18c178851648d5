"""The progress of bots that were handed in again: their ratings by date, as a plot and as a table."""

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby

from palabre.arena.league import Version
from palabre.arena.result import NORMAL_95
from palabre.web.report.markup import Markup, join, shown, table, tag

WIDTH, HEIGHT = 640, 280  # pixels
EDGE = 40


def progress_section(versions: Sequence[Version]) -> list[Markup]:
    """The section of a page; empty if no bot has a second version."""
    if all(one.number == 1 for one in versions):
        return []
    rows = [
        (shown(one.title), one.since[:10], one.games, f"{one.elo:+.0f} ± {NORMAL_95 * one.error:.0f}")
        for one in versions
    ]
    return [
        tag("h2", "Progress"),
        tag("p", "Each version of a bot, rated together with all others.", class_="facts"),
        _plot(versions),
        table(("bot", "since", "games", "Elo (95 %)"), rows, numbers_from=2),
    ]


def _plot(versions: Sequence[Version]) -> Markup:
    """A line for each bot: Elo over the date of its versions, with error bars."""
    times = {one.since: datetime.fromisoformat(one.since).timestamp() for one in versions}
    first, last = min(times.values()), max(times.values())
    low = min(one.elo - NORMAL_95 * one.error for one in versions)
    high = max(one.elo + NORMAL_95 * one.error for one in versions)

    def across(one: Version) -> float:
        return EDGE + (WIDTH - 2 * EDGE) * (times[one.since] - first) / ((last - first) or 1.0)

    def down(elo: float) -> float:
        return HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * (elo - low) / ((high - low) or 1.0)

    parts: list[Markup] = []
    for name, group in groupby(versions, key=lambda one: one.bot):
        line = list(group)
        points = " ".join(f"{across(one):.1f},{down(one.elo):.1f}" for one in line)
        drawn = [tag("title", shown(name)), tag("polyline", points=points, class_="course", fill="none")]
        for one in line:
            ends = [down(one.elo + side * NORMAL_95 * one.error) for side in (-1, 1)]
            x = f"{across(one):.1f}"
            drawn.append(tag("line", x1=x, x2=x, y1=f"{ends[0]:.1f}", y2=f"{ends[1]:.1f}", class_="whisker"))
            drawn.append(tag("circle", cx=x, cy=f"{down(one.elo):.1f}", r="4", class_="mean"))
        end = line[-1]
        place = {"x": f"{across(end) - 6:.1f}", "y": f"{down(end.elo) - 8:.1f}", "text_anchor": "end"}
        parts.append(tag("g", *drawn, tag("text", shown(name, 20), **place)))
    axis = [
        tag("text", f"{high:+.0f}", x="2", y=f"{down(high) + 4:.1f}"),
        tag("text", f"{low:+.0f}", x="2", y=f"{down(low) + 4:.1f}"),
        tag("text", min(times)[:10], x=str(EDGE), y=str(HEIGHT - 6)),
        tag("text", max(times)[:10], x=str(WIDTH - EDGE), y=str(HEIGHT - 6), text_anchor="end"),
    ]
    return tag("svg", join([*axis, *parts]), width=str(WIDTH), height=str(HEIGHT), class_="progress", role="img")
