"""What browsers ask about the server itself, and about nothing but what they name."""

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
