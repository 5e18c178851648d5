"""Alpha-beta, tree search and greedy, on all layouts: the table that the authors left empty."""

import statistics
from collections.abc import Callable

from palabre.study import Claim, Estimate, Finding, Games, Results, above, all_of
from studies.study import Study, Table

LAYOUTS = ("classic", "alien", "belgian-daisy", "german-daisy")
UCT = "mcts:exploration=1.4142,heuristic_weight=0,playout=10000,proofs=no,reuse=no"
SIMULATIONS = 3000  # of the tree search, for a move
PAIRINGS = (("alphabeta", "greedy"), ("mcts", "greedy"), ("alphabeta", "mcts"))


def _score(results: Results, layout: str, first: str, second: str) -> Estimate:
    return results.score(layout, first, against=second)


def _beats(first: str, second: str) -> Callable[[Results], Finding]:
    """The rule for the claim that one agent beats another on every layout."""

    def judge(results: Results) -> Finding:
        return all_of(
            [
                above(f"the score of {first} against {second} ({layout})", _score(results, layout, first, second))
                for layout in LAYOUTS
            ]
        )

    return judge


def _tables(results: Results) -> list[Table]:
    scores = [
        (layout, *(str(_score(results, layout, first, second)) for first, second in PAIRINGS)) for layout in LAYOUTS
    ]
    times = []
    for agent in ("alphabeta", "mcts", "greedy"):
        spent = [seconds for layout in LAYOUTS for seconds in results.seconds(layout, agent)]
        times.append((agent, f"{1000 * statistics.fmean(spent):.1f}", f"{1000 * max(spent):.0f}"))
    headings = [f">{first} against {second}" for first, second in PAIRINGS]
    return [
        Table("Scores by layout", ("layout", *headings), scores),
        Table("Time for a move", ("agent", ">mean, ms", ">longest, ms"), times),
    ]


STUDY = Study(
    name="abalone-agents",
    game="abalone",
    title="Abalone: alpha-beta, tree search and greedy on all layouts",
    question="Do `alphabeta` and `mcts` beat `greedy`? Which of the two is better, from each of the four layouts?",
    text=f"""
The authors say that the final versions of both their agents beat the course's `greedy`, and announce a comparison of
the two over all layouts, whose table they left empty. Their alpha-beta agent is `frabalon`, which searches three or
four plies. Of their tree search they say that it is plain UCT. Here it plays {SIMULATIONS:,} random games to the end
for each move.

By the course's rules: 50 turns, no side-steps.
""",
    meaning="""
Both agents beat `greedy` in nearly every game, as the authors say, and the table that they left empty is clear: on
every layout `frabalon` beats their tree search. Random games of fifty turns rarely push a marble off the board, so
they end in the tie-break and tell a tree search little; the six terms of `frabalon` tell alpha-beta a lot. Tree search
comes closest on the layouts in which the marbles meet early, *alien* and *german-daisy*.
""",
    steps=tuple(
        Games(
            layout,
            {"alphabeta": "frabalon", "mcts": f"{UCT},nodes={SIMULATIONS}", "greedy": "greedy"},
            quick={"alphabeta": "idiot:seed=1", "mcts": "idiot:seed=2", "greedy": "idiot"},
            game=f"abalone:layout={layout}",
        )
        for layout in LAYOUTS
    ),
    claims=(
        Claim("`alphabeta` beats `greedy`.", "the text says so", _beats("alphabeta", "greedy")),
        Claim("`mcts` beats `greedy`.", "the text says so", _beats("mcts", "greedy")),
        Claim("`alphabeta` beats `mcts`.", "an empty table", _beats("alphabeta", "mcts")),
    ),
    minutes=20,
    tables=_tables,
    limits=(
        "The tree search is limited by simulations, not by time, and took a third of the time of alpha-beta.",
        "With the fifteen minutes a player of the course both would search further.",
    ),
)
