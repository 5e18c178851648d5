"""A room: whose turn it is, clocks, taking back, offers and endings, with time given by hand."""

import pytest

from palabre.core.registry import game
from palabre.core.words import say, text_of
from palabre.web.refusal import Refused
from palabre.web.room import CLAIM_AFTER, Room
from palabre.web.room_actions import abilities, check_turn
from palabre.web.store import KeptRoom, RoomRow, SeatRow
from tests.messages import holds, refuses

ME, YOU = "my browser", "your browser"
MINE, YOURS, FREE, BOT = (
    SeatRow("person", "", ME, "Ada"),
    SeatRow("person", "", YOU, "Blaise"),
    SeatRow("person", "", None, "guest"),
    SeatRow("bot", "greedy", None, "greedy"),
)
now = [0.0]  # what the clock of all rooms shows


@pytest.fixture(autouse=True)
def from_the_beginning() -> None:
    now[0] = 0.0


def room(*seats: SeatRow, clock: tuple[float, float] | None = None, spec: str = "awele", **allowed: object) -> Room:
    row = RoomRow("room", spec, None, 0, seats or (MINE, YOURS), clock, allowed, ME, created=0.0)
    return Room.begin(row, game(spec).start(), lambda: now[0])


def at(moment: float, here: Room) -> Room:
    """A room at a moment."""
    now[0] = moment
    return here


def again(old: Room, moment: float) -> Room:
    """The same room as a new server finds it in the store."""
    moves = [(move.text, seconds) for move, seconds in zip(old.ongoing.moves, old.ongoing.seconds, strict=True)]
    kept = KeptRoom(old.row, len(moves), moves, at(0.0, old).left_now(), old.ending, old.next_room, changed=0.0)
    now[0] = moment
    return Room.restore(kept, old.ongoing.positions, lambda: now[0])


def can(here: Room, browser: str, moment: float = 0.0) -> set[str]:
    return set(abilities(at(moment, here), browser, False))


# ------------------------------------------------------------------------------------------------------ turns and moves


def test_only_the_player_to_move_moves_and_only_in_the_position_on_the_board() -> None:
    here = room()
    check_turn(here, ME, 0)
    for browser, ply, refusal in ((YOU, 0, "not_your_turn"), (ME, 1, "too_late"), ("a watcher", 0, "not_your_turn")):
        with pytest.raises(Refused) as raised:
            check_turn(here, browser, ply)
        assert raised.value.id == refusal
    at(1.0, here).play("C")
    check_turn(here, YOU, 1)
    with refuses("refusal.not_your_turn"):
        check_turn(here, ME, 1)


def test_an_illegal_move_changes_nothing() -> None:
    here = room(clock=(60.0, 0.0))
    at(0.0, here).play("C")
    at(0.0, here).play("c")
    with refuses("error.illegal_move", move="Z"):
        at(5.0, here).play("Z")
    assert here.ply == 2
    assert at(5.0, here).left_now() == [55.0, 60.0]


def test_people_at_one_screen_have_both_seats() -> None:
    here = room(MINE, MINE)
    check_turn(here, ME, 0)
    at(1.0, here).play("C")
    check_turn(here, ME, 1)
    assert not here.is_between_people()


# --------------------------------------------------------------------------------------------------------------- clocks


def test_a_clock_runs_from_the_second_move_on_and_gets_its_increment() -> None:
    here = room(clock=(60.0, 2.0))
    at(0.0, here).arrive(ME)
    assert at(9.0, here).seconds_to_flag() is None
    at(10.0, here).play("C")
    at(30.0, here).play("c")
    assert at(30.0, here).left_now() == [60.0, 60.0]  # the first move of each costs nothing
    at(37.0, here).play("D")
    assert at(37.0, here).left_now() == [55.0, 60.0]
    assert at(40.0, here).left_now() == [55.0, 57.0]


def test_clocks_stand_while_a_seat_is_free() -> None:
    here = room(MINE, MINE, FREE, clock=(60.0, 0.0), spec="penguins:players=3")
    for _ in range(3):
        at(0.0, here).play(here.position.moves()[0].text)
    assert at(30.0, here).left_now() == [60.0, 60.0, 60.0]
    assert at(30.0, here).seconds_to_flag() is None
    at(30.0, here).take_seat(2, YOU, "Blaise")
    assert at(40.0, here).left_now() == [50.0, 60.0, 60.0]
    assert at(40.0, here).seconds_to_flag() == 50.0


def test_a_restarted_server_lets_the_clock_stand_until_the_player_is_back() -> None:
    here = room(clock=(60.0, 0.0))
    at(0.0, here).arrive(ME)
    for move, moment in (("C", 1.0), ("c", 2.0)):
        at(moment, here).play(move)
    at(12.0, here).stop_clock()
    back = again(here, 1000.0)
    assert at(1010.0, back).left_now() == [50.0, 60.0]
    at(1010.0, back).arrive(YOU)
    assert at(1020.0, back).left_now() == [50.0, 60.0]  # it is not their turn
    at(1020.0, back).arrive(ME)
    assert at(1025.0, back).left_now() == [45.0, 60.0]


def test_nobody_loses_on_time_who_has_no_clock() -> None:
    here = room()
    at(0.0, here).arrive(ME)
    assert at(10_000.0, here).seconds_to_flag() is None


# ---------------------------------------------------------------------------------------------------------- taking back


def test_against_a_bot_a_pair_is_taken_back() -> None:
    here = room(MINE, BOT)
    for move in ("C", "c", "D", "d"):
        at(1.0, here).play(move)
    at(2.0, here).undo([0])
    assert [move.text for move in here.ongoing.moves] == ["C", "c"]
    at(2.0, here).undo([0])
    assert here.ply == 0
    with refuses("refusal.nothing_to_undo"):
        at(2.0, here).undo([0])


