"""How many rows does it take to beat alpha-beta?"""

import itertools
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import palabre
from palabre import Observation, bot, observed, random_openings
from palabre.study import Claim, Estimate, Finding, Measurement, Results, above, difference_estimate, share_estimate
from studies.duel import duel
from studies.plot import COLOURS, GREY
from studies.study import Plot, Study, Table

OPPONENT = "alphabeta:depth=4"
EQUALS, UNEQUAL = "equals", "expert and novice"
EXPERT, NOVICE = "palabre:nodes=1000", "palabre:level=2"
IMITATE = "imitate"
GAMES = "awele:stagnation=50"  # for games of equals, which would wander for a thousand plies
SIZES = (303, 1000, 3000, 10_000, 30_000, 100_000)
DRAWS = 3  # lots of rows of each size, but for the largest, of which there is one
PAIRS = 50  # of games of each lot; as many games in all for the largest
SERIES = (
    ("logistic", "value", EQUALS),
    ("forest", IMITATE, EQUALS),
    ("forest", "value", EQUALS),
    ("net", "value", EQUALS),
    ("logistic", "value", UNEQUAL),
    ("forest", IMITATE, UNEQUAL),
)
SEED = 7


class Lots:
    """Rows of games, played as they are needed and kept."""

    def __init__(self, games: Iterator[list[Observation]]) -> None:
        self._games, self._rows = games, list[Observation]()

    def take(self, first: int, count: int) -> list[Observation]:
        """So many rows, from the row with this number on."""
        while len(self._rows) < first + count:
            self._rows += next(self._games)
        return self._rows[first : first + count]


@cache
def lots(kind: str) -> Lots:
    """Rows of games between equals, or of an expert against a novice."""
    return Lots(_equal_games() if kind == EQUALS else _unequal_games())


def _equal_games() -> Iterator[list[Observation]]:
    for number in itertools.count():
        [record] = palabre.self_play(GAMES, 1, nodes=1000, seed=SEED, first=number)
        yield observed(record)


def _unequal_games() -> Iterator[list[Observation]]:
    """Matches of a hundred games, each played as far as it is needed and then resumed."""
    for number in itertools.count():
        with tempfile.TemporaryDirectory() as folder:
            file, played = Path(folder, "match.event"), 0
            for games in (2, 4, 8, 16, 32, 64, 100):
                palabre.play_match(EXPERT, NOVICE, "awele", games, seed=SEED + number, balanced=False, file=file)
                with palabre.read_store(file) as store:
                    records = store.records()[played:]
                yield from map(observed, records)
                played = games


def score(model: str, aim: str, kind: str, rows: int, draw: int, pairs: int) -> dict[str, Any]:
    """The score of a learner against alpha-beta in pairs of games, after it has learnt from one lot of rows."""
    game = palabre.game("awele")
    learner, opponent = bot(f"learner:model={model},aim={aim}", game), bot(OPPONENT, game)
    learner.learn(lots(kind).take(draw * rows, rows), 3600.0)
    first = pairs * draw
    openings = random_openings(game, pairs, seed=SEED, first=first)
    return {"pairs": [duel(learner, opponent, start, seed) for seed, start in enumerate(openings, first)]}


def _case(series: Sequence[str], rows: int, draw: int, pairs: int) -> dict[str, Any]:
    return {**dict(zip(("model", "aim", "kind"), series, strict=True)), "rows": rows, "draw": draw, "pairs": pairs}


CURVE = Measurement(
    "curve",
    score,
    [
        _case(series, rows, draw, DRAWS * PAIRS if rows == SIZES[-1] else PAIRS)
        for rows in SIZES
        for series in SERIES
        for draw in range(1 if rows == SIZES[-1] else DRAWS)
    ],
    quick=[_case(series, rows, 0, 1) for series in (SERIES[0], SERIES[1], SERIES[4]) for rows in (40, 80)],
)


def of_series(results: Results, series: Sequence[str]) -> dict[int, list[dict[str, Any]]]:
    """The rows of the measurement for a series, by the number of rows learnt from."""
    by_size: dict[int, list[dict[str, Any]]] = {}
    for row in results.rows("curve"):
        if (row["model"], row["aim"], row["kind"]) == tuple(series):
            by_size.setdefault(row["rows"], []).append(row)
    return by_size


def estimate(rows: Sequence[dict[str, Any]]) -> Estimate:
    """The score of one series at one size, over all its lots."""
    return share_estimate([pair for row in rows for pair in row["pairs"]])


def title(series: Sequence[str]) -> str:
    model, aim, kind = series
    return f"{model}, {aim}, games of {kind}"


