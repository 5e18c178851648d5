"""What browsers do with matches and championships."""

from palabre.web import messages, requests
from palabre.web.context import Context
from palabre.web.handling import Handlers
from palabre.web.session import Session

HANDLERS = Handlers()


@HANDLERS.handles(requests.EventsRequest)
async def list_events(context: Context, request: requests.EventsRequest, session: Session) -> messages.EventList:
    """All events."""
    return await context.events.entries(session)


@HANDLERS.handles(requests.StartEvent, role="operator")
async def start_event(context: Context, request: requests.StartEvent, session: Session) -> messages.Opened:
    """Begin an event."""
    return await context.events.start(request, session)


@HANDLERS.handles(requests.StopEvent, role="operator")
async def stop_event(context: Context, request: requests.StopEvent, session: Session) -> None:
    """Interrupt an event."""
    await context.events.stop(request.event)


@HANDLERS.handles(requests.ResumeEvent, role="operator")
async def resume_event(context: Context, request: requests.ResumeEvent, session: Session) -> None:
    """Go on with an event."""
    await context.events.resume(request.event)


@HANDLERS.handles(requests.WatchEvent)
async def watch_event(context: Context, request: requests.WatchEvent, session: Session) -> messages.EventState:
    """Show an event from now on."""
    return await context.events.watch(request.event, session)


@HANDLERS.handles(requests.LeaveEvent)
def leave_event(context: Context, request: requests.LeaveEvent, session: Session) -> None:
    """No longer show an event."""
    context.events.leave(request.event, session)


@HANDLERS.handles(requests.EventGame)
async def event_game(context: Context, request: requests.EventGame, session: Session) -> messages.GameOfEvent:
    """A game of an event."""
    return await context.events.game(request.event, request.number, session)


@HANDLERS.handles(requests.EventGames)
async def event_games(
    context: Context, request: requests.EventGames, session: Session
) -> list[messages.EventGameEntry]:
    """The games of some bots in an event."""
    return await context.events.games(request.event, request.bots, session)
