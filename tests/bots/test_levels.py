"""Levels of the engine: they see less and overlook something, but what no player of a level overlooks, they see."""

from collections import Counter
from itertools import pairwise

import pytest

import palabre
from palabre.arena.match import play_match
from palabre.bots import levels
from palabre.bots.levels import LEVELS, STRONGEST, drawn
from palabre.bots.specs import bot
from palabre.core.errors import BadSpec
from palabre.search.clock import Clock
from palabre.search.thought import Thought
from palabre.search.values import WIN
from tests import take_away

AWELE = palabre.game("awele")
# E takes seven seeds and wins; B, the only other move, takes two.
WIN_IN_ONE = "0,5,0,0,4,0/1,1,2,3,3,3 19,7 1 0"


def game_of(spec: str, plies: int = 16) -> list[str]:
    """The first moves of a bot that plays both sides."""
    position, made = AWELE.start(), bot(spec, AWELE)
    made.sit_down(AWELE, 0)
    moves = []
    for _ in range(plies):
        moves.append(str(made.choose(position, Clock())))
        position = position.play(moves[-1])  # raises if it is not legal
    return moves


def choices(spec: str, game: palabre.Game, text: str, times: int = 40) -> Counter[str]:
    """How often each move is chosen in a position."""
    made = bot(spec, game)
    made.sit_down(game, 0)
    return Counter(str(made.choose(game.position(text), Clock())) for _ in range(times))


@pytest.mark.parametrize("level", [1, 4, 7])
def test_the_seed_decides(level: int) -> None:
    played = [game_of(f"palabre:level={level},seed={seed}") for seed in (1, 1, 2, 3)]
    assert played[0] == played[1]
    assert len({tuple(moves) for moves in played}) > 1


@pytest.mark.slow
def test_the_highest_level_is_the_engine_itself() -> None:
    plain = bot("palabre:depth=5", AWELE)
    assert bot(f"palabre:level={STRONGEST},depth=5", AWELE).spec == plain.spec
    assert game_of("palabre:nodes=3000,seed=1") == game_of(f"palabre:nodes=3000,level={STRONGEST},seed=2")


def test_levels_rise_in_all_that_makes_strength() -> None:
    assert list(LEVELS) == list(range(1, STRONGEST))
    table = list(LEVELS.values())
    for weaker, stronger in pairwise(table):
        assert weaker.depth <= stronger.depth
        assert weaker.nodes <= stronger.nodes
        assert weaker.carelessness > stronger.carelessness
        assert weaker.worst > stronger.worst
    assert LEVELS[levels.SEES_LOSSES].depth >= 2  # the answer to a move has to be seen


@pytest.mark.parametrize("level", range(levels.TAKES_WINS, STRONGEST + 1))
def test_a_win_at_hand_is_taken(level: int) -> None:
    assert choices(f"palabre:level={level},depth=3", AWELE, WIN_IN_ONE, 10) == {"E": 10}


@pytest.mark.usefixtures("plain_python")
@pytest.mark.parametrize("level", range(levels.SEES_LOSSES, STRONGEST + 1))
def test_the_opponent_is_not_let_win_at_once(level: int) -> None:
    """Of five sticks, taking two or three leaves three or two to take; only taking one does not lose at once."""
    game = palabre.game(take_away.__file__)
    assert set(choices(f"palabre:level={level}", game, "5 1", 30)) == {"1"}


@pytest.mark.parametrize(
    ("value", "at_once"),
    [(1 - WIN, True), (2 - WIN, True), (3 - WIN, False), (4 - WIN, False), (WIN - 2, False), (-9, False)],
)
def test_a_loss_at_once_is_one_by_the_move_or_by_the_answer(value: int, at_once: bool) -> None:
    """Where every move loses, this decides whether the opponent still has to find more than one move."""
    assert levels.loses_at_once(Thought(AWELE.start(), (0,), value)) == at_once


def test_mistakes_are_small_ones_mostly() -> None:
    """What level 5 picks is worth, on average, nearly what the best move is; what level 1 picks is worth less."""
    position = AWELE.start()
    for move in ("C", "d", "F", "a"):
        position = position.play(move)
    engine = bot("palabre:depth=6", AWELE)
    engine.sit_down(AWELE, 0)
    thoughts = levels.weigh(engine.search, position, Clock(depth=6), 6)  # type: ignore[attr-defined]
    value = {str(thought.move): thought.points for thought in thoughts}
    mean = {}
    for level in (1, 5):
        found = choices(f"palabre:level={level}", AWELE, position.text, 60)
        mean[level] = sum(value[move] * times for move, times in found.items()) / 60
    assert mean[1] < mean[5] <= max(value.values())
    assert min(value.values()) < mean[5]


def test_a_draw_by_chances_is_fair() -> None:
    assert [drawn([0.0, 3.0, 0.0, 1.0], luck) for luck in (0.0, 0.74, 0.76, 1.0)] == [1, 1, 3, 3]


def test_the_clock_and_the_own_limits_hold_at_any_level() -> None:
    made = bot("palabre:level=6,depth=2,time=0.2", AWELE)
    limits = made.limits(Clock(nodes=500))  # type: ignore[attr-defined]
    assert limits == Clock(per_move=0.2, depth=2, nodes=500)


@pytest.mark.parametrize("level", ["0", "11", "strong"])
def test_there_are_ten_levels(level: str) -> None:
    with pytest.raises(BadSpec, match="level is 1 to 10"):
        bot(f"palabre:level={level}", AWELE)


@pytest.mark.slow
def test_level_6_beats_level_2_clearly() -> None:
    result = play_match("palabre:level=6", "palabre:level=2", AWELE, 10)
    assert result.score >= 0.8
    assert result.first.forfeits == result.second.forfeits == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["palabre", "mcts"])
@pytest.mark.parametrize("low", [1, 3, 5])
def test_a_level_beats_the_level_two_below(name: str, low: int) -> None:
    """Of 20 games, equal bots would win 14 once in 17 times: all three steps by chance, once in some 5,000."""
    result = play_match(f"{name}:level={low + 2}", f"{name}:level={low}", AWELE, 20, seed=5)
    assert result.score >= 2 / 3
    assert result.first.forfeits == result.second.forfeits == 0
