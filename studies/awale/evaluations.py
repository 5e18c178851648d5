"""Which of the three evaluations is best, and for whom?"""

from collections.abc import Sequence
from typing import Any

from palabre import GameRow
from palabre.study import Claim, Finding, Games, Results, above, all_of, mean_share
from studies.plot import BLUE, ORANGE
from studies.study import Plot, Study, Table

EVALUATIONS = ("raw", "defence", "corrected")


def bots(depth: int) -> dict[str, str]:
    """The three bots that search to a depth."""
    return {evaluation: f"adaptive:depth={depth},eval={evaluation}" for evaluation in EVALUATIONS}


DEEP = {f"deep {evaluation}": f"adaptive:depth=4,eval={evaluation}" for evaluation in EVALUATIONS}
SHALLOW = {evaluation: f"adaptive:depth=2,eval={evaluation}" for evaluation in EVALUATIONS}
# Openings are not balanced: whom they favour is part of the question.
DEPTH_4 = Games("depth-4", bots(4), quick=dict.fromkeys(EVALUATIONS, "random"), balanced=False)
DEPTH_6 = Games("depth-6", bots(6), quick=dict.fromkeys(EVALUATIONS, "random"), most=500, balanced=False)
DEEPER = Games(
    "deeper",
    {**SHALLOW, **DEEP},
    quick=dict.fromkeys((*SHALLOW, *DEEP), "random"),
    pairings=[(one, other) for one in SHALLOW for other in DEEP],
    most=200,
    balanced=False,
)


def lead(results: Results, step: str, bot: str, other: str, seat: int | None = None) -> Finding:
    """Judge whether a bot scores more than another one, in all or in one seat."""

    def difference(games: Sequence[GameRow]) -> float:
        return mean_share(games, bot, seat=seat) - mean_share(games, other, seat=seat)

    where = "" if seat is None else f" as player {seat + 1}"
    return above(f"{bot} minus {other}{where} ({step})", results.difference(step, difference), 0.0)


def _most_versatile(results: Results) -> Finding:
    return all_of([lead(results, "depth-4", "corrected", other) for other in ("raw", "defence")])


def _most_versatile_deeper(results: Results) -> Finding:
    return all_of([lead(results, "depth-6", "corrected", other) for other in ("raw", "defence")])


def _defence_as_player_2(results: Results) -> Finding:
    def difference(games: Sequence[GameRow]) -> float:
        return mean_share(games, "defence", seat=1) - mean_share(games, "defence", seat=0)

    return above("defence as player 2 minus as player 1", results.difference("depth-4", difference), 0.0)


def _best_for_player_2(results: Results) -> Finding:
    return all_of([lead(results, "depth-4", "defence", other, seat=1) for other in ("raw", "corrected")])


def _best_for_a_deeper_player_2(results: Results) -> Finding:
    return all_of([lead(results, "deeper", "deep defence", f"deep {other}", seat=1) for other in ("raw", "corrected")])


def _tables(results: Results) -> list[Table]:
    tables = []
    for step, title in (("depth-4", "Depth 4"), ("depth-6", "Depth 6")):
        rows = [
            [
                f"**{one}**",
                *(
                    "–" if one == other else str(results.score(step, one, against=other, seat=0))
                    for other in EVALUATIONS
                ),
                *(str(results.score(step, one, seat=seat)) for seat in (0, 1, None)),
            ]
            for one in EVALUATIONS
        ]
        headings = ["player 1 ↓ player 2 →", *EVALUATIONS, "as player 1", "as player 2", "in all"]
        tables.append(Table(title, headings, rows, "Scores of the evaluation on the left, with 95 % intervals."))
    rows = [[f"**{name}**", *(str(results.score("deeper", name, seat=seat)) for seat in (0, 1))] for name in DEEP]
    note = "Scores against all three evaluations at depth 2."
    tables.append(Table("Depth 4 against depth 2", ["evaluation", "as player 1", "as player 2"], rows, note))
    return tables


