"""A player who sees a win and wanders instead of taking it."""

from statistics import fmean, median
from typing import Any

from palabre.study import Claim, Finding, Measurement, Results, above, below, share_estimate
from studies.awale.games import played
from studies.duel import opening
from studies.plot import COLOURS, GREY
from studies.study import Plot, Study, Table

GAMES = 200
RARE = 0.05  # the share of games below which nobody would speak of wandering
SURE = 0.9  # the share of waiting games that somebody must win who knows what they are waiting for
LAST = 396  # plies after the opening to the limit of 400
BOTS = {
    "plain, first move": "first alphabeta:depth=4",
    "plain, random move": "alphabeta:depth=4",
    "adaptive": "adaptive:depth=4",
    "engine": "palabre:nodes=2000",
}


def play_itself(name: str, spec: str, number: int) -> dict[str, Any]:
    """A game of a bot against itself from an opening."""
    return played(spec, spec, opening("awale", number))


def delay(row: dict[str, Any]) -> int | None:
    """By how many plies the game was longer than the first player to see a win needed; None if nobody saw one."""
    seen = next(((ply, sight) for ply, sight in enumerate(row["sights"]) if sight is not None), None)
    return None if seen is None else max(0, int(row["plies"]) - (seen[0] + seen[1]))


def _rows(results: Results, name: str) -> list[dict[str, Any]]:
    return [row for row in results.rows("wandering") if row["name"] == name]


def _delays(results: Results, name: str) -> list[int]:
    return [late for row in _rows(results, name) if (late := delay(row)) is not None]


def _claim(name: str, text: str, reported: str, *, wanders: bool) -> Claim:
    def judge(results: Results) -> Finding:
        late = [float(plies > 0) for plies in _delays(results, name)]
        share = share_estimate(late or [0.0])
        what = f"the share of games with a win in sight that take longer than it needs ({name})"
        return above(what, share, RARE) if wanders else below(what, share, RARE)

    return Claim(text, reported, judge)


def _loops(name: str, text: str, reported: str, *, wanders: bool) -> Claim:
    def judge(results: Results) -> Finding:
        share = share_estimate([float(row["repeated"] > 0) for row in _rows(results, name)])
        what = f"the share of games in which a position comes round again ({name})"
        return above(what, share, RARE) if wanders else below(what, share, RARE)

    return Claim(text, reported, judge)


def _waiting_wins(results: Results) -> Finding:
    shares = [row["shares"][row["ahead"]] for row in _rows(results, "engine") if row["ahead"] is not None]
    share = share_estimate(shares or [0.0])
    return above("the score of the player ahead in games in which a position comes round again (engine)", share, SURE)


def _tables(results: Results) -> list[Table]:
    rows = []
    for name in BOTS:
        games, delays = _rows(results, name), _delays(results, name)
        late = [plies for plies in delays if plies > 0]
        rows.append(
            [
                name,
                str(len(games)),
                str(len(delays)),
                str(len(late)),
                f"{median(late):.0f}" if late else "–",
                str(max(late, default=0)),
                f"{fmean(row['repeated'] for row in games):.1f}" if games else "–",
                str(sum(row["plies"] >= LAST for row in games)),
            ]
        )
    headings = [
        "bot",
        ">games",
        ">win seen",
        ">taken late",
        ">median delay",
        ">longest",
        ">repeated positions",
        ">to ply 400",
    ]
    note = (
        "A win is seen when the search finds it forced; it is taken late when the game goes on for more plies than the "
        "search looked ahead. Repeated positions are those of a game that had occurred before, on average."
    )
    return [Table("What wandering looks like", headings, rows, note)]


def _kinds(results: Results, name: str) -> dict[str, list[bool]]:
    """What may be said of each game of a bot."""
    rows = _rows(results, name)
    return {
        "a win in sight is taken late": [plies > 0 for plies in _delays(results, name)],
        "a position comes round again": [row["repeated"] > 0 for row in rows],
        "the game reaches ply 400": [row["plies"] >= LAST for row in rows],
    }


