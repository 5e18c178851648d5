"""A tournament of pools, then knock-out, as the course had it."""

from collections import Counter
from typing import Any

from palabre import GameRow
from palabre.study import Claim, Finding, Games, Results, fact
from studies.plot import BLUE
from studies.study import Plot, Study, Table

FORMAT = "pools:size=4,best_of=7"
BOTS = {
    "greedy": "greedy",
    "alphabeta 2": "alphabeta:depth=2",
    "alphabeta 3": "alphabeta:depth=3",
    "frabalon": "frabalon",
    "mcts": "mcts:nodes=1000",
    "UCT": "mcts:exploration=1.4142,heuristic_weight=0,playout=10000,nodes=1000",
    "montecarlo": "montecarlo:playouts=30",
    "palabre": "palabre:nodes=5000",
}


def _last(games: list[GameRow]) -> list[GameRow]:
    """The games of the final."""
    final = max(row.meeting.round for row in games)
    return [row for row in games if row.meeting.round == final]


def _winner(games: list[GameRow]) -> str:
    points: Counter[str] = Counter()
    for row in _last(games):
        points.update(dict(zip(row.bots, row.shares, strict=True)))
    return points.most_common(1)[0][0]


def _authors_win(results: Results) -> Finding:
    games = results.games("tournament")
    winner = _winner(games)
    return fact(
        winner == "frabalon",
        f"{winner} wins the final",
        f"{winner} wins the final of {len(games)} games in all.",
        "frabalon wins the final",
    )


def _draw(figure: Any, results: Results) -> None:
    """The mean share of each bot, the one that came furthest on top."""
    games = results.games("tournament")
    shares = {name: [row.shares[row.bots.index(name)] for row in games if name in row.bots] for name in BOTS}
    order = sorted(BOTS, key=lambda name: (sum(shares[name]) / len(shares[name]), name))
    axes = figure.subplots()
    axes.barh(order, [100 * sum(shares[name]) / len(shares[name]) for name in order], color=BLUE)
    axes.set_xlim(0, 100)
    axes.set_xlabel("points per game, in %")


def _tables(results: Results) -> list[Table]:
    games = results.games("tournament")
    final = max(row.meeting.round for row in games)
    rows = []
    for name in BOTS:
        own = [(row, row.bots.index(name)) for row in games if name in row.bots]
        points = sum(row.shares[seat] for row, seat in own)
        rows.append(
            (name, f"`{BOTS[name]}`", str(len(own)), f"{points:g}", str(max(row.meeting.round for row, _ in own)))
        )
    rows.sort(key=lambda row: (-int(row[4]), -float(row[3]) / int(row[2])))
    return [
        Table(
            "How far they came",
            ("bot", "spec", ">games", ">points", ">last round"),
            rows,
            f"The pools are played first. Round {final} is the final.",
        )
    ]


STUDY = Study(
    name="abalone-tournament",
    game="abalone",
    title="Abalone: a tournament of pools and knock-out",
    question="Who wins a tournament as the course held it?",
    text="""
The course's tournament had pools of four, of which two went on, and then ties of the best of seven. The authors'
agent is `frabalon`. Here eight bots of ours enter, its relatives and rivals among them, in the order of the seeding.
""",
    steps=(
        Games(
            "tournament",
            BOTS,
            quick={
                **dict.fromkeys(BOTS, "idiot"),
                **{name: f"idiot:seed={number}" for number, name in enumerate(BOTS, start=1)},
            },
            format=FORMAT,
        ),
    ),
    claims=(Claim("`frabalon` wins the tournament.", "the aim of the authors", _authors_win),),
    minutes=4,
    tables=_tables,
    plot=Plot("Points per game of each bot", _draw),
    limits=("One tournament is one sample: ties of seven meetings often go to the weaker bot.",),
)