def _draw(figure: Any, results: Results) -> None:
    left, right = figure.subplots(1, 2, sharey=True)
    for axes, step, title in ((left, "depth-4", "depth 4"), (right, "depth-6", "depth 6")):
        for seat, colour, marker in ((0, BLUE, "o"), (1, ORANGE, "s")):
            for place, name in enumerate(EVALUATIONS):
                score = results.score(step, name, seat=seat)
                value, low, high = (100 * number for number in (score.value, score.low, score.high))
                label = f"as player {seat + 1}" if place == 0 else None
                error = [[value - low], [high - value]]
                where = place + 0.16 * (seat - 0.5)
                axes.errorbar(where, value, yerr=error, fmt=marker, color=colour, capsize=3, label=label)
        axes.axhline(50, color="black", linestyle="--", linewidth=1)
        axes.set_xticks(range(len(EVALUATIONS)), EVALUATIONS)
        axes.set(title=title, ylim=(0, 100))
    left.set_ylabel("score in %, with 95 % intervals")
    left.legend()


STUDY = Study(
    name="awale-evaluations",
    game="awale",
    title="Awalé: which evaluation for whom?",
    question="Is `corrected` the most versatile evaluation, and does `defence` suit player 2?",
    text="""
`raw` and `corrected` weigh seeds captured, seeds owned and seeds that can be captured; `raw` has a mistake in the
last ([evaluations](../evaluations.md)). `defence` adds holes that are hard to capture. From two tables of nine games
the authors concluded that `corrected` gives the best results against an unknown opponent, and that `defence` is for
player 2, above all where player 2 searches deeper. Here the three meet from many openings, each opening from both
seats. *Versatile* is read as: scores more than each of the others against all opponents together.
""",
    meaning="""
`defence` is the weakest of the three in either seat, at either depth, and for the side that searches deeper. It gains
ground with depth, but it is nowhere near the others. `corrected` has the highest score at both depths; how much it is
better than `raw` remains open. The mistake in `raw` costs three or four points in a hundred, if it costs anything: it
concerns one term of four, and alpha-beta sees most captures for itself.
""",
    steps=(DEPTH_4, DEPTH_6, DEEPER),
    claims=(
        Claim(
            "`corrected` is the most versatile (depth 4).",
            "wins 5 of 6 games as player 1, tables 1 and 3",
            _most_versatile,
        ),
        Claim("`corrected` is the most versatile (depth 6).", "the same", _most_versatile_deeper),
        Claim(
            "`defence` does better as player 2 than as player 1 (depth 4).",
            "1 of 3 and 3 of 3 wins, tables 1 and 3",
            _defence_as_player_2,
        ),
        Claim(
            "For player 2, `defence` is the best evaluation (depth 4).",
            "player 1 takes the fewest seeds, table 2",
            _best_for_player_2,
        ),
        Claim(
            "For a player 2 who searches deeper, `defence` is the best evaluation (depth 4 against 2).",
            "wins 3 of 3 games, table 3",
            _best_for_a_deeper_player_2,
        ),
    ),
    minutes=55,
    tables=_tables,
    plot=Plot("Scores of the three evaluations as player 1 and as player 2, at depth 4 and at depth 6.", _draw),
    limits=(
        "Games at depth 6 take seven times as long as at depth 4, so there are fewer of them; the authors searched 6 "
        "to 10 plies. `--games 2000` goes on to ± 3 %.",
        "Evaluations may change places with depth (compare the tables): verdicts at depth 4 do not carry over to the "
        "authors' depth.",
        "After 800 games of each pair at depth 4, the first claim looked confirmed, at 5.1 % (1.5 to 8.7); more games "
        "left it undecided.",
        "An opening is four random moves, and not the authors' first position.",
        "A score counts games, and not seeds; part of what the authors say of `defence` is about seeds.",
    ),
)
