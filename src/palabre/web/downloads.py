"""Games to take away: as text, as a picture, and as a page that replays them."""

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from palabre.arena.report.replays import standalone_replay
from palabre.core.errors import PalabreError
from palabre.draw import svg
from palabre.web.room import Room
from palabre.web.rooms import Rooms

TYPES = {"txt": "text/plain", "svg": "image/svg+xml", "html": "text/html"}


async def download(request: Request, rooms: Rooms) -> Response:
    """The game of a room, `ROOM.txt`, `ROOM.svg` or `ROOM.html`."""
    name, _, ending = request.path_params["name"].rpartition(".")
    if ending not in TYPES:
        return PlainTextResponse("there is no such file\n", 404)
    try:
        room = rooms.peek(name)
    except PalabreError as error:
        return PlainTextResponse(f"{error}\n", 404)
    headers = {"Content-Disposition": f'attachment; filename="palabre-{room.position.game.facts.name}.{ending}"'}
    return Response(_content(room, ending), media_type=TYPES[ending], headers=headers)


def _content(room: Room, ending: str) -> str:
    if ending == "txt":
        return room.record().to_text()
    return svg.draw(room.position) if ending == "svg" else standalone_replay(room.record())
