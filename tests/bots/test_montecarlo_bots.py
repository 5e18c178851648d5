"""`mcts` and `montecarlo`: every game, every preset, any number of players; limits, seeds and bad options."""

from pathlib import Path

import pytest

import palabre
from palabre.arena.match import play_match
from palabre.bots.specs import bot
from palabre.play.referee import play_game
from palabre.search.clock import Clock
from tests.clock import SteppingClock
from tests.messages import refuses

pytestmark = pytest.mark.slow

CONNECT_FOUR = str(Path(__file__).parents[2] / "examples" / "connect_four.py")
EVERY_GAME = [
    "awele",
    "awele:abapa",
    "awale",
    "abalone:official",
    "avalam",
    "avalam:official",
    "penguins",
    CONNECT_FOUR,
]


@pytest.mark.parametrize("spec", [*EVERY_GAME, "penguins:players=3", "penguins:players=4"])
@pytest.mark.parametrize("name", ["mcts:nodes=20", "montecarlo:playouts=1"])
def test_it_plays_to_the_end(name: str, spec: str) -> None:
    game = palabre.game(spec)
    played = play_game([bot(name, game), *(bot("idiot", game) for _ in range(game.players - 1))], game.start(), seed=1)
    assert played.forfeit is None


@pytest.mark.parametrize("name", ["mcts:nodes=300", "montecarlo:playouts=30"])
def test_it_beats_chance(name: str) -> None:
    assert play_match(name, "idiot", palabre.game("awele"), games=10).score >= 0.8


def test_the_tree_beats_flat_sampling() -> None:
    result = play_match("mcts:nodes=2000", "montecarlo:playouts=300", palabre.game(CONNECT_FOUR), games=20)
    assert result.score > 0.6


@pytest.mark.parametrize("name", ["mcts:nodes=50", "montecarlo:playouts=5"])
def test_games_follow_from_the_seed(name: str) -> None:
    game = palabre.game("awele")

    def played(seed: int) -> object:
        return play_game([bot(name, game), bot(name, game)], game.start(), seed=seed).moves

    assert played(1) == played(1)
    assert played(1) != played(2)


@pytest.mark.parametrize("name", ["mcts", "mcts:time=30", "montecarlo"])
def test_the_clock_is_kept(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that goes on by two milliseconds whenever it is read."""
    clock = SteppingClock(0.002, monkeypatch)
    game = palabre.game("penguins")
    player = bot(name, game)
    player.sit_down(game, 0)
    begin = clock.seconds
    player.choose(game.start(), Clock(per_move=0.1))
    assert 0.09 <= clock.seconds - begin <= 0.105


@pytest.mark.parametrize(
    ("spec", "id", "params"),
    [
        ("mcts:exploration=-1", "spec.decimal_range", {"least": 0.0}),
        ("mcts:heuristic_weight=1.5", "spec.decimal_range", {"least": 0.0, "most": 1.0}),
        ("mcts:proofs=maybe", "spec.bad_value", {"name": "proofs", "valid": "yes, no"}),
        ("mcts:threads=0", "spec.range", {"least": 1, "most": 64}),
        ("mcts:memory=0", "spec.range", {"least": 1, "most": 4096}),
        ("mcts:depth=3", "spec.unknown_parameter", {"owner": "mcts", "name": "depth"}),
        ("mcts:eval=keem", "spec.bad_value", {"name": "eval", "value": "keem"}),
        ("montecarlo:playouts=-3", "spec.range", {"least": 0}),
        ("alphabeta:playouts=0", "spec.range", {"least": 1}),
    ],
)
def test_bad_options_are_refused(spec: str, id: str, params: dict[str, object]) -> None:
    with refuses(id, **params):
        bot(spec, palabre.game("awele"))


@pytest.mark.usefixtures("plain_python")
@pytest.mark.parametrize(("name", "spec"), [("minimax", "penguins"), ("alphabeta", "penguins"), ("adaptive", "awale")])
def test_other_searches_evaluate_by_random_games(name: str, spec: str) -> None:
    game = palabre.game(spec)
    player = bot(f"{name}:eval=montecarlo,playouts=3", game)
    player.sit_down(game, 0)
    assert player.choose(game.start(), Clock(depth=1)) in game.start().moves()


def test_alphabeta_wins_by_random_games() -> None:
    result = play_match("alphabeta:depth=1,eval=montecarlo,playouts=20", "idiot", palabre.game("penguins"), games=4)
    assert result.score >= 0.75
