"""Is adaptive depth worth something?"""

from palabre.experiments.experiment import Claim, Experiment, Games
from palabre.experiments.judging import Finding, above
from palabre.experiments.results import Results


def _is_worth_something(results: Results) -> Finding:
    return above("the score of adaptive depth against depth 6", results.score("depth", "adaptive"))


EXPERIMENT = Experiment(
    name="depth",
    title="Awalé: adaptive depth",
    question="Is it worth searching deeper as the board empties?",
    text="""
The authors' bot searches 6 plies while less than 15 % of the seeds are captured, then 7, 8, 9 and 10. They let it play
player 2 against a search of fixed depth 6, nine games in all, and saw player 2 win 4 of them instead of 2.
""",
    steps=(
        Games(
            "depth",
            {"adaptive": "adaptive", "depth 6": "adaptive:depth=6"},
            quick={"adaptive": "adaptive:depth=2", "depth 6": "adaptive:depth=1"},
            most=400,
        ),
    ),
    claims=(
        Claim(
            "Adaptive depth is worth something.",
            "player 2 wins 4 of 9 games instead of 2 of 9",
            _is_worth_something,
        ),
    ),
    minutes=8,
)