def _draw(figure: Any, results: Results) -> None:
    axes = figure.subplots()
    for number, (name, colour) in enumerate(zip(BOTS, COLOURS, strict=False)):
        kinds = _kinds(results, name)
        for place, games in enumerate(kinds.values()):
            share = share_estimate([float(is_so) for is_so in games] or [0.0])
            value, low, high = (100 * part for part in (share.value, share.low, share.high))
            where, error = place + 0.2 * (number - 1.5), [[value - low], [high - value]]
            label = name if place == 0 else None
            axes.bar(where, value, 0.18, yerr=error, color=colour, ecolor=GREY, capsize=2, label=label)
    axes.set_xticks(range(len(kinds)), kinds)
    axes.set(ylabel="% of games, with 95 % intervals", ylim=(0, 100))
    axes.legend()


STUDY = Study(
    name="awale-wandering",
    game="awale",
    title="Awalé: seeing a win and not taking it",
    question="Does a bot that sees a win wander in loops instead of taking it, and does ours?",
    text="""
The authors saw their bots find a win and then go round in loops, because a win in one move and a win in five had the
same value. They tried a counter and a bonus for short ways, without success; the limit of 400 plies then decided.
Plain alpha-beta has one value for all won games, too, and it plays either the first of equal moves, as a program that
leaves nothing to chance, or any of them. For `adaptive` and the engine a nearer win is worth more. Each bot plays
itself with the evaluation `corrected`, the engine with its own.
""",
    meaning="""
Plain alpha-beta does what the authors saw: about every sixth time it sees a win, it takes longer than it must, because
all wins have the same value. A nearer win that is worth more cures this completely, in the authors' own search and in
the engine: not one win in sight was taken late.

Loops are something else. In more than a third of the engine's games a position comes round again, as a rule with one
seed that walks around the ring while nobody can open the position without loss. The player ahead waits for ply 400,
which decides the game in their favour, and five times out of six they win. In the sixth, waiting was a mistake: the
engine does not look far enough ahead to see that the position will open against it. This is a weakness that remains.
""",
    steps=(
        Measurement(
            "wandering",
            play_itself,
            [{"name": name, "spec": spec, "number": number} for number in range(GAMES) for name, spec in BOTS.items()],
            quick=[{"name": name, "spec": "adaptive:depth=1", "number": 0} for name in BOTS],
        ),
    ),
    claims=(
        _claim(
            "plain, first move",
            "A bot that sees a win wanders instead of taking it.",
            "seen, not counted",
            wanders=True,
        ),
        _claim(
            "plain, random move",
            "It also does if it picks at random among equal moves.",
            "not tried",
            wanders=True,
        ),
        _claim(
            "adaptive",
            "It does not if a nearer win is worth more.",
            "tried without success",
            wanders=False,
        ),
        _claim("engine", "The engine takes the wins that it sees.", "what the authors wished for", wanders=False),
        _loops("plain, first move", "Games go round in loops.", "seen, not counted", wanders=True),
        _loops("engine", "The engine's games do not.", "what the authors wished for", wanders=False),
        Claim("Where they do, the player ahead waits, and wins.", "not tried", _waiting_wins),
    ),
    minutes=10,
    tables=_tables,
    plot=Plot("In how many games a win is taken late, a position comes round again, and ply 400 is reached.", _draw),
    limits=(
        "After eighty games of each bot the first verdict was close to its bound, so more were played.",
        "The claims about loops and about waiting were added after a look at a few games.",
        "Plain alpha-beta to depth 4 stands for the authors' program, which looked 6 to 10 plies ahead. A bot that "
        "sees further can wander for longer.",
        "Both players are the same bot, so that the player who is losing wanders as well as it can.",
        "A game that goes round while no win is in sight need not be a mistake: where neither side can open the "
        "position without loss, whoever has more seeds may wait for ply 400.",
    ),
)
