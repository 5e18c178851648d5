"""The server: one page and its files, one socket for each browser, and downloads.

`make_app` puts the parts together. A request passes the `Gate` (who it is, where it comes from, how large it is), is
read by its schema, and goes to the function that is registered for its type.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from palabre.compile.collector import freeze_collector, leave_alone
from palabre.core.errors import PalabreError
from palabre.core.words import LANGUAGES
from palabre.draw.frames import stylesheet
from palabre.web import analysis, event_handlers, room_actions, room_handlers, server_handlers
from palabre.web.context import Context
from palabre.web.downloads import download
from palabre.web.handling import Handlers
from palabre.web.messages import Farewell, Refusal
from palabre.web.refusal import Refused, page_words
from palabre.web.requests import LONGEST_MESSAGE, OpenRoom, read
from palabre.web.room import new_seed
from palabre.web.run import Parts
from palabre.web.session import DONE, Session
from palabre.web.store import Browser

STATIC = Path(__file__).with_name("static")
# What the page shows by itself; a reload of any of them must serve the page.
VIEWS = (
    "/",
    "/play/{room}",
    "/analyse",
    "/arena",
    "/event/{event}",
    "/rules/{game:path}",
    "/games",
)
MOST_MISTAKES = 20  # messages that no page of ours would send, after which a socket is closed
FORGED = 1008  # the code with which it is closed
CLOSING = 1.0  # seconds for the last messages of a socket, and again for the code with which it is closed
NOTICE = 0.1  # seconds for browsers to get the message that the server ends

HANDLERS = Handlers(
    room_actions.HANDLERS
    | room_handlers.HANDLERS
    | analysis.HANDLERS
    | event_handlers.HANDLERS
    | server_handlers.HANDLERS
)


class WebServer:
    """What is behind the routes: it ends with the application."""

    def __init__(self, parts: Parts) -> None:
        self.context = Context(parts)
        parts.access.on_join = self.context.rooms.take_seat
        if parts.settings.opening is not None:
            parts.access.first_page = partial(self._open_first, parts.settings.opening)
        parts.on_end.append(self.announce_end)

    def _open_first(self, opening: OpenRoom, browser: Browser) -> str:
        """Open the game that was named on the command line; returns its page."""
        seed = new_seed() if opening.seed is None else opening.seed
        positions = self.context.reader.positions(opening.place, seed)
        return f"/play/{self.context.rooms.open(opening, positions, seed, browser)}"

    @contextlib.asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        """What goes on while the server runs."""
        await self.context.pool.start()
        self.context.answers.start()
        freeze_collector()
        leave_alone(has_litter=True)  # a look through all modules would hold up all browsers
        beat = asyncio.create_task(self.context.rooms.beat())
        try:
            yield
        finally:
            beat.cancel()
            self.context.rooms.close()
            await self.context.answers.close()
            await self.context.events.close()
            await self.context.pool.close()

    async def announce_end(self) -> None:
        """Notify all browsers that the server ends."""
        for session in self.context.sessions:
            session.send(Farewell())
        await asyncio.sleep(NOTICE)

    async def socket(self, socket: WebSocket) -> None:
        """A browser, from the moment it connects until it is gone."""
        browser = self.context.access.browser(socket)
        if browser is None:  # the gate lets no others through
            await socket.close(FORGED)
            return
        try:
            held = self.context.limits.sockets.hold(browser.id)
            with held:
                await socket.accept()
                await self._serve(socket, Session(socket, browser))
        except Refused:
            await socket.close(FORGED)

    async def _serve(self, socket: WebSocket, session: Session) -> None:
        self.context.sessions.add(session)
        sender = asyncio.create_task(session.run_sender())
        listener = asyncio.create_task(self._listen(socket, session))
        try:
            await asyncio.wait((sender, listener), return_when=asyncio.FIRST_COMPLETED)
        finally:
            listener.cancel()
            self.context.sessions.discard(session)
            self.context.rooms.leave_all(session)
            self.context.events.leave_all(session)
            await session.close()
            code = DONE
            with contextlib.suppress(TimeoutError, asyncio.CancelledError):
                code = await asyncio.wait_for(sender, CLOSING)
            # One that does not read would never get the code: it is let go without.
            with contextlib.suppress(TimeoutError, RuntimeError, WebSocketDisconnect):
                await asyncio.wait_for(socket.close(code), CLOSING)

    async def _listen(self, socket: WebSocket, session: Session) -> None:
        mistakes = 0
        with contextlib.suppress(WebSocketDisconnect):
            while mistakes < MOST_MISTAKES:
                mistakes += not self._answer(await socket.receive(), session)
                await asyncio.sleep(0)  # however much a browser has sent, others have their turn in between

    def _answer(self, event: Any, session: Session) -> bool:
        """Answer a message; False if no page of ours would have sent it."""
        if event["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(event.get("code", 1000))
        data = event.get("text")
        if data is None or len(data) > LONGEST_MESSAGE:
            session.send(Refusal(0, "unreadable", Refused("unreadable").text(session.language)))
            return False
        try:
            request = read(data)
        except msgspec.MsgspecError:
            session.send(Refusal(_number_of(data), "unreadable", Refused("unreadable").text(session.language)))
            return False
        try:
            self.context.limits.messages.take(session.browser.id)
            HANDLERS.handle(self.context, request, session)
        except PalabreError as error:
            session.refuse(request.ask, error)
        except Exception:
            session.break_down(request.ask)
        return True


def make_app(parts: Parts) -> Starlette:
    """The application, still without a gate in front of it."""
    server = WebServer(parts)
    return Starlette(
        routes=[
            *(Route(view, page) for view in VIEWS),
            Route("/words/{language}.json", words),
            Route("/board.css", colours),
            Route("/download/{name}", partial(download, rooms=server.context.rooms, answers=server.context.answers)),
            WebSocketRoute("/socket", server.socket),
            Mount("/static", PageFiles(directory=STATIC)),
        ],
        middleware=[Middleware(GZipMiddleware, minimum_size=1000)],
        exception_handlers={404: nothing_there},
        lifespan=server.lifespan,
    )


class PageFiles(StaticFiles):
    """The page's files: asked for anew each time, and sent only if they have changed."""

    async def get_response(self, path: str, scope: Any) -> Response:
        answer = await super().get_response(path, scope)
        answer.headers["Cache-Control"] = "no-cache"
        return answer