def _beats(series: Sequence[str], choose: Callable[[Iterable[int]], int]) -> Any:
    """Judge whether a learner beats alpha-beta with the fewest rows, or with the most."""

    def judge(results: Results) -> Finding:
        by_size = of_series(results, series)
        rows = choose(by_size)
        return above(f"the score of {title(series)}, after {rows:,} rows", estimate(by_size[rows]))

    return judge


def _teaches_more(results: Results) -> Finding:
    """Whether the fewest rows against a novice teach more than as many of equals: both play the same openings."""
    unequal, equal = of_series(results, SERIES[4]), of_series(results, SERIES[0])
    size = min(equal)
    pairs = [[pair for row in by_size[size] for pair in row["pairs"]] for by_size in (unequal, equal)]
    gains = [one - other for one, other in zip(*pairs, strict=True)]
    return above(f"what {size} rows against a novice add to the score", difference_estimate(gains), 0.0)


def tables(results: Results) -> list[Table]:
    """The learning curves in figures."""
    rows = []
    for series in SERIES:
        for size, measured in sorted(of_series(results, series).items()):
            lots_apart = ", ".join(f"{100 * estimate([row]).value:.0f}" for row in measured)
            rows.append((title(series), f"{size:,}", str(estimate(measured)), lots_apart))
    return [
        Table(
            f"The score against {OPPONENT}",
            ("learner", ">rows", ">score (95 %)", "each lot"),
            rows,
            "The interval says how well the score of these bots is known from their games. The scores of the single "
            "lots show how much it matters which rows there were.",
        )
    ]


def draw_curves(figure: Any, results: Results) -> None:
    """The score by the number of rows, a line for each learner."""
    axes = figure.subplots()
    for series, colour in zip(SERIES, (*COLOURS[:4], COLOURS[0], COLOURS[1]), strict=True):
        by_size = of_series(results, series)
        if not by_size:
            continue
        sizes = sorted(by_size)
        scores = [estimate(by_size[size]) for size in sizes]
        values = [100 * one.value for one in scores]
        errors = [[100 * (one.value - one.low) for one in scores], [100 * (one.high - one.value) for one in scores]]
        style = "-" if series[2] == EQUALS else ":"
        axes.errorbar(
            sizes, values, yerr=errors, fmt="o", linestyle=style, color=colour, capsize=3, label=title(series)
        )
        for size in sizes:
            for row in by_size[size]:
                axes.plot(size, 100 * estimate([row]).value, ".", markersize=3, color=colour, alpha=0.6)
    axes.axhline(50, color=GREY, linestyle="--", linewidth=1)
    axes.set_xscale("log")
    axes.set_xticks(SIZES, [f"{size:,}" for size in SIZES])
    axes.minorticks_off()
    axes.set_ylim(0, 75)
    axes.set_xlabel("rows of observations learnt from")
    axes.set_ylabel(f"score against {OPPONENT}, %")
    axes.legend(loc="upper left", frameon=False, fontsize=8)


STUDY = Study(
    name="awele-rows",
    game="awele",
    title="Awélé: how many rows it takes",
    question="How many rows of self-play does a bot that learns need to beat alpha-beta of depth 4?",
    text=f"""
The course hands out 303 rows; a computer can play as many games as one likes. Here the engine with 1,000 nodes a move
plays against itself (*equals*, from random openings, by the rules `{GAMES}` so that nobody wanders), or against
its level 2 (*expert and novice*, as in the course). [Learners](../learning.md) get 303 rows, 1,000, and so on, and then
play `{OPPONENT}`. They look one ply ahead at most; alpha-beta looks four. At each size but the largest there are
{DRAWS} lots that have no row in common, with {2 * PAIRS} games each; for the largest there is one, with as many games.
""",
    steps=(CURVE,),
    claims=(
        Claim("303 rows of good self-play are enough to beat alpha-beta of depth 4.", "–", _beats(SERIES[0], min)),
        Claim("As many rows as were tried are enough, for logistic regression as value.", "–", _beats(SERIES[0], max)),
        Claim("As many rows as were tried are enough, for a forest that imitates.", "–", _beats(SERIES[1], max)),
        Claim("303 rows against a novice teach a value better than 303 rows of equals.", "–", _teaches_more),
    ),
    minutes=10,
    tables=tables,
    plot=Plot(
        "Learning curves: the score against alpha-beta of depth 4 by the number of rows, for six learners; the table "
        "below has the figures.",
        draw_curves,
        height=4.6,
    ),
    limits=(
        "Alpha-beta evaluates by the seeds taken alone; with a better evaluation it would be stronger.",
        "The intervals count openings, not lots of rows. Three lots are too few to say how much a fourth would differ, "
        "so what is close here is less certain than its interval.",
        "The models are as simple as in the first experiment, and so is what they see of a position.",
    ),
)
