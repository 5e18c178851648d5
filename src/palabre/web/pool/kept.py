"""What a process that searches keeps from job to job: bots that are ready, and positions.

A bot that is ready has its kernels compiled and its table allocated. Bots of ours are kept by game and spec, the least
recently used go first. A foreign bot plays in a sandbox, one instance for each room and seat, until its game is
over or it has not been asked for long.
"""

import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from palabre.bots.bot import Bot
from palabre.bots.submission import has_bot, is_submission
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.plain import renamed
from palabre.core.position import Position
from palabre.play.failures import Limits
from palabre.play.guard import dismiss, teach
from palabre.sandbox.players import close_bot, files_of, seat
from palabre.web.limits import bot_spec_with_path, lower_memory, read_game
from palabre.web.pool.tasks import SearchSetup
from palabre.web.requests import Place

MOST_BOTS = 16  # of ours
MOST_MEGABYTES = 128  # in the tables of all of them
MOST_GUESTS = 8  # foreign bots
GUEST_MEGABYTES = 256
GUEST_LOADING = 20.0  # seconds to be imported, and again to start
IDLE = 600.0  # seconds after which a foreign bot is let go
MOST_GAMES = 32
MOST_POSITIONS = 1000
LOOK_BACK = 8  # plies: with several players and several processes, a room's last position here may be that old

GuestKey = tuple[str, int, str]  # room, seat, spec


@dataclass
class Guest:
    """A foreign bot, in its sandbox."""

    bot: Bot
    used: float  # when, by `time.monotonic`


class SearchCache:
    """The bots and positions of one process."""

    def __init__(self, setup: SearchSetup) -> None:
        self._folders, self._limits = setup.folders, setup.limits
        self._bots: OrderedDict[tuple[str, str], Bot] = OrderedDict()
        self._guests: OrderedDict[GuestKey, Guest] = OrderedDict()
        self._games: OrderedDict[str, Game] = OrderedDict()
        self._positions: OrderedDict[tuple[str, str | None, tuple[str, ...]], Position] = OrderedDict()

    # ------------------------------------------------------------------------------------------------------- positions

    def position(self, place: Place) -> Position:
        """The position of a place; a `PalabreError` says what is wrong with it."""
        game = self._game(place.game)
        moves = tuple(place.moves)
        for known in range(len(moves), max(-1, len(moves) - LOOK_BACK), -1):
            position = self._positions.get((game.spec, place.start, moves[:known]))
            if position is not None:
                break
        else:
            known, position = 0, game.start() if place.start is None else game.position(place.start)
        for move in moves[known:]:
            position = position.play(move)
        key = (game.spec, place.start, moves)
        self._positions[key] = position
        self._positions.move_to_end(key)
        _shrink(self._positions, MOST_POSITIONS)
        return position

    def positions(self, place: Place) -> list[Position]:
        """All positions of a game, from its first."""
        positions = [self.position(Place(place.game, place.start))]
        for move in place.moves:
            positions.append(positions[-1].play(move))
        return positions

    def _game(self, spec: str) -> Game:
        if spec not in self._games:
            self._games[spec] = read_game(spec, self._folders)
        self._games.move_to_end(spec)
        _shrink(self._games, MOST_GAMES)
        return self._games[spec]

    # ------------------------------------------------------------------------------------------------------------ bots

    def bot(self, spec: str, game: Game) -> Bot:
        """A bot of ours that is ready: it has learned and has begun a game, so all of it is compiled."""
        key = (game.spec, spec)
        if key not in self._bots:
            made = seat(spec, game)
            made.options = lower_memory(made.options, self._limits.memory)
            teach(made)
            made.sit_down(game, 0)
            self._bots[key] = made
        self._bots.move_to_end(key)
        while len(self._bots) > MOST_BOTS or (self.megabytes > MOST_MEGABYTES and len(self._bots) > 1):
            close_bot(self._bots.popitem(last=False)[1])
        return self._bots[key]

    @property
    def megabytes(self) -> int:
        """The memory in the tables of the bots that are kept."""
        return sum(int(dict(bot.options.values).get("memory", 0)) for bot in self._bots.values())

    # ---------------------------------------------------------------------------------------------------------- guests

    def guest(self, key: GuestKey, game: Game, seed: int) -> Bot:
        """The foreign bot that plays in a room, seated; drop it if it fails."""
        _, number, spec = key
        if key not in self._guests:
            while len(self._guests) >= MOST_GUESTS:
                self._dismiss(next(iter(self._guests)))
            limits = Limits(
                memory=GUEST_MEGABYTES,
                loading=GUEST_LOADING,
                starting=GUEST_LOADING,
                patience=self._limits.seconds,
            )
            place = bot_spec_with_path(spec, self._folders)
            try:
                made = seat(place, game, limits=limits, untrusted=True, rivals=self._imported(place))
            except PalabreError as error:
                raise PalabreError(renamed(error, place, spec)) from error  # people must not see the path
            made.spec = spec
            self._guests[key] = Guest(made, time.monotonic())
            teach(made)
            made.sit_down(game, number, seed)
        guest = self._guests[key]
        guest.used = time.monotonic()
        self._guests.move_to_end(key)
        return guest.bot

    def _imported(self, place: str) -> list[str]:
        """The bots on offer in the files that a bot imports: they may play against it."""
        if is_submission(place):  # nothing beside it belongs to it
            return []
        offered = self._folders.bot_files().values()
        read = files_of(place)[1].read.values()
        return [str(file) for file in read if any(map(file.is_relative_to, offered)) and has_bot(file)]

    def drop_guest(self, key: GuestKey) -> None:
        """Let a bot go that has failed."""
        if key in self._guests:
            self._dismiss(key)

    def end_room(self, room: str, place: Place | None) -> None:
        """End the game of the bots of a room, and let them go."""
        for key in [key for key in self._guests if key[0] == room]:
            self._dismiss(key, None if place is None else self.position(place))

    def end_idle(self) -> None:
        """Let the bots go that have not been asked for long."""
        for key, guest in list(self._guests.items()):
            if time.monotonic() - guest.used > IDLE:
                self._dismiss(key)

    def _dismiss(self, key: GuestKey, position: Position | None = None) -> None:
        guest = self._guests.pop(key)
        if position is not None:
            dismiss(guest.bot, position)
        close_bot(guest.bot)


def _shrink(kept: OrderedDict[Any, Any], most: int) -> None:
    while len(kept) > most:
        kept.popitem(last=False)
