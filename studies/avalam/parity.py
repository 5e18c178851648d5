"""The parity theorem of the course's rules: player 1 never loses."""

from collections.abc import Mapping
from typing import Any

import palabre
from palabre import Position
from palabre.study import Claim, Finding, Measurement, Results, fact
from studies.plot import BLUE, ORANGE, PURPLE
from studies.study import Plot, Study, Table

RANDOM_GAMES = 200_000  # of a case
BEST_PLAY = (18, 20, 22, 24, 26)  # plies after which positions are solved
SOLVED = 40  # positions of each


def turned(position: Position) -> Position:
    """The same towers with the other player to move."""
    towers, player = position.text.split()
    return position.game.position(f"{towers} {3 - int(player)}")


def play_at_random(seed: int, games: int) -> Mapping[str, Any]:
    """Random games to the end: how often each player wins."""
    playouts = palabre.play_randomly(palabre.game("avalam").start(), games=games, seed=seed)
    return {"wins": list(playouts.wins), "draws": playouts.games - sum(playouts.wins)}


def walk(seed: int, ply: int) -> Mapping[str, Any]:
    """Every line of play from a random position to the end: the lemma at each position, the theorem at each end."""
    position = at_random(seed, ply)
    counts = {"positions": 0, "ends": 0, "lemma_broken": 0, "lead_broken": 0}
    seen: set[str] = set()
    pending = [position]
    while pending:
        here = pending.pop()
        if here.text in seen:
            continue
        seen.add(here.text)
        moves = here.moves() if not here.is_over else []
        other = turned(here)
        counts["positions"] += 1
        counts["ends"] += here.is_over
        counts["lemma_broken"] += len(moves) != (0 if other.is_over else len(other.moves()))
        counts["lead_broken"] += here.scores[0] - here.scores[1] != here.to_move
        pending += [here.play(move) for move in moves]
    return counts


def at_random(seed: int, ply: int) -> Position:
    """The position after so many random moves. Games last 30 plies and more; a shorter one is played again."""
    bot = palabre.bot("random", palabre.game("avalam"))
    for attempt in range(1000):
        position = palabre.game("avalam").start()
        bot.sit_down(position.game, 0, 1000 * seed + attempt)
        while not position.is_over and position.ply < ply:
            position = position.play(bot.pick(position.moves()))
        if not position.is_over:
            return position
    raise ValueError(f"no random game of Avalam lasts {ply} plies")


def solve(seed: int, ply: int) -> Mapping[str, Any]:
    """Player 1's share of the game from a random position with best play, or None if the engine cannot prove it."""
    position = at_random(seed, ply)
    result = palabre.analyse(position, nodes=2_000_000)[0].proven_result
    if result is None:
        return {"share": None}
    return {"share": (1 + (result if position.to_move == 0 else -result)) / 2}


def _walked(results: Results) -> dict[str, int]:
    rows = results.rows("walk")
    return {key: sum(row[key] for row in rows) for key in ("positions", "ends", "lemma_broken", "lead_broken")}


def _lemma(results: Results) -> Finding:
    walked = _walked(results)
    return fact(
        walked["lemma_broken"] == 0,
        f"{walked['lemma_broken']} exceptions in {walked['positions']:,} positions",
        f"In {walked['positions']:,} positions, each looked at with either player to move, both players had the same "
        f"number of moves but for {walked['lemma_broken']}.",
        "there is no exception",
    )


def _lead(results: Results) -> Finding:
    walked = _walked(results)
    return fact(
        walked["lead_broken"] == 0,
        f"{walked['lead_broken']} exceptions in {walked['positions']:,} positions",
        f"Player 1 leads by one tower when player 2 is to move and by none otherwise, in all of "
        f"{walked['positions']:,} positions but {walked['lead_broken']}.",
        "there is no exception",
    )


def _never_loses(results: Results) -> Finding:
    rows = results.rows("random")
    lost = sum(row["wins"][1] for row in rows)
    games = sum(sum(row["wins"]) + row["draws"] for row in rows)
    return fact(
        lost == 0,
        f"{lost} losses in {games:,} random games",
        f"Player 1 lost {lost} of {games:,} games played at random to the end.",
        "there is no loss",
    )


def _solved(results: Results) -> dict[int, tuple[int, int, int, int]]:
    """By plies played: the positions that are won, drawn and lost for player 1, and those that are not solved."""
    by_ply = {}
    for ply in sorted({row["ply"] for row in results.rows("solve")}):
        shares = [row["share"] for row in results.rows("solve") if row["ply"] == ply]
        by_ply[ply] = (shares.count(1.0), shares.count(0.5), shares.count(0.0), shares.count(None))
    return by_ply


