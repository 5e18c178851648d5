"""`palabre`, the engine: iterative deepening over principal variation search, for any game of two and any evaluation.

Each iteration searches one ply deeper than the last, first through a narrow aspiration window round its value. With
several threads all search the same position and share the transposition table, half of them a ply ahead (Lazy SMP):
what one thread finds helps the others.

A won game is won by the shortest way. The first proof of a win may miss a shorter one, because late moves are reduced.
The next iteration then searches a window in which only the length of the win is in question, and there nothing is
reduced and no guess is accepted.
"""

import copy
import threading
from dataclasses import replace
from typing import Any

from palabre.compile.compiler import compiled
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.core.stopping import StopToken, is_set
from palabre.core.system import now
from palabre.core.verbs import weight_classes
from palabre.evaluation.chances import chance_curve
from palabre.search.clock import Clock, Lateness, TimeLimits, own_moves_left, safety_margin, time_limits
from palabre.search.engine_parameters import EngineParameters
from palabre.search.ordering import age_history
from palabre.search.parameters import parameters_for
from palabre.search.pvs import PV_LENGTH, search_root
from palabre.search.table import AGES, clear, new_table
from palabre.search.thought import Thought, Watch, report_lines
from palabre.search.values import MAX_PLY, WIN, WON
from palabre.search.worker import (
    AGE,
    ASPIRATION,
    BEST,
    DEADLINE,
    EXCLUDED,
    EXCLUDED_MOVES,
    GUESSES,
    LAST_POLL,
    LINE,
    LONGEST_PATH,
    LONGEST_PAUSE,
    MOST_EXCLUDED,
    NEXT_POLL,
    NO_LIMIT,
    NO_MOVE,
    NODE_LIMIT,
    NODES,
    OLDEST,
    PATH_LENGTH,
    REDUCTIONS,
    REPETITION_KEY,
    ROOT_PLAYER,
    SAFETY_MARGIN,
    STOP,
    new_worker,
)

DEFAULT_RESOLUTION = 1000  # units of value in a point, where an evaluation has no `resolution`


