"""Bot: a player. Palabre's bots and those of users are subclasses of it; those that search, of `SearchBot`."""

import contextlib
import math
from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, TypeVar

from palabre.core.bits import combine
from palabre.core.dice import roll, shake
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.given import given_instance, given_integer, given_position
from palabre.core.observations import Observation
from palabre.core.position import Move, Position
from palabre.core.spec import Options, Parameter
from palabre.core.stopping import StopToken
from palabre.core.words import say
from palabre.search.clock import Clock, given_clock
from palabre.search.thought import LastingSearch, Search, Thought, Watch

Choice = TypeVar("Choice")


class NotBegun(PalabreError, AttributeError):
    """A bot that searches was asked for something before `start`."""


def given_turn(player: "Bot", hook: str, position: object, clock: object) -> None:
    """Refuse a call of a hook without a position or a clock."""
    asker = f"{type(player).__name__}.{hook}"
    given_position(asker, position)
    given_clock(asker, clock)


class Bot:
    """A player. A subclass needs `choose` or `score_moves`; the other hooks are optional.

    A subclass may have an `__init__` without arguments. The values in its spec are in `options` before any hook is
    called.
    """

    summary: ClassVar[str] = "a bot of your own"  # one line for lists
    games: ClassVar[tuple[str, ...]] = ()  # the names of the games it plays; empty for all games
    most_players: ClassVar[int | None] = None  # in one game; None for any number
    needs_data: ClassVar[bool] = False  # whether it cannot play before it has learnt from observations
    can_analyse: ClassVar[bool] = False  # whether it reports what it thinks of a position: `SearchBot` does
    any_seat: ClassVar[bool] = False  # whether it plays for the player to move, whatever seat `start` gave it

    spec: str = ""  # its name, as `palabre.bots.specs.bot` spells it
    options: Options = Options("", (("seed", 0),))  # the values of its parameters, `self.options.number("depth")`
    watch: Watch | None = None  # a bot that searches calls this with each `Thought` while it chooses
    stop_token: StopToken | None = None  # of its caller, who may stop `choose` at any time
    thought: Thought | None = None  # what a bot that searches thought when it chose its last move, for the record
    _dice: int = 0

    @classmethod
    def parameters(cls, game: Game) -> Sequence[Parameter]:
        """The parameters of its spec in this game, besides the seed that every bot has."""
        return ()

    def learn(self, data: Sequence[Observation], budget: float) -> None:
        """Prepare for playing, once, before the first game, within `budget` seconds.

        `data` is what there is to learn from: the observations of `--data FILE`. It is empty without any.
        """

    def start(self, game: Game, seat: int) -> None:
        """Prepare for a game as player `seat` (0, 1, …); no clock runs meanwhile."""

    def choose(self, position: Position, clock: Clock) -> Move | str:
        """The move to play, one of `position.moves()` or its text; by default the best by `score_moves`."""
        given_turn(self, "choose", position, clock)
        return self.pick(best_moves(position, self.score_moves(position)))

    def stop(self) -> None:
        """Make `choose` return the best move so far at once, if this bot can do that.

        This is called from another thread, perhaps several times. `choose` may not have begun yet, or may have ended.
        """

    def is_timed(self, position: Position, clock: Clock) -> bool:
        """Whether its moves may depend on the speed of the machine, so that a game cannot be reproduced."""
        return clock.is_timed

    def end_game(self, position: Position) -> None:
        """Called when a game has ended; `position` is its last one, with `result` None if a player forfeited."""

    def end_event(self) -> None:
        """Called when there will be no more games."""

    def score_moves(self, position: Position) -> Sequence[float]:
        """A number for every legal move, in the order of `position.moves()`: the highest is played.

        Instead there may be a number for every code that a move can have, legal or not. In Awélé these are the six
        pits, as in the course; the numbers of pits that cannot be played are ignored.
        """
        raise NotImplementedError(f"{type(self).__name__} has neither choose nor score_moves")

    def roll(self, sides: int) -> int:
        """A random number from 0 to sides - 1. The same seed and the same game give the same rolls."""
        self._dice = shake(self._dice)
        return roll(self._dice, sides)

    def pick(self, choices: Sequence[Choice]) -> Choice:
        """One of the choices at random."""
        return choices[self.roll(len(choices))]

    def sit_down(self, game: Game, seat: int, seed: int = 0) -> None:
        """Reseed the dice and call `start`; code that runs a game calls this first."""
        given_instance(f"{type(self).__name__}.sit_down", game, Game, "palabre.game(SPEC) is one")
        given_integer(f"{type(self).__name__}.sit_down", "seat", seat)
        given_integer(f"{type(self).__name__}.sit_down", "seed", seed)
        self.reseed(seed, seat)
        self.start(game, seat)

    def reseed(self, seed: int, seat: int) -> None:
        """Reseed the dice, as `sit_down` does, in the middle of a game or between the moves of several.

        The dice follow from the bot's own seed, the game's and the seat: the games of a match differ, and a bot that
        plays against itself does not mirror its own moves.
        """
        self._dice = combine(combine(combine(1, self.options.number("seed")), seed), seat)


