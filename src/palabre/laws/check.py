"""The laws of a game, checked along random games: what `palabre check` runs in a process of its own (`apart.py`).

First it reads the game's files. Then it calls the rules in plain Python, where every mistake can be seen. Then it calls
the compiled rules in the same positions; they must give the same answers. The quick form, before a game is first used,
is a second of the plain part. The check ends at the first broken law, and reports it with its position and the remedy.
"""

import math
import random
import time
from collections.abc import Callable
from typing import NoReturn

from palabre.compile.compiler import is_disabled
from palabre.core.contract import check_state
from palabre.core.game import Game
from palabre.core.verbs import State, award_remaining, is_over, legal_moves, play, repetition_key, to_move
from palabre.core.words import own_words
from palabre.laws.compiled import NO_MOVE, compare
from palabre.laws.evaluation import check_evaluations
from palabre.laws.features import check_features
from palabre.laws.files import check_files
from palabre.laws.inquiry import Inquiry, LawBroken
from palabre.laws.purity import check_purity
from palabre.laws.repetition import Past
from palabre.laws.rules import (
    Future,
    check_bounds,
    check_counts,
    check_key,
    check_player,
    check_reached,
    check_rules,
    check_text,
)
from palabre.laws.seats import ENOUGH_GAMES, Seats
from palabre.laws.start import check_start, check_start_elsewhere
from palabre.laws.texts import check_explanations, check_reason
from palabre.laws.view import check_pieces, check_story, check_view

say = own_words(__file__)

MOST_PLIES = 5000  # a random game that is longer is one that does not end
FEWEST = 60  # positions that the quick form checks, however long it takes
LAST_GAME = 3.0  # seconds after which the quick form leaves open whether a game ends
CLOSELY = 40  # positions of a game, about, that are checked closely; a longer game is played fast through the others


class Laws:
    """The laws of one game; `on_step` is called with the id of a step, and where, before anything can go wrong."""

    def __init__(self, game: Game, on_step: Callable[[str, str], None]) -> None:
        self.game = game
        self.inquiry = Inquiry(game, on_step)
        self.visited: list[tuple[State, int]] = []  # the positions so far, each with the move that was played there
        self.known: dict[int, Future] = {}  # what is known of the position with a key
        self.seats = Seats(game)
        self.positions = 0  # in which the rules were called
        self.deadline = math.inf  # when to stop

    def look_quickly(self, seconds: float) -> int:
        """The quick form: random games for so many seconds, the last one perhaps not to its end; returns how many."""
        check_files(self.inquiry)
        check_start(self.inquiry)
        self.deadline = time.monotonic() + seconds
        games = 0
        while time.monotonic() < self.deadline or len(self.visited) < FEWEST:
            self.play_plainly(games)
            games += 1
            if games == ENOUGH_GAMES:  # what shows by then need not wait until the time is over
                self.seats.check(self.inquiry)
        self._play_to_the_end(0)
        self._check_seats()
        return games

    def look_closely(self, games: int, seed: int) -> None:
        """The whole check, along so many random games."""
        check_files(self.inquiry)
        check_start(self.inquiry)
        plies = 0
        for number in range(games):
            plies = self.play_plainly(seed + number, max(1, math.ceil(plies / CLOSELY)))
        self._check_seats()
        check_start_elsewhere(self.inquiry)
        if not is_disabled():
            self.compare_compiled()

    def play_plainly(self, seed: int, stride: int = 1) -> int:
        """Play one random game, checking its rules all along and the rest every `stride` plies; returns its plies."""
        dice = random.Random(seed)
        inquiry = self.inquiry
        inquiry.where = say("asked.first")
        state: State = inquiry.ask("start", self.game.rules.start, self.game.options, seed)
        check_state(self.game.rules, state, say("contract.origin.any_start"))
        past = Past(inquiry)
        promise: tuple[int, int] | None = None  # the player who moved last, and how far ahead they can end at most
        for ply in range(MOST_PLIES):
            if time.monotonic() > self.deadline and len(self.visited) >= FEWEST:
                return ply
            inquiry.where = repr(state)  # until its text is known
            inquiry.on_step("step.state", repr(state))
            is_end = bool(inquiry.ask("is_over", is_over, state))
            if is_end:
                check_reason(inquiry, state)
                state = inquiry.ask("award_remaining", award_remaining, state)
            self.positions += 1
            is_close = is_end or ply % stride == seed % stride
            check_player(inquiry, state)  # texts and pieces usually depend on it
            moves, future = self._check_closely(state, dice) if is_close else check_rules(inquiry, state)
            if self.game.players == 2:
                promise = check_bounds(inquiry, state, promise)
            self.seats.note(state, future)
            if moves and past.is_repeated(state, moves):
                check_text(inquiry, inquiry.ask("award_remaining", award_remaining, state))
            if not moves or past.has_ended:
                self.visited.append((state, moves[0] if moves else NO_MOVE))
                self.seats.games += 1
                return ply
            move = dice.choice(moves)
            if is_close:
                self.visited.append((state, move))
                check_story(inquiry, state, move)
            state = inquiry.ask("play", play, state, move)
            check_reached(inquiry, state, move)
        return self._refuse_endless()

    def _check_seats(self) -> None:
        """Check what shows over several games, and play more of them, without any other check, if need be."""
        for number in range(ENOUGH_GAMES - self.seats.games if self.seats.idle() else 0):
            self._play_to_the_end(number)
        self.seats.check(self.inquiry)

    def _play_to_the_end(self, seed: int) -> None:
        """Play a random game and check only that it ends, which takes too long otherwise."""
        dice = random.Random(seed)
        ask = self.inquiry.ask
        state: State = ask("start", self.game.rules.start, self.game.options, seed)
        seen: set[int] = set()
        deadline = time.monotonic() + LAST_GAME
        for _ in range(MOST_PLIES):
            mark = ask("repetition_key", repetition_key, state)
            if ask("is_over", is_over, state) or (mark and mark in seen):
                self.seats.games += 1
                return
            if time.monotonic() > deadline:
                return
            seen.add(mark)
            self.seats.movers.add(ask("to_move", to_move, state))
            buffer = self.inquiry.new_buffer()
            count = ask("legal_moves", legal_moves, state, buffer)
            state = ask("play", play, state, buffer[dice.randrange(count)])
        self.inquiry.where = ask("state_to_text", self.game.notation.state_to_text, state)
        self._refuse_endless()

    def _refuse_endless(self) -> NoReturn:
        raise LawBroken(say("rules.endless", plies=MOST_PLIES, where=self.inquiry.where))

    def _check_closely(self, state: State, dice: random.Random) -> tuple[list[int], Future]:
        """Check all laws of one position; returns its legal moves and all that the future depends on."""
        inquiry = self.inquiry
        check_purity(inquiry, state)  # without it, no other answer means anything
        check_pieces(inquiry, state)
        check_text(inquiry, state)
        moves, future = check_rules(inquiry, state)
        if moves:
            check_counts(inquiry, state, moves, dice)
        check_key(inquiry, state, future, self.known)
        check_view(inquiry, state, moves)
        check_explanations(inquiry, state, moves, dice)
        if moves:
            check_features(inquiry, state)
        check_evaluations(inquiry, state)
        return moves, future

    def compare_compiled(self) -> None:
        """Compare the compiled rules in all positions so far."""
        compare(self.inquiry, self.visited)
