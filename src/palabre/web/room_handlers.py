"""What browsers do with rooms."""

import msgspec

from palabre.core.errors import IllegalMove
from palabre.web import messages, requests
from palabre.web.access import require
from palabre.web.answering import Ask, Link
from palabre.web.handling import Context, Handlers
from palabre.web.live import LiveRoom
from palabre.web.refusal import Refused, by_name
from palabre.web.room import PERSON, new_seed
from palabre.web.session import Session

HANDLERS = Handlers()


@HANDLERS.handles(requests.OpenRoom, role="player")
async def open_room(context: Context, request: requests.OpenRoom, session: Session) -> messages.Opened:
    """Begin a game."""
    if request.allowed != requests.Allowed():
        require(session.browser, "operator")
    seed = new_seed() if request.seed is None else request.seed
    positions = await context.rooms.slices.take(context.reader.line(request.place, seed), session.browser.id)
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


@HANDLERS.in_room(requests.PlayMove)
def play(context: Context, live: LiveRoom, request: requests.PlayMove, session: Session) -> None:
    """Play a move."""
    try:
        live.change(lambda room: room.play_by(session.browser.id, request.ply, request.move))
    except IllegalMove:
        with by_name(live.shown.names(session.language)):
            raise


@HANDLERS.in_room(requests.Undo)
def undo(context: Context, live: LiveRoom, request: requests.Undo, session: Session) -> None:
    """Take back, or ask for it."""
    live.change(lambda room: room.undo_by(session.browser.id))


@HANDLERS.in_room(requests.OfferDraw, "draw")
def offer_draw(context: Context, live: LiveRoom, request: requests.OfferDraw, session: Session) -> None:
    """Offer a draw."""
    live.change(lambda room: room.offer_draw_by(session.browser.id))


@HANDLERS.in_room(requests.AnswerOffer, "answer")
def answer_offer(context: Context, live: LiveRoom, request: requests.AnswerOffer, session: Session) -> None:
    """Answer what an opponent has asked."""
    live.change(lambda room: room.answer_by(session.browser.id, request.accept))


@HANDLERS.in_room(requests.Resign, "resign")
def resign(context: Context, live: LiveRoom, request: requests.Resign, session: Session) -> None:
    """Give up."""
    live.change(lambda room: room.resign_by(session.browser.id))


@HANDLERS.in_room(requests.ClaimRequest, "claim")
def claim(context: Context, live: LiveRoom, request: requests.ClaimRequest, session: Session) -> None:
    """Win against an opponent who has been gone for long."""
    live.change(lambda room: room.claim_by(session.browser.id))


@HANDLERS.in_room(requests.StopThinking, "stop")
def stop_thinking(context: Context, live: LiveRoom, request: requests.StopThinking, session: Session) -> None:
    """Have the bot to move play at once."""
    live.turns.hurry()


@HANDLERS.in_room(requests.Rematch)
def rematch(context: Context, live: LiveRoom, request: requests.Rematch, session: Session) -> messages.Opened | None:
    """Play once more, or ask for it."""
    context.limits.rooms.take(session.browser.id)
    live.check("rematch", session)
    live.change(lambda room: room.rematch_by(session.browser.id))
    return None if live.room.next_room is None else messages.Opened(live.room.next_room)
