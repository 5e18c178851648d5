"""Is the first player favoured?"""

from typing import Any

from palabre.study import Claim, Finding, Games, Results, above, difference_estimate
from studies.awale.evaluations import DEPTH_4, DEPTH_6
from studies.plot import BLUE, ORANGE
from studies.study import Plot, Study, Table

# Two engines of nearly the same strength, so that the two games of an opening differ.
ENGINE = Games(
    "engine",
    {"engine": "palabre:nodes=500", "without history": "palabre:nodes=500,disable=history"},
    quick={"engine": "random", "without history": "random"},
    most=800,
    precision=0.0,  # all 400 openings
    balanced=False,
)
STEPS = {
    "depth-4": "the authors' bots at depth 4",
    "depth-6": "the authors' bots at depth 6",
    "engine": "the engine, 500 nodes a move",
}


def _claim(step: str) -> Claim:
    def judge(results: Results) -> Finding:
        return above(f"player 1's share ({STEPS[step]})", results.seat_share(step, 0))

    reported = "wins 7, 9 and 5 of 9 games" if step != "engine" else "the same"
    return Claim(f"The first player is favoured: {STEPS[step]}.", reported, judge)


def _grows(results: Results) -> Finding:
    shallow, deep = (
        {games[0].meeting.repeat: sum(row.shares[0] for row in games) / len(games) for games in results.openings(step)}
        for step in ("depth-4", "depth-6")
    )
    both = sorted(shallow.keys() & deep.keys())
    growth = difference_estimate([deep[opening] - shallow[opening] for opening in both])
    return above("player 1's share at depth 6 minus that at depth 4, on the same openings", growth, 0.0)


def _tables(results: Results) -> list[Table]:
    rows = [
        [
            title,
            f"{len(results.openings(step)):,}",
            str(results.seat_share(step, 0)),
            *(
                f"{100 * sum(row.shares[0] == share for row in results.games(step)) / len(results.games(step)):.1f} %"
                for share in (1.0, 0.5, 0.0)
            ),
        ]
        for step, title in STEPS.items()
    ]
    headings = ["bots", ">openings", "player 1's share", ">wins", ">draws", ">losses"]
    return [Table("Results of player 1", headings, rows)]


def _draw(figure: Any, results: Results) -> None:
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    wins = [sum(row.shares[0] for row in games) for games in results.openings("depth-4")]
    left.hist(wins, bins=[number - 0.25 for number in range(8)], rwidth=0.9, color=BLUE)
    left.set(xlabel="points of player 1 in the six games of an opening", ylabel="openings", title="depth 4")
    for place, step in enumerate(STEPS):
        share = results.seat_share(step, 0)
        value, low, high = (100 * number for number in (share.value, share.low, share.high))
        right.errorbar(place, value, yerr=[[value - low], [high - value]], fmt="o", color=BLUE, capsize=3)
    right.axhline(50, color=ORANGE, linestyle="--")
    right.set_xticks(range(len(STEPS)), STEPS)
    right.set(ylabel="player 1's share in %", xlim=(-0.5, len(STEPS) - 0.5))


STUDY = Study(
    name="awale-first-player",
    game="awale",
    title="Awalé: is the first player favoured?",
    question="Does player 1 win more often than player 2?",
    text="""
In the authors' tables player 1 wins 21 of 27 games. They call it a bias of the game, and say that depth makes it
larger. But 27 games from one and the same position are hardly more than one observation. Here every opening is played
by several pairs of bots, from both seats, so that what a bot is worth cancels out. After an opening, four random
moves, player 1 is to move again.
""",
    meaning="""
The first player is favoured, but by far less than 21 of 27 games suggest: by three to six points in a hundred. The
authors' games all began from one position and were played by programs that leave nothing to chance, so they were
hardly independent. Whether depth makes the advantage larger is open: the estimate says so, and its interval just
includes nothing at all.
""",
    steps=(DEPTH_4, DEPTH_6, ENGINE),
    claims=(
        *(_claim(step) for step in STEPS),
        Claim("The advantage grows with depth.", "7 of 9 at depth 6, 9 of 9 at 6 to 10", _grows),
    ),
    minutes=50,
    tables=_tables,
    plot=Plot(
        "Left: how many of the six games of an opening player 1 wins, over all openings. Right: player 1's share with "
        "95 % intervals.",
        _draw,
    ),
    limits=(
        "The advantage is that of being to move after four random moves, and not in the first position.",
        "Who wins with perfect play is another question, which no number of games answers.",
    ),
)
