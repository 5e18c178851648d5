"""The five pairings of the project's arena, by both rule sets and at several depths."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from palabre import GameRow, bot
from palabre.study import Claim, Finding, Games, Measurement, Results, above, all_of, share_estimate
from studies.duel import duel, opening, weighted
from studies.study import Study, Table

RULES = {"course": "avalam", "official": "avalam:official"}
DEPTHS = (1, 2, 3)
OPENINGS = 400  # of `divine` without its penalty
# The authors' table: player 1, player 2, and ten games in three columns, which they call wins, wins and draws.
REPORTED = (
    ("idiot", "alphabeta", "2 / 0 / 8"),
    ("alphabeta", "idiot", "8 / 2 / –"),
    ("divine", "alphabeta", "6 / 0 / 4"),
    ("idiot", "divine", "4 / 0 / 6"),
    ("divine", "idiot", "8 / 0 / 2"),
)


def _name(rules: str, depth: int) -> str:
    return f"{rules}-{depth}"


def _step(rules: str, depth: int) -> Games:
    return Games(
        _name(rules, depth),
        {"idiot": "idiot", "alphabeta": f"alphabeta:depth={depth}", "divine": f"divine:depth={depth}"},
        quick={"alphabeta": "alphabeta:depth=1", "divine": "divine:depth=1"},
        game=RULES[rules],
        balanced=False,  # balanced openings would hide whether player 1 is favoured
    )


def _is_stronger(rules: str, stronger: str, weaker: str) -> Callable[[Results], Finding]:
    """The rule for the claim that one bot beats another, at every depth."""

    def judge(results: Results) -> Finding:
        scores = {depth: results.score(_name(rules, depth), stronger, against=weaker) for depth in DEPTHS}
        return all_of(
            [
                above(f"the score of {stronger} against {weaker}, {rules}, depth {depth}", scores[depth])
                for depth in DEPTHS
            ]
        )

    return judge


def _favours_player_1(rules: str) -> Callable[[Results], Finding]:
    def judge(results: Results) -> Finding:
        shares = {depth: results.seat_share(_name(rules, depth)) for depth in DEPTHS}
        return all_of([above(f"the share of player 1, {rules}, depth {depth}", shares[depth]) for depth in DEPTHS])

    return judge


def play_without_penalty(rules: str, number: int, depth: int) -> Mapping[str, Any]:
    """The share of `divine`, if it does not mind vulnerable towers, against `towers`, from an opening."""
    game = RULES[rules]
    towers = bot(f"alphabeta:depth={depth},eval=towers", game)
    with weighted(f"alphabeta:depth={depth}", game, "divine", vulnerable=0.0) as fearless:
        return {"share": duel(fearless, towers, opening(game, number), number)}


def _beats_without_penalty(rules: str) -> Callable[[Results], Finding]:
    def judge(results: Results) -> Finding:
        shares = [row["share"] for row in results.rows("penalty") if row["rules"] == rules]
        return above(f"the score of divine without the penalty against alphabeta, {rules}", share_estimate(shares))

    return judge


def _counted(games: Sequence[GameRow], first: str, second: str) -> str:
    """Wins of player 1, wins of player 2 and draws, in percent of the games with these bots in these seats."""
    shares = [row.shares for row in games if tuple(row.bots) == (first, second)]
    parts = (sum(share[0] > share[1] for share in shares), sum(share[1] > share[0] for share in shares))
    return " / ".join(f"{100 * part / len(shares):.0f}" for part in (*parts, len(shares) - sum(parts)))


def _tables(results: Results) -> list[Table]:
    steps = [(rules, depth) for rules in RULES for depth in DEPTHS]
    rows = [
        (first, second, reported, *(_counted(results.games(_name(*step)), first, second) for step in steps))
        for first, second, reported in REPORTED
    ]
    return [
        Table(
            "Seat by seat",
            (
                "player 1",
                "player 2",
                ">reported, of 10",
                *(f">{rules}, depth {depth}: %" for rules, depth in steps),
            ),
            rows,
            "Wins of player 1, wins of player 2, draws. The columns of the authors' table seem to be shuffled: by the "
            "course's rules player 2 cannot win at all.",
        )
    ]


STUDY = Study(
    name="avalam-pairings",
    game="avalam",
    title="Avalam: idiot, alphabeta and divine",
    question="Is `divine` stronger than `alphabeta`, and `alphabeta` stronger than `idiot`? Is player 1 favoured?",
    text="""
The project's arena let its bots play ten games for each of five pairings. Its text concludes that `divine` beats
`alphabeta`, which beats `idiot`, and that player 1 has an advantage. `alphabeta` counts towers; `divine` weighs them
by their height, and by whether they are safe or can be captured at once.

Here both bots search to the same depth, 1, 2 and 3 plies, first by the course's rules and then by the official
ones. Every opening is played from both seats. `divine` also plays, 2 plies deep, without its penalty of 200 for a
tower that can be captured: such a tower then counts nothing.
""",
    meaning="""
**By the course's rules, skill hardly shows.** Whoever plays first wins or draws, for the reason that
[the parity theorem](avalam-parity.md) gives. Counting towers tells a shallow search nothing there, because the lead is
always one tower or none. Only at three plies does `alphabeta` beat random moves. Ten games could not have shown the
order that the authors saw.

**By the official rules, `divine` loses nearly every game to its simpler relative.** Its penalty is to blame: a tower
that can be captured counts -200, and a tower that is gone counts nothing. In the open positions of the official rules
nearly every tower can be captured, so `divine` is happier with fewer towers of its own. Without the penalty it wins
two games of five. The order of the other weights does not help it either: towers are what counts in the end, and
`alphabeta` counts towers.
""",
    steps=(
        *(_step(rules, depth) for rules in RULES for depth in DEPTHS),
        Measurement(
            "penalty",
            play_without_penalty,
            [{"rules": rules, "number": number, "depth": 2} for rules in RULES for number in range(OPENINGS)],
            quick=[{"rules": rules, "number": number, "depth": 1} for rules in RULES for number in range(2)],
        ),
    ),
    claims=(
        Claim(
            "`alphabeta` beats `idiot`, course rules.",
            "8 of 10 as player 1",
            _is_stronger("course", "alphabeta", "idiot"),
        ),
        Claim(
            "`divine` beats `alphabeta`, course rules.",
            "6 wins, 4 draws",
            _is_stronger("course", "divine", "alphabeta"),
        ),
        Claim("Player 1 is favoured, course rules.", "the text says so", _favours_player_1("course")),
        Claim(
            "`alphabeta` beats `idiot`, official rules.",
            "not played",
            _is_stronger("official", "alphabeta", "idiot"),
        ),
        Claim(
            "`divine` beats `alphabeta`, official rules.",
            "not played",
            _is_stronger("official", "divine", "alphabeta"),
        ),
        Claim("Player 1 is favoured, official rules.", "not played", _favours_player_1("official")),
        *(
            Claim(
                f"Without its penalty, `divine` beats `alphabeta`, {rules} rules.",
                "not tried",
                _beats_without_penalty(rules),
            )
            for rules in RULES
        ),
    ),
    minutes=10,
    tables=_tables,
    limits=(
        "The claims about the penalty were added to explain the others, after those had been judged.",
        "The authors do not say how deep their bots searched. Deeper searches may order them differently.",
        "An opening has four random plies, so openings that nobody would choose are among them.",
    ),
)
