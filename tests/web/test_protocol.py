"""The types of the page's messages: that their file is fresh, and that they are what the server really says."""

import re
import typing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from palabre.web import messages, requests
from tests.web.browsing import serving
from tools.protocol import FILE, answer_of, name_of, text

GAME = "awele"
PLACE = {"game": GAME, "moves": ["C", "c"]}
KINDS: dict[str, type[requests.Request]] = {name_of(each): each for each in typing.get_args(requests.AnyRequest)}
PUSHES: dict[str, type[msgspec.Struct]] = {each.__name__: each for each in typing.get_args(messages.Push)}


def test_the_types_are_those_of_the_structs() -> None:
    assert FILE.read_text(encoding="utf-8") == text(), "stale: python -m tools.protocol"


def interface(name: str) -> dict[str, str]:
    """The fields of an interface in the file, each with its type."""
    found = re.search(rf"^export interface {name} {{(.*?)^}}", text(), re.MULTILINE | re.DOTALL)
    assert found is not None
    return dict(re.findall(r"^  (\S+): (.+);$", found[1], re.MULTILINE))


def test_what_is_told_has_all_fields_but_those_that_a_struct_omits() -> None:
    assert interface("Place") == {"game": "string", "start": "string | null", "moves": "string[]"}
    assert interface("RoomChanged")["since"] == "number | null"
    ply = interface("Ply")
    assert ply["contents"] == "[number, string, string][]"
    assert ply["move?"] == "string"
    assert interface("RoomState")["plies"] == "Ply[]"
    assert interface("ReviewedMove")["mistake"] == '"blunder" | "inaccuracy" | "mistake" | null'
    assert interface("ClickPath")["clicks"] == "(number | string)[]"


def test_what_is_asked_may_lack_defaults_and_has_no_number() -> None:
    asked = interface("ShowLine")
    assert asked == {"kind": '"ShowLine"', "place": "PlaceSent", "since?": "number", "names?": "string[]"}
    assert interface("PlaceSent") == {"game": "string", "start?": "string | null", "moves?": "string[]"}


def test_results_are_by_kind() -> None:
    results = interface("Results")
    assert set(results) == set(KINDS)
    assert results["Catalogue"] == "GameEntry[]"
    assert results["Rematch"] == "Opened | null"
    assert results["Leave"] == "null"


def test_every_struct_is_somewhere_in_the_file() -> None:
    defined = [each for module in (messages, requests) for each in vars(module).values() if isinstance(each, type)]
    structs = {name_of(each) for each in defined if issubclass(each, msgspec.Struct)} - {"Struct", "Request", ""}
    assert len(structs) > 80
    written = re.findall(r"^export interface (\w+)", text(), re.MULTILINE)
    assert structs <= set(written)
    assert len(written) == len(set(written))


@pytest.mark.processes
def test_the_server_answers_as_the_docstrings_of_requests_say(tmp_path: Path) -> None:
    with serving(tmp_path, RATES="off") as server:
        browser = server.operator()

        def ask(kind: str, **fields: Any) -> Any:
            found = browser.ask(kind, **fields)
            seen.add(kind)
            return msgspec.convert(found, answer_of(KINDS[kind]))

        seen: set[str] = set()
        ask("Hello", language="fr")
        assert all(game.presets for game in ask("Catalogue") if not game.broken)
        ask("Choices", game=GAME)
        ask("Rules", game=GAME)
        ask("ReadText", text=ask("WriteText", place=PLACE).game)
        ask("ShowLine", place=PLACE)
        ask("WhyNot", place=PLACE, clicks=[0])
        room = ask("OpenRoom", place={"game": GAME}, seats=[{"who": "me"}, {"who": "guest"}]).name
        ask("Enter", room=room)
        ask("Rooms")
        ask("Invite", room=room, seat=1)
        ask("PlayMove", room=room, ply=0, move="C")
        mine = ask("OpenRoom", place=PLACE, seats=[{"who": "me"}, {"who": "me"}]).name
        ask("Hint", room=mine)
        ask("Resign", room=mine)
        ask("Rematch", room=mine)
        ask("Analyse", place=PLACE, seconds=0.1)
        ask("Events")
        event = ask("StartEvent", game=GAME, format="match", bots=["idiot", "greedy"], games=1).name
        ask("WatchEvent", event=event)
        browser.wait("EventChanged", lambda told: fits(told) and told["state"]["played"] == 2)
        ask("EventGame", event=event, number=1)
        assert ask("EventGames", event=event)
        ask("UnderWay")
        ask("Review", place=PLACE)
        reviewed = browser.wait("ReviewGrew", lambda told: fits(told) and told["moves"])
        assert len(reviewed["moves"]) == len(PLACE["moves"])
        answering = {kind for kind, request in KINDS.items() if answer_of(request) is not None}
        assert answering <= seen
        browser.close()


def fits(told: dict[str, Any]) -> bool:
    """Whether the next push that is not yet looked at is of its struct; an error says what is wrong with it."""
    return isinstance(msgspec.convert(told, PUSHES[told["kind"]]), PUSHES[told["kind"]])
