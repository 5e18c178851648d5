"""What the Avalam project wished for and did not reach: Monte Carlo evaluation, a book, depth by criticality."""

import statistics
from collections.abc import Callable, Mapping
from typing import Any

import palabre
from palabre.arena.referee import play_game
from palabre.bots.bot import Bot
from palabre.core.game import Game
from palabre.core.position import Move, Position
from palabre.experiments.experiment import Claim, Experiment, Games, Measurement, Table
from palabre.experiments.judging import Finding, above, all_of, share_estimate
from palabre.experiments.results import Results
from palabre.search.clock import Clock

OFFICIAL = "avalam:official"
NODES = 2000  # of the engine, for a move
BOOK_MOVES = 4  # that a player takes from the book
BOOK_FACTOR = 50  # how much longer the book was thought about than a move at the board
BOOK_OPENINGS = 120


class Booked(Bot):
    """The engine, whose first moves come from a much longer search, as from a book made for this very opening."""

    def __init__(self, game: Game, nodes: int) -> None:
        self._usual = palabre.bot(f"palabre:nodes={nodes}", game)
        self._book = palabre.bot(f"palabre:nodes={BOOK_FACTOR * nodes}", game)

    def start(self, game: Game, seat: int) -> None:
        self._left = BOOK_MOVES
        for bot in (self._usual, self._book):
            bot.start(game, seat)

    def choose(self, position: Position, clock: Clock) -> Move | str:
        self._left -= 1
        return (self._book if self._left >= 0 else self._usual).choose(position, clock)


def play_with_book(opening: int, nodes: int) -> Mapping[str, Any]:
    """Two games from a random opening, the book in either seat: its mean share."""
    game = palabre.game(OFFICIAL)
    dice = palabre.bot("random", game)
    dice.sit_down(game, 0, opening)
    position = game.start()
    while position.ply < 2:
        position = position.play(dice.pick(position.moves()))
    shares = []
    for seat in (0, 1):
        bots: list[Bot] = [palabre.bot(f"palabre:nodes={nodes}", game) for _ in range(2)]
        bots[seat] = Booked(game, nodes)
        played = play_game(bots, position, seed=opening)
        shares.append(played.shares[seat])
    return {"share": sum(shares) / 2}


def _montecarlo(game: str, name: str) -> Games:
    return Games(
        name,
        {
            "Monte Carlo": "alphabeta:depth=1,eval=montecarlo,playouts=50",
            "towers": "alphabeta:depth=2,eval=towers",
            "divine": "alphabeta:depth=2,eval=divine",
        },
        quick={
            "Monte Carlo": "alphabeta:depth=1,eval=montecarlo,playouts=1",
            "towers": "alphabeta:depth=1,eval=towers",
            "divine": "alphabeta:depth=1,eval=divine",
        },
        pairings=(("Monte Carlo", "towers"), ("Monte Carlo", "divine")),
        game=game,
        most=400,
    )


def _beats_both(step: str) -> Callable[[Results], Finding]:
    def judge(results: Results) -> Finding:
        return all_of(
            [
                above(f"the score of Monte Carlo against {other}", results.score(step, "Monte Carlo", against=other))
                for other in ("towers", "divine")
            ]
        )

    return judge


def _is_worth_it(label: str) -> Callable[[Results], Finding]:
    def judge(results: Results) -> Finding:
        return above(
            f"the score of the engine against itself without {label}",
            results.score("criticality", "engine", against=f"without {label}"),
        )

    return judge


def _book_is_worth_it(results: Results) -> Finding:
    shares = [row["share"] for row in results.rows("book")]
    return above("the score of the engine with a book against itself without one", share_estimate(shares))


def _tables(results: Results) -> list[Table]:
    rows = []
    for rules in ("course", "official"):
        games = results.games(f"montecarlo-{rules}")
        for bot in ("Monte Carlo", "towers", "divine"):
            seats = [(row, seat) for row in games for seat, name in enumerate(row.bots) if name == bot]
            spent = [seconds for row, seat in seats for seconds in row.seconds_of(seat)]
            rows.append((rules, bot, f"{len(seats):,}", f"{1000 * statistics.median(spent):.2f}"))
    return [
        Table("Time for a move", ("rules", "bot", ">games", ">median, ms"), rows),
    ]


EXPERIMENT = Experiment(
    name="wishes",
    title="Avalam: what the authors wished for",
    question="Would Monte Carlo evaluation, an opening book, or depth by criticality have helped?",
    text=f"""
The authors name three ideas that they had no time for.

**Monte Carlo evaluation** values a position by random games from it. Here a search of one ply with 50 random games
for each move plays against searches of two plies that count towers or use `divine`'s weights.

**An opening book** saves thinking and allows moves that nobody could find at the board. The best that a book can do
is to know the moves of a much longer search. So the engine with {NODES:,} nodes a move plays itself, with
{BOOK_FACTOR} times as many nodes for its first {BOOK_MOVES} moves, by the official rules.

**Depth by criticality** means to search deeper where much is at stake, and less deep in calm positions. Engines do
both: quiescence search goes on while towers change hands, and late move reductions search unpromising moves less
deep. The engine plays itself without one of them, at {NODES:,} nodes a move each.
""",
    steps=(
        _montecarlo("avalam", "montecarlo-course"),
        _montecarlo(OFFICIAL, "montecarlo-official"),
        Games(
            "criticality",
            {
                "engine": f"palabre:nodes={NODES}",
                "without reductions": f"palabre:nodes={NODES},disable=reductions",
                "without quiescence": f"palabre:nodes={NODES},disable=quiescence",
            },
            quick={
                "engine": "palabre:nodes=50",
                "without reductions": "palabre:nodes=50,disable=reductions",
                "without quiescence": "palabre:nodes=50,disable=quiescence",
            },
            pairings=(("engine", "without reductions"), ("engine", "without quiescence")),
            game=OFFICIAL,
            most=800,
        ),
        Measurement(
            "book",
            play_with_book,
            [{"opening": number, "nodes": NODES} for number in range(BOOK_OPENINGS)],
            quick=[{"opening": number, "nodes": 20} for number in range(2)],
        ),
    ),
    claims=(
        Claim(
            "Monte Carlo evaluation beats both hand-made ones, course rules.",
            "wished for",
            _beats_both("montecarlo-course"),
        ),
        Claim(
            "Monte Carlo evaluation beats both hand-made ones, official rules.",
            "wished for",
            _beats_both("montecarlo-official"),
        ),
        Claim("Searching calm moves less deep helps (reductions).", "wished for", _is_worth_it("reductions")),
        Claim("Searching critical moves deeper helps (quiescence).", "wished for", _is_worth_it("quiescence")),
        Claim("An opening book helps.", "wished for", _book_is_worth_it),
    ),
    minutes=20,
    tables=_tables,
    limits=(
        "The book is an ideal one: it knows an answer to every opening that it meets. A real one helps less.",
        "Monte Carlo evaluation is compared at another depth, not at equal time; the table tells the time of each.",
    ),
)
