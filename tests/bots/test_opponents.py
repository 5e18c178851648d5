"""Opponents for people: who plays a level of a game, one prepared bot at many boards, and when a bot may resign."""

from pathlib import Path

import pytest

import palabre
from palabre.bots.bot import LastingBot
from palabre.bots.opponents import LEAST_RESIGNING_LEVEL, is_hopeless, opponent
from palabre.bots.specs import bot
from palabre.core.position import Position
from palabre.search.clock import Clock
from palabre.search.thought import Thought
from palabre.search.values import WIN
from tests import take_away
from tests.messages import refuses

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("awele", "palabre"),
        ("abalone:official", "palabre"),
        ("penguins", "palabre"),
        ("penguins:players=3", "mcts"),
        ("penguins:players=4", "mcts"),
        (str(EXAMPLES / "othello.py"), "palabre"),
        (str(EXAMPLES / "connect_four.py"), "mcts"),  # it has no evaluation of its own
        (take_away.__file__, "mcts"),
    ],
)
def test_a_level_is_played_by_the_bot_that_knows_the_chances(spec: str, name: str) -> None:
    game = palabre.game(spec)
    assert [opponent(game, level) for level in (1, 10)] == [f"{name}:level=1", f"{name}:level=10"]
    assert isinstance(bot(opponent(game), game), LastingBot)


@pytest.mark.parametrize("level", [0, 11, -3])
def test_there_is_no_level_beyond_the_scale(level: int) -> None:
    with refuses("spec.no_level", level=level, strongest=10):
        opponent(palabre.game("awele"), level)


def several_games(game: palabre.Game) -> list[Position]:
    """Positions of three games in turn, as a server is asked for them; each game goes on from its own start."""
    boards = [game.start() for _ in range(3)]
    found = []
    for ply in range(4):
        for number, board in enumerate(boards):
            found.append(board)
            moves = board.moves()
            boards[number] = board.play(moves[(3 * number + ply) % len(moves)])
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "spec"),
    [
        ("palabre:level=5", "awele"),
        ("palabre:nodes=800", "awele"),
        ("mcts:level=4", "awele"),
        ("mcts:nodes=60", "awele"),
        ("mcts:level=4", "penguins:players=3"),
    ],
)
def test_one_prepared_bot_answers_for_many_games_as_fresh_bots_do(name: str, spec: str) -> None:
    """Neither its table nor its tree nor its dice carry anything from one board to another."""
    game = palabre.game(spec)
    prepared = bot(name, game)
    assert isinstance(prepared, LastingBot)
    prepared.sit_down(game, 0)
    for number, position in enumerate(several_games(game)):
        fresh = bot(name, game)
        assert isinstance(fresh, LastingBot)
        fresh.sit_down(game, position.to_move, seed=99)
        assert prepared.choose_afresh(position, Clock(), number) == fresh.choose_afresh(position, Clock(), number)


def test_the_seed_and_the_ply_decide_a_fresh_move() -> None:
    game = palabre.game("awele")
    player = bot("palabre:level=1", game)
    assert isinstance(player, LastingBot)
    player.sit_down(game, 0)
    start = game.start()
    moves = [player.choose_afresh(start, Clock(), seed) for seed in range(20)]
    assert moves == [player.choose_afresh(start, Clock(), seed) for seed in range(20)]
    assert len(set(moves)) > 1
    later = start.play("A").play("a")  # another ply and position: other dice than those of the start
    assert len({player.choose_afresh(later, Clock(), seed) for seed in range(20)}) > 1


def thought(chance: float, spec: str = "awele") -> Thought:
    """What somebody thinks who gives the first player this chance."""
    game = palabre.game(spec)
    rest = (1 - chance) / (game.players - 1)
    return Thought(game.start(), (0,), shares=(chance, *[rest] * (game.players - 1)))


@pytest.mark.parametrize(
    ("chances", "expected"),
    [
        ([], False),
        ([0.5, 0.01], False),
        ([0.01, 0.01, 0.03], False),
        ([0.01, 0.03, 0.01, 0.01], False),
        ([0.5, 0.015, 0.01, 0.0], True),
        ([0.01, 0.01, 0.01], True),
    ],
)
def test_a_bot_resigns_when_it_has_had_no_chance_for_a_while(chances: list[float], expected: bool) -> None:
    thoughts = [thought(chance) for chance in chances]
    assert is_hopeless(thoughts) is expected
    assert is_hopeless(thoughts, LEAST_RESIGNING_LEVEL) is expected
    assert not is_hopeless(thoughts, LEAST_RESIGNING_LEVEL - 1)


def test_a_proven_loss_is_enough_and_a_proven_win_is_not() -> None:
    start = palabre.game("awele").start()
    assert is_hopeless([None, Thought(start, (0,), value=-WIN + 6)])
    assert not is_hopeless([Thought(start, (0,), value=WIN - 5)])
    assert not is_hopeless([Thought(start, (0,), is_complete=True)]), "a draw is not lost"


def test_nobody_resigns_who_does_not_know_or_who_would_decide_the_game_of_others() -> None:
    unknown = Thought(palabre.game("awele").start(), (0,), value=-50)
    assert not is_hopeless([unknown] * 5)
    assert not is_hopeless([thought(0.0), None, thought(0.0)])
    assert not is_hopeless([thought(0.0, "penguins:players=3")] * 5, players=3)


@pytest.mark.parametrize("weak", ["palabre:level=4", "mcts:level=4"])
def test_the_loser_of_a_real_game_knows_and_the_winner_never_does(weak: str) -> None:
    game = palabre.game("awele")
    bots = [bot(weak, game), bot("palabre:depth=8", game)]
    thoughts: list[list[Thought | None]] = [[], []]
    hopeless = [False, False]
    for seat, player in enumerate(bots):
        player.sit_down(game, seat, 1)
    position = game.start()
    while not position.is_over:
        seat = position.to_move
        position = position.play(bots[seat].choose(position, Clock()))
        thoughts[seat].append(bots[seat].thought)
        hopeless[seat] |= is_hopeless(thoughts[seat], 4)
    assert position.result == (0.0, 1.0)
    assert hopeless == [True, False]
