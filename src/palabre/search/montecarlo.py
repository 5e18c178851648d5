"""Flat Monte Carlo: random games after each move, and the move that won most of them; there is no tree."""

from collections.abc import Sequence

from palabre.compile.compiler import compiled, integers
from palabre.core.bits import mix
from palabre.core.dice import shake
from palabre.core.game import Game
from palabre.core.kernels import kernel
from palabre.core.position import Move, Position
from palabre.core.stopping import StopToken, is_set
from palabre.core.system import now
from palabre.core.verbs import State, legal_moves, move_buffer, play, players, share
from palabre.evaluation.playout import TO_THE_END, random_game
from palabre.search.clock import NO_LIMIT, Clock, own_moves_left, thinking_time
from palabre.search.thought import Thought, Watch, points_of_share, report_lines
from palabre.search.tree import WHOLE, Words

# Indices of the worker: limits and dice, then for each move the games after it and each player's sum of shares.
STOP, DEADLINE, DICE, ROUNDS, ROUND_LIMIT, TALLY = range(6)
FIRST_REPORT = 8  # rounds; then `watch` is called each time they have doubled, or more often
REPORT_SECONDS = 0.3  # about the longest time between two reports to a watcher


@kernel
def sample(state: State, worker: Words) -> None:
    """Play rounds of one random game after each move, until a limit is reached; the first round is always finished."""
    moves = move_buffer(state)
    count = legal_moves(state, moves)
    seats = players(state)
    while worker[ROUNDS] < worker[ROUND_LIMIT] and worker[STOP] == 0:
        for index in range(count):
            if worker[ROUNDS] > 0 and (worker[STOP] or now() >= worker[DEADLINE]):
                worker[STOP] = 1
                return
            worker[DICE] = shake(worker[DICE])
            end = random_game(play(state, moves[index]), mix(worker[DICE]), TO_THE_END)[0]
            place = TALLY + index * (1 + seats)
            worker[place] += 1
            for player in range(seats):
                worker[place + 1 + player] += int(share(end, player) * WHOLE)
        worker[ROUNDS] += 1


class FlatMonteCarlo:
    """Samples the moves of a position; the same seed and number of games give the same thoughts."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.game = game
        self.seed = seed  # of the next search
        most_moves = int(game.rules.MOST_MOVES)
        self.worker = integers([0] * (TALLY + most_moves * (1 + game.players)))
        self.stop_token: StopToken | None = None
        self._sample = compiled(sample, game)

    def think(self, position: Position, clock: Clock, watch: Watch | None = None, lines: int = 1) -> Thought:
        """Sample games until the clock runs out; `clock.nodes` limits the games. The position has moves."""
        begin = now()
        moves = position.moves()
        seconds = thinking_time(clock, own_moves_left(position))
        worker = self.worker
        worker[:] = integers([0] * len(worker))
        worker[DEADLINE] = NO_LIMIT if seconds is None else begin + int(seconds * 1e9)
        worker[DICE] = self.seed
        limit = NO_LIMIT if clock.nodes is None else max(1, clock.nodes // len(moves))
        if is_set(self.stop_token):
            limit = 1
        while True:
            done = int(worker[ROUNDS])
            worker[ROUND_LIMIT] = limit if watch is None else min(limit, done + next_report(done, begin, FIRST_REPORT))
            self._sample(position.state, worker)
            thoughts = self._thoughts(position, moves, lines, begin)
            report_lines(thoughts, watch)
            if worker[STOP] or worker[ROUNDS] >= limit:
                return thoughts[0]

    def stop(self) -> None:
        """End the search that is under way; may be called from another thread."""
        self.worker[STOP] = 1

    def _thoughts(self, position: Position, moves: Sequence[Move], lines: int, begin: int) -> list[Thought]:
        """The best moves in order; equal ones in the order of their codes.

        Where a move repeats a position and so ends the game, the shares are the result and not a sample.
        """
        seats = self.game.players
        size = 1 + seats
        tallies = [[int(word) for word in self.worker[TALLY + n * size :][:size]] for n in range(len(moves))]
        shares = [tuple(total / (games * WHOLE) for total in totals) for games, *totals in tallies]
        if position.seen:
            results = [position.play(move).result for move in moves]
            shares = [sampled if result is None else result for sampled, result in zip(shares, results, strict=True)]
        player = position.to_move
        ranked = sorted(range(len(moves)), key=lambda n: (-shares[n][player], moves[n].code))
        return [
            Thought(
                position,
                (moves[n].code,),
                points_of_share(shares[n][player], seats, 1.0),
                depth=1,
                nodes=sum(tally[0] for tally in tallies),
                seconds=(now() - begin) / 1e9,
                rank=rank,
                shares=shares[n],
                visits=tallies[n][0],
                ties=tuple(move.code for move, other in zip(moves, shares, strict=True) if other == shares[n]),
            )
            for rank, n in enumerate(ranked[:lines], start=1)
        ]


def next_report(done: int, begin: int, first: int) -> int:
    """How many more rounds or simulations until `watch` is called again: as many as before, or what takes a moment."""
    if done == 0:
        return first
    seconds = max(1e-6, (now() - begin) / 1e9)
    return max(1, min(done, int(done / seconds * REPORT_SECONDS)))
