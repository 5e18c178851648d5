"""The desk where requests are handled: one method for each kind, all of them named after it.

A method gets the request and the session of the browser, and returns what the answer holds, or awaits it; what goes on
after its answer sends that itself. What a method raises as a `PalabreError` becomes a refusal.
"""

from collections.abc import Awaitable, Callable, Collection
from inspect import isawaitable
from typing import Any

import msgspec

from palabre import __version__
from palabre.core.position import Position
from palabre.web import messages, requests
from palabre.web.access import Access, require
from palabre.web.analysis import Analysts
from palabre.web.answering import Answerable, Ask, Link
from palabre.web.answers import Answers
from palabre.web.events.events import EventManager
from palabre.web.fairness import Fairness
from palabre.web.rates import Limits
from palabre.web.reading import Reader
from palabre.web.refusal import Refused
from palabre.web.requests import Place
from palabre.web.rooms import Rooms, new_seed
from palabre.web.session import Session


class Desk:
    """Handles what browsers ask."""

    def __init__(
        self,
        access: Access,
        address: str,
        rooms: Rooms,
        analysts: Analysts,
        events: EventManager,
        reader: Reader,
        limits: Limits,
        answers: Answers,
        sessions: Collection[Session],
        on_quit: Callable[[], None],
    ) -> None:
        self.access = access
        self.address = address  # by which others reach the server; empty if only this machine does
        self.rooms = rooms
        self.analysts = analysts
        self.events = events
        self.reader = reader
        self.limits = limits
        self.answers = answers
        self.sessions = sessions  # of all browsers that are connected
        self.on_quit = on_quit
        self.fairness = Fairness(rooms)

    def handle(self, request: requests.AnyRequest, session: Session) -> None:
        """Answer a request: at once or, if that takes time, when it is done; other requests do not wait for it."""
        method = getattr(self, _METHODS[type(request)])
        room = None if isinstance(request, requests.Leave) else getattr(request, "room", None)
        if room is None or self.rooms.has(room):
            answer = method(request, session)
        else:
            answer = self._in_room(room, method, request, session)
        if isinstance(request, _GOING_ON):
            session.start(request.ask, answer)
        elif isawaitable(answer):
            session.start(request.ask, _later(request.ask, answer, session))
        else:
            session.send(messages.Answer(request.ask, answer))

    async def _in_room(
        self, room: str, method: Callable[[Any, Session], Any], request: requests.AnyRequest, session: Session
    ) -> Any:
        """What a method answers with a room that is not in memory before; nor is it afterwards, if nobody enters it."""
        async with self.rooms.using(room, session.browser.id):
            answer = method(request, session)
            return await answer if isawaitable(answer) else answer

    def close(self, session: Session) -> None:
        """A browser is gone."""
        self.rooms.leave_all(session)
        self.events.leave_all(session)

    # ------------------------------------------------------------------------------------------------- what there is

    def hello(self, request: requests.Hello, session: Session) -> messages.Welcome:
        session.language = request.language
        browser = session.browser
        return messages.Welcome(browser.role, __version__, self.reader.limits.seconds, browser.name)

    async def answered(self, request: Answerable, session: Session) -> msgspec.Raw:
        """What depends on nothing but the request: another process answers it."""
        is_operator = session.browser.role == "operator"
        return await self.answers.ask(Ask(request, session.language, is_operator), session.browser.id)

    # -------------------------------------------------------------------------------------------------------- rooms

    async def open_room(self, request: requests.OpenRoom, session: Session) -> messages.Opened:
        require(session.browser, "player" if request.allowed == requests.Allowed() else "operator")
        seed = new_seed() if request.seed is None else request.seed
        positions = await self.rooms.slices.take(self.reader.line(request.place, seed), session.browser.id)
        has_past = bool(request.place.moves) or request.place.start is not None
        if has_past and any(seat.who == "bot" for seat in request.seats):  # a bot that plays on is an engine that helps
            await self.fairness.check(positions, session.browser.id)
        self.limits.rooms.take(session.browser.id)
        return messages.Opened(self.rooms.open(request, positions, seed, session.browser))

    async def enter(self, request: requests.Enter, session: Session) -> messages.RoomState:
        session.entering[request.room] = request.ask
        try:
            async with self.rooms.using(request.room, session.browser.id) as live:
                await live.draw(session.language, self.answers, session.browser.id)
                return self.rooms.enter(request.room, session)
        finally:
            session.entering.pop(request.room, None)

    def leave(self, request: requests.Leave, session: Session) -> None:
        if request.room in session.entering:  # it has not been drawn yet
            session.stop(session.entering[request.room])
        self.rooms.leave(request.room, session)

    def list_rooms(self, request: requests.Rooms, session: Session) -> list[messages.RoomEntry]:
        sees_all = session.browser.role != "player"  # watchers have none of their own, and come to look on
        return self.rooms.entries(None if sees_all else session.browser.id, session.language)

    async def invite(self, request: requests.Invite, session: Session) -> messages.Invitation:
        self.rooms.check_invite(request.room, request.seat, session)
        path = self.access.invitation(request.room, request.seat)
        picture = ""
        if self.address:
            task = Ask(Link(self.address + path), session.language)
            picture = msgspec.json.decode(await self.answers.ask(task, session.browser.id), type=str)
        return messages.Invitation(path, self.address, picture)

    def play_move(self, request: requests.PlayMove, session: Session) -> None:
        self.rooms.play(request.room, request.ply, request.move, session)

    def undo(self, request: requests.Undo, session: Session) -> None:
        self.rooms.undo(request.room, session)

    def offer_draw(self, request: requests.OfferDraw, session: Session) -> None:
        self.rooms.offer_draw(request.room, session)

    def answer_offer(self, request: requests.AnswerOffer, session: Session) -> None:
        self.rooms.answer_offer(request.room, request.accept, session)

    def resign(self, request: requests.Resign, session: Session) -> None:
        self.rooms.resign(request.room, session)

    def claim(self, request: requests.Claim, session: Session) -> None:
        self.rooms.claim(request.room, session)

    def stop_thinking(self, request: requests.StopThinking, session: Session) -> None:
        self.rooms.stop_thinking(request.room, session)

    def rematch(self, request: requests.Rematch, session: Session) -> messages.Opened | None:
        self.limits.rooms.take(session.browser.id)
        name = self.rooms.rematch(request.room, session)
        return None if name is None else messages.Opened(name)

    # ----------------------------------------------------------------------------------------------------- analysis

    async def hint(self, request: requests.Hint, session: Session) -> messages.Hinted:
        if request.room is not None:
            position = self.rooms.position_for_hint(request.room, session)
            await self.fairness.check([position], session.browser.id)
        elif request.place is not None:
            position = (await self._helped(request.place, session))[-1]
        else:
            raise Refused("where")
        with self.limits.analyses.hold(session.browser.id):
            return await self.analysts.hint(position, session)

    async def analyse(self, request: requests.Analyse, session: Session) -> None:
        position = (await self._helped(request.place, session))[-1]
        if position.is_over:
            raise Refused("game_over")
        bot = None if request.bot is None else self.reader.bot(request.bot, position.game)
        with self.limits.analyses.hold(session.browser.id):
            session.send(messages.Answer(request.ask))
            await self.analysts.analyse(request, position, bot, session)

    async def review(self, request: requests.Review, session: Session) -> None:
        positions = await self._helped(request.place, session)
        with self.limits.analyses.hold(session.browser.id):
            session.send(messages.Answer(request.ask))
            await self.analysts.review(request, positions, session)

    def stop_analysis(self, request: requests.StopAnalysis, session: Session) -> None:
        session.stop(request.asked)

    async def _helped(self, place: Place, session: Session) -> list[Position]:
        """The positions of a place about which an engine may tell this browser something."""
        require(session.browser, "player")
        positions = await self.rooms.slices.take(self.reader.line(place), session.browser.id)
        await self.fairness.check(positions, session.browser.id)
        return positions

    # ------------------------------------------------------------------------------------------------------- events

    async def list_events(self, request: requests.Events, session: Session) -> messages.EventList:
        return await self.events.entries(session)

    async def start_event(self, request: requests.StartEvent, session: Session) -> messages.Opened:
        require(session.browser, "operator")
        return await self.events.start(request, session)

    async def stop_event(self, request: requests.StopEvent, session: Session) -> None:
        require(session.browser, "operator")
        await self.events.stop(request.event)

    async def resume_event(self, request: requests.ResumeEvent, session: Session) -> None:
        require(session.browser, "operator")
        await self.events.resume(request.event)

    async def watch_event(self, request: requests.WatchEvent, session: Session) -> messages.EventState:
        return await self.events.watch(request.event, session)

    def leave_event(self, request: requests.LeaveEvent, session: Session) -> None:
        self.events.leave(request.event, session)

    async def event_game(self, request: requests.EventGame, session: Session) -> messages.GameOfEvent:
        return await self.events.game(request.event, request.number, session)

    async def event_games(self, request: requests.EventGames, session: Session) -> list[messages.EventGameEntry]:
        return await self.events.games(request.event, request.bots, session)

    def under_way(self, request: requests.UnderWay, session: Session) -> messages.Interrupted:
        require(session.browser, "operator")
        guests = {other.browser.id for other in self.sessions} - {session.browser.id}
        return messages.Interrupted(self.rooms.under_way, len(guests), self.events.under_way)

    def quit_server(self, request: requests.QuitServer, session: Session) -> None:
        require(session.browser, "operator")
        self.on_quit()


