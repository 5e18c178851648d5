"""How a request reaches the function that handles it: by its type, from tables in which such functions are registered.

    HANDLERS = Handlers()

    @HANDLERS.handles(requests.OpenRoom)
    async def open_room(context: Context, request: requests.OpenRoom, session: Session) -> messages.Opened:
        …

A handler returns what the answer holds, or awaits it. What it raises as a `PalabreError` becomes a refusal. Its
registration says which role it needs, whether it goes on after its answer, and whether it is for a room.
"""

from collections.abc import Awaitable, Callable, Set
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any, TypeVar

from palabre.web.access import ROLES, Access, require
from palabre.web.answers import Answers
from palabre.web.events.events import Events
from palabre.web.fairness import Fairness
from palabre.web.messages import Answer
from palabre.web.pool.thinking import SearchPool
from palabre.web.rates import BrowserLimits
from palabre.web.reading import Reader
from palabre.web.requests import AnyRequest
from palabre.web.rooms import Rooms
from palabre.web.session import Session
from palabre.web.store import Role

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Context:
    """The parts of a server that handlers work with."""

    access: Access
    address: str  # by which others reach the server; empty if only this machine does
    reader: Reader
    limits: BrowserLimits
    pool: SearchPool
    answers: Answers
    rooms: Rooms
    fairness: Fairness
    events: Events
    sessions: Set[Session]  # of all browsers that are connected
    on_quit: Callable[[], None]


@dataclass(frozen=True)
class Handler:
    """A function that handles requests, and what holds for them."""

    function: Callable[..., Any]  # of the context, the room if it is for one, the request and the session
    role: Role  # that a browser must have at least
    goes_on: bool = False  # until it is done or stopped; it sends its answer itself
    has_room: bool = False  # it is for the room that the request names
    ability: str = ""  # what the browser must be able to do in that room


class Handlers(dict[type, Handler]):
    """Handlers by the types of their requests."""

    def handles(self, *kinds: type, role: Role = "watcher", goes_on: bool = False) -> Callable[[Function], Function]:
        """Register a function for requests of these types."""

        def register(function: Function) -> Function:
            self.update(dict.fromkeys(kinds, Handler(function, role, goes_on)))
            return function

        return register

    def in_room(self, kind: type, ability: str = "") -> Callable[[Function], Function]:
        """Register a function for requests of this type, which name a room; it is in memory meanwhile."""

        def register(function: Function) -> Function:
            self[kind] = Handler(function, "watcher", has_room=True, ability=ability)
            return function

        return register

    def handle(self, context: Context, request: AnyRequest, session: Session) -> None:
        """Answer a request: at once or, if that takes time, when it is done; other requests do not wait for it."""
        handler = self[type(request)]
        if handler.role != ROLES[0]:  # which all browsers have
            require(session.browser, handler.role)
        if handler.has_room:
            answer = _in_room(handler, context, request, session)
        else:
            answer = handler.function(context, request, session)
        if handler.goes_on:
            session.start(request.ask, answer)
        elif isawaitable(answer):
            session.start(request.ask, _answer_later(request.ask, answer, session))
        else:
            session.send(Answer(request.ask, answer))


def _in_room(handler: Handler, context: Context, request: Any, session: Session) -> Any:
    """Handle a request for a room: at once if it is in memory."""
    live = context.rooms.in_memory(request.room)
    if live is None:
        return _in_stored_room(handler, context, request, session)
    if handler.ability:
        live.check(handler.ability, session)
    return handler.function(context, live, request, session)


async def _in_stored_room(handler: Handler, context: Context, request: Any, session: Session) -> Any:
    """The same with a room that is not in memory before; nor is it afterwards, if no browser enters it."""
    async with context.rooms.using(request.room, session.browser.id):
        answer = _in_room(handler, context, request, session)
        return await answer if isawaitable(answer) else answer


async def _answer_later(ask: int, answer: Awaitable[Any], session: Session) -> None:
    session.send(Answer(ask, await answer))
