"""A vector: many boards of one game, stepped and observed together in compiled code over NumPy arrays."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from palabre.compile.compiler import compiled
from palabre.core import verbs
from palabre.core.bits import combine, signed
from palabre.core.errors import IllegalMove, PalabreError, listing
from palabre.core.game import Game
from palabre.core.given import described, given_count, given_integer
from palabre.core.position import Position
from palabre.core.words import say
from palabre.environments import stepping
from palabre.laws.first_use import given_game

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STARTS, DICE = 19, 23  # the families of seeds of first positions and of random actions
ROOM = 64  # for the positions of a board that may come again, at least 2; it grows

Illegal = Literal["error", "loses"]


class VectorStep(NamedTuple):
    """What a step has done, board by board. Where `terminated` is set, the board shows a new game already."""

    rewards: "NDArray[np.float32]"  # boards × players: 0 until the end; then 1 for a win, and a sum of 0
    terminated: "NDArray[np.bool_]"  # whether the game has ended with this step
    illegal: "NDArray[np.bool_]"  # whether it was lost by an illegal action


def vector(game: Game | str | Path, boards: int, *, seed: int = 0, illegal: Illegal = "error") -> "Vector":
    """So many boards of a game that are stepped together.

    A game that ends is replaced by a new one at once; `seed` decides all first positions and all random actions.
    `illegal` says what an illegal action does: "error" raises an `IllegalMove`, and no board has changed; "loses" ends
    the game of that board: the player to move has lost, and the others share it.
    """
    given_count("vector", "boards", boards)
    given_integer("vector", "seed", seed)
    if illegal not in get_args(Illegal):
        raise PalabreError(say("vector.option", given=described(illegal), valid=listing(get_args(Illegal))))
    return Vector(given_game(game), boards, seed, illegal)


class Vector:
    """Boards of one game, made by `vector`. An action is the code of a move, as in `Move.code`.

    `game` and `boards` say what they are, and actions are numbers below `actions`. `states` is an array of boards ×
    fields of the state, to read and not to change. Equal seeds and actions give equal boards, compiled or as plain
    Python, and what happens on a board does not depend on how many others there are.
    """

    def __init__(self, game: Game, boards: int, seed: int, illegal: Illegal) -> None:
        import numpy as np

        start = game.start().state
        self.game = game
        self.boards = boards
        self.actions = int(game.rules.MOVE_CODES)  # an action is a number from 0 to `actions` - 1
        self.features_limit, self._most_features, _ = verbs.feature_limits(game.state_class)
        self.states: NDArray[np.int64] = np.empty((boards, len(start)), np.int64)
        self._start = start  # of every game, unless the game's first position is random
        self._punishes = illegal == "loses"
        self._remembers = bool(verbs.repetition_key(start))
        self._history: NDArray[np.int64] = np.empty((boards, ROOM if self._remembers else 0), np.int64)
        self._lengths: NDArray[np.int64] = np.empty(boards, np.int64)
        self._games: NDArray[np.int64] = np.empty(boards, np.int64)
        self._dice: NDArray[np.int64] = np.empty(boards, np.int64)
        self._seed = signed(seed)
        self.reset()

    def reset(self, seed: int | None = None) -> None:
        """Begin a new game on every board: as at first, or with another seed."""
        if seed is not None:
            given_integer("Vector.reset", "seed", seed)
            self._seed = signed(seed)
        self._games[:] = 0
        self._dice[:] = [self._luck(DICE, board, 0) for board in range(self.boards)]
        self.states[:] = self._start
        if self._remembers:
            self._history[:, 0] = verbs.repetition_key(self._start)
            self._lengths[:] = 1
        if self.game.has_random_start:
            self._deal(range(self.boards))

    def step(self, actions: "NDArray[np.integer[Any]]") -> VectorStep:
        """Play an action on every board; a board whose game has ended shows the first position of its next one."""
        import numpy as np

        wanted = np.asarray(actions)
        if wanted.shape != (self.boards,) or wanted.dtype.kind not in "iu":
            given = say("vector.array", shape=str(wanted.shape), kind=str(wanted.dtype))
            raise PalabreError(say("vector.actions", boards=self.boards, given=given))
        done = VectorStep(
            np.zeros((self.boards, self.game.players), np.float32),
            np.zeros(self.boards, np.bool_),
            np.zeros(self.boards, np.bool_),
        )
        longest = compiled(stepping.step_boards, self.game)(
            self._start,
            self.states.reshape(-1),
            wanted.astype(np.int64),  # a copy, as kernels are compiled for arrays that can be written
            self._punishes,
            done.rewards.reshape(-1),
            done.terminated,
            done.illegal,
            self._history.reshape(-1),
            self._lengths,
        )
        if longest < 0:
            self._refuse(-1 - longest, int(wanted[-1 - longest]))
        if longest == self._history.shape[1] and self._remembers:
            self._history = np.concatenate([self._history, np.empty_like(self._history)], axis=1)
        self._games += done.terminated
        if self.game.has_random_start:
            self._deal(np.flatnonzero(done.terminated).tolist())
        return done

    def legal_mask(self) -> "NDArray[np.bool_]":
        """Which actions are legal: boards × actions."""
        import numpy as np

        mask = np.zeros((self.boards, self.actions), np.bool_)
        compiled(stepping.mark_legal, self.game)(self._start, self.states.reshape(-1), self.boards, mask.reshape(-1))
        return mask

    def random_actions(self) -> "NDArray[np.int64]":
        """A legal action for every board, each with the same chance, from the dice of the board."""
        import numpy as np

        actions = np.empty(self.boards, np.int64)
        compiled(stepping.choose_randomly, self.game)(self._start, self.states.reshape(-1), self._dice, actions)
        return actions

    def to_move(self) -> "NDArray[np.int64]":
        """The player to move on every board."""
        import numpy as np

        turns = np.empty(self.boards, np.int64)
        compiled(stepping.list_players, self.game)(self._start, self.states.reshape(-1), turns)
        return turns

    def features(self) -> "NDArray[np.int32]":
        """The features of every board, as its game writes them for nets: a row of numbers for each.

        Rows are filled up with `features_limit`, which is no feature: give it weights of zero. They are empty if the
        game has no features.
        """
        import numpy as np

        rows = np.full((self.boards, self._most_features), self.features_limit, np.int32)
        if self._most_features:
            run = compiled(stepping.list_features, self.game)
            run(self._start, self.states.reshape(-1), self.boards, rows.reshape(-1))
        return rows

    def position(self, board: int) -> Position:
        """What is on a board, as a position without a past."""
        make: Any = self.game.state_class
        return Position.first(self.game, make(*map(int, self.states[board])))

    def _deal(self, boards: Iterable[int]) -> None:
        """Put random first positions on these boards, each by the seed, the board and the number of its game."""
        for board in boards:
            state = self.game.start(self._luck(STARTS, board, int(self._games[board]))).state
            self.states[board] = state
            if self._remembers:
                self._history[board, 0] = verbs.repetition_key(state)

    def _luck(self, family: int, board: int, number: int) -> int:
        return combine(combine(combine(family, self._seed), board), number)

    def _refuse(self, board: int, action: int) -> None:
        position = self.position(board)
        legal = listing(move.code for move in position.moves())
        raise IllegalMove(say("vector.illegal", board=board, action=action, position=position.text, legal=legal))
