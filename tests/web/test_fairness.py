"""No engine helps in a running game between people; with everything else it does."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import palabre
from palabre.core.position import Position
from palabre.web import fairness
from palabre.web.fairness import MOST_AHEAD, Neighbourhood
from palabre.web.store import Browser as Known
from palabre.web.store import Invited
from palabre.web.symmetry import look_of, looks_of, outline_of, symmetries
from tests.games.test_laws import SYMMETRIES, change_seats
from tests.messages import refuses
from tests.web.browsing import Browser, Refusal, Server, serving, two_people
from tests.web.test_rooms import Here, run

GAME = "awele"
PLAYED = ["B", "e", "E", "b", "C", "e", "E", "f", "A"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("server"), RATES="off") as running:
        yield running


@pytest.fixture
def people(server: Server) -> tuple[Browser, Browser]:
    """Two people who have not met before."""
    host = server.operator()
    room = host.open_room(GAME, "me", "guest")
    return host, Browser(server.port, server.cookie(host.ask("Invite", room=room, seat=1)["path"]))


def after(*moves: str, spec: str = GAME) -> Position:
    position = palabre.game(spec).start()
    for move in moves:
        position = position.play(move)
    return position


def play(server: Server, people: tuple[Browser, Browser], moves: list[str], **settings: Any) -> str:
    """A game between them, so far."""
    room = two_people(server, *people, GAME, **settings)
    for ply, move in enumerate(moves):
        people[ply % 2].ask("PlayMove", room=room, ply=ply, move=move)
    return room


def is_helped(browser: Browser, **place: Any) -> bool:
    """Whether an engine says something about a place to a browser."""
    try:
        browser.ask("Analyse", place={"game": GAME, **place}, seconds=0.01)
    except Refusal as refusal:
        if refusal.id != "no_help":
            raise
        return False
    asked = browser.last_ask
    browser.wait("Thoughts", lambda told: told["ask"] == asked and told["is_done"])
    return True


def places_of(now: Position) -> dict[str, dict[str, Any]]:
    """Ways to ask about a running game."""
    soon = now.play(now.moves()[0])
    soon = soon.play(soon.moves()[0])
    pits, scores, player, quiet = soon.text.split()
    swapped = ",".join(reversed(scores.split(",")))
    moves = [move.text for move in soon.played]
    return {
        "as it is": {"moves": moves[:-2]},
        "a little back": {"moves": moves[:-5]},
        "a little ahead": {"moves": moves},
        "by its text": {"start": now.text},
        "ahead, by its text": {"start": soon.text},
        "ahead, with other scores and counts": {"start": f"{pits} {swapped} {player} {int(quiet) + 3}"},
        "ahead, by other rules": {"game": "awele:abapa", "start": soon.text},
        "ahead, with the players exchanged": {"start": change_seats(soon.text)},
    }


@pytest.mark.slow
def test_no_engine_helps_with_a_running_game(server: Server, people: tuple[Browser, Browser]) -> None:
    room = play(server, people, PLAYED)
    places = places_of(after(*PLAYED))
    for browser in people:
        assert {name: is_helped(browser, **place) for name, place in places.items()} == dict.fromkeys(places, False)
        it = {"game": GAME, "moves": PLAYED}
        seats = [{"who": "me"}, {"who": "bot", "bot": "palabre:level=10"}]
        for kind, fields in (
            ("Hint", {"room": room}),
            ("Hint", {"place": it}),
            ("Review", {"place": it}),
            ("OpenRoom", {"place": it, "seats": seats}),  # a bot that plays on shows its move
        ):
            with pytest.raises(Refusal):
                browser.ask(kind, **fields)


@pytest.mark.slow
def test_an_engine_helps_with_everything_else(server: Server, people: tuple[Browser, Browser]) -> None:
    play(server, people, PLAYED)
    for browser in people:
        assert is_helped(browser)  # where every game begins, and this one is no longer
        assert is_helped(browser, moves=["F", "a", "E"])
        assert is_helped(browser, game="abalone")
        browser.ask("Review", place={"game": GAME, "moves": ["B", "e", "A", "a"]})  # another game with the same opening
        browser.wait("ReviewGrew", lambda told: told["moves"] is not None)
        room = browser.open_room(GAME, "me", "palabre:level=1")
        browser.ask("Enter", room=room)
        assert browser.ask("Hint", room=room)["thought"]["move"] in "ABCDEF"


def test_to_leave_the_table_or_to_restart_the_server_changes_nothing(
    server: Server, people: tuple[Browser, Browser]
) -> None:
    room = play(server, people, PLAYED)
    for browser in people:
        browser.ask("Leave", room=room)
        assert not is_helped(browser, moves=PLAYED)
    server.kill()
    server.start()
    host = Browser(server.port, people[0].cookie)
    assert not is_helped(host, moves=PLAYED)
    host.ask("Enter", room=room)
    host.ask("Resign", room=room)
    assert is_helped(host, moves=PLAYED)  # the game is over


def test_many_other_games_do_not_hide_a_running_one(server: Server, people: tuple[Browser, Browser]) -> None:
    play(server, people, PLAYED)
    host = people[0]
    for _ in range(60):
        room = host.open_room(GAME, "me", "me")
        host.ask("PlayMove", room=room, ply=0, move="B")
    assert not is_helped(host, moves=PLAYED)
    assert is_helped(host, moves=["C", "c"])


def test_who_plays_more_games_against_people_than_we_look_at_gets_no_help(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fairness, "MOST_RUNNING", 2)

    async def scenario(here: Here) -> None:
        elsewhere = palabre.game("abalone").start()
        for number in range(2):
            room = await here.room("me", "guest")
            await here.server.context.fairness.check([elsewhere], "mine")
            here.server.context.rooms.take_seat(Invited(room, 1), Known(f"guest {number}", "player"))
        with refuses("refusal.no_help"):
            await here.server.context.fairness.check([elsewhere], "mine")
        await here.server.context.fairness.check([elsewhere], "guest 1")

    run(tmp_path, scenario)


def test_a_room_may_allow_help_and_watchers_may_have_it(server: Server, people: tuple[Browser, Browser]) -> None:
    play(server, people, PLAYED[:3], allowed={"help": True})
    assert all(is_helped(browser, moves=PLAYED[:3]) for browser in people)
    play(server, people, PLAYED[:3])
    assert not any(is_helped(browser, moves=PLAYED[:3]) for browser in people)
    assert is_helped(server.operator(), moves=PLAYED[:3])


def around(past: Sequence[Position]) -> Neighbourhood:
    """The whole neighbourhood of some positions."""
    return list(Neighbourhood.around(past))[-1]


@pytest.mark.parametrize("game", ["awele", "awale", "abalone", "avalam", "penguins:players=4", "examples/othello.py"])
def test_a_neighbourhood_is_bounded_and_has_all_that_can_come_next(game: str) -> None:
    past = [palabre.game(game).start()]
    for _ in range(10):
        past.append(past[-1].play(past[-1].moves()[-1]))
    near = around(past).looks
    assert {look_of(position) for position in past} <= near
    assert {look_of(past[-1].play(move)) for move in past[-1].moves()} <= near
    assert len(near) <= MOST_AHEAD


# ---------------------------------------------------------------------------------------------- turned and mirrored


def some_positions(spec: str) -> list[Position]:
    luck, position = random.Random(2), palabre.game(spec).start(4)
    found: list[Position] = []
    while not position.is_over and len(found) < 30:
        position = position.play(luck.choice(position.moves()))
        found.append(position)
    return found


@pytest.mark.parametrize("name", SYMMETRIES)
def test_a_symmetric_position_is_known_again(name: str) -> None:
    """By the symmetries that the rules are known to have."""
    for position in some_positions(name):
        other = position.game.position(SYMMETRIES[name](position.text))
        assert look_of(other) in set(looks_of(position))
        assert outline_of(other, look_of(other)) == outline_of(position, look_of(position))
    assert any(around([position]).matches([other]))


@pytest.mark.slow
@pytest.mark.parametrize("name", SYMMETRIES)
def test_positions_of_later_are_no_symmetric_ones(name: str) -> None:
    first, *_, last = some_positions(name)
    assert next(looks_of(first)) == look_of(first)
    assert not any(around([first]).matches([last]))


@pytest.mark.parametrize(
    ("spec", "count"), [("awele", 4), ("abalone", 24), ("avalam", 4), ("penguins", 4), ("penguins:players=3", 6)]
)
def test_boards_have_the_symmetries_that_one_sees(spec: str, count: int) -> None:
    """Of a hexagon there are twelve, and the players can be exchanged; pits belong to players, who go with them."""
    assert len(symmetries(palabre.game(spec))) == count