class Engine:
    """The transposition table and the workers of a player, which live from move to move.

    `disable` switches techniques off, one bit each (`search.worker`). `parameters` are the game's by default.
    """

    def __init__(
        self,
        game: Game,
        weights: Any,
        megabytes: int = 64,
        threads: int = 1,
        disable: int = 0,
        parameters: EngineParameters | None = None,
    ) -> None:
        self.game = game
        self.weights = weights
        self.resolution = int(getattr(weights, "resolution", DEFAULT_RESOLUTION))
        self.parameters = parameters or parameters_for(game, "palabre", EngineParameters())
        self.disabled = (
            disable
            | (0 if self.parameters.late_move_reductions else REDUCTIONS)
            | (0 if self.parameters.aspiration else ASPIRATION)
        )
        self.table = new_table(megabytes)
        self.helpers: list[threading.Thread] = []
        self._new_worker = new_worker(game, self.resolution, self.disabled, self.parameters)
        self.workers = [copy.copy(self._new_worker) for _ in range(threads)]
        self.age = 0
        self.has_searched = False  # since the last new game
        self.lateness = Lateness()
        self.stop_token: StopToken | None = None
        self._curve = chance_curve(game, weights)
        self._search_root = compiled(search_root, game, *weight_classes(weights))

    def new_game(self) -> None:
        """Forget everything: the next game is played as by a new engine.

        A driver's first `go` may be waiting for this, so nothing is made anew that can be emptied.
        """
        self._join_helpers()
        if self.has_searched:
            clear(self.table)
            for worker in self.workers:
                worker[:] = self._new_worker
            self.age = 0
            self.has_searched = False

    def think(self, position: Position, clock: Clock, watch: Watch | None = None, lines: int = 1) -> Thought:
        """Search deeper and deeper until the clock runs out; the position has moves.

        `watch` is called after each finished iteration, once for each of the best `lines` moves. The first iteration is
        finished even if the time is up before: it takes less than a millisecond, and without it the move would be any.
        """
        begin = now()
        limits = self._begin_timing(clock, position)
        self._prepare_workers(position, clock, limits, begin)
        worker = self.workers[0]
        deadline, pause = worker[DEADLINE], worker[LONGEST_PAUSE]
        max_depth = min(clock.depth or MAX_PLY, MAX_PLY)
        lines = min(lines, len(position.moves()), MOST_EXCLUDED)
        for number, helper in enumerate(self.workers[1:]):
            thread = threading.Thread(target=self._help, args=(position, helper, max_depth, number), daemon=True)
            self.helpers.append(thread)
            thread.start()
        best = [
            Thought(
                position,
                (move.code,),
                rank=rank + 1,
                resolution=self.resolution,
                odds=getattr(self.weights, "odds", None),
                curve=self._curve,
            )
            for rank, move in enumerate(position.moves()[:lines])
        ]
        try:
            for depth in range(1, max_depth + 1):
                if depth > 1 and is_set(self.stop_token):
                    break
                worker[DEADLINE] = deadline if depth > 1 else NO_LIMIT
                for rank in range(lines):
                    self._exclude(best[:rank], worker)
                    thought = self._deepen(best[rank], depth, worker)
                    if worker[STOP]:
                        break
                    best[rank] = replace(thought, nodes=self._nodes(), seconds=(now() - begin) / 1e9)
                if worker[STOP]:
                    # The last finished iteration's move stands, unless the unfinished iteration has searched it first
                    # and another has then scored above alpha.
                    if lines == 1 and worker[BEST] not in (NO_MOVE, best[0].codes[0]):
                        best[0] = self._with_line(best[0], worker)
                    break
                best.sort(key=lambda thought: -thought.value)
                best = [replace(thought, rank=rank + 1) for rank, thought in enumerate(best)]
                report_lines(best, watch)
                if self._is_enough(best, limits, clock):
                    break
        finally:
            self.stop()
        seconds = (now() - begin) / 1e9
        if limits.hard is not None:
            self.lateness.observe(seconds - limits.hard, self._longest_pause(pause))
        return replace(best[0], nodes=self._nodes(), seconds=seconds)

    def _begin_timing(self, clock: Clock, position: Position) -> TimeLimits:
        """The limits of the search that begins, with time reserved for a machine that makes searches end late."""
        wanted = time_limits(clock, own_moves_left(position))
        if wanted.hard is None:
            return wanted
        limits = self.lateness.reserved(wanted)
        for worker in self.workers:
            worker[SAFETY_MARGIN] = int(safety_margin(wanted, limits) * 1e9)
        return limits

    def _longest_pause(self, before: int) -> float:
        """The longest pause of the last search in seconds, or 0 if it was shorter than what was remembered `before`."""
        pause = int(self.workers[0][LONGEST_PAUSE])
        return pause / 1e9 if pause > before else 0.0

    def stop(self) -> None:
        """End the search that is under way; may be called from another thread."""
        for worker in self.workers:
            worker[STOP] = 1

    def _nodes(self) -> int:
        return sum(int(worker[NODES]) for worker in self.workers)

    def _prepare_workers(self, position: Position, clock: Clock, limits: TimeLimits, begin: int) -> None:
        """Write the limits and the past of the game into every worker."""
        self._join_helpers()
        self.age = (self.age + 1) % AGES
        self.has_searched = True
        past = position.seen[:-1][-(LONGEST_PATH - MAX_PLY - 2) :]
        for worker in self.workers:
            age_history(worker)
            worker[AGE], worker[STOP], worker[BEST] = self.age, 0, NO_MOVE
            worker[NODES], worker[NEXT_POLL] = 0, 0
            worker[NODE_LIMIT] = NO_LIMIT if clock.nodes is None else clock.nodes
            worker[DEADLINE] = NO_LIMIT if limits.hard is None else begin + int(limits.hard * 1e9)
            worker[LONGEST_PAUSE] -= worker[LONGEST_PAUSE] // self.parameters.pause_fading
            worker[ROOT_PLAYER], worker[OLDEST], worker[EXCLUDED] = position.to_move, NO_LIMIT, 0
            worker[PATH_LENGTH] = len(past)
            for place, repetition_key in enumerate(past):
                worker[REPETITION_KEY + place] = repetition_key

    def _join_helpers(self) -> None:
        """Wait for threads that were stopped long ago; waiting then would have been on the clock."""
        for thread in self.helpers:
            thread.join()
        self.helpers.clear()

    def _exclude(self, better: list[Thought], worker: Any) -> None:
        """Leave the moves of better lines out at the root."""
        worker[EXCLUDED] = len(better)
        for place, thought in enumerate(better):
            worker[EXCLUDED_MOVES + place] = thought.codes[0]

    def _deepen(self, last: Thought, depth: int, worker: Any) -> Thought:
        """One iteration: through an aspiration window round the last value, then, if that fails, through an open one.

        A search begins with the move worker[BEST] and leaves the best move there, also if it is stopped.
        """
        worker[LAST_POLL] = now()
        low, high = self._window(last, depth)
        first = last.codes[0] if last.depth > 0 else NO_MOVE
        worker[BEST] = first
        while True:
            guesses = int(worker[GUESSES])
            value = int(self._search_root(last.position.state, self.weights, depth, low, high, self.table, worker))
            if worker[STOP]:
                return last
            if value <= low and low > -WIN:
                low = -WIN
                worker[BEST] = first  # no move scored above alpha, so none has beaten the last iteration's
            elif value >= high and high < WIN:
                high = WIN
            else:
                break
        swing = max(abs(value - last.value), int(self.parameters.swing_fading * last.swing))
        thought = replace(last, value=value, depth=depth, swing=swing, is_complete=int(worker[GUESSES]) == guesses)
        return self._with_line(thought, worker)

    def _window(self, last: Thought, depth: int) -> tuple[int, int]:
        """The window of an iteration's first search."""
        if last.value >= WON:
            return WON, WIN
        if last.value <= -WON:
            return -WIN, -WON
        if depth < self.parameters.aspiration_min_depth or self.disabled & ASPIRATION:
            return -WIN, WIN
        least = max(1, int(self.parameters.aspiration_window * self.resolution))
        margin = max(least, int(self.parameters.aspiration_swings * last.swing))
        return max(-WIN, int(last.value) - margin), min(WIN, int(last.value) + margin)

    def _with_line(self, thought: Thought, worker: Any) -> Thought:
        """The thought with the principal variation of the last search."""
        line = [int(move) for move in worker[LINE : LINE + PV_LENGTH]]
        return replace(thought, codes=tuple(line[: line.index(NO_MOVE)] if NO_MOVE in line else line))

    def _help(self, position: Position, worker: Any, max_depth: int, number: int) -> None:
        """What a further thread does: the same search, half of the threads a ply ahead (Lazy SMP)."""
        thought = Thought(position, (NO_MOVE,))
        for depth in range(1 + (number + 1) % 2, max_depth + 1):
            thought = self._deepen(thought, depth, worker)
            if worker[STOP]:
                break

    def _is_enough(self, best: list[Thought], limits: TimeLimits, clock: Clock) -> bool:
        """Whether to play now rather than search one ply deeper."""
        if all(self._is_final(thought) for thought in best):
            return True
        if limits.soft is None:
            return False
        has_no_choice = len(best[0].position.moves()) == 1 and clock.depth is None
        return best[0].seconds >= limits.soft or has_no_choice

    def _is_final(self, thought: Thought) -> bool:
        """Whether a deeper search would change nothing: all is proven, or a win of this length is at this depth."""
        plies = thought.plies_to_win
        return thought.is_complete or (plies is not None and abs(plies) < thought.depth)
