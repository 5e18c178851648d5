"""Monte Carlo tree search, for any game and number of players: limits, threads, tree reuse, and what it reports.

With several threads, each grows a tree of its own with its own dice, and their visits are added up at the root (root
parallelisation, Chaslot et al. 2008). Nothing is shared, so nothing has to be locked, and the same seed and number of
simulations give the same move.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Thread
from typing import Any

from palabre.compile.compiler import compiled, integers, is_disabled
from palabre.core.bits import combine
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.core.stopping import StopToken, is_set
from palabre.core.system import now
from palabre.core.verbs import is_over, key, play, weight_classes
from palabre.core.words import say
from palabre.evaluation.names import default_evaluation
from palabre.evaluation.playout import usual_lead
from palabre.search.clock import Clock, own_moves_left, thinking_time
from palabre.search.deepening import USUAL_LEAD_ODDS
from palabre.search.montecarlo import next_report
from palabre.search.parameters import parameters_for
from palabre.search.reuse import NOT_FOUND, copy_below, locate
from palabre.search.simulation import (
    DEADLINE,
    DICE,
    LIMIT,
    LONGEST_PAST,
    MOST_PLAYERS,
    PAST,
    PAST_LENGTH,
    SIMULATIONS,
    STOP,
    TOTAL,
    USED,
    WORKER_WORDS,
    MctsParameters,
    search,
)
from palabre.search.thought import Thought, Watch, points_of_share, report_lines
from palabre.search.tree import (
    HEURISTIC,
    LOWER,
    MOVE,
    NODE,
    ROOT,
    SUM,
    UPPER,
    VISITS,
    WHOLE,
    count_children,
    first_child,
    is_solved,
    share_of_result,
    write_node,
)
from palabre.search.values import DECIDED

NO_LIMIT = 1 << 62  # as a deadline or a number of simulations
PV_LENGTH = 12  # plies of the principal variation that are reported
FIRST_REPORT = 128  # simulations; then `watch` is called each time they have doubled, or more often

# With an evaluation that knows the game, short playouts and a heuristic won the matches in docs/reports/mcts.md. The
# scoreboard alone may say nothing before the end: without a better evaluation, plain UCT plays better.
GUIDED = MctsParameters(exploration=0.4, heuristic_weight=0.4, cutoff=4)
PLAIN = MctsParameters()


def mcts_parameters(game: Game) -> MctsParameters:
    """The default parameters in a game; it may have values of its own in `SEARCH_PARAMETERS["mcts"]`."""
    return parameters_for(game, "mcts", GUIDED if default_evaluation(game) == "standard" else PLAIN)


@dataclass(frozen=True)
class Choice:
    """What all trees together know of one move, for the player who makes it."""

    code: int
    visits: int
    total: int  # of the shares in these visits, in parts of WHOLE
    lower: int  # proven bounds on the result: -1, 0, 1
    upper: int
    heuristic: int  # the evaluation, backed up by minimax, in parts of WHOLE

    @property
    def is_solved(self) -> bool:
        return self.lower == self.upper

    @property
    def share(self) -> float:
        """The mean share in its visits; 0 if it has none."""
        return self.total / (max(1, self.visits) * WHOLE)

    @property
    def heuristic_share(self) -> float:
        """The share by the evaluation; it means nothing to a search whose `heuristic_weight` is 0."""
        return self.heuristic / WHOLE


class TreeWorker:
    """The tree and the words of one thread."""

    def __init__(self, game: Game, length: int) -> None:
        self.tree, self.room = _empty(length), _empty(length)
        self.worker = integers([0] * WORKER_WORDS)
        self.root: Position | None = None  # whose tree it is
        self._locate = compiled(locate, game)
        self._copy_below = compiled(copy_below, game)

    def prepare(self, position: Position, deadline: int, dice: int, kept_words: int) -> None:
        """Be ready to search a position: keep the part of the tree that is about it, forget the rest."""
        used = self._keep(position, kept_words)
        if used:
            self.tree, self.room = self.room, self.tree
        else:
            write_node(ROOT, 0, 0, -1, 1, self.tree)
        self.root = position
        worker = self.worker
        worker[TOTAL:] = integers([0] * (len(worker) - TOTAL))
        worker[STOP], worker[SIMULATIONS], worker[DEADLINE] = 0, 0, deadline
        worker[USED], worker[DICE] = used or NODE, dice
        past = position.seen[:-1][-LONGEST_PAST:]
        worker[PAST_LENGTH] = len(past)
        for place, mark in enumerate(past):
            worker[PAST + place] = mark

    def is_done(self, limit: int) -> bool:
        """Whether it has come to its limit, to the end of its time, or to a proof."""
        return bool(self.worker[STOP] or self.worker[SIMULATIONS] >= limit or is_solved(ROOT, self.tree))

    def _keep(self, position: Position, kept_words: int) -> int:
        """Copy what is known of a position, if the game has reached it from the last root, to `room`: its length."""
        if self.root is None or position.seen[: len(self.root.seen)] != self.root.seen:
            return 0
        plies = position.game.players
        node = self._locate(self.root.state, ROOT, key(position.state), plies, self.tree)
        if node == NOT_FOUND:
            return 0
        return int(self._copy_below(node, min(len(self.room), kept_words), self.tree, self.room))


class Mcts:
    """The trees and the parameters of a player; the trees live from move to move."""

    def __init__(
        self,
        game: Game,
        weights: Any,
        parameters: MctsParameters,
        megabytes: int = 64,
        threads: int = 1,
        *,
        reuse: bool = True,
        seed: int = 0,
    ) -> None:
        if game.players > MOST_PLAYERS:
            raise PalabreError(say("error.too_many_players", game=game.spec, players=game.players, most=MOST_PLAYERS))
        self.game = game
        self.weights = weights
        self.reuse = reuse
        self.seed = seed  # of the next search
        games = parameters.scale_games
        lead = float(compiled(usual_lead, game, *weight_classes(weights))(game.start().state, weights, 1, games)) or 1.0
        self.parameters = parameters._replace(scale=lead)
        self._odds = float(getattr(weights, "odds", None) or USUAL_LEAD_ODDS / lead)
        self.workers = [TreeWorker(game, megabytes * 1024 * 1024 // 16 // threads) for _ in range(threads)]
        self._search = compiled(search, game, *weight_classes(weights), MctsParameters)
        self.stop_token: StopToken | None = None
        self._compile()

    def _compile(self) -> None:
        """Have all code now, while no clock runs."""
        position = self.game.start()
        if not position.is_over:
            self.think(position, Clock(nodes=1))
            self.think(position, Clock(nodes=1))  # this time there is a tree to keep
        self.new_game()

    def new_game(self) -> None:
        """Forget the trees: the next position is searched as by a new search."""
        for worker_tree in self.workers:
            worker_tree.root = None

    def think(self, position: Position, clock: Clock, watch: Watch | None = None, lines: int = 1) -> Thought:
        """Simulate games until the clock runs out; `clock.nodes` limits the simulations. The position has moves.

        `watch` is called whenever the simulations have doubled, and several times a second later on. This changes
        nothing in the search.
        """
        begin = now()
        seconds = thinking_time(clock, own_moves_left(position))
        deadline = NO_LIMIT if seconds is None else begin + int(seconds * 1e9)
        limit = NO_LIMIT if clock.nodes is None else -(-clock.nodes // len(self.workers))
        if (len(position.moves()) == 1 and seconds is not None) or is_set(self.stop_token):
            limit = min(limit, self.parameters.forced_simulations)
        for number, worker_tree in enumerate(self.workers):
            if not self.reuse:
                worker_tree.root = None
            dice = combine(combine(1, self.seed), number)
            worker_tree.prepare(position, deadline, dice, self.parameters.kept_words)
        growing = self.workers
        while True:
            done = int(growing[0].worker[SIMULATIONS])
            until = limit if watch is None else min(limit, done + next_report(done, begin, FIRST_REPORT))
            self._grow(position.state, growing, until)
            growing = [worker_tree for worker_tree in growing if not worker_tree.is_done(limit)]
            if watch is not None or not growing:
                thoughts = self._thoughts(position, min(lines, len(position.moves())), begin)
                report_lines(thoughts, watch)
            if not growing:
                return thoughts[0]

    def choices(self) -> list[Choice]:
        """What all trees together know of each move in the position that was searched last, in the order of `moves`."""
        trees = [choices_at(ROOT, worker_tree.tree) for worker_tree in self.workers]
        return [added_up(same) for same in zip(*trees, strict=True)]

    def stop(self) -> None:
        """End the search that is under way; called from another thread."""
        for worker_tree in self.workers:
            worker_tree.worker[STOP] = 1

    def _grow(self, state: Any, growing: Sequence[TreeWorker], limit: int) -> None:
        """Let every thread search up to a number of simulations; the thread that calls is the first of them."""
        for worker_tree in growing:
            worker_tree.worker[LIMIT] = limit
        first, *others = growing
        work = [
            Thread(target=self._search, args=(state, self.weights, self.parameters, it.tree, it.worker))
            for it in others
        ]
        for thread in work:
            thread.start()
        self._search(state, self.weights, self.parameters, first.tree, first.worker)
        for thread in work:
            thread.join()

    def _thoughts(self, position: Position, lines: int, begin: int) -> list[Thought]:
        """The best moves in order: each is the favourite of those that are left."""
        choices = self.choices()
        is_proven = max(choice.lower for choice in choices) == max(choice.upper for choice in choices)
        simulations = sum(int(worker_tree.worker[SIMULATIONS]) for worker_tree in self.workers)
        thoughts = []
        for rank in range(1, lines + 1):
            choice = favourite(choices)
            choices.remove(choice)
            # The best line speaks for the position: a proven draw is not its result if another move may be better.
            result = choice.lower if choice.is_solved and (rank > 1 or is_proven) else None
            shares = self._shares(position.to_move, choice, result)
            points = points_of_share(shares[position.to_move], self.game.players, self._odds)
            line = self._line(position, choice.code)
            thoughts.append(
                Thought(
                    position,
                    line,
                    points if result is None else result * DECIDED,
                    depth=len(line),
                    nodes=simulations,
                    seconds=(now() - begin) / 1e9,
                    rank=rank,
                    is_complete=result is not None,
                    shares=shares,
                    visits=choice.visits,
                )
            )
        return thoughts

    def _shares(self, player: int, choice: Choice, result: int | None) -> tuple[float, ...]:
        """Each player's expected share after a move: as it is proven, or as it was in the simulations.

        The tree knows the mean share of the player to move. With more than two players, the others divide the rest as
        they did in all simulations of this search.
        """
        seats = range(self.game.players)
        if result is not None and (result != 0 or len(seats) == 2):
            own = (result + 1) / 2
        else:
            own = choice.share if choice.visits else 1 / len(seats)
        totals = [
            0 if seat == player else sum(int(worker_tree.worker[TOTAL + seat]) for worker_tree in self.workers)
            for seat in seats
        ]
        rest = sum(totals)
        if rest == 0:
            totals, rest = [int(seat != player) for seat in seats], len(seats) - 1
        return tuple(own if seat == player else (1 - own) * totals[seat] / rest for seat in seats)

    def _line(self, position: Position, code: int) -> tuple[int, ...]:
        """A move, and the favourite moves after it in the first tree."""
        tree = self.workers[0].tree
        line: list[int] = []
        state, node = position.state, ROOT
        while True:
            line.append(code)
            node = next(child for child in children(node, tree) if tree[child + MOVE] == code)
            state = play(state, code)
            choices = choices_at(node, tree)
            if is_over(state) or len(line) == PV_LENGTH or not any(choice.visits for choice in choices):
                return tuple(line)
            code = favourite(choices).code


def children(node: int, tree: Any) -> range:
    """The nodes below a node."""
    first = first_child(node, tree)
    return range(first, first + NODE * count_children(node, tree), NODE)


def choices_at(node: int, tree: Any) -> list[Choice]:
    """What one tree knows of each move in the position of a node."""
    wanted = (MOVE, VISITS, SUM, LOWER, UPPER, HEURISTIC)
    return [Choice(*(int(tree[child + word]) for word in wanted)) for child in children(node, tree)]


def added_up(same: Sequence[Choice]) -> Choice:
    """What several trees know of the same move."""
    return Choice(
        same[0].code,
        sum(choice.visits for choice in same),
        sum(choice.total for choice in same),
        max(choice.lower for choice in same),
        min(choice.upper for choice in same),
        max(choice.heuristic for choice in same),
    )


def favourite(choices: Sequence[Choice]) -> Choice:
    """The move to play: of all moves that may be better than what is proven, the one with most visits (robust child).

    A proven win is taken, a proven loss only if there is nothing else, a proven draw if the others look no better.
    """
    sure = max(choice.lower for choice in choices)
    safe = max((choice for choice in choices if choice.lower == sure), key=lambda choice: (choice.upper, choice.visits))
    better = [choice for choice in choices if choice.upper > sure]
    if not better:
        return safe
    best = max(better, key=lambda choice: (choice.visits, choice.total))
    return safe if sure >= 0 and best.total <= best.visits * share_of_result(sure) else best


def _empty(length: int) -> Any:
    """Room for a tree of so many words."""
    if is_disabled():
        return [0] * min(length, 1 << 14)
    import numpy as np

    tree = np.empty(length, dtype=np.int64)
    tree.fill(0)  # the system hands out pages at the first write: now, not on the clock of the first search
    return tree
