"""Levels of tree search: for any number of players, the same on any machine, and never absurd."""

from itertools import pairwise
from pathlib import Path

import pytest

import palabre
from palabre.bots.bot import LastingBot
from palabre.bots.levels import SEES_LOSSES, STRONGEST
from palabre.bots.specs import bot
from palabre.bots.treelevels import TREE_LEVELS
from palabre.core.errors import BadSpec
from palabre.play.referee import play_game
from palabre.search.clock import Clock
from tests import take_away

pytestmark = pytest.mark.slow

AWELE = palabre.game("awele")
# E takes seven seeds and wins; B, the only other move, takes two.
WIN_IN_ONE = "0,5,0,0,4,0/1,1,2,3,3,3 19,7 1 0"
CONNECT_FOUR = str(Path(__file__).parents[2] / "examples" / "connect_four.py")


def chosen(spec: str, position: palabre.Position, times: int) -> list[str]:
    """What a bot chooses in a position with one seed after another."""
    player = bot(spec, position.game)
    assert isinstance(player, LastingBot)
    player.sit_down(position.game, position.to_move)
    return [str(player.choose_afresh(position, Clock(), seed)) for seed in range(times)]


def test_levels_rise_in_all_that_makes_strength() -> None:
    assert list(TREE_LEVELS) == list(range(1, STRONGEST))
    for weaker, stronger in pairwise(TREE_LEVELS.values()):
        assert weaker.simulations <= stronger.simulations
        assert weaker.each <= stronger.each
        assert weaker.moves >= stronger.moves
        assert weaker.carelessness > stronger.carelessness
        assert weaker.worst > stronger.worst


@pytest.mark.parametrize("level", [1, 4, 7])
def test_the_seed_decides(level: int) -> None:
    moves = chosen(f"mcts:level={level}", AWELE.start(), 12)
    assert moves == chosen(f"mcts:level={level}", AWELE.start(), 12)
    assert len(set(moves)) > 1


@pytest.mark.usefixtures("plain_python")
@pytest.mark.parametrize("level", range(1, STRONGEST))
def test_a_win_at_hand_is_taken(level: int) -> None:
    assert set(chosen(f"mcts:level={level}", AWELE.position(WIN_IN_ONE), 5)) == {"E"}


@pytest.mark.usefixtures("plain_python")
@pytest.mark.parametrize("level", range(SEES_LOSSES, STRONGEST))
def test_the_opponent_is_not_let_win_at_once(level: int) -> None:
    """Of five sticks, taking two or three leaves three or two to take; only taking one does not lose at once."""
    game = palabre.game(take_away.__file__)
    assert set(chosen(f"mcts:level={level}", game.position("5 1"), 15)) == {"1"}


@pytest.mark.usefixtures("plain_python")
@pytest.mark.parametrize(
    ("spec", "level"),
    [("penguins:players=3", 1), ("penguins:players=4", 1), (CONNECT_FOUR, 3), (take_away.__file__, 3)],
)
def test_low_levels_play_any_game_to_its_end_before_anything_is_compiled(spec: str, level: int) -> None:
    game = palabre.game(spec)
    played = play_game([bot(f"mcts:level={level}", game) for _ in range(game.players)], game.start(), seed=1)
    assert played.forfeit is None


def test_a_level_is_limited_by_simulations_and_by_what_else_is_asked_for() -> None:
    start = AWELE.start()
    level = TREE_LEVELS[5]
    wanted = level.simulations + level.each * len(start.moves())
    player = bot("mcts:level=5", AWELE)
    assert isinstance(player, LastingBot)
    assert player.move_limits(start, Clock(depth=3)) == Clock(nodes=wanted)
    assert not player.is_timed(start, Clock())
    assert player.move_limits(start, Clock(nodes=7, per_move=0.1)) == Clock(nodes=7, per_move=0.1)


def test_the_highest_level_is_the_whole_search() -> None:
    assert bot(f"mcts:level={STRONGEST},nodes=50", AWELE).spec == bot("mcts:nodes=50", AWELE).spec


@pytest.mark.parametrize("level", ["0", "11", "strong"])
def test_there_are_ten_levels(level: str) -> None:
    with pytest.raises(BadSpec, match="level is 1 to 10"):
        bot(f"mcts:level={level}", AWELE)
