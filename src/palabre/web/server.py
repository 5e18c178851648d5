"""The server: one page and its files, one socket for each browser, and downloads.

`make_app` puts the parts together. A request passes the `Gate` (who it is, where it comes from, how large it is), is
read by its schema, and is handled at the `Desk`.
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
from palabre.web.analysis import Analysts
from palabre.web.answers import Answers
from palabre.web.desk import Desk
from palabre.web.downloads import download
from palabre.web.events.events import EventManager
from palabre.web.limits import Folders, ServerLimits
from palabre.web.messages import Farewell, Refusal
from palabre.web.pool.thinking import Pool
from palabre.web.rates import Limits
from palabre.web.reading import Reader
from palabre.web.refusal import Refused, page_words
from palabre.web.requests import LONGEST_MESSAGE, OpenRoom, read
from palabre.web.rooms import Rooms, new_seed
from palabre.web.run import Parts
from palabre.web.session import DONE, Session
from palabre.web.slices import Slices
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
FAREWELL = 0.1  # seconds for browsers to hear that the server ends


class Server:
    """The parts of a running server."""

    def __init__(self, parts: Parts) -> None:
        settings = parts.settings
        folders = Folders(settings.bots, settings.games, settings.broken)
        limits = ServerLimits(seconds=settings.seconds)
        reader = Reader(limits, folders)
        self.access = parts.access
        self.limits = Limits()
        self.pool = Pool(settings.workers, most_seconds=limits.seconds, memory=limits.memory, folders=folders)
        self.events = EventManager(parts.events, reader, others=settings.events)
        self.answers = Answers(reader, self.limits.work)
        slices = Slices(self.limits.work)
        self.rooms = Rooms(parts.store, self.pool, reader, slices)
        self.sessions: set[Session] = set()
        analysts = Analysts(self.pool)
        self.desk = Desk(
            self.access,
            parts.address,
            self.rooms,
            analysts,
            self.events,
            reader,
            self.limits,
            self.answers,
            self.sessions,
            parts.quit,
        )
        self.access.on_join = self.rooms.take_seat
        opening = settings.opening
        if opening is not None:
            self.access.first_page = partial(self._open_first, opening)
        parts.farewells.append(self.say_farewell)

    def _open_first(self, opening: OpenRoom, browser: Browser) -> str:
        """Open the game that was named on the command line; returns its page."""
        seed = new_seed() if opening.seed is None else opening.seed
        positions = self.desk.reader.positions(opening.place, seed)
        return f"/play/{self.rooms.open(opening, positions, seed, browser)}"

    @contextlib.asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        """What goes on while the server runs."""
        await self.pool.start()
        self.answers.start()
        freeze_collector()
        leave_alone(has_litter=True)  # a look through all modules would hold everybody up
        beat = asyncio.create_task(self.rooms.beat())
        try:
            yield
        finally:
            beat.cancel()
            self.rooms.close()
            await self.answers.close()
            await self.events.close()
            await self.pool.close()

    async def say_farewell(self) -> None:
        """Tell all browsers that the server ends."""
        for session in self.sessions:
            session.send(Farewell())
        await asyncio.sleep(FAREWELL)

    async def socket(self, socket: WebSocket) -> None:
        """A browser, from the moment it connects until it is gone."""
        browser = self.access.browser(socket)
        if browser is None:  # the gate lets nobody else through
            await socket.close(FORGED)
            return
        try:
            held = self.limits.sockets.hold(browser.id)
            with held:
                await socket.accept()
                await self._serve(socket, Session(socket, browser))
        except Refused:
            await socket.close(FORGED)

    async def _serve(self, socket: WebSocket, session: Session) -> None:
        self.sessions.add(session)
        sender = asyncio.create_task(session.run_sender())
        listener = asyncio.create_task(self._listen(socket, session))
        try:
            await asyncio.wait((sender, listener), return_when=asyncio.FIRST_COMPLETED)
        finally:
            listener.cancel()
            self.sessions.discard(session)
            self.desk.close(session)
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
            self.limits.messages.take(session.browser.id)
            self.desk.handle(request, session)
        except PalabreError as error:
            session.refuse(request.ask, error)
        except Exception:
            session.break_down(request.ask)
        return True


def make_app(parts: Parts) -> Starlette:
    """The application, still without a gate in front of it."""
    server = Server(parts)
    return Starlette(
        routes=[
            *(Route(view, page) for view in VIEWS),
            Route("/words/{language}.json", words),
            Route("/board.css", colours),
            Route("/download/{name}", partial(download, rooms=server.rooms, answers=server.answers)),
            WebSocketRoute("/socket", server.socket),
            Mount("/static", Files(directory=STATIC)),
        ],
        middleware=[Middleware(GZipMiddleware, minimum_size=1000)],
        exception_handlers={404: nothing_there},
        lifespan=server.lifespan,
    )


class Files(StaticFiles):
    """The page's files: asked for anew each time, and sent only if they have changed."""

    async def get_response(self, path: str, scope: Any) -> Response:
        answer = await super().get_response(path, scope)
        answer.headers["Cache-Control"] = "no-cache"
        return answer


async def page(request: Request) -> Response:
    """The one page; what it shows depends on its address."""
    return FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-cache"})


async def nothing_there(request: Request, error: Exception) -> Response:
    """The page also where there is nothing, if somebody wants to read one: it says so in their language."""
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
    """The number of a request that cannot be read, so that its answer can be told apart; 0 if it has none."""
    with contextlib.suppress(msgspec.MsgspecError, KeyError, TypeError):
        found = msgspec.json.decode(data)["ask"]
        return found if isinstance(found, int) and 0 <= found <= 2**31 else 0
    return 0
