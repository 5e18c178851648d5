"""The referee: bots that fail, lie, dawdle or spoil what they are given lose their game, and nothing else happens."""

import contextlib
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import palabre
from palabre.bots.bot import Bot
from palabre.bots.specs import bot
from palabre.core.errors import IllegalMove
from palabre.core.position import Move, Position
from palabre.core.record import read_records, result_text
from palabre.core.system import waited_for_processor
from palabre.play.finished import FinishedGame
from palabre.play.guard import ask, teach
from palabre.play.judge import GRACE
from palabre.play.referee import play_game
from palabre.search.clock import Clock
from tests.arena.clocks import HeldClock
from tests.messages import holds, refuses
from tests.sentences import tells

AWELE = palabre.game("awele")
START = AWELE.start()
HOME = AWELE.words().home


class Does(Bot):
    """Does what it is told in its turn."""

    def __init__(self, what: Callable[[Position, Clock], Any]) -> None:
        self.what = what

    def choose(self, position: Position, clock: Clock) -> Any:
        return self.what(position, clock)


class Unprintable(Exception):
    def __str__(self) -> str:
        raise ValueError("no text")


class Sly(str):
    """A text that is another one when it is looked at."""

    def __str__(self) -> str:
        return self.upper()


def raises(error: BaseException) -> Callable[[Position, Clock], Any]:
    def fail(position: Position, clock: Clock) -> Any:
        raise error

    return fail


def recurse(position: Position, clock: Clock) -> Any:
    return recurse(position, clock)


def first(position: Position, clock: Clock) -> Move:
    return position.moves()[0]


def game_against_idiot(what: Callable[[Position, Clock], Any], seat: int, **options: Any) -> FinishedGame:
    bots: list[Bot] = [bot("idiot", AWELE), bot("idiot", AWELE)]
    bots[seat] = Does(what)
    played = play_game(bots, START, **options)
    [again] = read_records(played.record(AWELE).to_text())
    # Blank space in a tag is made even, all else reads back.
    assert again.moves == played.moves
    assert again.result == result_text(played.shares)
    assert str(again.why_ended) == (played.reason or "")
    return played


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("what", "id", "params"),
    [
        (
            raises(ZeroDivisionError("by nothing")),
            "forfeit.raised_in",
            {"kind": "ZeroDivisionError", "error": "by nothing"},
        ),
        (raises(Unprintable()), "forfeit.error", {"error": "Unprintable"}),
        (raises(SystemExit(0)), "forfeit.raised_in", {"kind": "SystemExit"}),
        (raises(GeneratorExit()), "forfeit.raised_in", {"kind": "GeneratorExit"}),
        (raises(MemoryError()), "forfeit.raised_in", {"kind": "MemoryError"}),
        (raises(StopIteration()), "forfeit.raised_in", {"kind": "StopIteration"}),
        (raises(IllegalMove("I say so")), "forfeit.raised", {"kind": "IllegalMove", "error": "I say so"}),
        (
            raises(ValueError("first\nsecond \ud800 \x1b[2J" + "x" * 10_000)),
            "forfeit.raised",
            {"kind": "ValueError"},
        ),
        (recurse, "forfeit.raised_in", {"kind": "RecursionError"}),
        (lambda position, clock: None, "forfeit.no_move", {"answer": "None"}),
        (lambda position, clock: 3, "forfeit.no_move", {"answer": "3"}),
        (lambda position, clock: ("C", 2), "forfeit.no_move", {}),
        (lambda position, clock: [position.moves()[0]], "forfeit.no_move", {}),
        (lambda position, clock: Move, "forfeit.no_move", {}),
        (lambda position, clock: b"C", "forfeit.no_move", {}),
        (lambda position, clock: position, "forfeit.no_move", {}),
        (lambda position, clock: "", "error.illegal_move", {"move": ""}),
        (lambda position, clock: "Z", "error.illegal_move", {"move": "Z"}),
        (lambda position, clock: "C" * 10**6, "error.illegal_move", {"move": "C" * 10**6}),
        (lambda position, clock: "\ud800", "error.illegal_move", {"move": "\ud800"}),
        (lambda position, clock: Move(2, "Z"), "error.illegal_move", {"move": "Z"}),
        (lambda position, clock: Move(2, None), "forfeit.raised_in", {"kind": "TypeError"}),  # type: ignore[arg-type]
        (lambda position, clock: "quit", "forfeit.illegal", {}),
    ],
)
def test_a_bot_that_does_not_play_loses(
    what: Callable[[Position, Clock], Any], id: str, params: dict[str, object], seat: int
) -> None:
    played = game_against_idiot(what, seat)
    assert played.forfeit == seat
    assert played.shares == ((0.0, 1.0) if seat == 0 else (1.0, 0.0))
    assert result_text(played.shares) == ("0-1" if seat == 0 else "1-0")
    assert played.reason is not None
    assert tells(played.reason, "game.loses", player=seat + 1)
    assert tells(played.reason, id, **params)
    assert played.reason.isprintable()
    assert len(played.reason) < 900
    assert len(played.moves) == seat


