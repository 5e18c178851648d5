"""The laws of a game, checked along random games: what `palabre check` runs in a process of its own.

First the rules are asked in plain Python, where every mistake can be seen. Then the compiled rules are asked about the
same positions, and must give the same answers. The check ends at the first broken law, and tells it with its position
and the remedy.
"""

import json
import random
import sys
from collections.abc import Callable

from palabre.compile.compiler import is_disabled
from palabre.core import registry
from palabre.core.contract import check_state
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.verbs import State, award_remaining, is_over, play, repetition_key
from palabre.laws.compiled import NO_MOVE, compare
from palabre.laws.evaluation import check_evaluations
from palabre.laws.inquiry import Inquiry, LawBroken
from palabre.laws.rules import Future, check_bounds, check_key, check_reached, check_rules, check_text
from palabre.laws.view import check_view

MOST_PLIES = 5000  # a random game that is longer is one that does not end


class Laws:
    """The laws of one game; `tell` is called with what is being done, and where, before anything can go wrong."""

    def __init__(self, game: Game, tell: Callable[[str, str], None]) -> None:
        self.game = game
        self.inquiry = Inquiry(game, tell)
        self.visited: list[tuple[State, int]] = []  # the positions so far, each with the move that was played there
        self.known: dict[int, Future] = {}  # what is known of the position with a key

    def play_plainly(self, seed: int) -> None:
        """Play one random game, and check the laws of each of its positions."""
        dice = random.Random(seed)
        game, inquiry = self.game, self.inquiry
        inquiry.where = "the first position"
        state: State = inquiry.ask("start", game.rules.start, game.options, seed)
        check_state(game.rules, state, "start returns")
        seen: set[int] = set()
        promise: tuple[int, int] | None = None  # the player who moved last, and how far ahead they can end at most
        for _ in range(MOST_PLIES):
            if is_over(state):
                state = inquiry.ask("award_remaining", award_remaining, state)
            moves = self._check_position(state, dice)
            if game.players == 2:
                promise = check_bounds(inquiry, state, promise)
            if not moves:
                self.visited.append((state, NO_MOVE))
                return
            move = dice.choice(moves)
            self.visited.append((state, move))
            state = inquiry.ask("play", play, state, move)
            check_reached(inquiry, state, move)
            mark = inquiry.ask("repetition_key", repetition_key, state)
            if mark and mark in seen:
                check_text(inquiry, inquiry.ask("award_remaining", award_remaining, state))
                return
            seen.add(mark)
        remedy = "count plies in the state and end the game at a limit, or answer repetition_key"
        inquiry.require(False, f"a random game has not ended after {MOST_PLIES:,} plies", remedy)

    def _check_position(self, state: State, dice: random.Random) -> list[int]:
        """Check all laws of one position; returns its legal moves."""
        check_text(self.inquiry, state)
        moves, future = check_rules(self.inquiry, state, dice)
        check_key(self.inquiry, state, future, self.known)
        check_view(self.inquiry, state, moves)
        check_evaluations(self.inquiry, state)
        return moves

    def compare_compiled(self) -> None:
        """Ask the compiled rules about all positions so far."""
        compare(self.inquiry, self.visited)


def main() -> None:
    """Check the game of a spec along random games from a seed; each line of output is a JSON document."""
    spec, games, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])

    def tell(doing: str, where: str, **more: object) -> None:
        print(json.dumps({"doing": doing, "where": where, **more}), flush=True)

    try:
        tell("loading the file", "")
        laws = Laws(registry.game(spec), tell)
        for number in range(games):
            laws.play_plainly(seed + number)
        if not is_disabled():
            laws.compare_compiled()
    except LawBroken as broken:
        tell("", "", broken=str(broken))
    except PalabreError as refused:
        tell("", "", refused=str(refused))
    else:
        tell("", "", games=games, positions=len(laws.visited), compiled=not is_disabled())