def test_taking_back_can_be_forbidden() -> None:
    here = room(MINE, BOT, undo="never")
    at(1.0, here).play("C")
    assert "undo" not in can(here, ME)
    assert "undo" in can(_with_a_move(room(MINE, BOT)), ME)


def _with_a_move(here: Room) -> Room:
    at(1.0, here).play("C")
    return here


def test_what_is_taken_back_gives_the_time_back() -> None:
    here = room(clock=(60.0, 0.0))
    at(0.0, here).arrive(ME)
    for move, moment in (("C", 1.0), ("c", 2.0), ("D", 12.0), ("d", 15.0)):
        at(moment, here).play(move)
    assert at(15.0, here).left_now() == [50.0, 57.0]
    at(20.0, here).undo([0])
    assert at(20.0, here).left_now() == [60.0, 60.0]


# -------------------------------------------------------------------------------------------------------------- endings


def test_who_resigns_has_lost_and_the_store_knows_why() -> None:
    here = room()
    at(1.0, here).play("C")
    at(2.0, here).resign(1)
    assert here.ongoing.result == (1.0, 0.0)
    back = again(here, 3.0)
    assert back.ongoing.result == (1.0, 0.0)
    assert back.ongoing.why_ended is not None
    assert back.ongoing.why_ended.text("fr") == "le joueur 2 abandonne"
    assert back.record().tags["Termination"] == "player 2 resigns"


def test_a_draw_by_agreement_survives_the_store() -> None:
    here = room()
    at(1.0, here).draw()
    assert again(here, 2.0).ongoing.result == (0.5, 0.5)


def test_a_reason_with_a_message_in_it_survives_the_store() -> None:
    here = room(MINE, BOT)
    at(1.0, here).play("C")
    at(2.0, here).lose(1, say("game.time_over"))
    why = again(here, 3.0).ongoing.why_ended
    assert why is not None
    holds(why, "game.loses", player=2)
    holds(why, "game.time_over")


def test_a_reason_in_the_words_of_the_game_survives_the_store() -> None:
    here = room(MINE, BOT)
    why = here.position.game.explain(here.position.state, "Z")
    at(2.0, here).lose(0, why)
    kept = again(here, 3.0).ongoing.why_ended
    assert kept is not None
    holds(kept, "error.one_letter")
    assert text_of(why, "fr") in kept.text("fr")


def test_somebody_gone_for_long_can_be_claimed_against() -> None:
    here = room()
    at(0.0, here).arrive(ME)
    at(0.0, here).arrive(YOU)
    at(10.0, here).depart(YOU)
    assert "claim" not in can(here, ME, 10.0 + CLAIM_AFTER - 1)
    assert "claim" in can(here, ME, 10.0 + CLAIM_AFTER)
    assert "claim" not in can(here, YOU, 10.0 + CLAIM_AFTER)
    at(200.0, here).arrive(YOU)
    assert "claim" not in can(here, ME, 300.0)


def test_a_clock_that_has_run_out_shows_nothing_any_more() -> None:
    here = room(clock=(60.0, 0.0))
    at(0.0, here).play("C")
    at(0.0, here).play("c")
    at(60.0, here).lose(0, say("game.time_over"))
    assert at(100.0, here).left_now() == [0.0, 60.0]
    assert at(100.0, again(here, 0.0)).left_now() == [0.0, 60.0]


def test_nobody_claims_against_a_bot() -> None:
    here = room(MINE, BOT)
    at(0.0, here).arrive(ME)
    assert "claim" not in can(here, ME, 10_000.0)


def test_nobody_claims_against_a_seat_that_is_free_or_has_just_been_taken() -> None:
    here = room(MINE, FREE)
    at(0.0, here).arrive(ME)
    assert "claim" not in can(here, ME, 10_000.0)
    at(10_000.0, here).take_seat(1, YOU, "")
    assert "claim" not in can(here, ME, 10_001.0)  # they are on their way to the page
    assert "claim" in can(here, ME, 10_000.0 + CLAIM_AFTER)


# ------------------------------------------------------------------------------------------------------ what one may do


def test_what_each_may_do_in_a_game_between_people() -> None:
    here = room()
    assert can(here, ME) == {"move", "draw", "resign"}
    assert can(here, YOU) == {"draw", "resign"}
    assert can(here, "a watcher") == {"analyse"}
    at(1.0, here).play("C")
    assert "undo" in can(here, ME)


def test_engines_help_against_bots_and_where_it_is_allowed() -> None:
    assert {"hint", "analyse"} <= can(room(MINE, BOT), ME)
    assert {"hint", "analyse"} <= can(room(MINE, MINE), ME)
    assert {"hint", "analyse"} <= can(room(help=True), ME)
    over = room()
    at(1.0, over).resign(0)
    assert "analyse" in can(over, ME)
    assert {"hint", "move", "resign"}.isdisjoint(can(over, ME))
    assert "rematch" in can(over, ME)


def test_a_seat_is_taken_once() -> None:
    here = room(MINE, FREE)
    assert "invite" in can(here, ME)
    at(0.0, here).take_seat(1, YOU, "")
    assert here.seats[1].name == "guest"
    for seat in (0, 1, 2):
        with pytest.raises(Refused, match="taken"):
            at(0.0, here).take_seat(seat, "a third", "Carl")
    assert "invite" not in can(here, ME)


def test_three_players_have_no_draw_and_resign_only_against_bots() -> None:
    people = room(MINE, YOURS, BOT, spec="penguins:players=3")
    assert can(people, ME) == {"move"}
    alone = room(MINE, BOT, BOT, spec="penguins:players=3")
    assert "resign" in can(alone, ME)
    assert "draw" not in can(alone, ME)
