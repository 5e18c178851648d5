"""The authors' three tables, game by game."""

from typing import Any

import palabre
from palabre.study import Claim, Finding, Measurement, Results, fact
from studies.awale.games import played
from studies.plot import COLOURS, GREY
from studies.study import Plot, Study, Table

EVALUATIONS = ("raw", "defence", "corrected")
FIXED, ADAPTIVE = "adaptive:depth=6", "adaptive"
SEARCHES = {1: (FIXED, FIXED), 2: (ADAPTIVE, ADAPTIVE), 3: (FIXED, ADAPTIVE)}  # of players 1 and 2, by table
# The scores that the authors print: rows are player 1's evaluation, columns player 2's, in the order of EVALUATIONS.
REPORTED = {
    1: (((51, 14), (50, 7), (42, 32)), ((50, 8), (31, 50), (18, 50)), ((51, 14), (50, 7), (42, 32))),
    2: (((54, 26), (30, 27), (50, 32)), ((51, 6), (27, 22), (48, 38)), ((54, 26), (30, 27), (50, 32))),
    3: (((54, 17), (42, 44), (48, 15)), ((51, 12), (25, 42), (30, 49)), ((54, 17), (42, 44), (52, 15))),
}
PAIRS = [(first, second) for first in EVALUATIONS for second in EVALUATIONS]


def play_cell(table: int, first: str, second: str, searches: list[str]) -> dict[str, Any]:
    """One game of a table, from the first position."""
    one, two = (
        f"{search}{',' if ':' in search else ':'}eval={evaluation}"
        for search, evaluation in zip(searches, (first, second), strict=True)
    )
    return played(one, two, palabre.game("awale").start())


def reported(table: int, first: str, second: str) -> tuple[int, int]:
    """The score that the authors print."""
    return REPORTED[table][EVALUATIONS.index(first)][EVALUATIONS.index(second)]


def _cells(results: Results, table: int) -> dict[tuple[str, str], tuple[int, int]]:
    """Our scores of a table."""
    rows = [row for row in results.rows("tables") if row["table"] == table]
    return {(row["first"], row["second"]): (row["scores"][0], row["scores"][1]) for row in rows}


def _winner(score: tuple[int, int]) -> int:
    return (score[0] > score[1]) - (score[0] < score[1])


def _as_printed(table: int) -> Claim:
    theirs = {pair: reported(table, *pair) for pair in PAIRS}
    won = sum(_winner(score) > 0 for score in theirs.values())

    def judge(results: Results) -> Finding:
        ours = _cells(results, table)
        same = sum(_winner(score) == _winner(theirs[pair]) for pair, score in ours.items())
        equal = sum(score == theirs[pair] for pair, score in ours.items())
        first = sum(_winner(score) > 0 for score in ours.values())
        return fact(
            same == len(ours),
            f"{same} of {len(ours)} games; player 1 wins {first}",
            f"{same} of {len(ours)} games have the winner that the authors print, {equal} the same score.",
            "all games of the table have the winner that the authors print",
        )

    return Claim(f"The nine games of table {table} end as printed.", f"player 1 wins {won} of 9", judge)


def _raw_is_corrected(results: Results) -> Finding:
    pairs = [
        (ours[first, second], ours["corrected", second])
        for ours in (_cells(results, table) for table in (1, 2))
        for first, second in ours
        if first == "raw" and ("corrected", second) in ours
    ]
    same = sum(one == other for one, other in pairs)
    return fact(
        same == len(pairs),
        f"{same} of {len(pairs)} games",
        f"{same} of {len(pairs)} games end with the same score, whichever of the two player 1 uses.",
        "the scores of raw and corrected as player 1 are the same in all games of tables 1 and 2",
    )


def _tables(results: Results) -> list[Table]:
    tables = []
    for table, names in ((1, "both depth 6"), (2, "both adaptive"), (3, "player 1 depth 6, player 2 adaptive")):
        ours = _cells(results, table)
        rows = [
            [
                f"**{first}**",
                *(_shown(reported(table, first, second), ours.get((first, second))) for second in EVALUATIONS),
            ]
            for first in EVALUATIONS
        ]
        headings = ["player 1 ↓ player 2 →", *EVALUATIONS]
        note = "Seeds of player 1 / player 2: the authors' → ours; bold where another player wins."
        tables.append(Table(f"Table {table}: {names}", headings, rows, note))
    return tables


def _shown(theirs: tuple[int, int], ours: tuple[int, int] | None) -> str:
    here = "–" if ours is None else f"{ours[0]}/{ours[1]}"
    is_other = ours is not None and _winner(ours) != _winner(theirs)
    return f"{theirs[0]}/{theirs[1]} → {f'**{here}**' if is_other else here}"


def _draw(figure: Any, results: Results) -> None:
    axes = figure.subplots()
    for table, colour, marker in zip((1, 2, 3), COLOURS, "os^", strict=False):
        ours = _cells(results, table)
        leads = [(reported(table, *pair), score) for pair, score in ours.items()]
        theirs, here = (
            ([score[0] - score[1] for score in scores] for scores in zip(*leads, strict=True)) if leads else ([], [])
        )
        axes.scatter(theirs, here, color=colour, marker=marker, label=f"table {table}", alpha=0.8)
    axes.axline((0, 0), slope=1, color=GREY, linestyle="--", linewidth=1)
    axes.axhline(0, color=GREY, linewidth=1)
    axes.axvline(0, color=GREY, linewidth=1)
    axes.set(xlabel="player 1's lead in seeds, as printed", ylabel="player 1's lead here")
    axes.legend()


STUDY = Study(
    name="awale-tables",
    game="awale",
    title="Awalé: three tables of nine games",
    question="Do the games of the authors' tables come out again?",
    text="""
Each of the authors' three evaluations played every one, itself included, once as player 1 and once as player 2. Their
program leaves nothing to chance, so they took one game of each pair as the result. The bots here follow their
description: alpha-beta to depth 6, or to 6 to 10 plies by the seeds captured, promising moves first. What it leaves
open decides single games: which of two equal moves is played, how each term is scaled, where exactly the mistake of
`raw` lies ([our choices](../evaluations.md)). So this page shows how far a single game carries, not who is right.
""",
    steps=(
        Measurement(
            "tables",
            play_cell,
            [
                {"table": table, "first": first, "second": second, "searches": list(searches)}
                for table, searches in SEARCHES.items()
                for first, second in PAIRS
            ],
            quick=[
                {"table": table, "first": first, "second": second, "searches": ["adaptive:depth=1"] * 2}
                for table in SEARCHES
                for first, second in (("raw", "defence"), ("corrected", "defence"))
            ],
        ),
    ),
    claims=(
        *(_as_printed(table) for table in SEARCHES),
        Claim("As player 1, raw and corrected come to the same result.", "6 of 6 games", _raw_is_corrected),
    ),
    minutes=1,
    tables=_tables,
    plot=Plot(
        "Player 1's lead in each of the 27 games, as printed and here; equal leads would lie on the diagonal.", _draw
    ),
    limits=(
        "Each cell is one game. It has no error bar, and says nothing about other openings; the other experiments do.",
        "The authors' program is not public, so differences between it and its description cannot be seen.",
    ),
)
