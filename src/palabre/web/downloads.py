"""Games to take away: as text, as a picture, and as a page that replays them, in the language of the reader."""

from dataclasses import replace

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from palabre.core.errors import PalabreError
from palabre.core.record import Record
from palabre.core.words import LANGUAGES
from palabre.web.access import IN_SCOPE
from palabre.web.answering import Ask, Download
from palabre.web.answers import Answers
from palabre.web.door import language_of
from palabre.web.page import place_of
from palabre.web.refusal import in_language
from palabre.web.room import Room
from palabre.web.rooms import Rooms
from palabre.web.shown import seat_names, why_over
from palabre.web.store import Browser

TYPES = {"txt": "text/plain", "svg": "image/svg+xml", "html": "text/html"}


async def download(request: Request, rooms: Rooms, answers: Answers) -> Response:
    """The game of a room, `ROOM.txt`, `ROOM.svg` or `ROOM.html`; `?language=` is that of the page."""
    asked = request.query_params.get("language", "")
    language = asked if asked in LANGUAGES else language_of(request)
    name, _, ending = request.path_params["name"].rpartition(".")
    if ending not in TYPES:
        return PlainTextResponse(in_language("refusal.no_file", language) + "\n", 404)
    browser: Browser = request.scope[IN_SCOPE]
    try:
        async with rooms.using(name, browser.id) as live:
            record = _translated(live.room, language) if ending == "html" else live.room.record()
            place = place_of(live.room.position)
        task = Ask(Download(place, record.result, record.tags, ending), language)
        content = msgspec.json.decode(await answers.ask(task, browser.id), type=str)
    except PalabreError as error:
        return PlainTextResponse(f"{error.text(language)}\n", 429 if getattr(error, "id", "") == "too_costly" else 404)
    headers = {
        "Content-Disposition": f'attachment; filename="palabre-{record.game.facts.name}.{ending}"',
        "Content-Encoding": "identity",  # to compress a megabyte would hold up all browsers
    }
    return Response(content, media_type=TYPES[ending], headers=headers)


def _translated(room: Room, language: str) -> Record:
    """The record of a game in a language; in a text, which programs read, it is in English."""
    record, game = room.record(), room.position.game
    names = seat_names(room.seats, game, language)
    tags = {**record.tags, **{f"Player{number}": name for number, name in enumerate(names, start=1)}}
    if room.ongoing.why_ended is not None:
        tags["Termination"] = why_over(room, language)
    return replace(record, tags=tags)
