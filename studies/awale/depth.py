from palabre.study import Claim, Finding, Games, Results, above
from studies.study import Study, Table

"""Is adaptive depth worth something?"""


def _is_worth_something(results: Results) -> Finding:
    return above("the score of adaptive depth against depth 6", results.score("adaptive-6", "adaptive"))


def _beats_depth_7(results: Results) -> Finding:
    return above("the score of adaptive depth against depth 7", results.score("adaptive-7", "adaptive"))


def _tables(results: Results) -> list[Table]:
    rows = []
    for step, other in (("adaptive-6", "depth 6"), ("adaptive-7", "depth 7")):
        for bot in ("adaptive", other):
            spent = [nodes for nodes, _ in results.searches(step, bot)]
            scores = (str(results.score(step, bot, seat=seat)) for seat in (0, 1, None))
            rows.append([f"{bot} ({step})", f"{sum(spent) / len(spent):,.0f}", f"{max(spent):,}", *scores])
    headings = ["bot", ">nodes a move", ">most", "as player 1", "as player 2", "score"]
    return [Table("What it costs, and what it brings", headings, rows, "Nodes do not depend on the machine.")]


STUDY = Study(
    name="awale-depth",
    game="awale",
    title="Awalé: adaptive depth",
    question="Is it worth searching deeper as the board empties?",
    text="""
The authors' bot searches 6 plies while less than 15 % of the seeds are captured, then 7, 8, 9 and 10. They let it
play player 2 against a search of fixed depth 6, nine games in all, and saw player 2 win 4 of them instead of 2. More
depth for more time is no surprise, so it also meets depth 7. All use `corrected`.
""",
    meaning="""
Adaptive depth is worth something. It beats depth 6 in two games of three, for twice the nodes. Against depth 7 it holds
its own, within the error, and depth 7 costs two and a half times as many nodes. A nearly empty board has few moves, so
the plies that adaptive depth adds are cheap ones, and they come when games are decided.
""",
    steps=(
        Games(
            "adaptive-6",
            {"adaptive": "adaptive", "depth 6": "adaptive:depth=6"},
            quick={"adaptive": "adaptive:depth=1,eval=raw", "depth 6": "adaptive:depth=1"},
            most=400,
        ),
        Games(
            "adaptive-7",
            {"adaptive": "adaptive", "depth 7": "adaptive:depth=7"},
            quick={"adaptive": "adaptive:depth=1,eval=raw", "depth 7": "adaptive:depth=1"},
            most=160,
        ),
    ),
    claims=(
        Claim("Adaptive depth is better than depth 6.", "player 2 wins 4 of 9 games instead of 2", _is_worth_something),
        Claim("Adaptive depth is better than depth 7.", "not tried", _beats_depth_7),
    ),
    minutes=16,
    tables=_tables,
    limits=(
        "Only `corrected` plays.",
        "The caps on games are low because games at these depths take seconds. `--games 2000` goes on to ± 3 %.",
    ),
)
