"""`palabre`, the engine as a player: its limits, its moves, and that it beats who does not think."""

import pytest

import palabre
from palabre.arena.match import play_match
from palabre.bots.engine import Palabre
from palabre.bots.specs import bot
from palabre.core.errors import BadSpec
from palabre.search.clock import Clock
from palabre.search.worker import ASPIRATION, REDUCTIONS
from tests import take_away
from tests.messages import refuses

pytestmark = pytest.mark.slow

AWELE = palabre.game("awele")


def player(spec: str, game: palabre.Game = AWELE) -> Palabre:
    made = bot(spec, game)
    assert isinstance(made, Palabre)
    return made


def seated(spec: str, game: palabre.Game = AWELE) -> Palabre:
    made = player(spec, game)
    made.sit_down(game, 0)
    return made


def line(spec: str, plies: int = 20) -> list[str]:
    """The first moves of a bot that plays both sides."""
    position, made = AWELE.start(), seated(spec)
    moves = []
    for _ in range(plies):
        moves.append(str(made.choose(position, Clock())))
        position = position.play(moves[-1])
    return moves


# -------------------------------------------------------------------------------------------------------------- limits


def test_its_own_limits_and_those_of_the_clock_hold_together() -> None:
    usual = player("palabre")
    assert usual.limits(Clock()) == Clock(per_move=0.5)
    assert usual.limits(Clock(per_move=0.1)) == Clock(per_move=0.1)
    assert usual.limits(Clock(per_move=2.0, remaining=9.0, increment=1.0, depth=3)) == Clock(2.0, 9.0, 1.0, 3)
    assert usual.limits(Clock(nodes=500)) == Clock(nodes=500)
    assert usual.limits(Clock(remaining=9.0, increment=1.0)) == Clock(None, 9.0, 1.0)
    assert player("palabre:time=0.2").limits(Clock(remaining=9.0)) == Clock(0.2, 9.0)
    assert player("palabre:depth=4").limits(Clock(depth=2)) == Clock(depth=2)
    assert player("palabre:depth=4").limits(Clock(depth=9, per_move=0.2)) == Clock(depth=4, per_move=0.2)
    assert player("palabre:nodes=2000").limits(Clock(nodes=500)) == Clock(nodes=500)
    assert player("palabre:nodes=2000,time=0.2").limits(Clock()) == Clock(nodes=2000, per_move=0.2)


def test_its_evaluation_is_the_standard_one_where_there_is_one() -> None:
    assert player("palabre").options.word("eval") == "standard"
    assert player("palabre", palabre.game(take_away.__file__)).options.word("eval") == "score"


def test_only_two_can_play() -> None:
    with refuses("spec.bot_of_players", most=2, players=3):
        bot("palabre", palabre.game("penguins:players=3"))


@pytest.mark.usefixtures("plain_python")
def test_it_looks_no_deeper_than_it_is_told() -> None:
    """With seven sticks left, taking three leaves a lost heap of four; one ply does not show it."""
    game = palabre.game(f"{take_away.__file__}:heap=20")
    seven = game.position("7 1")
    assert str(seated("palabre:depth=5", game).choose(seven, Clock())) == "3"
    assert str(seated("palabre:depth=1", game).choose(seven, Clock())) == "1"
    assert str(seated("palabre:depth=5", game).choose(seven, Clock(depth=1))) == "1"


def test_each_game_begins_with_nothing_remembered() -> None:
    """The same engine serves all games, as if it were new in each."""
    made = seated("palabre")
    first = made.search
    new = first.think(AWELE.start(), Clock(depth=8)).nodes
    assert first.think(AWELE.start(), Clock(depth=8)).nodes < new
    made.sit_down(AWELE, 1)
    assert made.search is first
    assert first.think(AWELE.start(), Clock(depth=8)).nodes == new


def test_a_technique_can_be_switched_off() -> None:
    assert seated("palabre:disable=aspiration").search.disabled == ASPIRATION
    assert seated("palabre").search.disabled == 0
    with pytest.raises(BadSpec, match="disable is "):
        player("palabre:disable=everything")


def test_a_technique_that_a_game_does_without_can_be_switched_on() -> None:
    avalam = palabre.game("avalam")
    assert seated("palabre", avalam).search.disabled == REDUCTIONS
    assert seated("palabre:enable=reductions", avalam).search.disabled == 0
    assert seated("palabre:enable=reductions,disable=reductions", avalam).search.disabled == REDUCTIONS
    with pytest.raises(BadSpec, match="enable is "):
        player("palabre:enable=history")


# --------------------------------------------------------------------------------------------------------------- moves


def test_the_same_nodes_give_the_same_moves() -> None:
    assert line("palabre:nodes=2000") == line("palabre:nodes=2000")


def test_a_win_at_hand_is_taken() -> None:
    """E takes three seeds from c, two from b and two from a, and has 26; B takes two."""
    position = AWELE.position("0,5,0,0,4,0/1,1,2,3,3,3 19,7 1 0")
    after = position.play(seated("palabre:depth=3").choose(position, Clock()))
    assert after.result == (1.0, 0.0)


def test_it_moves_in_time() -> None:
    made = seated("palabre:time=0.01")
    position = AWELE.start()
    while not position.is_over:
        position = position.play(made.choose(position, Clock()))  # plays legal moves only, or this raises


@pytest.mark.parametrize("spec", ["awele", "avalam:official"])
def test_it_beats_who_does_not_think(spec: str) -> None:
    result = play_match("palabre:nodes=2000", "idiot", palabre.game(spec), 10)
    assert (result.wins, result.first.forfeits, result.second.forfeits) == (10, 0, 0)
