"""Nodes and time by evaluation and depth, and the peaks of thinking time."""

from collections.abc import Callable, Sequence
from functools import cache
from statistics import fmean
from typing import Any

from palabre import Clock, Position, SearchBot, bot
from palabre.study import (
    Claim,
    Finding,
    Measurement,
    Results,
    above,
    below,
    mean_estimate,
    ratio_estimate,
    share_estimate,
)
from studies.awale.games import played
from studies.duel import opening
from studies.plot import COLOURS
from studies.study import Plot, Study, Table

EVALUATIONS = ("raw", "defence", "corrected")
TEXTBOOK, ORDERED = "alphabeta", "adaptive"  # without and with promising moves first and a transposition table
DEPTHS = {TEXTBOOK: (4, 6), ORDERED: (4, 6, 8)}
POSITIONS = 40
APART = 12  # plies between two positions of a game
LIMIT = 0.05  # seconds a move for the engine
LATE = 2 * LIMIT
PEAK = 2.5  # the authors' least peak, 5 s, over their average, 2 s
SEARCHES = {
    TEXTBOOK: "plain alpha-beta, depth 6",
    ORDERED: "adaptive, depth 6 to 10",
}
ENGINE = f"the engine, {1000 * LIMIT:.0f} ms a move"


@cache
def positions(count: int) -> list[Position]:
    """Positions of games between middling players, from the opening to the end."""
    chosen: list[Position] = []
    game = 0
    while len(chosen) < count:
        here = opening("awale", game)
        player = bot("adaptive:depth=2", here.game)
        player.sit_down(here.game, 0)
        ply = 0
        while not here.is_over and len(chosen) < count:
            if ply % APART == 0:
                chosen.append(here)
            here = here.play(player.choose(here, Clock()))
            ply += 1
        game += 1
    return chosen


def search(bot_name: str, evaluation: str, depth: int, count: int) -> dict[str, Any]:
    """The nodes and seconds of a search on each of so many positions."""
    nodes, seconds = [], []
    for here in positions(count):
        player = bot(f"{bot_name}:depth={depth},eval={evaluation}", here.game)
        assert isinstance(player, SearchBot)
        player.sit_down(here.game, here.to_move)  # an empty table for every position
        thought = player.think(here, Clock(depth=depth))
        nodes.append(thought.nodes)
        seconds.append(thought.seconds)
    return {"nodes": nodes, "seconds": seconds}


def play_itself(search: str, spec: str, evaluation: str, number: int) -> dict[str, Any]:
    """A game of a bot against itself from an opening."""
    return played(spec, spec, opening("awale", number))


def play_limited(spec: str, number: int) -> dict[str, Any]:
    """A game of the engine against itself, its time limited."""
    return played(spec, spec, opening("awale", number))


def _found(results: Results, name: str, evaluation: str, depth: int) -> dict[str, Any] | None:
    rows = results.rows("nodes")
    wanted = (name, evaluation, depth)
    return next((row for row in rows if (row["bot_name"], row["evaluation"], row["depth"]) == wanted), None)


def _deepest(results: Results, name: str) -> int:
    return max(int(row["depth"]) for row in results.rows("nodes") if row["bot_name"] == name)


def _cuts_less(name: str, title: str) -> Claim:
    def judge(results: Results) -> Finding:
        depth = _deepest(results, name)
        raw, corrected = (_found(results, name, evaluation, depth) for evaluation in ("raw", "corrected"))
        assert raw is not None
        assert corrected is not None
        ratios = [one / other for one, other in zip(raw["nodes"], corrected["nodes"], strict=True)]
        return above(f"the ratio of the nodes of raw to those of corrected ({title})", ratio_estimate(ratios), 1.0)

    return Claim(f"With `raw`, alpha-beta cuts less: {title}.", "suspected", judge)


def _ratios(results: Results, search: str, evaluation: str | None = None) -> list[float]:
    """For each game, how much larger its largest search is than its mean one."""
    rows = [row for row in results.rows("moves") if row["search"] == search and evaluation in (None, row["evaluation"])]
    return [max(row["nodes"]) / fmean(row["nodes"]) for row in rows]


def _has_peaks(search: str, title: str) -> Claim:
    def judge(results: Results) -> Finding:
        what = f"the largest search of a game to its mean one ({title})"
        return above(what, mean_estimate(_ratios(results, search), "×"), PEAK)

    return Claim(f"Thinking time has peaks: {title}.", "5 to 15 s, 2 s on average", judge)


def _has_none(kind: str, clock: str) -> Callable[[Results], Finding]:
    """Judge the engine by one of two clocks."""

    def judge(results: Results) -> Finding:
        late = [float(seconds > LATE) for row in results.rows("limited") for seconds in row[kind]]
        what = f"the share of moves that take more than {1000 * LATE:.0f} ms {clock}"
        return below(what, share_estimate(late), 0.01)

    return judge


