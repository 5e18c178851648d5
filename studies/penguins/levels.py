"""Are the project's three levels in the order of their names?"""

import statistics
from collections.abc import Callable

from palabre.study import Claim, Finding, Games, Results, above
from studies.study import Study, Table

LEVELS = ("easy", "medium", "hard")


def _beats(stronger: str, weaker: str) -> Callable[[Results], Finding]:
    def judge(results: Results) -> Finding:
        return above(f"the score of {stronger} against {weaker}", results.score("levels", stronger, against=weaker))

    return judge


def _tables(results: Results) -> list[Table]:
    rows = []
    for level in LEVELS:
        spent = results.seconds("levels", level)
        rows.append((level, f"{1000 * statistics.fmean(spent):.0f}", f"{1000 * max(spent):.0f}"))
    return [Table("Time for a move", ("level", ">mean, ms", ">longest, ms"), rows)]


STUDY = Study(
    name="penguins-levels",
    game="penguins",
    title="Penguins: three levels of difficulty",
    question="Is *hard* stronger than *medium*, and *medium* stronger than *easy*?",
    text="""
The three levels place their penguins in the same way, and eat the fish of their own islands in the same way. Between
the two they search by alpha-beta: *easy* five plies deep with weighted features, *medium* two plies deep with 250
random games for each position, *hard* three plies deep with five random games. The authors give no figures, only the
names.

Every board is played from both seats, and the bots place all penguins themselves.
""",
    meaning="""
The names are misleading: *medium* beats both others, and *hard* loses to both. Five random games say almost nothing
about a position. The mean of five results has a standard error of 0.22, and two good moves rarely differ by as much.
Alpha-beta then picks the largest of many such numbers, so it prefers positions that were lucky; the deeper it looks,
the more numbers it compares. *medium* looks one ply less deep, but asks fifty times as many random games about each
position. *hard* is also the fastest of the three. With 250 random games it would have taken fifty times as long, which
may be why the authors settled for five.
""",
    steps=(
        Games(
            "levels",
            {level: f"penguins-{level}" for level in LEVELS},
            quick={"easy": "greedy", "medium": "idiot", "hard": "idiot:seed=2"},
            most=400,  # a game takes more than a second
            plies=0,
            balanced=False,
        ),
    ),
    claims=(
        Claim("*medium* is stronger than *easy*.", "the names", _beats("medium", "easy")),
        Claim("*hard* is stronger than *medium*.", "the names", _beats("hard", "medium")),
        Claim("*hard* is stronger than *easy*.", "the names", _beats("hard", "easy")),
    ),
    minutes=20,
    tables=_tables,
    limits=(
        "The cap on games was lowered for lack of time after a look at the first 212 games.",
        "Two players only. With three or four the levels use a paranoid search, and may be ordered differently.",
    ),
)
