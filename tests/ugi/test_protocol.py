"""The words of UGI, as both sides of a conversation read and write them."""

import pytest

import palabre
from palabre.core.errors import PalabreError
from palabre.core.spec import Decimal, Parameter
from palabre.search.clock import Clock
from palabre.search.thought import Thought
from palabre.search.values import DECIDED, WIN
from palabre.ugi.protocol import (
    UNLIMITED_SECONDS,
    go_command,
    info_line,
    option_line,
    read_go,
    read_option,
    read_position,
)

START = "4,4,4,4,4,4/4,4,4,4,4,4 0,0 1 0"


def test_go_is_read_as_it_is_said() -> None:
    for clock in (
        Clock(),
        Clock(per_move=0.25),
        Clock(depth=4),
        Clock(nodes=10**9),
        Clock(per_move=2.0, remaining=61.5, increment=0.5, depth=9, nodes=7),
    ):
        for seat in (0, 1):
            assert read_go(go_command(clock, 2).split()[1:], seat) == (clock, False, ())


@pytest.mark.parametrize(
    ("text", "seat", "clock"),
    [
        ("p1time 1000 p2time 3000 p1inc 0 p2inc 200", 0, Clock(remaining=1.0)),
        ("p1time 1000 p2time 3000 p1inc 0 p2inc 200", 1, Clock(remaining=3.0, increment=0.2)),
        ("p1time 1000 p1inc 50", 1, Clock()),
        ("p1inc 50", 0, Clock()),
        ("p1time -20", 0, Clock(remaining=0.0)),
        ("depth 0 nodes 0", 0, Clock(depth=1, nodes=1)),
        ("movetime 999999999999999999", 0, Clock(per_move=UNLIMITED_SECONDS)),
        ("infinite", 0, Clock(per_move=UNLIMITED_SECONDS)),
        ("movetime 5 movetime 7", 0, Clock(per_move=0.007)),
    ],
)
def test_limits_are_those_of_the_player_to_move(text: str, seat: int, clock: Clock) -> None:
    assert read_go(text.split(), seat).clock == clock


def test_positions_and_options_may_have_spaces_in_them() -> None:
    assert read_position(f"fen {START} moves A b".split()) == (START, ("A", "b"))
    assert read_position(f"fen {START}".split()) == (START, ())
    assert read_position(["startpos", "moves"]) == (None, ())
    assert read_option("name Clear Hash value a b".split()) == ("Clear Hash", "a b")
    with pytest.raises(PalabreError):
        read_position([])


def test_parameters_are_told_with_what_is_valid() -> None:
    assert option_line(Parameter("depth", 2, range(1, 9), ""), 3) == "option name depth type spin default 3 min 1 max 8"
    assert (
        option_line(Parameter("eval", "a", ("a", "b"), ""), "b") == "option name eval type combo default b var a var b"
    )
    assert (
        option_line(Decimal("time", 0.5, 0.1, 9, ""), 1.5) == "option name time type string default 1.5 min 0.1 max 9"
    )


@pytest.mark.parametrize(
    ("value", "score"),
    [
        (1500, "cp 150"),
        (-250, "cp -25"),
        (0, "cp 0"),
        (WIN - 7, "win 7"),
        (-(WIN - 4), "loss 4"),
    ],
)
def test_scores_are_in_hundredths_or_plies(value: int, score: str) -> None:
    thought = Thought(palabre.game("awele").start(), (0, 1), value, 5, 3000, 0.0015, resolution=1000)
    assert info_line(thought) == f"info depth 5 score {score} nodes 3000 nps 2000000 time 1 pv A b"


def test_shares_stand_before_the_moves() -> None:
    position = palabre.game("penguins:players=3").start()
    code = position.moves()[0].code
    thought = Thought(position, (code,), 0.5, 1, 200, 0.1, rank=2, shares=(0.5, 0.25, 0.25), visits=120)
    expected = "info depth 1 multipv 2 score cp 50 nodes 200 nps 2000 time 100 shares 0.500 0.250 0.250 pv "
    assert info_line(thought) == expected + position.moves()[0].text


def test_a_proven_win_at_an_unknown_distance_is_a_very_high_score() -> None:
    thought = Thought(palabre.game("awele").start(), (0,), DECIDED, 3, 1, 0.001, shares=(1.0, 0.0))
    assert "score cp 99900 " in info_line(thought)
