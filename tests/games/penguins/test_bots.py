"""The three levels of Penguins: whole games for two to four, and what they do in each phase."""

import random
from typing import Any

import pytest

import palabre
from palabre.bots.bot import Bot
from palabre.bots.specs import bot, bots_for
from palabre.core import verbs
from palabre.evaluation.montecarlo import MonteCarlo
from palabre.evaluation.names import evaluation
from palabre.games.penguins.endgame import SOLVER_WORDS, harvest_moves, private_tiles, prospect
from palabre.games.penguins.evaluation import Weights
from palabre.games.penguins.rules import is_placing
from palabre.play.referee import play_game
from palabre.search.alphabeta import AlphaBeta
from palabre.search.clock import Clock

pytestmark = pytest.mark.slow

LEVELS = ["penguins-easy", "penguins-medium", "penguins-hard"]
ENOUGH = 10**6  # nodes


def random_position(spec: str, seed: int, plies: int) -> palabre.Position:
    chance = random.Random(seed)
    position = palabre.game(spec).start(seed)
    for _ in range(plies):
        position = position.play(chance.choice(position.moves()))
    return position


def seated(level: str, game: palabre.Game) -> Bot:
    player = bot(level, game)
    player.sit_down(game, 0)
    return player


def harvests(spec: str, count: int) -> list[palabre.Position]:
    """Positions, one of a game, where others can no longer come to where the player to move can."""
    found: list[palabre.Position] = []
    seed = 0
    while len(found) < count:
        position = random_position(spec, seed, 30)
        seed += 1
        while not position.is_over and private_tiles(position.state, position.to_move)[1]:
            position = position.play(position.moves()[0])
        if len(position.moves()) > 1:
            found.append(position)
    return found


def test_they_are_listed_for_penguins_only() -> None:
    for spec in ("penguins", "penguins:players=3", "penguins:players=4"):
        assert set(LEVELS) <= set(bots_for(palabre.game(spec)))
    assert not set(LEVELS) & set(bots_for(palabre.game("awele")))


@pytest.mark.parametrize(("players", "others"), [(2, ["idiot"]), (3, ["greedy", "idiot"]), (4, ["idiot"] * 3)])
def test_they_play_whole_games(players: int, others: list[str]) -> None:
    game = palabre.game(f"penguins:players={players}")
    # The depth is limited here: a game at full depth takes a minute.
    for number, level in enumerate(LEVELS):
        bots = [bot(spec, game) for spec in [level, *others]]
        played = play_game(bots, game.start(number), clock=Clock(depth=1), seed=number)
        assert played.reason is None
        assert sum(played.shares) == pytest.approx(1.0)


@pytest.mark.parametrize("spec", ["penguins", "penguins:players=4"])
def test_all_place_alike_by_the_weights(spec: str) -> None:
    position = random_position(spec, 5, 3)
    game = position.game
    assert is_placing(position.state)
    best = set(AlphaBeta(game, evaluation(game, "weights")).think(position, Clock(depth=1)).best)
    for level in LEVELS:
        player = seated(level, game)
        assert {player.choose(position, Clock()) for _ in range(8)} <= best


@pytest.mark.parametrize("spec", ["penguins", "penguins:players=3", "penguins:players=4"])
def test_a_harvest_brings_in_all_there_is(spec: str) -> None:
    """Whatever the others do meanwhile."""
    chance = random.Random(spec)
    for position in harvests(spec, 6):
        me = position.to_move
        low, high = prospect(position.state, me, ENOUGH, [0] * SOLVER_WORDS)
        assert low == high
        player = seated("penguins-hard", position.game)
        while not position.is_over:
            mine = position.to_move == me
            position = position.play(player.choose(position, Clock()) if mine else chance.choice(position.moves()))
        assert verbs.final_score(position.state, me) == low


def test_there_is_no_harvest_where_others_can_come() -> None:
    assert harvest_moves(random_position("penguins", 1, 8)) == []
    assert harvest_moves(random_position("penguins", 1, 0)) == []


@pytest.mark.parametrize(
    ("level", "depth", "weights"),
    [("penguins-easy", 5, Weights()), ("penguins-medium", 2, MonteCarlo(250)), ("penguins-hard", 3, MonteCarlo(5))],
)
def test_in_battle_they_look_as_the_authors_say(level: str, depth: int, weights: Any) -> None:
    position = random_position("penguins", 0, 26)
    assert private_tiles(position.state, position.to_move)[1]
    best = AlphaBeta(position.game, weights).think(position, Clock(depth=depth)).best
    assert len(best) < len(position.moves())
    player = seated(level, position.game)
    assert {player.choose(position, Clock()) for _ in range(3)} <= set(best)
