"""The parameters of the engine `palabre`: every number that tuning may turn, with values per game.

A game sets its own beside its evaluations: `SEARCH_PARAMETERS = {"palabre": {"quiescence_plies": 4}}`.
What kernels read becomes words of the worker (`search.worker`).
"""

from typing import NamedTuple


class EngineParameters(NamedTuple):
    """What can be chosen about the engine's search."""

    # Late move reductions: a quiet move that comes late in the order is searched less deeply first, by
    # reduction_base + ln(depth) * ln(number of the move) / reduction_divisor plies, rounded down.
    late_move_reductions: int = 1  # 0 for a game in which late moves are as likely as others to turn the game
    reduction_base: float = 0.8
    reduction_divisor: float = 1.7
    reduction_min_depth: int = 2  # no reduction where fewer plies are left
    reduction_first_move: int = 2  # the number of the first move that is reduced, counted from 0

    # Aspiration window: an iteration searches a window round the value of the last one first.
    aspiration: int = 1  # 0 for a game in which the full window is better
    aspiration_min_depth: int = 4  # the first iteration with a narrow window
    aspiration_window: float = 0.5  # points of the evaluation to each side, at least
    aspiration_swings: int = 2  # and this many times what the last iterations changed the value by
    swing_fading: float = 0.75  # the part of an iteration's swing that counts in the next

    # Quiescence search.
    quiescence_plies: int = 8  # how far tactical moves are followed past the horizon

    # History heuristic.
    history_max_bonus: int = 400  # a cutoff at depth d adds d * d, but no more than this
    history_aging: int = 3  # before each search the history is halved this many times

    # Transposition table.
    table_min_depth: int = 1  # nodes with fewer plies left neither probe nor store

    # Clock.
    poll_interval: int = 64  # nodes between two looks at the clock
    pause_fading: int = 32  # with every search the longest pause is forgotten by this part
