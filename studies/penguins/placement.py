"""What is the placement of the penguins worth, by itself?"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from palabre import Bot, Clock, Position, SearchBot, bot, game, play_randomly
from palabre.author import combine, key, roll
from palabre.study import Claim, Estimate, Finding, Measurement, Results, above, all_of, share_estimate
from studies.duel import share, weighted
from studies.study import Study, Table

BOARDS = 800
PLAYOUTS = 2000  # random games after each placement
RIVAL_PLAYOUTS = 100  # random games of Monte Carlo for each tile, as in the training
NODES = 1000  # of the engine that plays on
DICE = 5  # the family of seeds of random placements
# What `palabre train penguins` finds in 200 steps with seed 0.
TRAINED = {
    "fish_beside": 3.60,
    "ones": 0.35,
    "twos": 1.54,
    "threes": 1.83,
    "own_beside": 0.34,
    "others_beside": 0.50,
}
PAIRS = (("weights", "random"), ("weights", "Monte Carlo"), ("trained", "Monte Carlo"), ("trained", "weights"))


@contextmanager
def method(name: str, rival: int) -> Iterator[Bot | None]:
    """The bot that values the tiles, by the name of the method; None for chance."""
    if name == "trained":
        with weighted("alphabeta:depth=1", "penguins", "weights", **TRAINED) as trained:
            yield trained
    elif name == "random":
        yield None
    else:
        evaluation = "weights" if name == "weights" else f"montecarlo,playouts={rival}"
        yield bot(f"alphabeta:depth=1,eval={evaluation}", "penguins")


def place(start: Position, first: str, second: str, rival: int) -> Position:
    """The position with all penguins placed, the first player's by one method and the second's by the other.

    Monte Carlo plays `rival` random games for each tile.
    """
    position = start
    with method(first, rival) as one, method(second, rival) as other:
        while is_placing(position):
            player, dice = (one, other)[position.to_move], key(position.state)
            if player is None:
                moves, dice = position.moves(), combine(DICE, dice)
            else:  # the position decides among equally good tiles, so that equal evaluations place equally
                assert isinstance(player, SearchBot)
                player.sit_down(position.game, position.to_move)
                moves = list(player.think(position, Clock(depth=1)).best)
            position = position.play(moves[roll(dice, len(moves))])
    return position


def is_placing(position: Position) -> bool:
    """Whether penguins are still to be placed: a placement names one tile, a move two."""
    return any(len(move.text) == len("c5") for move in position.moves())


def play_on(board: int, first: str, second: str, rival: int, playouts: int, nodes: int) -> Mapping[str, Any]:
    """The share of the method named first on a board, over both seats: of random games, and of games by the engine."""
    start = game("penguins").start(board)
    at_random = by_engine = 0.0
    for seat, methods in enumerate(((first, second), (second, first))):
        position = place(start, *methods, rival)
        ends = play_randomly(position, games=playouts, seed=board)
        at_random += (ends.wins[seat] + ends.shared[seat] / 2) / playouts
        bots = [bot(f"palabre:nodes={nodes}", position.game) for _ in range(2)]
        by_engine += share(bots, seat, position, board)
    return {"at_random": at_random / 2, "by_engine": by_engine / 2}


def _share(results: Results, first: str, second: str, players: str) -> Estimate:
    rows = [row for row in results.rows("boards") if (row["first"], row["second"]) == (first, second)]
    return share_estimate([row[players] for row in rows])


def _is_better(first: str, second: str) -> Callable[[Results], Finding]:
    """The rule for the claim that one placement is better than another, whoever plays on."""

    def judge(results: Results) -> Finding:
        return all_of(
            [
                above(f"the share of {first} against {second} {how}", _share(results, first, second, players))
                for players, how in (("at_random", "in random games"), ("by_engine", "in games by the engine"))
            ]
        )

    return judge


def _tables(results: Results) -> list[Table]:
    known = {(row["first"], row["second"]) for row in results.rows("boards")}
    rows = [
        (
            first,
            second,
            str(_share(results, first, second, "at_random")),
            str(_share(results, first, second, "by_engine")),
        )
        for first, second in PAIRS
        if (first, second) in known
    ]
    return [Table("Share of the first method", ("first", "second", ">random games", ">engine"), rows)]


STUDY = Study(
    name="penguins-placement",
    game="penguins",
    title="Penguins: placement alone",
    question="What is a good placement of the penguins worth, to players who move at random and to good ones?",
    text=f"""
The authors trained the weights of six features by the placement phase alone: place by the weights against a Monte
Carlo placement, judge by random games from there, keep what wins; then go on against the own past.

Here four methods place the penguins on {BOARDS} boards, each pair from both seats: at random, by Monte Carlo with
{RIVAL_PLAYOUTS} random games for each tile, by the weights that were set by hand, and by trained ones. Then
{PLAYOUTS:,} random games are played from there, as in the training, and one game by the engine with {NODES:,} nodes a
move on both sides.
""",
    meaning="""
Where penguins are placed is worth a lot to good players, and less to random ones: the engine makes more of a good
placement than chance does. Six features, weighed by hand in a minute, place better than a hundred random games for
every tile. The training improves the weights by the measure that it trains for, random games, and that gain does not
carry over to good players: there the trained and the untrained weights are equal within the error. This is the risk of
any training on random play.
""",
    steps=(
        Measurement(
            "boards",
            play_on,
            [
                {
                    "board": board,
                    "first": first,
                    "second": second,
                    "rival": RIVAL_PLAYOUTS,
                    "playouts": PLAYOUTS,
                    "nodes": NODES,
                }
                for first, second in PAIRS
                for board in range(BOARDS)
            ],
            quick=[
                {"board": board, "first": first, "second": second, "rival": 1, "playouts": 10, "nodes": 10}
                for first, second in PAIRS
                for board in range(2)
            ],
        ),
    ),
    claims=(
        Claim("Weights place better than chance.", "taken for granted", _is_better("weights", "random")),
        Claim(
            "Weights place better than Monte Carlo.", "the start of the training", _is_better("weights", "Monte Carlo")
        ),
        Claim(
            "Trained weights place better than Monte Carlo.", "“once it beats…”", _is_better("trained", "Monte Carlo")
        ),
        Claim("Training improves the weights.", "the purpose of the training", _is_better("trained", "weights")),
    ),
    minutes=8,
    tables=_tables,
    limits=(
        "The trained weights are those of one training; another seed gives others of about the same worth.",
        "After 200 boards, the last claim was undecided; 600 more were then played, and it still is.",
    ),
)
