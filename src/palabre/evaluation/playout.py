"""Random playouts: games from a position to the end by uniformly random moves, and what came of them."""

import threading
import time
from collections.abc import Callable, MutableSequence
from dataclasses import dataclass
from typing import Any

from palabre.compile.compiler import compiled, words
from palabre.core.bits import mix, signed
from palabre.core.dice import shake
from palabre.core.kernels import kernel
from palabre.core.position import Position
from palabre.core.verbs import State, award_remaining, final_score, is_over, is_stale, play, players, random_move, score

# What a tally counts, by index; from WINS on, per player: games won alone, games shared, sum of scores.
GAMES, PLIES, LONGEST, WINS = 0, 1, 2, 3
PER_PLAYER = 3
CHUNK_SECONDS = 0.05


@kernel
def random_game(state: State, dice: int) -> tuple[State, int]:
    """Play to the end by random moves: how the game ended, and after how many plies."""
    plies = 0
    while not is_over(state):
        if is_stale(state):
            state = award_remaining(state)
        else:
            dice = shake(dice)
            state = play(state, random_move(state, dice))
            plies += 1
    return state, plies


@kernel
def playouts(state: Any, first: int, count: int, seed: int, tally: MutableSequence[int]) -> None:
    """Play the games number `first` to `first + count - 1` of a seed, and add what came of them to the tally.

    A game's moves depend on the seed and its number alone, so that threads can share the work in any way.
    """
    for number in range(first, first + count):
        end, plies = random_game(state, mix(seed ^ mix(number + 1)))
        tally[GAMES] += 1
        tally[PLIES] += plies
        tally[LONGEST] = max(tally[LONGEST], plies)
        add_result(end, tally)


@kernel
def add_result(state: Any, tally: MutableSequence[int]) -> None:
    """Add an ended game's winners and scores to the tally."""
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
    """What came of some random games."""

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
    """Random games from a position: so many, or as many as fit in so many seconds, whichever comes first."""
    run = compiled(playouts, position.game)
    seed = signed(seed)
    size = WINS + PER_PLAYER * position.game.players
    run(position.state, 0, 0, seed, words([0] * size))  # compiled before the clock starts
    begin = time.perf_counter()
    lock = threading.Lock()
    tallies = [words([0] * size) for _ in range(threads)]
    given = 0
    stopped = False

    def work(tally: Any) -> None:
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


def _summary(tallies: list[Any], count: int, seconds: float) -> Playouts:
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