def _tables(results: Results) -> list[Table]:
    rows = []
    for row in results.rows("nodes"):
        mean, most = fmean(row["nodes"]), max(row["nodes"])
        rows.append(
            [
                f"{row['bot_name']}, depth {row['depth']}, `{row['evaluation']}`",
                *(f"{number:,.0f}" for number in (mean, most)),
                *(f"{1000 * number:.2f}" for number in (fmean(row["seconds"]), max(row["seconds"]))),
            ]
        )
    headings = ["search", ">nodes a move", ">most", ">ms a move", ">most ms"]
    note = (
        "`alphabeta` searches moves in the order of the rules. `adaptive` orders them and keeps a transposition table."
    )
    effort = Table(f"The same {len(results.rows('nodes')[0]['nodes'])} positions", headings, rows, note)
    games = {
        f"{title}, `{evaluation}`": [
            row for row in results.rows("moves") if (row["search"], row["evaluation"]) == (search, evaluation)
        ]
        for search, title in SEARCHES.items()
        for evaluation in EVALUATIONS
    }
    games[ENGINE] = results.rows("limited")
    shown = []
    for title, chosen in games.items():
        if not chosen:
            continue
        nodes, seconds = ([spent for row in chosen for spent in row[kind]] for kind in ("nodes", "seconds"))
        times = (fmean(seconds), max(seconds))
        counts = (len(nodes), fmean(nodes), max(nodes))
        shown.append([title, *(f"{count:,.0f}" for count in counts), *(f"{1000 * spent:,.0f}" for spent in times)])
    headings = ["bot", ">moves", ">nodes a move", ">most", ">ms a move", ">most ms"]
    return [effort, Table("Whole games", headings, shown)]


def _draw(figure: Any, results: Results) -> None:
    axes = figure.subplots()
    games = {title: [row for row in results.rows("moves") if row["search"] == name] for name, title in SEARCHES.items()}
    games[ENGINE] = results.rows("limited")
    for (title, rows), colour, style in zip(games.items(), COLOURS, ("-", "--", ":"), strict=False):
        relative = sorted(spent / fmean(row["nodes"]) for row in rows for spent in row["nodes"])
        shares = [100 * (1 - place / len(relative)) for place in range(len(relative))]
        axes.plot(relative, shares, color=colour, linestyle=style, label=title)
    axes.set(
        xscale="log",
        yscale="log",
        xlabel="nodes of a move, in means of its game",
        ylabel="% of moves that take more",
    )
    axes.set_xlim(left=0.1)
    axes.legend()


def _moves() -> Sequence[dict[str, Any]]:
    return [
        {"search": search, "spec": f"{spec}eval={evaluation}", "evaluation": evaluation, "number": number}
        for search, spec in ((TEXTBOOK, "alphabeta:depth=6,"), (ORDERED, "adaptive:"))
        for evaluation in EVALUATIONS
        for number in range(2)
    ]


STUDY = Study(
    name="awale-effort",
    game="awale",
    title="Awalé: nodes, time and peaks",
    question="Does `raw` make alpha-beta cut less, and where do the peaks of thinking time come from?",
    text="""
The authors' searches took less than 2 s on average, with peaks of 5 s and, at worst, 15 s. They could not explain the
peaks, saw them above all where `raw` plays, and suspected that its mistake makes cuts less likely. Here plain
alpha-beta, the authors' search with ordered moves and a transposition table, and the engine play whole games, and the
first two search the same positions with each evaluation. Times are those of this machine; nodes are what is
judged, except for the engine, whose time is limited.
""",
    steps=(
        Measurement(
            "nodes",
            search,
            [
                {"bot_name": name, "evaluation": evaluation, "depth": depth, "count": POSITIONS}
                for name, depths in DEPTHS.items()
                for depth in depths
                for evaluation in EVALUATIONS
            ],
            quick=[
                {"bot_name": name, "evaluation": evaluation, "depth": 1, "count": 2}
                for name in DEPTHS
                for evaluation in EVALUATIONS
            ],
            is_timed=True,
        ),
        Measurement(
            "moves",
            play_itself,
            _moves(),
            quick=[
                {"search": search, "spec": "adaptive:depth=1", "evaluation": "raw", "number": 0} for search in SEARCHES
            ],
            is_timed=True,
        ),
        Measurement(
            "limited",
            play_limited,
            [{"spec": f"palabre:time={LIMIT}", "number": number} for number in range(4)],
            quick=[{"spec": "adaptive:depth=1", "number": 0}],
            is_timed=True,
        ),
    ),
    claims=(
        _cuts_less(TEXTBOOK, "plain alpha-beta"),
        _cuts_less(ORDERED, "ordered moves and a table"),
        _has_peaks(TEXTBOOK, "plain alpha-beta"),
        _has_peaks(ORDERED, "the authors' adaptive search"),
        Claim(
            "The engine, limited in time, has no peaks: time of the processor.",
            "what the authors wished for",
            _has_none("worked", "of the processor"),
        ),
        Claim(
            "The engine, limited in time, has no peaks: by the clock, on a busy machine.",
            "what the authors wished for",
            _has_none("seconds", "by the clock"),
        ),
    ),
    minutes=5,
    tables=_tables,
    plot=Plot("How many moves take more nodes than so many times the mean of their game, for three searches.", _draw),
    limits=(
        "The authors ordered moves and kept positions, but do not say how; their search lies between the first two.",
        "Times were taken while many other programs were running, and say little. A first run of 1,045 moves of the "
        "engine, judged by the clock alone, was undecided: 1.3 % (0.6 to 2.0). The time of the processor was taken "
        "after that. [The time limit](../reports/time_limit.md) has what a clock shows on an idle machine.",
    ),
)
