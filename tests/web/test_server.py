"""The server as browsers meet it: rooms, moves, bots, restarts, two people, analysis, downloads."""

import asyncio
import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from starlette.websockets import WebSocket, WebSocketDisconnect
from websockets.exceptions import ConnectionClosed

import palabre
from palabre.core import registry
from palabre.core.record import read_records
from palabre.core.words import say
from palabre.web import server as web_server
from palabre.web.access import Access
from palabre.web.messages import Refusal as RefusalMessage
from palabre.web.refusal import in_language
from palabre.web.run import Parts, ServerSettings
from palabre.web.session import TOO_SLOW, Session
from palabre.web.store import Browser as Known
from palabre.web.store import open_store
from tests.command import PATIENCE
from tests.sentences import tells
from tests.web.browsing import Browser, Refusal, Server, serving, two_people

AGES = 2 * PATIENCE  # seconds of a search that nobody waits for
HOUR = 3600.0
GAMES = [*registry.names(), "examples/connect_four.py", "examples/othello.py"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on which a bot may think about a move for longer than anyone waits for it."""
    with serving(tmp_path_factory.mktemp("server"), SECONDS=str(AGES)) as running:
        yield running


@pytest.fixture(scope="module")
def operator(server: Server) -> Browser:
    return server.operator()


@pytest.fixture(scope="module")
def guest(server: Server, operator: Browser) -> Browser:
    """Another person, who has come by an invitation."""
    room = operator.open_room("awele", "me", "guest")
    return Browser(server.port, server.cookie(operator.ask("Invite", room=room, seat=1)["path"]))


def test_a_place_is_written_as_texts_that_can_be_read_again(operator: Browser) -> None:
    place = {"game": "awele", "start": None, "moves": ["C", "d"]}
    written = operator.ask("WriteText", place=place)
    assert written["position"] == palabre.game("awele").start().play("C").play("d").text
    assert operator.ask("ReadText", text=written["game"]) == place
    assert operator.ask("ReadText", text=written["position"], game="awele")["start"] == written["position"]


# -------------------------------------------------------------------------------------------------------- what there is


def test_the_catalogue_has_all_games_with_official_rules_first(operator: Browser) -> None:
    entries = {entry["name"]: entry for entry in operator.ask("Catalogue")}
    assert set(entries) == {*GAMES, "examples/trio.py", "examples/awele_my_eval.py"}
    assert entries["abalone"]["spec"] == "abalone:official"
    assert [preset["name"] for preset in entries["avalam"]["presets"]] == ["official", "course"]
    assert all(entry["picture"].startswith("<svg") for entry in entries.values())


def test_a_person_reads_their_language(server: Server, operator: Browser) -> None:
    french = Browser(server.port, operator.cookie, "fr")
    titles = {entry["name"]: entry["title"] for entry in french.ask("Catalogue")}
    assert titles["penguins"] == "Pingouins"
    with pytest.raises(Refusal, match="pas de partie à cette adresse"):
        french.ask("Enter", room="nowhere")
    room = french.open_room("awele", "me", "me")
    french.ask("Enter", room=room)
    with pytest.raises(Refusal, match="pas un coup permis"):
        french.ask("PlayMove", room=room, ply=0, move="Z")
    french.close()


def test_the_page_and_its_words_are_served(server: Server, operator: Browser) -> None:
    for path in ("/", "/play/any", "/analyse", "/arena", "/rules/awele", "/games", "/event/any"):
        status, _, body = server.get(path, operator.cookie)
        assert status == 200
        assert b"<main" in body
    for language in ("en", "fr"):
        status, _, body = server.get(f"/words/{language}.json", operator.cookie)
        assert status == 200
        assert "refusal.game_over" in json.loads(body)
    assert server.get("/words/xx.json", operator.cookie)[0] == 404
    assert b"--p-wood" in server.get("/board.css", operator.cookie)[2]
    assert server.get("/static/../rooms.py", operator.cookie)[0] == 404


# -------------------------------------------------------------------------------------------------------------- playing


@pytest.mark.parametrize("game", GAMES)
def test_a_game_against_a_bot_by_clicks(operator: Browser, game: str) -> None:
    """The first path of clicks each time: whatever the game, the page has to know nothing of it."""
    room = operator.open_room(game, "me", "random")
    state = operator.ask("Enter", room=room)
    shown = len(state["plies"])
    for _ in range(6):
        now = state["now"]
        if now["is_over"]:
            break
        assert now["paths"], "somebody must be able to move"
        operator.ask("PlayMove", room=room, ply=shown - 1, move=now["paths"][0]["move"])
        while True:
            told = operator.after_move(room, shown)
            shown = told["since"] + len(told["plies"])
            state = told
            last = told["plies"][-1]
            if told["now"]["is_over"] or told["standing"]["seats"][last["to_move"]]["is_you"]:
                break
        assert last["told"]
        assert len(last["scores"]) == 2
    operator.ask("Leave", room=room)


def test_the_motion_of_a_move_ends_in_what_is_then_on_the_board(operator: Browser) -> None:
    room = operator.open_room("awele", "me", "me")
    operator.ask("Enter", room=room)
    operator.ask("PlayMove", room=room, ply=0, move="C")
    [ply] = operator.after_move(room, 1)["plies"]
    assert len(ply["steps"]) == 4  # a step for each seed
    landed = {cell: look for step in ply["steps"] for part in ("lift", "then") for cell, look in step[part]}
    assert landed == {cell: look for cell, look, _ in ply["contents"]}
    operator.ask("Leave", room=room)


def test_take_back_resign_and_rematch_against_a_bot(operator: Browser) -> None:
    room = operator.open_room("awele", "me", "random")
    operator.ask("Enter", room=room)
    operator.ask("PlayMove", room=room, ply=0, move="C")
    operator.after_move(room, 2)
    operator.ask("Undo", room=room)
    told = operator.wait("RoomChanged", lambda told: told["since"] == 1)
    assert told["moves"] == []
    operator.ask("Resign", room=room)
    told = operator.wait("RoomChanged", lambda told: told["now"] and told["now"]["is_over"])
    assert told["now"]["shares"] == [0.0, 1.0]
    assert told["now"]["why"] == in_language("ended.resigns", "en", player="Player 1")
    assert "rematch" in told["standing"]["can"]
    [listed] = [entry for entry in operator.ask("Rooms") if entry["room"] == room]
    assert listed["status"] == f"{listed['players'][1]} wins"
    again = operator.ask("Rematch", room=room)["name"]
    state = operator.ask("Enter", room=again)
    assert [seat["who"] for seat in state["standing"]["seats"]] == ["bot", "person"]
    operator.ask("Leave", room=again)


def test_moves_that_come_too_late_or_from_others_are_refused(server: Server, operator: Browser, guest: Browser) -> None:
    room = operator.open_room("awele", "me", "random")
    operator.ask("Enter", room=room)
    guest.ask("Enter", room=room)
    for browser, ply, id in ((guest, 0, "not_your_turn"), (operator, 3, "too_late")):
        with pytest.raises(Refusal) as raised:
            browser.ask("PlayMove", room=room, ply=ply, move="C")
        assert raised.value.id == id
    for kind in ("Undo", "Resign", "OfferDraw", "Claim", "Rematch", "StopThinking"):
        with pytest.raises(Refusal):
            guest.ask(kind, room=room)
    for browser in (guest, operator):
        browser.ask("Leave", room=room)


def test_a_bot_that_has_lost_resigns_unless_the_room_forbids_it(operator: Browser) -> None:
    """Player 2 has the last two seeds in hand, and 25 are behind them."""
    place = {"game": "awele:abapa", "start": "0,0,0,0,0,1/0,0,0,0,1,0 22,24 1 0"}
    for resigns in (True, False):
        seats = ("palabre:depth=6", "me")
        room = operator.open_room("", *seats, place=place, allowed={"bots_resign": resigns})
        operator.ask("Enter", room=room)
        told = operator.wait("RoomChanged", lambda told: told["room"] == room and told["now"])  # noqa: B023
        assert (told["now"]["why"] == in_language("ended.resigns", "en", player="palabre")) is resigns
        operator.ask("Leave", room=room)


def test_bots_play_each_other_while_somebody_looks(operator: Browser) -> None:
    room = operator.open_room("penguins:players=3", "random", "greedy", "random")
    operator.ask("Enter", room=room)
    told = operator.after_move(room, 2)
    assert told["standing"]["can"] == ["analyse"]
    operator.ask("Leave", room=room)


def test_a_bot_that_thinks_can_be_stopped(operator: Browser) -> None:
    room = operator.open_room("awele", f"palabre:time={AGES}", "me")
    operator.ask("Enter", room=room)
    operator.wait("RoomChanged", lambda told: told["standing"]["thinking"])
    operator.ask("StopThinking", room=room)
    assert len(operator.after_move(room, 1)["plies"]) == 1
    operator.ask("Leave", room=room)


# ----------------------------------------------------------------------------------------------------------- two people


def test_two_people_play_and_ask_each_other(server: Server, operator: Browser, guest: Browser) -> None:
    room = two_people(server, operator, guest)
    operator.ask("PlayMove", room=room, ply=0, move="C")
    assert guest.after_move(room, 1)["moves"] == ["C"]
    guest.ask("PlayMove", room=room, ply=1, move="c")
    operator.after_move(room, 2)
    operator.ask("Undo", room=room)
    asked = guest.wait("RoomChanged", lambda told: told["standing"]["offer"])
    assert asked["standing"]["offer"] == {"what": "undo", "seat": 0}
    guest.ask("AnswerOffer", room=room, accept=False)
    operator.wait("RoomChanged", lambda told: told["standing"]["offer"] is None)
    operator.ask("Undo", room=room)
    guest.ask("AnswerOffer", room=room, accept=True)
    assert guest.wait("RoomChanged", lambda told: told["since"] == 1)["moves"] == []
    operator.ask("OfferDraw", room=room)
    with pytest.raises(Refusal):
        operator.ask("AnswerOffer", room=room, accept=True)  # nobody agrees with themselves
    guest.ask("AnswerOffer", room=room, accept=True)
    over = operator.wait("RoomChanged", lambda told: told["now"] and told["now"]["is_over"])
    assert over["now"]["shares"] == [0.5, 0.5]
    guest.ask("Rematch", room=room)
    operator.ask("AnswerOffer", room=room, accept=True)
    told = guest.wait("RoomChanged", lambda told: told["standing"]["next_room"])
    state = guest.ask("Enter", room=told["standing"]["next_room"])
    assert [seat["is_you"] for seat in state["standing"]["seats"]] == [True, False]
    guest.ask("Leave", room=state["room"])


def test_time_runs_out_for_a_person(server: Server, operator: Browser, guest: Browser) -> None:
    room = two_people(server, operator, guest, clock={"game": 0.6})
    operator.ask("PlayMove", room=room, ply=0, move="C")
    guest.ask("PlayMove", room=room, ply=1, move="c")
    over = guest.wait("RoomChanged", lambda told: told["room"] == room and told["now"] and told["now"]["is_over"])
    assert over["now"]["shares"] == [0.0, 1.0]
    assert over["now"]["why"] == in_language("ended.loses", "en", player="Player 1", reason=say("game.time_over"))


# ------------------------------------------------------------------------------------------------------------- analysis


def test_lines_come_while_an_engine_thinks_and_end_when_stopped(operator: Browser) -> None:
    place = {"game": "awele", "moves": ["C", "c"]}
    operator.ask("Analyse", place=place, lines=2, seconds=AGES)
    asked = operator.last_ask
    told = operator.wait("Thoughts", lambda told: told["ask"] == asked and len(told["lines"]) == 2)
    best = told["lines"][0]
    assert best["rank"] == 1
    assert best["nodes"] > 0
    assert best["clicks"], "an arrow needs cells"
    assert sum(best["shares"]) == pytest.approx(1)
    operator.ask("StopAnalysis", asked=asked)
    operator.pushed.clear()
    operator.ask("Rooms")
    assert not [told for told in operator.pushed if told["kind"] == "Thoughts"]


def test_three_players_have_a_share_each(operator: Browser) -> None:
    operator.ask("Analyse", place={"game": "penguins:players=3"}, seconds=0.5)
    told = operator.wait("Thoughts", lambda told: told["is_done"])
    assert len(told["lines"][0]["shares"]) == 3


def test_a_review_tells_what_each_move_cost(operator: Browser) -> None:
    operator.ask("Review", place={"game": "awele", "moves": ["A", "a", "B"]})
    told = operator.wait("ReviewGrew", lambda told: told["moves"] is not None)
    assert [move["ply"] for move in told["moves"]] == [1, 2, 3]
    assert all(0 <= move["lost"] <= 1 for move in told["moves"])


def test_a_hint_is_a_legal_move(operator: Browser) -> None:
    found = operator.ask("Hint", place={"game": "awele"})["thought"]
    assert found["move"] in "ABCDEF"


def test_a_line_of_moves_is_shown_outside_any_room(operator: Browser) -> None:
    shown = operator.ask("ShowLine", place={"game": "awele:course", "moves": ["C", "d"]}, since=1)
    assert shown["place"]["game"] == "awele"
    assert [ply["move"] for ply in shown["plies"]] == ["C", "d"]
    assert {path["move"] for path in shown["now"]["paths"]} == set("ABDEF")


@pytest.mark.parametrize(
    ("text", "game", "moves"),
    [
        ('[Game "awele"]\n\n1. C d *', None, ["C", "d"]),
        ("4,4,4,4,4,4/4,4,4,4,4,4 0,0 1 0", "awele", []),
        ("C d", "awele", ["C", "d"]),
        ("4,4,4,4,4,4/4,4,4,4,4,4 0,0 1 0", None, []),
    ],
)
def test_pasted_texts_are_read(operator: Browser, text: str, game: str | None, moves: list[str]) -> None:
    assert operator.ask("ReadText", text=text, game=game)["moves"] == moves


@pytest.mark.parametrize(
    ("text", "game", "id", "params"),
    [
        ("nonsense", "awele", "text.parts", {"text": "nonsense"}),
        ('[Game "examples/connect_four.py"]\n\n1. a *', None, "record.not_trusted", {}),
        ('[Game "awele"]\n\n1. Z *', None, "error.illegal_move", {"move": "Z"}),
    ],
)
def test_pasted_nonsense_is_refused_with_the_reason(
    operator: Browser, text: str, game: str | None, id: str, params: dict[str, object]
) -> None:
    with pytest.raises(Refusal) as refused:
        operator.ask("ReadText", text=text, game=game)
    assert tells(str(refused.value), id, **params)


def test_a_pasted_position_needs_its_game(operator: Browser) -> None:
    with pytest.raises(Refusal, match="which game"):
        operator.ask("ReadText", text="4,4", game=None)


# ------------------------------------------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    "spec", ["/etc/passwd", "../awele.py", "ugi:/bin/sh", "pipe:cat", "examples/../examples/othello.py", "x" * 400]
)
def test_no_path_and_no_program_comes_from_a_browser(operator: Browser, spec: str) -> None:
    with pytest.raises(Refusal):
        operator.open_room("awele", "me", spec)
    with pytest.raises(Refusal):
        operator.open_room(spec, "me", "random")


def test_limits_of_bots_are_lowered(operator: Browser) -> None:
    room = operator.open_room("awele", "me", "palabre:time=3600,threads=64,memory=4096")
    seat = operator.ask("Enter", room=room)["standing"]["seats"][1]
    assert seat["bot"] == f"palabre:time={AGES},memory=16"
    operator.ask("Leave", room=room)


def test_events_and_the_end_are_for_the_operator(guest: Browser) -> None:
    for kind, fields in (
        ("QuitServer", {}),
        ("StartEvent", {"game": "awele", "format": "match", "bots": ["random", "greedy"]}),
        ("StopEvent", {"event": "x"}),
        ("ResumeEvent", {"event": "x"}),
    ):
        with pytest.raises(Refusal) as raised:
            guest.ask(kind, **fields)
        assert raised.value.id == "operator_only"


def test_what_the_end_of_the_server_would_interrupt_is_told(server: Server, operator: Browser) -> None:
    before = operator.ask("UnderWay")
    here = operator.open_room("awele", "me", "guest")
    operator.ask("Enter", room=here)
    path = operator.ask("Invite", room=here, seat=1)["path"]
    other = Browser(server.port, server.cookie(path))
    now = operator.ask("UnderWay")
    assert (now["games"] - before["games"], now["guests"] - before["guests"], now["events"]) == (1, 1, 0)
    operator.ask("Resign", room=here)
    assert operator.ask("UnderWay")["games"] == before["games"]
    other.close()
    operator.ask("Leave", room=here)


def test_messages_that_no_page_sends_are_answered_and_end_the_socket(server: Server, operator: Browser) -> None:
    other = Browser(server.port, operator.cookie)
    for text in ("", "{", "[]", '{"kind":"Nothing","ask":7}', '{"kind":"Hello","ask":-1,"language":"en"}'):
        other.send(text)
        answer = other.receive()
        assert (answer["kind"], answer["id"]) == ("Refusal", "unreadable")
    answers = 0
    with contextlib.suppress(ConnectionClosed):
        while answers < 30:
            other.send("{")
            answers += other.receive()["kind"] == "Refusal"
    assert answers < 30
    assert operator.ask("Hello", language="en")["role"] == "operator"


# -------------------------------------------------------------------------------------------------- restarts, downloads


def test_a_server_killed_in_the_middle_of_a_game_loses_nothing(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        operator = server.operator()
        room = operator.open_room("awele", "me", "random", clock={"game": HOUR, "increment": 1})
        operator.ask("Enter", room=room)
        operator.ask("PlayMove", room=room, ply=0, move="C")
        moves = operator.after_move(room, 2)["moves"]
        port, cookie = server.port, operator.cookie
        server.kill()
        server.start()
        back = Browser(server.port, cookie.replace(f"palabre-{port}", f"palabre-{server.port}"))
        state = back.ask("Enter", room=room)
        assert state["place"]["moves"] == moves
        assert state["standing"]["seats"][0]["is_you"]
        assert HOUR - PATIENCE < state["standing"]["seats"][0]["left"] <= HOUR + 1  # It did not begin anew, nor run on.
        back.ask("PlayMove", room=room, ply=2, move=state["now"]["paths"][0]["move"])
        assert len(back.after_move(room, 4)["moves"]) == 4
        assert "Traceback" not in server.log


def test_a_game_can_be_taken_away(server: Server, operator: Browser) -> None:
    room = operator.open_room("awele", "me", "me", place={"game": "awele", "moves": ["C", "d"]})
    status, headers, body = server.get(f"/download/{room}.txt", operator.cookie)
    assert status == 200
    assert headers["Content-Disposition"] == 'attachment; filename="palabre-awele.txt"'
    [record] = read_records(body.decode())
    assert record.moves == ("C", "d")
    assert b"<svg" in server.get(f"/download/{room}.svg", operator.cookie)[2]
    assert b"replay" in server.get(f"/download/{room}.html?language=fr", operator.cookie)[2]
    for name in (f"{room}.exe", "nowhere.txt", "..%2f..%2fetc.txt"):
        assert server.get(f"/download/{name}", operator.cookie)[0] == 404


class NeverReads:
    """The socket of a browser that has sent requests without end and reads no answer."""

    def __init__(self) -> None:
        self.requests, self.requests_at_close, self.code = 0, 0, 0

    async def receive(self) -> dict[str, str]:
        self.requests += 1
        if self.requests > 1_000:  # Nothing else has had a turn.
            raise WebSocketDisconnect
        return {"type": "websocket.receive", "text": ""}

    async def send_text(self, text: str) -> None:
        await asyncio.Event().wait()

    async def close(self, code: int = 1000) -> None:
        self.requests_at_close, self.code = self.requests, code
        await asyncio.Event().wait()


def test_a_browser_that_never_reads_is_not_listened_to_any_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_server, "CLOSING", 0.01)

    async def scenario() -> NeverReads:
        store = open_store(None)
        parts = Parts(ServerSettings(data=tmp_path / "games.db"), store, "", tmp_path, Access(store), lambda: None)
        here, socket = web_server.WebServer(parts), NeverReads()
        session = Session(cast(WebSocket, socket), Known("b", "player"))

        def answer(event: object, session: Session) -> bool:
            session.send(RefusalMessage(0, "unreadable", "x" * 1_000_000))
            return True

        monkeypatch.setattr(here, "_answer", answer)
        await here._serve(cast(WebSocket, socket), session)
        store.close()
        return socket

    socket = asyncio.run(asyncio.wait_for(scenario(), PATIENCE))
    assert socket.requests < 1_000
    assert socket.code == TOO_SLOW
    assert socket.requests == socket.requests_at_close


def test_the_log_stays_short(server: Server) -> None:
    """It comes last in this file: all that happened before was ordinary, so there is nothing to say of it."""
    assert server.log == ""