async def _later(ask: int, answer: Awaitable[Any], session: Session) -> None:
    session.send(messages.Answer(ask, await answer))


# What goes on after its answer, until it is done or stopped.
_GOING_ON = (requests.Analyse, requests.Review)

# The method for each kind of request.
_METHODS: dict[type, str] = {
    requests.Hello: "hello",
    requests.Catalogue: "answered",
    requests.Choices: "answered",
    requests.Rules: "answered",
    requests.OpenRoom: "open_room",
    requests.Enter: "enter",
    requests.Leave: "leave",
    requests.Rooms: "list_rooms",
    requests.Invite: "invite",
    requests.PlayMove: "play_move",
    requests.Undo: "undo",
    requests.OfferDraw: "offer_draw",
    requests.AnswerOffer: "answer_offer",
    requests.Resign: "resign",
    requests.Claim: "claim",
    requests.StopThinking: "stop_thinking",
    requests.Rematch: "rematch",
    requests.ReadText: "answered",
    requests.WriteText: "answered",
    requests.ShowLine: "answered",
    requests.WhyNot: "answered",
    requests.Hint: "hint",
    requests.Analyse: "analyse",
    requests.Review: "review",
    requests.StopAnalysis: "stop_analysis",
    requests.Events: "list_events",
    requests.StartEvent: "start_event",
    requests.StopEvent: "stop_event",
    requests.ResumeEvent: "resume_event",
    requests.WatchEvent: "watch_event",
    requests.LeaveEvent: "leave_event",
    requests.EventGame: "event_game",
    requests.EventGames: "event_games",
    requests.UnderWay: "under_way",
    requests.QuitServer: "quit_server",
}
