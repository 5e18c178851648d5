"""What the six terms of the authors' heuristic are worth, each on and off."""

from collections.abc import Callable, Mapping
from typing import Any

from palabre import bot
from palabre.study import Claim, Estimate, Finding, Measurement, Results, above, share_estimate
from studies.duel import duel, opening, weighted
from studies.study import Study, Table

DEPTH = 2
OPENINGS = 300
TERMS = {
    "score": "the rules' score",
    "pieces": "own marbles minus the opponent's",
    "centre": "who holds the central cell",
    "threat": "own marbles at the edge beside an enemy",
    "cluster": "own neighbours of own marbles",
    "distance": "own marbles near the centre, the opponent's near the edge",
}


def play_without(term: str, number: int, depth: int) -> Mapping[str, Any]:
    """The share of the full heuristic against the one without a term, from an opening."""
    full = bot(f"alphabeta:depth={depth},eval=frabalon", "abalone")
    with weighted(f"alphabeta:depth={depth}", "abalone", "frabalon", **{term: 0.0}) as part:
        return {"share": duel(full, part, opening("abalone", number), number)}


def _share(results: Results, term: str) -> Estimate:
    return share_estimate([row["share"] for row in results.rows("terms") if row["term"] == term])


def _is_worth_something(term: str) -> Callable[[Results], Finding]:
    def judge(results: Results) -> Finding:
        return above(f"the score of all terms against all but *{term}*", _share(results, term))

    return judge


def _tables(results: Results) -> list[Table]:
    rows = [(term, meaning, str(_share(results, term))) for term, meaning in TERMS.items()]
    return [Table("With and without each term", ("term", "what it counts", ">score of the full heuristic"), rows)]


STUDY = Study(
    name="abalone-terms",
    game="abalone",
    title="Abalone: the six terms of the heuristic",
    question="What is each of the six terms of `frabalon` worth?",
    text=f"""
The authors add up six weighted terms, most of which change with the turn, and give reasons for each but no matches.
Here alpha-beta with all terms plays against itself without one of them, {DEPTH} plies deep, by the course's rules and
from {OPENINGS} openings, each from both seats. A score of 50 % means that the term makes no difference.
""",
    steps=(
        Measurement(
            "terms",
            play_without,
            [{"term": term, "number": number, "depth": DEPTH} for term in TERMS for number in range(OPENINGS)],
            quick=[{"term": term, "number": number, "depth": 1} for term in TERMS for number in range(2)],
        ),
    ),
    claims=tuple(Claim(f"The term *{term}* helps.", "reasons, no games", _is_worth_something(term)) for term in TERMS),
    minutes=8,
    tables=_tables,
    limits=(
        "Half of the openings were played, and all claims judged, before the other half was added; no verdict changed.",
        "Score and pieces say nearly the same by the course's rules, so each can stand in for the other.",
        "A term may be worth more, or less, in a deeper search.",
    ),
)
