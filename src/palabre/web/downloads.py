"""Games to take away: as text, as a picture, and as a page that replays them, in the language of the reader."""

from dataclasses import replace

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from palabre.arena.report.replays import standalone_replay
from palabre.core.errors import PalabreError
from palabre.core.record import Record
from palabre.core.words import LANGUAGES, text_of
from palabre.draw import svg
from palabre.web.door import language_of
from palabre.web.live import seat_name
from palabre.web.refusal import in_language
from palabre.web.room import Room
from palabre.web.rooms import Rooms

TYPES = {"txt": "text/plain", "svg": "image/svg+xml", "html": "text/html"}


async def download(request: Request, rooms: Rooms) -> Response:
    """The game of a room, `ROOM.txt`, `ROOM.svg` or `ROOM.html`; `?language=` is that of the page."""
    asked = request.query_params.get("language", "")
    language = asked if asked in LANGUAGES else language_of(request)
    name, _, ending = request.path_params["name"].rpartition(".")
    if ending not in TYPES:
        return PlainTextResponse(in_language("refusal.no_file", language) + "\n", 404)
    try:
        room = rooms.peek(name)
    except PalabreError as error:
        return PlainTextResponse(f"{error.text(language)}\n", 404)
    headers = {"Content-Disposition": f'attachment; filename="palabre-{room.position.game.facts.name}.{ending}"'}
    return Response(_content(room, ending, language), media_type=TYPES[ending], headers=headers)


def _content(room: Room, ending: str, language: str) -> str:
    if ending == "txt":
        return room.record().to_text()
    return svg.draw(room.position) if ending == "svg" else standalone_replay(_told(room, language), language)


def _told(room: Room, language: str) -> Record:
    """The record of a game as it is told in a language; in a text, which programs read, it is in English."""
    record, game = room.record(), room.position.game
    names = [seat_name(seat, number, game, language) for number, seat in enumerate(room.seats)]
    tags = {**record.tags, **{f"Player{number}": name for number, name in enumerate(names, start=1)}}
    if room.ongoing.why_ended is not None:
        tags["Termination"] = text_of(room.ongoing.why_ended, language)
    return replace(record, tags=tags)
