"""Who meets whom in a match: every bot as often as every other, whatever their number and the seats at the board."""

from collections.abc import Callable, Sequence
from itertools import combinations

from palabre.arena.rows import Meeting, Outcome


def lineups(names: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """The line-ups of a match. Each will be played in every rotation of the seats.

    More bots than seats: every combination. Fewer: bots have more than one seat, and each as many as any other over all
    line-ups together.
    """
    if len(names) >= seats:
        return list(combinations(names, seats))
    each, left = divmod(seats, len(names))
    return [tuple(name for name in names for _ in range(each + (name in extra))) for extra in combinations(names, left)]


def fixed_list(seats: int, repeats: int) -> "Callable[[Sequence[str], Sequence[Outcome]], list[Meeting]]":
    """The format of a match: one round, in which each line-up meets so many times, from one opening after another."""

    def next_round(names: Sequence[str], played: Sequence[Outcome]) -> list[Meeting]:
        if played:
            return []
        return [Meeting(0, lineup, repeat) for repeat in range(repeats) for lineup in lineups(names, seats)]

    return next_round
