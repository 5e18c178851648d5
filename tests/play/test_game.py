"""A game in progress: turns of people and bots, clocks, taking back, forfeits, and the record."""

from typing import Any

import pytest

import palabre
from palabre.bots.bot import Bot
from palabre.core.errors import IllegalMove
from palabre.core.position import Move, Position
from palabre.core.record import read_records
from palabre.play.game import OngoingGame
from palabre.search.clock import Clock
from tests.arena.clocks import HeldClock
from tests.messages import holds, refuses

AWELE = palabre.game("awele")


class Last(Bot):
    """Plays the last move, after a check of its clock."""

    def __init__(self, answer: Any = None) -> None:
        self.answer = answer
        self.clocks: list[Clock] = []
        self.started: list[int] = []

    def start(self, game: palabre.Game, seat: int) -> None:
        self.started.append(seat)

    def choose(self, position: Position, clock: Clock) -> Any:
        self.clocks.append(clock)
        return self.answer or position.moves()[-1]


def test_people_and_bots_play_in_turn() -> None:
    bot = Last()
    game = OngoingGame(AWELE.start(), [None, bot])
    game.sit_down()
    assert (game.names, bot.started, game.bot_to_move) == (["person", "Last"], [1], None)
    game.play("C")
    assert game.bot_to_move is bot
    game.ask_bot()
    assert [move.text for move in game.moves] == ["C", "f"]
    assert game.position == AWELE.start().play("C").play("f")
    assert game.seconds[0] is None
    assert game.seconds_of(1) == (game.seconds[1],)
    with refuses("game.person_to_move", player=1):
        game.ask_bot()


def test_an_illegal_move_changes_nothing() -> None:
    game = OngoingGame(AWELE.start())
    with pytest.raises(IllegalMove):
        game.play("Z")
    assert (game.moves, len(game.positions)) == ((), 1)


def test_a_bots_move_is_checked_once_and_never_read_as_text(monkeypatch: pytest.MonkeyPatch) -> None:
    checks: list[Move | str] = []
    play = Position.play

    def counted(self: Position, move: Move | str) -> Position:
        checks.append(move)
        return play(self, move)

    def read(self: Position, text: str) -> Move:
        raise AssertionError(f"{text} was read as a text")

    monkeypatch.setattr(Position, "play", counted)
    monkeypatch.setattr(Position, "move", read)
    game = OngoingGame(AWELE.start(), [Last(), Last()])
    for _ in range(4):
        game.ask_bot()
    assert len(checks) == 4


def test_clocks_run_for_bots_and_not_for_people() -> None:
    bot = Last()
    now = HeldClock()
    game = OngoingGame(AWELE.start(), [None, bot], clock=Clock(remaining=10.0, increment=1.0), now=now)
    now.sleep(5.0)
    game.play("C")
    after, seconds = game.answer()
    assert (len(game.positions), game.clocks[1].remaining) == (2, 10.0)  # the game stays as it is
    game.accept(after, 2.5)
    assert [clock.remaining for clock in game.clocks] == [10.0, 8.5]
    assert seconds == 0.0
    assert bot.clocks == [Clock(remaining=10.0, increment=1.0)]


def test_what_is_taken_back_is_gone_and_the_clocks_with_it() -> None:
    game = OngoingGame(AWELE.start(), [None, Last()], clock=Clock(remaining=10.0))
    assert not game.undo_turn()
    for move in ("C", "A"):
        game.play(move)
        game.accept(game.answer()[0], 1.0)
    assert game.clocks[1].remaining == 8.0
    assert game.undo_turn()
    assert ([move.text for move in game.moves], game.clocks[1].remaining) == (["C", "f"], 9.0)
    assert (len(game.seconds), game.seconds_of(1)) == (2, (1.0,))
    game.undo(2)
    assert (game.moves, game.clocks[1].remaining) == ((), 10.0)
    with refuses("game.cannot_undo", moves=1, played=0):
        game.undo()


def test_a_turn_is_taken_back_to_a_person_wherever_they_sit() -> None:
    game = OngoingGame(AWELE.start(), [Last(), None])
    game.ask_bot()
    assert not game.undo_turn()
    game.play("a")
    game.ask_bot()
    assert game.undo_turn()
    assert [move.text for move in game.moves] == ["F"]


def test_a_bot_that_fails_forfeits_and_the_record_says_why() -> None:
    game = OngoingGame(AWELE.start(), [None, Last("Z")])
    game.play("C")
    with refuses("forfeit.illegal"):
        game.ask_bot()
    assert (game.is_over, game.loser, game.result) == (True, 1, (1.0, 0.0))
    record = game.record({"Round": "7"})
    assert (record.result, record.moves, record.tags["Round"]) == ("1-0", ("C",), "7")
    holds(record.why_ended, "game.loses", player=2)
    holds(record.why_ended, "error.illegal_move", move="Z")
    assert record.tags["Termination"] == str(record.why_ended)
    [again] = read_records(record.to_text())
    assert (again.result, again.moves, again.why_ended) == ("1-0", ("C",), record.why_ended)
    with refuses("game.is_over"):
        game.play("a")
    game.undo(0)
    game.play("a")
    assert not game.is_over


def test_whoever_resigns_has_lost_and_the_others_share() -> None:
    game = OngoingGame(palabre.game("penguins:players=3").start())
    game.resign(2)
    assert game.result == (0.5, 0.5, 0.0)
    assert game.record().tags["Termination"] == "player 3 resigns"
    with refuses("game.resigns", player=3):
        game.resign(0)


def test_a_game_over_by_the_rules_takes_no_more_moves() -> None:
    game = OngoingGame(AWELE.position("0,5,0,0,4,0/1,1,2,3,3,3 19,7 1 0"))
    game.play("E")
    assert (game.is_over, game.result, game.loser) == (True, (1.0, 0.0), None)
    with refuses("game.is_over", why="1-0"):
        game.play("a")


def test_a_game_may_begin_in_the_middle_of_another() -> None:
    middle = AWELE.start().play("C").play("d")
    game = OngoingGame(middle)
    game.play("A")
    record = game.record()
    assert [move.text for move in game.moves] == ["A"]
    assert (record.moves, record.start) == (("C", "d", "A"), None)  # with all that led to its first position
    assert record.positions()[-1].text == game.position.text


def test_every_player_has_a_seat() -> None:
    with refuses("game.wrong_seats", players=2, seats=1):
        OngoingGame(AWELE.start(), [None])
