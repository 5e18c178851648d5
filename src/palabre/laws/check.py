"""The laws of a game, checked along random games: what `palabre check` runs in a process of its own.

First the game's files are looked at. Then the rules are asked in plain Python, where every mistake can be seen. Then
the compiled rules are asked about the same positions, and must give the same answers. The quick form, before a game is
first used, is a second of the plain part. The check ends at the first broken law, and tells it with its position and
the remedy.
"""

import json
import math
import random
import sys
import time
from collections.abc import Callable

from palabre.compile.compiler import is_disabled
from palabre.core import registry
from palabre.core.contract import check_state
from palabre.core.culprit import in_one_line
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.system import end_with_parent
from palabre.core.verbs import State, award_remaining, is_over, legal_moves, play, repetition_key
from palabre.laws.compiled import NO_MOVE, compare
from palabre.laws.evaluation import check_evaluations
from palabre.laws.files import check_files
from palabre.laws.inquiry import Inquiry, LawBroken
from palabre.laws.rules import Future, check_bounds, check_key, check_player, check_reached, check_rules, check_text
from palabre.laws.view import check_pieces, check_story, check_view
from palabre.laws.words import check_explanations, check_reason

MOST_PLIES = 5000  # a random game that is longer is one that does not end
LAST_GAME = 3.0  # seconds after which the quick form leaves open whether a game ends


class Laws:
    """The laws of one game; `tell` is called with what is being done, and where, before anything can go wrong."""

    def __init__(self, game: Game, tell: Callable[[str, str], None]) -> None:
        self.game = game
        self.inquiry = Inquiry(game, tell)
        self.visited: list[tuple[State, int]] = []  # the positions so far, each with the move that was played there
        self.known: dict[int, Future] = {}  # what is known of the position with a key
        self.deadline = math.inf  # when to leave off

    def look_quickly(self, seconds: float) -> int:
        """The quick form: random games for so many seconds, the last one perhaps not to its end; returns how many."""
        check_files(self.inquiry)
        self.deadline = time.monotonic() + seconds
        games = 0
        while time.monotonic() < self.deadline:
            self.play_plainly(games)
            games += 1
        self._play_to_the_end()
        return games

    def look_closely(self, games: int, seed: int) -> None:
        """The whole check, along so many random games."""
        check_files(self.inquiry)
        for number in range(games):
            self.play_plainly(seed + number)
        if not is_disabled():
            self.compare_compiled()

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
            if time.monotonic() > self.deadline:
                return
            inquiry.where = repr(state)  # until its text is known
            inquiry.tell(f"asking its rules in plain Python, in {state!r}", "")
            if inquiry.ask("is_over", is_over, state):
                check_reason(inquiry, state)
                state = inquiry.ask("award_remaining", award_remaining, state)
            moves = self._check_position(state, dice)
            if game.players == 2:
                promise = check_bounds(inquiry, state, promise)
            if not moves:
                self.visited.append((state, NO_MOVE))
                return
            move = dice.choice(moves)
            self.visited.append((state, move))
            check_story(inquiry, state, move)
            state = inquiry.ask("play", play, state, move)
            check_reached(inquiry, state, move)
            mark = inquiry.ask("repetition_key", repetition_key, state)
            if mark and mark in seen:
                check_text(inquiry, inquiry.ask("award_remaining", award_remaining, state))
                return
            seen.add(mark)
        self._refuse_endless()

    def _play_to_the_end(self) -> None:
        """Play a random game and look at nothing but whether it ends, which takes too long otherwise."""
        dice = random.Random(0)
        ask = self.inquiry.ask
        state: State = ask("start", self.game.rules.start, self.game.options, 0)
        seen: set[int] = set()
        deadline = time.monotonic() + LAST_GAME
        for _ in range(MOST_PLIES):
            mark = ask("repetition_key", repetition_key, state)
            if ask("is_over", is_over, state) or (mark and mark in seen) or time.monotonic() > deadline:
                return
            seen.add(mark)
            buffer = self.inquiry.new_buffer()
            count = ask("legal_moves", legal_moves, state, buffer)
            state = ask("play", play, state, buffer[dice.randrange(count)])
        self.inquiry.where = ask("state_to_text", self.game.notation.state_to_text, state)
        self._refuse_endless()

    def _refuse_endless(self) -> None:
        remedy = "count plies in the state and end the game at a limit, or answer repetition_key"
        self.inquiry.require(False, f"a random game has not ended after {MOST_PLIES:,} plies", remedy)

    def _check_position(self, state: State, dice: random.Random) -> list[int]:
        """Check all laws of one position; returns its legal moves."""
        check_player(self.inquiry, state)  # texts and pieces usually depend on it
        check_pieces(self.inquiry, state)
        check_text(self.inquiry, state)
        moves, future = check_rules(self.inquiry, state, dice)
        check_key(self.inquiry, state, future, self.known)
        check_view(self.inquiry, state, moves)
        check_explanations(self.inquiry, state, moves, dice)
        check_evaluations(self.inquiry, state)
        return moves

    def compare_compiled(self) -> None:
        """Ask the compiled rules about all positions so far."""
        compare(self.inquiry, self.visited)


def main() -> None:
    """Check the game of a spec along random games from a seed; each line of output is a JSON document.

    A fourth argument asks for the quick form, and is the seconds that it takes; then it plays as many games as it can.
    """
    end_with_parent()
    spec, games, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    seconds = float(sys.argv[4]) if len(sys.argv) > 4 else None

    def tell(doing: str, where: str, **more: object) -> None:
        print(json.dumps({"doing": doing, "where": where, **more}), flush=True)

    try:
        tell("loading the file", "")
        laws = Laws(registry.game(spec), tell)
        if seconds is None:
            laws.look_closely(games, seed)
        else:
            games = laws.look_quickly(seconds)
    except LawBroken as broken:
        tell("", "", broken=str(broken))
    except PalabreError as refused:
        tell("", "", refused=str(refused))
    except Exception as error:  # no law has foreseen this mistake; its author still learns where it is
        tell("", "", broken=f"{in_one_line(error)}; look at that line, and at what it is given.")
    else:
        tell("", "", games=games, positions=len(laws.visited), compiled=not is_disabled())
