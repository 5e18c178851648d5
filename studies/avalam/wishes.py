"""What the Avalam project wished for and did not reach: Monte Carlo evaluation, a book, depth by criticality."""

import statistics
from collections.abc import Callable, Mapping
from typing import Any

from palabre import Bot, Clock, Game, Move, Position, bot
from palabre.study import Claim, Finding, Games, Measurement, Results, above, all_of, share_estimate
from studies.duel import duel, opening
from studies.study import Study, Table

OFFICIAL = "avalam:official"
RULES = {"course": "avalam", "official": OFFICIAL}
NEW = {"Monte Carlo": "Monte Carlo evaluation", "mobility": "`standard`, which counts mobility,"}  # evaluations
OLD = ("towers", "divine")
NODES = 2000  # of the engine, for a move
OPENINGS = 300
HIGHEST = 5  # counters in a complete tower
BOOK_MOVES = 4  # that a player takes from the book
BOOK_FACTOR = 50  # how much longer the book was thought about than a move at the board


class Thrifty(Bot):
    """The engine, which saves a quarter of its nodes in calm positions and spends all of them in a critical one."""

    def __init__(self, game: Game, nodes: int) -> None:
        self._engine, self._nodes, self._saved = bot("palabre", game), nodes, 0

    def start(self, game: Game, seat: int) -> None:
        self._saved = 0
        self._engine.start(game, seat)

    def choose(self, position: Position, clock: Clock) -> Move | str:
        extra = self._saved if is_critical(position) else -self._nodes // 4
        self._saved -= extra
        return self._engine.choose(position, Clock(nodes=self._nodes + extra))


class Booked(Bot):
    """The engine, whose first moves come from a much longer search, as from a book made for this very opening."""

    def __init__(self, game: Game, nodes: int) -> None:
        self._engine, self._nodes, self._left = bot("palabre", game), nodes, BOOK_MOVES

    def start(self, game: Game, seat: int) -> None:
        self._left = BOOK_MOVES
        self._engine.start(game, seat)

    def choose(self, position: Position, clock: Clock) -> Move | str:
        self._left -= 1
        factor = BOOK_FACTOR if self._left >= 0 else 1
        return self._engine.choose(position, Clock(nodes=factor * self._nodes))


def reducing(game: Game, nodes: int) -> Bot:
    """The engine with late move reductions, which it does without in this game."""
    return bot(f"palabre:nodes={nodes},enable=reductions", game)


IDEAS: Mapping[str, Callable[[Game, int], Bot]] = {"reductions": reducing, "critical": Thrifty, "book": Booked}


def is_critical(position: Position) -> bool:
    """Whether a tower can be captured so that it becomes complete, with five counters."""
    rows = position.text.split()[0].split("/")

    def tower(cell: str) -> str:
        """`A` to `E` for a tower of player 1 of height 1 to 5, `a` to `e` for one of player 2."""
        return rows["123456789".index(cell[1])]["abcdefghi".index(cell[0])]

    pairs = [(tower(move.text[:2]), tower(move.text[2:])) for move in position.moves()]
    return any(one.isupper() != other.isupper() and height(one) + height(other) == HIGHEST for one, other in pairs)


def height(tower: str) -> int:
    return "abcde".index(tower.lower()) + 1


def try_idea(idea: str, number: int, nodes: int) -> Mapping[str, Any]:
    """The share of the engine with an idea against the engine as it is, from an opening."""
    start = opening(OFFICIAL, number)
    with_idea, plain = IDEAS[idea](start.game, nodes), bot(f"palabre:nodes={nodes}", start.game)
    return {"share": duel(with_idea, plain, start, number)}


def _evaluations(rules: str, game: str) -> Games:
    return Games(
        f"evaluations-{rules}",
        {
            "Monte Carlo": "alphabeta:depth=1,eval=montecarlo,playouts=50",
            "mobility": "alphabeta:depth=2,eval=standard",
            "towers": "alphabeta:depth=2,eval=towers",
            "divine": "alphabeta:depth=2,eval=divine",
        },
        quick={name: f"idiot:seed={number}" for number, name in enumerate((*NEW, *OLD))},
        pairings=tuple((new, old) for new in NEW for old in OLD),
        game=game,
    )