def test_a_move_of_another_position_is_judged_by_this_one() -> None:
    """C is legal at first, and later, when its pit is empty, it is not: whoever repeats it loses then."""
    old = START.moves()[2]
    played = game_against_idiot(lambda position, clock: old, 0)
    assert played.forfeit == 0
    told = played.why_ended(HOME)
    holds(told, "forfeit.illegal")
    holds(told, "error.move_of_another_position")
    assert played.moves[0] == "C"


def test_a_move_with_a_code_that_is_not_its_own_is_illegal() -> None:
    played = game_against_idiot(lambda position, clock: Move(999, position.moves()[-1].text), 0)
    assert (played.forfeit, played.moves) == (0, ())


def test_a_move_that_says_it_equals_any_other_counts_by_its_text() -> None:
    class Chameleon(Move):
        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = None  # type: ignore[assignment]

    after, _ = ask(Does(lambda position, clock: Chameleon(999, "F")), START, Clock())
    assert after == START.play("F")


def test_a_text_is_looked_at_once() -> None:
    after, _ = ask(Does(lambda position, clock: Sly("c")), START, Clock())
    assert (after.played[-1].text, type(after.played[-1].text)) == ("C", str)


def test_ctrl_c_is_not_the_bots_mistake() -> None:
    with pytest.raises(KeyboardInterrupt):
        game_against_idiot(raises(KeyboardInterrupt()), 0)


def test_a_bot_may_spoil_what_it_is_given() -> None:
    """It gets a position of its own: the game goes on from the referee's."""
    won = AWELE.position("0,0,0,0,0,1/0,0,0,0,0,0 40,7 1 0")

    def cheat(position: Position, clock: Clock) -> Any:
        move = position.moves()[0]
        position.__dict__.update(state=won.state, ply=999, seen=(), _legal=())
        return move

    honest = game_against_idiot(first, 0, seed=3)
    assert game_against_idiot(cheat, 0, seed=3).moves == honest.moves


@pytest.mark.parametrize("hook", ["start", "sit_down"])
def test_a_bot_that_cannot_begin_loses(hook: str) -> None:
    sick = bot("idiot", AWELE)
    setattr(sick, hook, raises(OSError("no file")))  # which complains about its arguments, or about the file
    played = play_game([bot("idiot", AWELE), sick], START)
    assert (played.forfeit, played.moves, result_text(played.shares)) == (1, (), "1-0")
    assert str(played.reason).startswith("player 2 loses: error: ")


@pytest.mark.parametrize("error", [ValueError("too hard"), SystemExit(1)])
def test_a_bot_that_cannot_learn_is_named(error: BaseException) -> None:
    class Dull(Bot):
        spec = "dull.py"

        def learn(self, data: Any, budget: float) -> None:
            raise error

    with refuses("lesson.failed", bot="dull.py"):
        teach(Dull())


# -------------------------------------------------------------------------------------------------------- the time


