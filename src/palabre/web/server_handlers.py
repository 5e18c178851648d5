"""What browsers ask about the server itself, about its events, and about nothing but what they name."""

from msgspec import Raw

from palabre import __version__
from palabre.web import messages, requests
from palabre.web.answering import Answerable, Ask
from palabre.web.context import Context
from palabre.web.handling import Handlers
from palabre.web.session import Session

HANDLERS = Handlers()


@HANDLERS.handles(requests.Hello)
def hello(context: Context, request: requests.Hello, session: Session) -> messages.Welcome:
    """Who the browser is; its language from now on."""
    session.language = request.language
    browser = session.browser
    return messages.Welcome(browser.role, __version__, context.reader.limits.seconds, browser.name)


@HANDLERS.handles(
    requests.Catalogue,
    requests.Choices,
    requests.RulesRequest,
    requests.ReadText,
    requests.WriteText,
    requests.ShowLine,
    requests.WhyNot,
)
async def answered(context: Context, request: Answerable, session: Session) -> Raw:
    """What depends on nothing but the request: another process answers it."""
    is_operator = session.browser.role == "operator"
    return await context.answers.ask(Ask(request, session.language, is_operator), session.browser.id)


@HANDLERS.handles(requests.UnderWayRequest, role="operator")
def under_way(context: Context, request: requests.UnderWayRequest, session: Session) -> messages.Interrupted:
    """What would be interrupted if the server ended now."""
    guests = {other.browser.id for other in context.sessions} - {session.browser.id}
    return messages.Interrupted(context.rooms.under_way, len(guests), context.events.under_way)


@HANDLERS.handles(requests.QuitServer, role="operator")
def quit_server(context: Context, request: requests.QuitServer, session: Session) -> None:
    """End the server."""
    context.on_quit()


# --------------------------------------------------------------------------------------------------------------- events


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
