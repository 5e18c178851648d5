"""Every game against its naive twin: random games move by move, in every variant."""

import importlib
import random

import pytest

import palabre
from palabre.core import registry
from tests.specs import all_specs

pytestmark = pytest.mark.slow

# How many games are compared in each variant; the naive Abalone needs a second for a game of 400 plies.
FEW, MANY = 3, 12
GAMES = [(spec, seed) for spec in all_specs() for seed in range(FEW if spec.startswith("abalone") else MANY)]


@pytest.mark.parametrize(("spec", "seed"), GAMES)
def test_a_random_game_goes_like_the_naive_one(spec: str, seed: int) -> None:
    game = palabre.game(spec)
    twin_class = importlib.import_module(f"tests.naive.{game.facts.name}").Position
    chance = random.Random(f"{spec} {seed}")
    position = game.start(seed)
    twin = twin_class.from_text(position.text, game.options.preset, **dict(game.options.values))
    while True:
        assert position.text == twin.text
        assert sorted(move.text for move in position.moves()) == sorted(twin.moves())
        assert position.to_move == twin.to_move
        assert position.is_over == twin.is_over
        assert position.scores == twin.scores
        assert position.ply == twin.ply
        assert position.result == pytest.approx(twin.result)
        if position.is_over:
            return
        move = _choose(position, chance)
        position, twin = position.play(move), twin.play(move)


def _choose(position: palabre.Position, chance: random.Random) -> str:
    """Mostly any move, sometimes one that scores: random play alone captures too little to see all rules."""
    moves = [move.text for move in position.moves()]
    chance.shuffle(moves)
    if chance.random() < 0.3:
        player = position.to_move
        return max(moves[:10], key=lambda move: position.play(move).scores[player])
    return moves[0]


def test_every_game_has_a_twin() -> None:
    for name in registry.names():
        assert importlib.util.find_spec(f"tests.naive.{name}"), f"write tests/naive/{name}.py from the rules"


@pytest.mark.parametrize("spec", all_specs())
def test_the_first_position_is_the_twins(spec: str) -> None:
    game = palabre.game(spec)
    twin_class = importlib.import_module(f"tests.naive.{game.facts.name}").Position
    if game.has_random_start:
        assert not hasattr(twin_class, "start")
    else:
        assert game.start().text == twin_class.start(game.options.preset, **dict(game.options.values)).text
