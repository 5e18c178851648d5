"""Whether the error bars of ratings are right: `python -m benchmarks.ratings [--intervals N]`.

Simulated round-robins with known strengths: how many of the 95 % intervals contain the truth, how wide they are, and
the processor time of a fit. Openings may favour a seat, with a standard deviation in Elo; the truth is then what the
mean chances say, as a reader of the ratings would use them.
"""

import argparse
import itertools
import math
import time
from collections.abc import Iterator

import numpy as np

from palabre.arena.ratings import rate
from palabre.arena.rows import Meeting, Outcome

FIRST_MOVE = 40.0  # Elo
DRAWS = 0.15  # between equals
# bots, repeats, standard deviation of the strengths and of the openings, in Elo
EVENTS = [
    (60, 1, 200, 120),
    (60, 1, 200, 0),
    (60, 5, 200, 120),
    (20, 2, 200, 120),
    (8, 1, 200, 120),
    (8, 5, 200, 120),
    (10, 2, 800, 0),
    (2, 50, 100, 120),
]


def chance(gap: float | np.ndarray) -> float | np.ndarray:
    return 1 / (1 + 10 ** (-gap / 400))


def lineups(bots: int, repeats: int) -> Iterator[tuple[Meeting, int, int]]:
    """Every game of a round-robin: its meeting, and the bots in the first and the second seat."""
    for repeat, (one, other) in itertools.product(range(repeats), itertools.combinations(range(bots), 2)):
        meeting = Meeting(repeat, (f"b{one:02}", f"b{other:02}"), repeat)
        yield meeting, one, other
        yield meeting, other, one


def event(elos: np.ndarray, repeats: int, opening: float, dice: np.random.Generator) -> list[Outcome]:
    """A simulated event."""
    played = []
    bonuses: dict[Meeting, float] = {}
    for meeting, first, second in lineups(len(elos), repeats):
        bonus = bonuses.setdefault(meeting, FIRST_MOVE + dice.normal(0, opening))
        wins = float(chance(elos[first] - elos[second] + bonus))
        drawn = 2 * DRAWS * wins * (1 - wins)
        luck = dice.random()
        share = 1.0 if luck < wins - drawn else 0.5 if luck < wins + drawn else 0.0
        played.append(Outcome(meeting, (f"b{first:02}", f"b{second:02}"), (share, 1 - share), (0, 0)))
    return played


def truth(elos: np.ndarray, opening: float) -> dict[str, float]:
    """The ratings that the mean chances over all openings would give after very many games."""
    points, weights = np.polynomial.hermite_e.hermegauss(21)
    played = []
    for meeting, first, second in lineups(len(elos), math.ceil(200 / len(elos))):
        share = float(weights @ chance(elos[first] - elos[second] + FIRST_MOVE + opening * points) / weights.sum())
        played.append(Outcome(meeting, (f"b{first:02}", f"b{second:02}"), (share, 1 - share), (0, 0)))
    return {rating.bot: rating.elo for rating in rate(played).bots}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--intervals", type=int, default=600, help="how many are looked at in each kind of event")
    wanted = parser.parse_args().intervals
    print("| bots | games | spread of strengths | of openings | intervals | contain the truth | half width | s a fit |")
    print("|---|---|---|---|---|---|---|---|")
    for bots, repeats, spread, opening in EVENTS:
        dice = np.random.default_rng(bots * repeats)
        inside: list[bool] = []
        widths: list[float] = []
        seconds: list[float] = []
        while len(inside) < wanted:
            elos = dice.normal(0, spread, bots)
            elos -= elos.mean()
            known = truth(elos, opening)
            played = event(elos, repeats, opening, dice)
            begin = time.process_time()
            ratings = rate(played)
            seconds.append(time.process_time() - begin)
            for rating in ratings.bots:
                low, high = rating.elo_95
                inside.append(low < known[rating.bot] < high)
                widths.append((high - low) / 2)
        share = float(np.mean(inside))
        error = (share * (1 - share) / len(inside)) ** 0.5
        print(
            f"| {bots} | {len(played)} | {spread} | {opening} | {len(inside)} | {100 * share:.1f} % ± {100 * error:.1f}"
            f" | ± {np.median(widths):.0f} Elo | {np.mean(seconds):.3f} |"
        )


if __name__ == "__main__":
    main()