def dawdle(now: HeldClock, seconds: float) -> Callable[[Position, Clock], Any]:
    def wait(position: Position, clock: Clock) -> Any:
        now.sleep(seconds)
        return position.moves()[0]

    return wait


def test_a_slow_bot_loses_on_time_when_there_is_a_limit() -> None:
    now = HeldClock()
    slow = dawdle(now, 0.02 + GRACE)
    played = game_against_idiot(slow, 1, clock=Clock(per_move=0.01), now=now)
    assert played.forfeit == 1
    told = played.why_ended(HOME)
    holds(told, "game.loses", player=2)
    holds(told, "forfeit.late_for_move", seconds=pytest.approx(0.07), allowed=0.01)
    assert len(played.moves) == 1
    assert ask(Does(slow), START, Clock(), now=now)[1] == pytest.approx(0.02 + GRACE)


@pytest.mark.parametrize(("over", "is_late"), [(GRACE - 0.001, False), (GRACE + 0.001, True)])
def test_a_moment_more_than_the_limit_is_forgiven(over: float, is_late: bool) -> None:
    now = HeldClock()
    slow = Does(dawdle(now, 0.01 + over))
    with refuses("forfeit.late_for_move") if is_late else contextlib.nullcontext():
        assert ask(slow, START, Clock(per_move=0.01), now=now)[0] == START.play("A")


def test_the_time_is_measured_by_a_real_clock_if_no_other_is_given() -> None:
    def wait(position: Position, clock: Clock) -> Any:
        time.sleep(0.1)
        return position.moves()[0]

    assert game_against_idiot(wait, 0, clock=Clock(remaining=0.05)).forfeit == 0
    assert ask(Does(wait), START, Clock())[1] >= 0.1


def test_time_is_used_up_over_the_game_and_added_to_after_each_move() -> None:
    now = HeldClock()
    seen: list[float] = []

    def watch(position: Position, clock: Clock) -> Any:
        assert clock.remaining is not None
        assert clock.per_move is None
        seen.append(clock.remaining)
        now.sleep(0.01)
        return position.moves()[0]

    played = game_against_idiot(watch, 0, clock=Clock(remaining=5.0, increment=1.0), now=now)
    assert seen[0] == 5.0
    assert played.forfeit is None
    assert played.seconds_of(0) == pytest.approx([0.01] * len(seen))
    for before, after in pairwise(seen):
        assert after == pytest.approx(before - 0.01 + 1.0)


def test_a_bot_loses_when_its_time_for_the_game_is_used_up() -> None:
    now = HeldClock()
    played = game_against_idiot(dawdle(now, 0.03), 0, clock=Clock(remaining=0.07), now=now)
    assert played.forfeit == 0
    holds(played.why_ended(), "forfeit.late", seconds=pytest.approx(0.03), left=pytest.approx(0.01))
    assert len(played.seconds_of(0)) == 2


def test_the_clock_cannot_be_set_by_a_bot() -> None:
    def cheat(position: Position, clock: Clock) -> Any:
        clock.per_move = 99.0  # type: ignore[misc]
        return position.moves()[0]

    assert "FrozenInstanceError" in str(game_against_idiot(cheat, 0, clock=Clock(per_move=1.0)).reason)


# ------------------------------------------------------------------------------------------------------- the games


def test_a_game_is_played_to_its_end_and_recorded() -> None:
    played = play_game([bot("greedy:seed=4", AWELE), Does(first)], START, seed=5)
    record = played.record(AWELE, tags={"Round": "3"})
    last = record.positions()[-1]
    assert (last.is_over, played.shares, played.scores) == (True, last.result, last.scores)
    assert (played.forfeit, played.reason) == (None, None)
    assert record.tags == {"Player1": "greedy:seed=4", "Player2": "Does", "Round": "3", "Opening": "0 plies"}
    assert [len(played.seconds_of(seat)) for seat in (0, 1)] == [
        (len(played.moves) + 1) // 2,
        len(played.moves) // 2,
    ]


