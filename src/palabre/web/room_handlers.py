"""What browsers do with rooms that is more than to change one (`room_actions.py`)."""

import msgspec

from palabre.web import messages, requests, room_actions
from palabre.web.access import require
from palabre.web.answering import Ask, Link
from palabre.web.context import Context
from palabre.web.handling import Handlers
from palabre.web.live import LiveRoom
from palabre.web.refusal import Refused
from palabre.web.room import PERSON, new_seed
from palabre.web.session import Session

HANDLERS = Handlers()


@HANDLERS.handles(requests.OpenRoom, role="player")
async def open_room(context: Context, request: requests.OpenRoom, session: Session) -> messages.Opened:
    """Begin a game."""
    if request.allowed != requests.Allowed():
        require(session.browser, "operator")
    seed = new_seed() if request.seed is None else request.seed
    positions = await context.slices.take(context.reader.line(request.place, seed), session.browser.id)
    has_past = bool(request.place.moves) or request.place.start is not None
    if has_past and any(seat.who == "bot" for seat in request.seats):  # a bot that plays on is an engine that helps
        await context.fairness.check(positions, session.browser.id)
    context.limits.rooms.take(session.browser.id)
    return messages.Opened(context.rooms.open(request, positions, seed, session.browser))


@HANDLERS.handles(requests.Enter)
async def enter(context: Context, request: requests.Enter, session: Session) -> messages.RoomState:
    """Show a room from now on."""
    session.entering[request.room] = request.ask
    try:
        async with context.rooms.using(request.room, session.browser.id) as live:
            await live.shown.draw(session.language, context.answers, session.browser.id)
            return context.rooms.enter(live, session)
    finally:
        session.entering.pop(request.room, None)


@HANDLERS.handles(requests.Leave)
def leave(context: Context, request: requests.Leave, session: Session) -> None:
    """No longer show a room."""
    if request.room in session.entering:  # it has not been drawn yet
        session.stop(session.entering[request.room])
    context.rooms.leave(request.room, session)


@HANDLERS.handles(requests.RoomsRequest)
def list_rooms(context: Context, request: requests.RoomsRequest, session: Session) -> list[messages.RoomEntry]:
    """The rooms of a browser; watchers have none of their own, and come to look on."""
    is_player = session.browser.role == "player"
    return context.rooms.entries(session.browser.id if is_player else None, session.language)


@HANDLERS.in_room(requests.Invite, "invite")
async def invite(context: Context, live: LiveRoom, request: requests.Invite, session: Session) -> messages.Invitation:
    """A link to a seat that is free."""
    seats = live.room.seats
    if request.seat >= len(seats) or seats[request.seat].who != PERSON or seats[request.seat].browser is not None:
        raise Refused("seat_taken")
    path = context.access.invitation(request.room, request.seat)
    picture = ""
    if context.address:
        task = Ask(Link(context.address + path), session.language)
        picture = msgspec.json.decode(await context.answers.ask(task, session.browser.id), type=str)
    return messages.Invitation(path, context.address, picture)


@HANDLERS.in_room(requests.StopThinking, "stop")
def stop_thinking(context: Context, live: LiveRoom, request: requests.StopThinking, session: Session) -> None:
    """Have the bot to move play at once."""
    live.turns.hurry()


@HANDLERS.in_room(requests.Rematch)
def rematch(context: Context, live: LiveRoom, request: requests.Rematch, session: Session) -> messages.Opened | None:
    """Play once more, or ask for it."""
    context.limits.rooms.take(session.browser.id)
    live.check("rematch", session)
    live.change(lambda room: room_actions.rematch(room, session.browser.id))
    return None if live.room.next_room is None else messages.Opened(live.room.next_room)
