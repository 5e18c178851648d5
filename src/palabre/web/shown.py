"""What browsers are shown of a room, each in their language."""

from collections.abc import Callable, Sequence

import msgspec

from palabre.core.game import Game
from palabre.web import page
from palabre.web.answering import Ask, Plies
from palabre.web.answers import Answers
from palabre.web.bot_titles import bot_title, level_title
from palabre.web.messages import Now, Ply, RoomChanged, RoomState, Seat, ShownStanding, Thinking
from palabre.web.refusal import why_ended
from palabre.web.room import BOT, PERSON, Room
from palabre.web.room_actions import abilities
from palabre.web.session import Session
from palabre.web.store import SeatRow

FEW_PLIES = 4  # that are drawn at once; more of them are drawn by another process

Drawn = Ply | msgspec.Raw  # the latter as JSON


class ShownRoom:
    """A room as messages; its plies are kept in each language in which they have been drawn."""

    def __init__(self, room: Callable[[], Room]) -> None:
        """`room` gives the room as it is now."""
        self.version = 0  # of the last message that all browsers have got
        self._room = room
        self._plies: dict[str, list[Drawn]] = {}  # by language
        self._names: dict[str, list[str]] = {}  # of the players, by language

    def forget(self, since: int) -> None:
        """The plies from this one on have changed."""
        for plies in self._plies.values():
            del plies[since:]

    def forget_names(self) -> None:
        """The players have changed, and so have all plies, which have their names in them."""
        self._plies.clear()
        self._names.clear()

    def names(self, language: str) -> list[str]:
        """What to call the players."""
        if language not in self._names:
            room = self._room()
            self._names[language] = seat_names(room.seats, room.position.game, language)
        return self._names[language]

    def _missing(self, language: str) -> int:
        """How many plies have not been drawn in a language."""
        return len(self._room().ongoing.positions) - len(self._plies.get(language, ()))

    async def draw(self, language: str, answers: Answers, owner: str) -> None:
        """Have another process draw the plies in a language, if there are many; the owner, a browser, pays for it."""
        while self._missing(language) > FEW_PLIES:
            drawn, room = self._plies.setdefault(language, []), self._room()
            since, last, count = len(drawn), room.position, len(room.ongoing.positions)
            plies = Plies(page.place_of(last), since, list(room.ongoing.seconds), self.names(language))
            more = msgspec.json.decode(await answers.ask(Ask(plies, language), owner), type=list[msgspec.Raw])
            positions = self._room().ongoing.positions
            is_same = self._plies.get(language) is drawn and len(drawn) == since
            if is_same and len(positions) >= count and positions[count - 1] is last:
                drawn += more

    def _drawn(self, language: str) -> list[Drawn]:
        room, drawn = self._room(), self._plies.setdefault(language, [])
        if len(drawn) < len(room.ongoing.positions):
            ongoing, names = room.ongoing, self.names(language)
            drawn += page.plies(ongoing.positions, language, len(drawn), ongoing.seconds, names)
        return drawn

    def standing(self, session: Session, thinking: Thinking | None) -> ShownStanding:
        """What is beside the board, for a browser; `thinking` is the bot that thinks."""
        room, browser = self._room(), session.browser.id
        names, left = self.names(session.language), room.left_now()
        seats = [
            Seat(
                names[number],
                "bot" if seat.who == BOT else "person",
                seat.bot,
                seat.who == PERSON and seat.browser == browser,
                seat.who == BOT or seat.browser is not None,
                room.presence[number].is_here,
                left[number],
            )
            for number, seat in enumerate(room.seats)
        ]
        running = room.to_move if room.is_running else None
        can = abilities(room, browser, thinking is not None)
        return ShownStanding(seats, running, thinking, room.offer, can, room.next_room)

    def state(self, language: str, standing: ShownStanding) -> RoomState:
        """The whole room."""
        room = self._room()
        game = room.position.game
        return RoomState(
            room.row.room,
            self.version,
            page.place_of(room.position),
            game.words(language).title,
            page.rules_in_words(game, language),
            self.names(language),
            page.ground_of(game),
            self._drawn(language),
            now(room, language),
            standing,
            room.allowed,
        )

    def change(self, since: int | None, language: str, standing: ShownStanding) -> RoomChanged:
        """What has changed: the board from a ply on, or only what is beside it."""
        room = self._room()
        name = room.row.room
        if since is None and not room.ongoing.is_over:
            return RoomChanged(name, self.version, standing)
        if self._missing(language) > FEW_PLIES:
            # A version that does not follow on the last one has the page enter again, when they will be drawn.
            return RoomChanged(name, self.version + 1, standing)
        plies = self._drawn(language)
        first = len(plies) if since is None else since
        moves = [move.text for move in room.ongoing.moves]
        return RoomChanged(name, self.version, standing, first, plies[first:], moves, now(room, language))


def now(room: Room, language: str) -> Now:
    """What can be done in the position on the board, or how the game has ended."""
    return page.now(room.position, language, room.ongoing.result, why_over(room, language))


def why_over(room: Room, language: str) -> str:
    """Why the game of a room is over, with the players by their names; nothing if it goes on."""
    if not room.ongoing.is_over:
        return ""
    names = seat_names(room.seats, room.position.game, language)
    return why_ended(room.ongoing.why_ended or room.position.why_over or "", names, language)


def seat_names(seats: Sequence[SeatRow], game: Game, language: str) -> list[str]:
    """What to call the players, everywhere: bots by their level or name, people as they call themselves, or as the
    game does. Players of the same name have the number of their seat behind it."""
    names = [_name(seat, number, game, language) for number, seat in enumerate(seats)]
    return [name if names.count(name) == 1 else f"{name} ({seat})" for seat, name in enumerate(names, start=1)]


def _name(seat: SeatRow, number: int, game: Game, language: str) -> str:
    if seat.who == PERSON:
        return seat.name or game.words(language).player(number)
    # The highest level is the default, which the bot's spec leaves out; the one that was wished for still has it.
    return level_title(seat.name, language) or bot_title(seat.bot, game, language)