def test_an_opening_is_part_of_the_record_and_of_nobodys_time() -> None:
    played = play_game([Does(first), Does(first)], START, opening=["C", "d", "F"])
    assert played.moves[:4] == ("C", "d", "F", "a")
    assert played.start is None
    assert sum(seconds is not None for seconds in played.seconds) == len(played.moves) - 3


def test_a_game_that_is_over_is_not_played() -> None:
    over = AWELE.position("1,1,1,1,1,1/0,0,0,0,0,0 36,6 1 0")
    played = play_game([Does(raises(ValueError())), Does(raises(ValueError()))], over)
    assert (played.shares, played.forfeit, played.moves) == ((1.0, 0.0), None, ())


def test_four_can_play_and_three_share_what_one_forfeits() -> None:
    game = palabre.game("penguins:players=4")
    idiots: list[Bot] = [bot("idiot", game) for _ in range(4)]
    played = play_game(idiots, game.start(3), seed=1)
    assert sum(played.shares) == pytest.approx(1)
    assert played.start is not None
    idiots[2] = Does(lambda position, clock: "nowhere")
    played = play_game(idiots, game.start(3), seed=1)
    assert (played.forfeit, result_text(played.shares)) == (2, "1/3-1/3-0-1/3")


def test_there_must_be_as_many_bots_as_players() -> None:
    with refuses("game.wrong_seats", game="awele", players=2, seats=3):
        play_game([Does(first)] * 3, START)


def test_repeated_positions_count_from_before_the_bots_take_over() -> None:
    """The history of a position reaches the bots: a copy that had lost it would not end the same game."""
    game = palabre.game("awele:abapa")
    lengths: list[int] = []

    def look(position: Position, clock: Clock) -> Any:
        lengths.append(len(position.seen))
        return position.moves()[0]

    play_game([Does(look), Does(look)], game.start(), opening=["A", "a"])
    assert lengths[0] == 3


def test_same_bots_same_seed_same_game() -> None:
    def game(seed: int) -> FinishedGame:
        played = play_game([bot("idiot", AWELE), bot("idiot", AWELE)], START, seed=seed)
        return replace(played, seconds=(), started="", duration=0.0)

    assert game(1) == game(1)
    assert game(1).moves != game(2).moves


def test_a_bot_that_plays_itself_does_not_mirror_its_moves() -> None:
    moves = play_game([bot("idiot", AWELE), bot("idiot", AWELE)], START).moves
    assert [move.lower() for move in moves[0::2]] != list(moves[1::2])


def test_asking_says_why_there_is_no_move() -> None:
    with refuses("forfeit.no_move"):
        ask(Does(lambda position, clock: object()), START, Clock())


# ---------------------------------------------------------------------------------------------------- a busy machine


@pytest.mark.parametrize(("waited", "is_late"), [(0.0, False), (0.02, False), (0.5, True)])
def test_a_bot_that_had_to_wait_for_the_processor_is_not_to_blame(
    monkeypatch: pytest.MonkeyPatch, waited: float, is_late: bool
) -> None:
    """The bot is late by 0.07 s. The system says for how long it could have run and did not."""
    told = iter([1.0, 1.0 + waited])
    monkeypatch.setattr("palabre.play.guard.waited_for_processor", lambda: next(told))
    now = HeldClock()
    played = game_against_idiot(dawdle(now, 0.13), 0, clock=Clock(per_move=0.01), now=now)
    assert played.forfeit == 0
    assert played.machine_late == is_late


@pytest.mark.skipif(not Path("/proc/thread-self/schedstat").exists(), reason="needs a system that counts")
def test_sleeping_is_not_waiting_for_the_processor() -> None:
    """Of the time that passes we sleep for a part, and only the rest can be spent in waiting.

    Two clocks of the system are compared, so one try may be off. If sleeping counted, it would count in each of them.
    """
    counted = []
    for _ in range(5):
        begin, before = time.monotonic(), waited_for_processor()
        time.sleep(0.2)
        waited = waited_for_processor() - before
        counted.append(waited - (time.monotonic() - begin - 0.2))  # what cannot have been waiting
    assert min(counted) < 0.01