def _beats_both(new: str, rules: str) -> Claim:
    def judge(results: Results) -> Finding:
        step = f"evaluations-{rules}"
        return all_of(
            [
                above(f"the score of *{new}* against {old}, {rules}", results.score(step, new, against=old))
                for old in OLD
            ]
        )

    return Claim(f"{NEW[new]} beats both of the authors' evaluations, {rules} rules.", "wished for", judge)


def _helps(idea: str, text: str) -> Claim:
    def judge(results: Results) -> Finding:
        shares = [row["share"] for row in results.rows("ideas") if row["idea"] == idea]
        return above(f"the score of the engine with *{idea}* against itself without", share_estimate(shares))

    return Claim(text, "wished for", judge)


def _tables(results: Results) -> list[Table]:
    rows = []
    for rules in RULES:
        for name in (*NEW, *OLD):
            spent = results.seconds(f"evaluations-{rules}", name)
            rows.append((rules, name, f"{len(spent):,}", f"{1000 * statistics.median(spent):.2f}"))
    return [Table("Time for a move", ("rules", "bot", ">moves", ">median, ms"), rows)]


STUDY = Study(
    name="avalam-wishes",
    game="avalam",
    title="Avalam: what the authors wished for",
    question="Would Monte Carlo evaluation, mobility, an opening book, or depth by criticality have helped?",
    text=f"""
The authors name four ideas that they had no time for.

**Monte Carlo evaluation** values a position by random games from it. Here a search of one ply with 50 random games
for each move plays against searches of two plies that count towers or use `divine`'s weights.

**Where a tower stands, and its mobility.** Our evaluation `standard` asks of each tower whether any move can still
touch it, whether an enemy can be put onto it, or only the owner's own towers. It also plays against both, at the same
depth.

**An opening book** saves thinking and allows moves that nobody could find at the board. The best that a book can do
is to know the moves of a much longer search. So the engine with {NODES:,} nodes a move plays itself, with
{BOOK_FACTOR} times as many nodes for its first {BOOK_MOVES} moves, by the official rules.

**Depth by criticality** means to search deeper in critical positions, where towers can be captured and are close to a
height of five, and less deep in calm ones. It is tried in two ways, on the engine with {NODES:,} nodes a move, by the
official rules. *critical* saves a quarter of its nodes where no capture completes a tower, and spends all that it has
saved where one does; it never uses more nodes in all. *reductions* does the same within one search: moves
that come late in the order are searched less deeply first (late move reductions). Our engine reduces late moves in
every other game, but not in Avalam.
""",
    meaning="""
**Monte Carlo evaluation is the idea to follow.** One ply with fifty random games beats both hand-made evaluations at
two plies, by either rule set, and takes twice as long. By the course's rules it is the only evaluation that sees
anything: random games show who tends to make the last move, and counting does not.

**Mobility decides by the official rules**, where a tower that nobody can touch is a tower at the end, **and does not by
the course's**, where the lead cannot grow.

**The book helps a little**, although it is ideal and fifty times as deep. The game is decided later, when towers join.

**Depth by criticality does not help in either form.** A capture that completes a tower is easy to see, so the positions
with one are not the difficult ones; the quiet moves before them are. Late move reductions are worth nothing for the
same reason: where nearly every move is a capture, the order of moves tells little about which ones matter.
""",
    steps=(
        *(_evaluations(rules, game) for rules, game in RULES.items()),
        Measurement(
            "ideas",
            try_idea,
            [{"idea": idea, "number": number, "nodes": NODES} for idea in IDEAS for number in range(OPENINGS)],
            quick=[{"idea": idea, "number": number, "nodes": 20} for idea in IDEAS for number in range(2)],
        ),
    ),
    claims=(
        *(_beats_both(new, rules) for new in NEW for rules in RULES),
        _helps("book", "An opening book helps."),
        _helps("critical", "More nodes for critical positions and fewer for calm ones help."),
        _helps("reductions", "Searching late moves less deeply helps."),
    ),
    minutes=5,
    tables=_tables,
    limits=(
        "A first version of *critical* left two fifths of its nodes unused, and scored 39.0 % (36.1 to 41.9). It was "
        "changed after that look.",
        "The book is an ideal one: it knows an answer to every opening that it meets. A real one helps less.",
        "Monte Carlo evaluation is compared at another depth, not at equal time; the table tells the time of each.",
        "The engine has no quiescence search in this game: nearly all moves are captures, so no position is quiet.",
    ),
)
