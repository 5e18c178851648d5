"""How a request reaches the function that handles it: by its type, from tables in which such functions are registered.

    HANDLERS = Handlers()

    @HANDLERS.handles(requests.OpenRoom, role="player")
    async def open_room(context: Context, request: requests.OpenRoom, session: Session) -> messages.Opened:
        …

    @HANDLERS.changes(requests.Resign, "resign")
    def resign(room: Room, browser: str, request: requests.Resign) -> None:
        …

A handler returns what the answer holds, or awaits it. What it raises as a `PalabreError` becomes a refusal. Its
registration says what it needs: a role, an ability in a room; and whether it goes on after its answer.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from inspect import isawaitable
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from palabre.core.errors import IllegalMove
from palabre.web.access import ROLES, require
from palabre.web.messages import Answer
from palabre.web.refusal import by_name
from palabre.web.requests import AnyRequest
from palabre.web.session import Session
from palabre.web.store import Role

if TYPE_CHECKING:
    from palabre.web.context import Context

Function = TypeVar("Function", bound=Callable[..., Any])
Scope = Literal["server", "room", "change"]


@dataclass(frozen=True)
class Handler:
    """A function that handles requests, and what holds for them."""

    function: Callable[..., Any]
    scope: Scope = "server"  # what it works with: the server, a room in memory, or what is pure logic in a room
    role: Role = "watcher"  # that a browser must have at least
    goes_on: bool = False  # until it is done or stopped; it sends its answer itself
    ability: str = ""  # what the browser must be able to do in the room that the request names


class Handlers(dict[type, Handler]):
    """Handlers by the types of their requests."""

    def handles(self, *kinds: type, role: Role = "watcher", goes_on: bool = False) -> Callable[[Function], Function]:
        """Register a function of the context, the request and the session."""
        return self._registering(kinds, role=role, goes_on=goes_on)

    def in_room(self, kind: type, ability: str = "") -> Callable[[Function], Function]:
        """Register a function of the context, the room in memory, the request and the session."""
        return self._registering((kind,), scope="room", ability=ability)

    def changes(self, kind: type, ability: str = "") -> Callable[[Function], Function]:
        """Register a function that changes a room, given the browser and the request."""
        return self._registering((kind,), scope="change", ability=ability)

    def _registering(self, kinds: tuple[type, ...], **properties: Any) -> Callable[[Function], Function]:
        def register(function: Function) -> Function:
            self.update(dict.fromkeys(kinds, Handler(function, **properties)))
            return function

        return register

    def handle(self, context: "Context", request: AnyRequest, session: Session) -> None:
        """Answer a request: at once or, if that takes time, when it is done; other requests do not wait for it."""
        handler = self[type(request)]
        if handler.role != ROLES[0]:  # which all browsers have
            require(session.browser, handler.role)
        if handler.scope == "server":
            answer = handler.function(context, request, session)
        else:
            answer = _in_room(handler, context, request, session)
        if handler.goes_on:
            session.start(request.ask, answer)
        elif isawaitable(answer):
            session.start(request.ask, _answer_later(request.ask, answer, session))
        else:
            session.send(Answer(request.ask, answer))


def _in_room(handler: Handler, context: "Context", request: Any, session: Session) -> Any:
    """Handle a request for a room: at once if it is in memory."""
    live = context.rooms.live.get(request.room)
    if live is None:
        return _in_stored_room(handler, context, request, session)
    if handler.ability:
        live.check(handler.ability, session)
    if handler.scope == "room":
        return handler.function(context, live, request, session)
    try:
        live.change(lambda room: handler.function(room, session.browser.id, request))
    except IllegalMove:  # the refusal is to call the players by their names
        with by_name(live.shown.names(session.language)):
            raise
    return None


async def _in_stored_room(handler: Handler, context: "Context", request: Any, session: Session) -> Any:
    """The same with a room that is not in memory before; nor is it afterwards, if no browser enters it."""
    async with context.rooms.using(request.room, session.browser.id):
        answer = _in_room(handler, context, request, session)
        return await answer if isawaitable(answer) else answer


async def _answer_later(ask: int, answer: Awaitable[Any], session: Session) -> None:
    session.send(Answer(ask, await answer))