class SearchBot(Bot):
    """A bot whose moves come from a search; it can be watched, stopped and asked for several lines."""

    can_analyse = True
    search: Search  # made by `start`
    counts_depth: ClassVar[bool] = True  # whether a clock can limit the depth of the search

    @abstractmethod
    def new_search(self, game: Game) -> Search:
        """The search it uses to play a game."""

    def start(self, game: Game, seat: int) -> None:
        given_instance(f"{type(self).__name__}.start", game, Game, "palabre.game(SPEC) is one")
        self.search = self.new_search(game)
        position = game.start()
        if not position.is_over:
            least = Clock(depth=1) if self.counts_depth else Clock(nodes=1)
            self.search.think(position, least)  # compiled now, while no clock runs

    def move_limits(self, position: Position, clock: Clock) -> Clock:
        """The limits for choosing a move: the clock's and, in most bots, its own."""
        return clock

    def is_timed(self, position: Position, clock: Clock) -> bool:
        return super().is_timed(position, self.move_limits(position, clock))

    def think(self, position: Position, clock: Clock, watch: Watch | None = None, lines: int = 1) -> Thought:
        """What it thinks of a position, limited by this clock alone; `watch` receives the best `lines` moves.

        The position has moves, and `start` has been called.
        """
        given_turn(self, "think", position, clock)
        token = self.search.stop_token = self.stop_token
        with contextlib.nullcontext() if token is None else token.calling(self.search.stop):
            self.thought = self.search.think(position, clock, watch, lines)
        return self.thought

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            if name == "search":
                raise NotBegun(say("given.not_begun", bot=self.spec or type(self).__name__))
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def choose(self, position: Position, clock: Clock) -> Move:
        given_turn(self, "choose", position, clock)
        return self.think(position, self.move_limits(position, clock), self.watch).move

    def stop(self) -> None:
        if "search" in vars(self):  # it may be stopped before the first game
            self.search.stop()


class LastingBot(SearchBot):
    """A search bot whose search is made once and emptied for each game: it can play many games at the same time."""

    any_seat = True
    search: LastingSearch

    def start(self, game: Game, seat: int) -> None:
        if "search" not in vars(self) or self.search.game != game:
            super().start(game, seat)
        self.search.new_game()

    def choose_afresh(self, position: Position, clock: Clock, seed: int = 0) -> Move:
        """The move of a bot that has just sat down here: whatever it has searched before makes no difference.

        So one prepared bot can answer for many games in turn. Where simulations, nodes or depth limit it, its move
        follows from the position, the moves that led to it and the seed of the game. It gives up what it could have
        kept from the last move; emptying takes 2 ms for a table of 64 MB, and next to nothing for those of levels.
        """
        self.search.new_game()
        self.reseed(combine(seed, position.ply), position.to_move)
        return self.choose(position, clock)


class TieBreakingBot(SearchBot):
    """A search bot that picks at random among the moves that its search finds equally good."""

    def choose(self, position: Position, clock: Clock) -> Move:
        given_turn(self, "choose", position, clock)
        return self.pick(self.think(position, self.move_limits(position, clock), self.watch).best)


def best_moves(position: Position, scores: Sequence[float]) -> list[Move]:
    """The legal moves with the highest score, given what `Bot.score_moves` returns.

    Both forms agree where they have the same length: legal moves come in the order of their codes.
    """
    moves = position.moves()
    numbers = list(scores)
    codes = int(position.game.rules.MOVE_CODES)
    if len(numbers) == len(moves):
        values = [float(number) for number in numbers]
    elif len(numbers) == codes:
        values = [float(numbers[move.code]) for move in moves]
    else:
        raise ValueError(
            f"score_moves gave {len(numbers)} numbers; it must be one for each of the {len(moves)} legal moves, "
            f"or one for each of the {codes} moves there are in {position.game.title}"
        )
    if any(math.isnan(number) for number in values):
        raise ValueError("score_moves gave nan, which is not a number, for a legal move")
    return [move for move, number in zip(moves, values, strict=True) if number == max(values)]
