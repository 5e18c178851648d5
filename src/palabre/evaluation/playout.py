"""Random playouts: games played by uniformly random moves. This is the only playout loop of Palabre.

`palabre playouts`, the evaluation `montecarlo`, flat Monte Carlo and Monte Carlo tree search all call `random_game`.
"""

import threading
import time
from collections.abc import Callable, MutableSequence, Sequence
from dataclasses import dataclass

from palabre.compile.compiler import compiled, integers
from palabre.core.bits import mix, signed
from palabre.core.dice import shake
from palabre.core.given import given_count, given_function, given_integer, given_limit, given_position, given_seconds
from palabre.core.kernels import kernel
from palabre.core.position import Position
from palabre.core.verbs import (
    MANY_PLIES,
    State,
    Weights,
    award_remaining,
    evaluate,
    final_score,
    is_over,
    play,
    players,
    random_move,
    repetition_key,
    reversible_plies,
    score,
)

# Indices of a tally. From WINS on there are three numbers for each player: games won alone, games shared, score total.
GAMES, PLIES, LONGEST, WINS = 0, 1, 2, 3
PER_PLAYER = 3
USUAL_SECONDS = 1.0  # if there is no limit
CHUNK_SECONDS = 0.05  # how long a thread plays before it asks for more games

TO_THE_END = 1 << 40  # as a limit of plies: more than any game has
# A playout remembers no positions. Where a repeated position ends the game, it takes this many reversible plies in a
# row for a repetition, or this many of its own where the game does not count them; random play would otherwise go round
# for thousands of plies, or for ever.
PLAYOUT_PATIENCE = 200


@kernel
def random_game(state: State, dice: int, most_plies: int) -> tuple[State, int, int]:
    """Play random moves to the end of the game, but at most `most_plies`.

    Returns the last state, the plies played and the dice after them.
    """
    plies = 0
    while plies < most_plies and not is_over(state):
        dice = shake(dice)
        state = play(state, random_move(state, dice))
        plies += 1
        if is_taken_for_repetition(state, plies):
            state = award_remaining(state)
    return state, plies, dice


@kernel
def is_taken_for_repetition(state: State, plies: int) -> bool:
    """Whether random play has gone on for so long that a position must have come up twice; `plies` is how long."""
    reversible = reversible_plies(state)
    if reversible >= MANY_PLIES:
        reversible = plies
    return reversible >= PLAYOUT_PATIENCE and repetition_key(state) != 0


@kernel
def usual_lead(state: State, weights: Weights, dice: int, games: int) -> float:
    """The mean size of an evaluation over the positions of random games: how large a lead usually is."""
    total = 0.0
    count = 0
    for _ in range(games):
        current = state
        plies = 0
        while not is_over(current):
            total += abs(evaluate(weights, current, 0))
            count += 1
            plies += 1
            current, _plies, dice = random_game(current, dice, 1)
            if is_taken_for_repetition(current, plies):
                current = award_remaining(current)
    return total / max(1, count)


@kernel
def playouts(state: State, first: int, count: int, seed: int, tally: MutableSequence[int]) -> None:
    """Play the games number `first` to `first + count - 1` of a seed and add their results to the tally.

    The moves of a game depend on the seed and its number alone, so threads can share the work in any way.
    """
    for number in range(first, first + count):
        end, plies, _ = random_game(state, mix(seed ^ mix(number + 1)), TO_THE_END)
        tally[GAMES] += 1
        tally[PLIES] += plies
        tally[LONGEST] = max(tally[LONGEST], plies)
        add_result(end, tally)


@kernel
def add_result(state: State, tally: MutableSequence[int]) -> None:
    """Add the winners and the scores of an ended game to the tally."""
    best = final_score(state, 0)
    sharing = 0
    for player in range(players(state)):
        best = max(best, final_score(state, player))
    for player in range(players(state)):
        sharing += 1 if final_score(state, player) == best else 0
    for player in range(players(state)):
        place = WINS + PER_PLAYER * player
        if final_score(state, player) == best:
            tally[place if sharing == 1 else place + 1] += 1
        tally[place + 2] += score(state, player)


@dataclass(frozen=True)
class Playouts:
    """The results of some random games."""

    games: int
    plies: int
    longest: int
    wins: tuple[int, ...]  # games won alone, for each player
    shared: tuple[int, ...]  # games shared with others
    mean_scores: tuple[float, ...]
    seconds: float


def play_randomly(
    position: Position,
    *,
    games: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    threads: int = 1,
    progress: Callable[[int, float], None] = lambda games, seconds: None,
) -> Playouts:
    """Play random games from a position until `games` are played or `seconds` are over, whichever comes first.

    Without either, no new game begins after a second.
    """
    given_position("play_randomly", position)
    given_limit("play_randomly", "games", games)
    given_seconds("play_randomly", "seconds", seconds)
    given_integer("play_randomly", "seed", seed)
    given_count("play_randomly", "threads", threads)
    given_function("play_randomly", "progress", progress)
    if games is None and seconds is None:
        seconds = USUAL_SECONDS
    run = compiled(playouts, position.game)
    seed = signed(seed)
    size = WINS + PER_PLAYER * position.game.players
    run(position.state, 0, 0, seed, integers([0] * size))  # compiled before the clock starts
    begin = time.perf_counter()
    lock = threading.Lock()
    tallies = [integers([0] * size) for _ in range(threads)]
    given = 0
    stopped = False

    def work(tally: MutableSequence[int]) -> None:
        nonlocal given
        chunk = 1
        while not stopped and (given == 0 or seconds is None or time.perf_counter() - begin < seconds):
            with lock:
                first = given
                count = chunk if games is None else min(chunk, games - first)
                given += count
            if count <= 0:
                return
            before = time.perf_counter()
            run(position.state, first, count, seed, tally)
            spent = time.perf_counter() - before
            chunk = max(1, int(count * min(4.0, CHUNK_SECONDS / max(spent, 1e-9))))

    workers = [threading.Thread(target=work, args=(tally,), daemon=True) for tally in tallies]
    for worker in workers:
        worker.start()
    try:
        while any(worker.is_alive() for worker in workers):
            workers[-1].join(0.1)
            progress(sum(int(tally[GAMES]) for tally in tallies), time.perf_counter() - begin)
    finally:
        stopped = True
    return _summary(tallies, position.game.players, time.perf_counter() - begin)


def _summary(tallies: Sequence[Sequence[int]], count: int, seconds: float) -> Playouts:
    total = [sum(int(tally[index]) for tally in tallies) for index in range(len(tallies[0]))]
    games = total[GAMES]
    ends = [total[WINS + PER_PLAYER * player :][:PER_PLAYER] for player in range(count)]
    return Playouts(
        games=games,
        plies=total[PLIES],
        longest=max(int(tally[LONGEST]) for tally in tallies),
        wins=tuple(end[0] for end in ends),
        shared=tuple(end[1] for end in ends),
        mean_scores=tuple(end[2] / max(1, games) for end in ends),
        seconds=seconds,
    )
