"""Bot: what a player is to the arena. The bots of Palabre and anybody's own are subclasses of this one."""

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from palabre.core.bits import combine
from palabre.core.dice import roll, shake
from palabre.core.game import Game
from palabre.core.position import Move, Position
from palabre.core.spec import Options, Parameter
from palabre.search.clock import Clock

if TYPE_CHECKING:
    from palabre.search.thought import Thought

Choice = TypeVar("Choice")


class Bot:
    """A player. Write `choose` or `score_moves` in a subclass; the other hooks may stay as they are.

    A subclass may have an `__init__` without arguments; what its spec says is in `options` before any hook is called.
    """

    summary: ClassVar[str] = "somebody's own bot"  # one line for lists
    games: ClassVar[tuple[str, ...]] = ()  # the names of the games it plays; none for all games
    most_players: ClassVar[int | None] = None  # at one board, None for any number
    any_seat: ClassVar[bool] = False  # whether it plays for whoever is to move, wherever `start` has seated it

    spec: str = ""  # its name, as `palabre.bots.specs.bot` spells it
    options: Options = Options("", (("seed", 0),))  # the values of its parameters, `self.options.number("depth")`
    # Who wants to know what it thinks while it chooses; a bot that looks deeper and deeper calls this after each depth.
    watch: "Callable[[Thought], None] | None" = None
    _dice: int = 0

    @classmethod
    def parameters(cls, game: Game) -> Sequence[Parameter]:
        """What can be chosen about it in a spec for this game, beside the seed that every bot has."""
        return ()

    def learn(self, data: Sequence[Any], budget: float) -> None:
        """Prepare for playing, once, before the first game, in so many seconds.

        `data` is what there is to learn from, and empty where there is nothing, as in a match of two bots.
        """

    def start(self, game: Game, seat: int) -> None:
        """A game begins in which this is player `seat` (0, 1, …); the time this takes is on no clock."""

    def choose(self, position: Position, clock: Clock) -> Move | str:
        """The move to play, one of `position.moves()` or its text; by default the best one of `score_moves`."""
        return self.pick(best_moves(position, self.score_moves(position)))

    def stop(self) -> None:
        """Have `choose` answer at once with the best move found so far, if this bot can do that.

        Called from another thread, as often as it takes: `choose` may not have begun, or have ended, when it comes.
        """

    def score_moves(self, position: Position) -> Sequence[float]:
        """A number for every legal move, in the order of `position.moves()`: the highest is played.

        There may instead be one for every code a move can have, legal or not. In Awélé these are the six pits, as in
        the course; the numbers of pits that cannot be played are not looked at.
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
        """For whoever runs a game, before it: `start` with fresh dice.

        They follow from the bot's own seed, the game's and the seat: no two games of a match are played with the
        same luck, and a bot that plays itself does not mirror its own moves.
        """
        self._dice = combine(combine(combine(1, self.options.number("seed")), seed), seat)
        self.start(game, seat)


def best_moves(position: Position, scores: Sequence[float]) -> list[Move]:
    """The legal moves with the highest score, given what `Bot.score_moves` returns.

    Both forms agree where they have the same length: legal moves come in the order of their codes.
    """
    moves = position.moves()
    numbers = list(scores)
    codes = int(position.game.rules.MOVE_CODES)
    if len(numbers) == len(moves):
        found = [float(number) for number in numbers]
    elif len(numbers) == codes:
        found = [float(numbers[move.code]) for move in moves]
    else:
        raise ValueError(
            f"score_moves gave {len(numbers)} numbers; it must be one for each of the {len(moves)} legal moves, "
            f"or one for each of the {codes} moves there are in {position.game.title}"
        )
    if any(math.isnan(number) for number in found):
        raise ValueError("score_moves gave a number that is none (nan) for a legal move")
    return [move for move, number in zip(moves, found, strict=True) if number == max(found)]
