"""What the Abalone project wished for: patterns that break lines, and games of any length."""

from collections.abc import Callable, Mapping
from typing import Any

from palabre import bot
from palabre.study import Claim, Finding, Games, Measurement, Results, above, share_estimate
from studies.duel import duel, opening, weighted
from studies.study import Study, Table

TURNS = (20, 50, 100, 200)
DEPTH = 2
GAME = "abalone:official,layout=belgian-daisy"  # on which patterns are compared
OPENINGS = 300


def play_without_patterns(number: int, depth: int) -> Mapping[str, Any]:
    """The share of `standard` against itself without its patterns, from an opening."""
    start = opening(GAME, number)
    full = bot(f"alphabeta:depth={depth},eval=standard", GAME)
    with weighted(f"alphabeta:depth={depth}", GAME, "standard", push=0.0, press=0.0) as without:
        return {"share": duel(full, without, start, number)}


def _step(turns: int) -> str:
    return f"turns-{turns}"


def _standard_is_better(turns: int) -> Callable[[Results], Finding]:
    def judge(results: Results) -> Finding:
        return above(
            f"the score of `standard` against `frabalon` over {turns} turns",
            results.score(_step(turns), "standard", against="frabalon"),
        )

    return judge


def _patterns_help(results: Results) -> Finding:
    shares = [row["share"] for row in results.rows("patterns")]
    return above("the score of `standard` with patterns against itself without them", share_estimate(shares))


def _tables(results: Results) -> list[Table]:
    rows = []
    for turns in TURNS:
        games = results.games(_step(turns))
        draws = sum(len(set(row.shares)) == 1 for row in games)
        taken = sum(sum(row.scores) for row in games) / len(games)
        score = results.score(_step(turns), "standard", against="frabalon")
        rows.append((str(turns), str(score), f"{100 * draws / len(games):.0f} %", f"{taken:.1f}"))
    headings = (">turns", ">score of standard against frabalon", ">draws", ">marbles off the board in a game")
    return [Table("Games of any length", headings, rows)]


STUDY = Study(
    name="abalone-wishes",
    game="abalone",
    title="Abalone: what the authors wished for",
    question="Do patterns that break the opponent's lines help? Does their heuristic depend on the 50 turns?",
    text=f"""
The authors wished for patterns that recognise how to break the opponent's lines, and for an agent that plays games of
any length: the weights of `frabalon` change with the turn, up to the fiftieth.

**Patterns.** Our evaluation `standard` counts two: each way to push enemies (a longer line against a shorter one),
and each direction in which a marble keeps an enemy at the edge. It plays against itself without them, {DEPTH} plies
deep, by the official rules from the Belgian daisy.

**Length.** `frabalon` plays against `standard`, which knows only how many plies are left, {DEPTH} plies deep each, in
games of {", ".join(map(str, TURNS))} turns.
""",
    meaning="""
Both wishes pay. Two patterns, counted by hand, win four games of five against the same evaluation without them.

The heuristic of the authors does depend on the fifty turns: the longer the game, the more it loses to an evaluation
that knows only how many plies are left. At this depth a game of fifty turns hardly ever sees a marble leave the board.
It is decided by the distance to the centre, which breaks ties in the course's rules, and `frabalon` values that well.
In longer games marbles are pushed off, and material and tactics take over.
""",
    steps=(
        Measurement(
            "patterns",
            play_without_patterns,
            [{"number": number, "depth": DEPTH} for number in range(OPENINGS)],
            quick=[{"number": number, "depth": 1} for number in range(2)],
        ),
        *(
            Games(
                _step(turns),
                {
                    "standard": f"alphabeta:depth={DEPTH},eval=standard",
                    "frabalon": f"alphabeta:depth={DEPTH},eval=frabalon",
                },
                quick={"standard": "alphabeta:depth=1,eval=standard", "frabalon": "alphabeta:depth=1,eval=frabalon"},
                game=f"abalone:turns={turns}",
                most=600,
            )
            for turns in TURNS
        ),
    ),
    claims=(
        Claim("Patterns that break lines help.", "wished for", _patterns_help),
        *(
            Claim(f"`standard` beats `frabalon` over {turns} turns.", "wished for", _standard_is_better(turns))
            for turns in TURNS
        ),
    ),
    minutes=7,
    tables=_tables,
    limits=("A search of two plies sees few tactics for itself; in deeper ones patterns may matter less.",),
)