def _tables(results: Results) -> list[Table]:
    rows = results.rows("random")
    wins, draws = sum(row["wins"][0] for row in rows), sum(row["draws"] for row in rows)
    return [
        Table(
            "Random games",
            (">games", ">player 1 wins", ">draws", ">player 2 wins"),
            [(f"{wins + draws:,}", f"{wins:,}", f"{draws:,}", f"{sum(row['wins'][1] for row in rows):,}")],
        ),
        Table(
            "With best play from random positions",
            (">after plies", ">player 1 wins", ">draws", ">player 2 wins", ">not solved"),
            [(str(ply), *map(str, counts)) for ply, counts in _solved(results).items()],
            f"{SOLVED} random positions each, solved by the engine within two million nodes, or not. The theorem "
            "leaves open which of the two results best play gives: that is what the game is about.",
        ),
    ]


def _draw(figure: Any, results: Results) -> None:
    axes = figure.subplots()
    solved = _solved(results)
    below = [0] * len(solved)
    kinds = ("player 1 wins", "draw", "player 2 wins (never)", "not solved")
    for number, (kind, colour) in enumerate(zip(kinds, (BLUE, ORANGE, PURPLE, "#CCCCCC"), strict=True)):
        counts = [solved_there[number] for solved_there in solved.values()]
        axes.bar([str(ply) for ply in solved], counts, 0.7, bottom=below, color=colour, label=kind)
        below = [before + count for before, count in zip(below, counts, strict=True)]
    axes.set(xlabel="plies played at random, before best play", ylabel="positions")
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))


STUDY = Study(
    name="avalam-parity",
    game="avalam",
    title="Avalam: player 1 cannot lose by the course's rules",
    question="Why does player 2 never win by the course's rules, whoever plays?",
    text="""
By the course's rules a move puts one of your own towers onto a neighbouring tower of your opponent.

**Lemma.** *Whenever one player has a move, so has the other, and they have equally many.* A move is a pair of
neighbouring towers of different owners with at most five counters together. Such a pair is a move for both: each may
put their own tower onto the other's.

**Theorem.** *The game ends level, or with player 1 one tower ahead.* A move takes exactly one tower from the opponent
and none from the mover, whose tower only changes its place. Both begin with 24. After a move of player 1 the opponent
has one fewer; after the answer both have the same number again. By the lemma nobody is ever unable to move while the
other could, so the players move strictly in turn until both are unable. If the last move was player 1's, the lead is
one tower; otherwise it is zero.

So the course's game is a fight for the last move. Player 1 plays to make it, player 2 to make it instead, which gives
a draw. By the official rules any tower may move onto any other; neither statement holds there.

A proof needs no experiment, but a program can be wrong. The machine checks the lemma and the lead at every position
that can follow from some late positions, and the theorem in many random games.
""",
    meaning="""
The authors had noticed that player 1 “at worst draws”, and took it for an advantage of moving first. It is a property
of the rules: no bot, however bad, can lose as player 1, and none can win as player 2. So wins and losses by the
course's rules say who had which seat. A fair comparison counts how often each bot *draws* as player 2 and *wins* as
player 1, or plays by the official rules.
""",
    steps=(
        Measurement(
            "random",
            play_at_random,
            [{"seed": seed, "games": RANDOM_GAMES} for seed in range(5)],
            quick=[{"seed": 0, "games": 100}],
        ),
        Measurement(
            "walk",
            walk,
            [{"seed": seed, "ply": 25} for seed in range(60)],
            quick=[{"seed": 0, "ply": 30}],
        ),
        Measurement(
            "solve",
            solve,
            [{"seed": seed, "ply": ply} for ply in BEST_PLAY for seed in range(SOLVED)],
            quick=[{"seed": 0, "ply": 30}],
        ),
    ),
    claims=(
        Claim("Both players always have equally many moves.", "not reported", _lemma),
        Claim("After each move, player 1 leads by one tower; after each answer, by none.", "not reported", _lead),
        Claim("Player 1 never loses.", "“an advantage for player 1”", _never_loses),
    ),
    minutes=9,
    tables=_tables,
    plot=Plot("How random positions end with best play: most are won by player 1, the others drawn.", _draw),
    limits=(
        "The walk covers all lines of play from some late positions, not from the start, where there are too many.",
    ),
)