async def page(request: Request) -> Response:
    """The one page; what it shows depends on its address."""
    return FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-cache"})


async def nothing_there(request: Request, error: Exception) -> Response:
    """The page also where there is nothing, for a browser that wants to show one: it says so in their language."""
    if "text/html" not in request.headers.get("accept", ""):
        return PlainTextResponse("there is nothing here\n", 404)
    return FileResponse(STATIC / "index.html", 404, headers={"Cache-Control": "no-cache"})


async def words(request: Request) -> Response:
    """The texts of the page in a language."""
    language = request.path_params["language"]
    if language not in LANGUAGES:
        return PlainTextResponse("there is no such language\n", 404)
    return JSONResponse(page_words(language), headers={"Cache-Control": "no-cache"})


async def colours(request: Request) -> Response:
    """The colours of boards and pieces in all themes."""
    return PlainTextResponse(stylesheet(), media_type="text/css", headers={"Cache-Control": "no-cache"})


def _number_of(data: str) -> int:
    """The number of a request that cannot be read, so that its answer can be recognised; 0 if it has none."""
    with contextlib.suppress(msgspec.MsgspecError, KeyError, TypeError):
        number = msgspec.json.decode(data)["ask"]
        return number if isinstance(number, int) and 0 <= number <= 2**31 else 0
    return 0
