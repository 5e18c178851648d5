"""Every door and every request, tried by those who may not: strangers, foreign pages, watchers, other seats."""

import http.client
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.routing import Mount, Route, WebSocketRoute
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from palabre.web import requests
from palabre.web.access import Access, hashed
from palabre.web.run import Parts, ServerSettings
from palabre.web.server import make_app
from palabre.web.store import Browser as Known
from palabre.web.store import open_store
from tests.command import PATIENCE
from tests.web.browsing import Browser, Refusal, Server, serving

pytestmark = pytest.mark.processes

PLACE = {"game": "awele", "moves": ["C"]}
# What each request may hold; a new kind of request must say here who may send it.
HARMLESS: dict[str, dict[str, Any]] = {
    "Hello": {"language": "en"},
    "Catalogue": {},
    "Choices": {"game": "awele"},
    "Rules": {"game": "awele"},
    "ShowLine": {"place": PLACE},
    "ReadText": {"text": "C d", "game": "awele"},
    "WriteText": {"place": PLACE},
    "WhyNot": {"place": PLACE, "clicks": [0]},
    "Enter": {"room": "ROOM"},
    "Leave": {"room": "ROOM"},
    "Rooms": {},
    "StopAnalysis": {"asked": 1},
    "Events": {},
    "LeaveEvent": {"event": "nowhere"},
}
FOR_PLAYERS: dict[str, dict[str, Any]] = {
    "OpenRoom": {"place": {"game": "awele"}, "seats": [{"who": "me"}, {"who": "bot", "bot": "random"}]},
    "Hint": {"place": PLACE},
    "Analyse": {"place": PLACE, "seconds": 0.1},
    "Review": {"place": PLACE},
}
FOR_SEATED: dict[str, dict[str, Any]] = {
    "Invite": {"room": "ROOM", "seat": 1},
    "PlayMove": {"room": "ROOM", "ply": 0, "move": "C"},
    "Undo": {"room": "ROOM"},
    "OfferDraw": {"room": "ROOM"},
    "AnswerOffer": {"room": "ROOM", "accept": True},
    "Resign": {"room": "ROOM"},
    "Claim": {"room": "ROOM"},
    "StopThinking": {"room": "ROOM"},
    "Rematch": {"room": "ROOM"},
}
FOR_OPERATOR: dict[str, dict[str, Any]] = {
    "StartEvent": {"game": "awele", "format": "match", "bots": ["random", "greedy"]},
    "StopEvent": {"event": "nowhere"},
    "ResumeEvent": {"event": "nowhere"},
    "UnderWay": {},
    "QuitServer": {},
}
OF_EVENTS: dict[str, dict[str, Any]] = {
    "WatchEvent": {"event": "nowhere"},
    "EventGame": {"event": "nowhere", "number": 1},
    "EventGames": {"event": "nowhere"},
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that knows a player and a watcher."""
    folder = tmp_path_factory.mktemp("trespass")
    store = open_store(folder / "games.db")
    for role in ("player", "watcher"):
        store.add_browser(Known(f"a {role}", role), hashed(f"secret of a {role}"))
    store.close()
    with serving(folder) as running:
        yield running


@pytest.fixture(scope="module")
def operator(server: Server) -> Browser:
    return server.operator()


@pytest.fixture(scope="module")
def room(operator: Browser) -> str:
    """A game in which the operator waits for somebody else."""
    name = operator.open_room("awele", "me", "guest")
    operator.ask("Enter", room=name)
    return name


def cookie(server: Server, role: str) -> str:
    return f"palabre-{server.port}=secret of a {role}"


def paths(room: str, tmp_path: Path) -> list[str]:
    """A path for every route of the application."""
    store = open_store(None)
    app = make_app(Parts(ServerSettings(data=tmp_path / "games.db"), store, "", tmp_path, Access(store), lambda: None))
    found = []
    for route in app.routes:
        assert isinstance(route, Route | Mount | WebSocketRoute)
        path = route.path
        for name, value in (("room", room), ("game:path", "awele"), ("event", "nowhere"), ("language", "en")):
            path = path.replace(f"{{{name}}}", value)
        path = path.replace("{name}", f"{room}.txt")
        found.append(f"{path}/main.js" if isinstance(route, Mount) else path)
    store.close()
    return found


def test_every_kind_of_request_is_listed_here() -> None:
    kinds = {kind.__struct_config__.tag for kind in requests.AnyRequest.__args__}
    assert {*HARMLESS, *FOR_PLAYERS, *FOR_SEATED, *FOR_OPERATOR, *OF_EVENTS} == kinds


def test_a_stranger_gets_nothing(server: Server, room: str, tmp_path: Path) -> None:
    tried = paths(room, tmp_path)
    assert len(tried) > 10
    for path in tried:
        for given in ("", f"palabre-{server.port}=forged", f"palabre-{server.port}="):
            status, headers, body = server.get(path, given)
            assert status in (401, 403, 404), (path, status)
            assert room.encode() not in body
            assert "Set-Cookie" not in headers


def test_a_foreign_page_opens_no_socket(server: Server, operator: Browser) -> None:
    for origin in (None, "http://evil.example", "null", f"https://127.0.0.1:{server.port}", "http://127.0.0.1:1"):
        with pytest.raises(InvalidStatus) as raised:
            connect(
                f"ws://127.0.0.1:{server.port}/socket",
                origin=None if origin is None else Origin(origin),
                additional_headers={"Cookie": operator.cookie},
                open_timeout=PATIENCE,
            )
        assert raised.value.response.status_code == 403


def test_another_name_for_this_machine_gets_nothing(server: Server, operator: Browser) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    connection.request("GET", "/", headers={"Host": "evil.example", "Cookie": operator.cookie})
    answer = connection.getresponse()
    assert answer.status == 421
    connection.close()


def refused(browser: Browser, kind: str, fields: dict[str, Any], room: str) -> str | None:
    """The id of the refusal, or None if the request was granted."""
    given = {name: room if value == "ROOM" else value for name, value in fields.items()}
    try:
        browser.ask(kind, **given)
    except Refusal as refusal:
        return refusal.id
    return None


def test_a_watcher_only_looks(server: Server, room: str) -> None:
    watcher = Browser(server.port, cookie(server, "watcher"))
    for kind, fields in HARMLESS.items():
        assert refused(watcher, kind, fields, room) is None, kind
    for kind, fields in {**FOR_PLAYERS, **FOR_SEATED, **FOR_OPERATOR}.items():
        assert refused(watcher, kind, fields, room) is not None, kind
    watcher.close()


def test_a_player_does_nothing_in_the_name_of_others(server: Server, operator: Browser, room: str) -> None:
    player = Browser(server.port, cookie(server, "player"))
    player.ask("Enter", room=room)
    for kind, fields in {**FOR_SEATED, **FOR_OPERATOR, **OF_EVENTS}.items():
        assert refused(player, kind, fields, room) is not None, kind
    state = operator.ask("Enter", room=room)
    assert state["place"]["moves"] == []
    assert not state["now"]["is_over"]
    player.close()


def test_a_watcher_finds_the_games_and_no_secrets(server: Server, operator: Browser, room: str) -> None:
    watcher = Browser(server.port, cookie(server, "watcher"))
    found = watcher.ask("Rooms")
    assert room in [entry["room"] for entry in found]
    assert operator.cookie.partition("=")[2] not in repr(found)
    watcher.close()


def test_nobody_sees_the_secrets_of_others(server: Server, operator: Browser, room: str) -> None:
    """What a browser is told has neither cookies nor the ids of other browsers in it."""
    player = Browser(server.port, cookie(server, "player"))
    told = repr(player.ask("Enter", room=room)) + repr(player.ask("Rooms"))
    assert operator.cookie.partition("=")[2] not in told
    assert "secret" not in told
    assert not [entry for entry in player.ask("Rooms") if entry["room"] == room], "it is not their room"
    player.close()
