"""The named bots: what each of them plays, how deep it looks, and that luck is only in its seed."""

from typing import cast

import pytest

import palabre
from palabre.bots.bot import Bot, SearchBot
from palabre.bots.specs import bot, bots_for
from palabre.bots.textbook import Searcher
from palabre.evaluation.score import Score
from palabre.search.alphabeta import AlphaBeta
from palabre.search.clock import Clock
from palabre.search.thought import Thought
from tests import take_away
from tests.clock import stopping

pytestmark = pytest.mark.slow

AWELE = palabre.game("awele")
ALL = [
    ("awele", "idiot"),
    ("awele", "greedy"),
    ("awele", "minimax:depth=2"),
    ("awele:abapa", "alphabeta:depth=3"),
    ("avalam", "divine:depth=1"),
    ("avalam:official", "greedy"),
    ("abalone:turns=6", "frabalon"),
    ("penguins:players=4", "idiot"),
    ("penguins:players=3", "bestreply:depth=1,eval=score"),
    ("examples/connect_four.py", "alphabeta:depth=2"),
]


def seated(spec: str, game: palabre.Game) -> Bot:
    player = bot(spec, game)
    player.sit_down(game, 0)
    return player


def line(spec: str, game: str, seed: int, plies: int = 12) -> list[str]:
    """The first moves of a bot that plays both sides."""
    position = palabre.game(game).start()
    player = bot(spec, position.game)
    player.sit_down(position.game, 0, seed)
    moves: list[str] = []
    while len(moves) < plies and not position.is_over:
        move = player.choose(position, Clock())
        moves.append(str(move))
        position = position.play(move)
    return moves


@pytest.mark.parametrize(("game", "spec"), ALL)
def test_the_same_seed_gives_the_same_moves(game: str, spec: str) -> None:
    assert line(spec, game, 3) == line(spec, game, 3)
    assert len({tuple(line(spec, game, seed)) for seed in range(6)}) > 1
    other = f"{spec}{',' if ':' in spec else ':'}seed=1"
    assert len({tuple(line(spec, game, 3)), tuple(line(other, game, 3)), tuple(line(other, game, 4))}) > 1


def test_an_idiot_plays_every_move_as_often() -> None:
    player = bot("idiot", AWELE)
    player.sit_down(AWELE, 0)
    played = [str(player.choose(AWELE.start(), Clock())) for _ in range(6000)]
    assert set(played) == set("ABCDEF")
    assert all(870 < played.count(move) < 1130 for move in "ABCDEF")  # 4.5 standard deviations


def test_greedy_takes_the_most() -> None:
    # B takes two seeds from a; E takes three from c, then two from b and two from a.
    position = AWELE.position("0,5,0,0,4,0/1,1,2,9,9,9 4,4 1 0")
    gains = {str(move): position.play(move).scores[0] - 4 for move in position.moves()}
    assert gains == {"B": 2, "E": 7}
    assert str(bot("greedy", AWELE).choose(position, Clock())) == "E"


def test_greedy_prefers_a_win_to_a_larger_lead() -> None:
    """Whoever takes the last stick wins; the score says so only then."""
    game = palabre.game(f"{take_away.__file__}:heap=5")
    assert str(bot("greedy", game).choose(game.position("2 1"), Clock())) == "2"


@pytest.mark.usefixtures("plain_python")
@pytest.mark.parametrize("spec", ["minimax", "alphabeta"])
def test_a_search_sees_what_it_is_deep_enough_to_see(spec: str) -> None:
    """With five sticks left, taking one leaves four, a lost heap: seen at depth 5, and also as the value at depth 3."""
    game = palabre.game(f"{take_away.__file__}:heap=20")
    deep = seated(f"{spec}:depth=5", game)
    for heap, good in ((5, "1"), (6, "2"), (7, "3"), (2, "2")):
        assert {str(deep.choose(game.position(f"{heap} 1"), Clock())) for _ in range(10)} == {good}
    blind = seated(f"{spec}:depth=1", game)
    assert {str(blind.choose(game.position("7 1"), Clock())) for _ in range(40)} == {"1", "2", "3"}


def test_only_the_best_moves_are_played_and_all_of_them() -> None:
    position = AWELE.start().play("C").play("d").play("A")
    best = AlphaBeta(AWELE, Score()).think(position, Clock(depth=2)).best
    assert 1 < len(best) < len(position.moves())
    player = seated("alphabeta:depth=2", AWELE)
    assert {player.choose(position, Clock()) for _ in range(100)} == set(best)


@pytest.mark.usefixtures("plain_python")
def test_a_clock_can_limit_the_depth() -> None:
    game = palabre.game(f"{take_away.__file__}:heap=20")
    player = seated("alphabeta:depth=9", game)
    seven = game.position("7 1")
    assert {str(player.choose(seven, Clock(depth=1))) for _ in range(40)} == {"1", "2", "3"}
    assert {str(player.choose(seven, Clock(depth=99))) for _ in range(10)} == {"3"}


@pytest.mark.parametrize(
    ("taken", "depth"),
    [(0, 6), (14, 6), (15, 7), (28, 7), (29, 8), (67, 8), (68, 9), (76, 9), (77, 10), (86, 10)],
)
def test_adaptive_looks_deeper_the_more_seeds_are_taken(taken: int, depth: int) -> None:
    """96 seeds: 15 % are 14.4, 30 % 28.8, 70 % 67.2, 80 % 76.8."""
    game = palabre.game("awale")
    left = 96 - taken
    # All seeds that are left lie in four holes, in three colours; at most 32 are of a colour.
    holes = ["0.0.0"] * 16
    counts = [[0, 0, 0] for _ in range(4)]
    for seed in range(left):
        counts[seed % 4][seed // 4 % 3] += 1
    for hole, (red, blue, clear) in enumerate(counts):
        holes[4 * hole + hole % 2] = f"{red}.{blue}.{clear}"
    position = game.position(f"{'/'.join(holes)} {taken // 2},{taken - taken // 2} 1 20")
    player = cast(Searcher, bot("adaptive", game))
    assert player.depth(position, Clock()) == depth
    assert cast(Searcher, bot("adaptive:depth=6", game)).depth(position, Clock()) == 6


@pytest.mark.parametrize(
    ("turns", "ply", "remaining", "depth"),
    [
        (50, 0, None, 3),
        (50, 19, None, 3),
        (50, 20, None, 4),
        (50, 46, None, 4),
        (50, 47, None, 3),
        (50, 48, None, 2),
        (50, 49, None, 1),
        (50, 30, 150.0, 4),
        (50, 30, 149.9, 3),
        (50, 48, 1.0, 2),
        (10, 8, None, 2),
        (400, 49, None, 4),
    ],
)
def test_frabalon_looks_as_deep_as_the_turn_and_the_time_allow(
    turns: int, ply: int, remaining: float | None, depth: int
) -> None:
    game = palabre.game(f"abalone:turns={turns}")
    rows = game.start().text.split()[0]
    position = game.position(f"{rows} {ply % 2 + 1} {ply}")
    assert position.ply == ply
    player = cast(Searcher, bot("frabalon", game))
    assert player.depth(position, Clock(remaining=remaining)) == depth


# ---------------------------------------------------------------------------------------------------- bots that search


@pytest.mark.parametrize("spec", ["penguins", "penguins:players=3", "examples/connect_four.py"])
def test_every_bot_that_searches_can_be_watched_and_asked_for_lines(spec: str) -> None:
    watch_every_bot(spec)


@pytest.mark.usefixtures("plain_python")
@pytest.mark.parametrize("spec", ["awele:abapa", "avalam", "awale", "abalone:turns=6"])
def test_so_it_is_in_every_game(spec: str) -> None:
    watch_every_bot(spec)


def watch_every_bot(spec: str) -> None:
    position = palabre.game(spec).start()
    searching = []
    for name in bots_for(position.game):
        player = bot(name, position.game)
        if not isinstance(player, SearchBot):
            assert name in ("idiot", "greedy", "learner")
            continue
        searching.append(name)
        player.sit_down(position.game, 0)
        errors: list[Thought] = []
        limits = Clock(depth=1) if player.counts_depth else Clock(nodes=200)
        best = player.think(position, limits, errors.append, 3)
        last = errors[-3:]
        assert [thought.rank for thought in last] == [1, 2, 3], name
        assert len({thought.move for thought in last}) == 3, name
        assert best.move == last[0].move, name
        assert best.nodes > 0, name
        if position.game.players > 2:
            assert best.shares is not None, name
            assert sum(best.shares) == pytest.approx(1), name
        errors.clear()
        player.watch = errors.append
        assert player.choose(position, limits) in position.moves()
        assert errors, name
    assert {"mcts", "montecarlo", "maxn", "paranoid", "bestreply"} <= set(searching)


@pytest.mark.parametrize("name", ["mcts", "montecarlo", "alphabeta:depth=30", "paranoid:time=600", "minimax:depth=30"])
def test_every_bot_that_searches_can_be_stopped(name: str) -> None:
    position = palabre.game("examples/connect_four.py").start()
    player = seated(name, position.game)
    with stopping(player.stop):
        assert player.choose(position, Clock(per_move=100_000.0)) in position.moves()


@pytest.mark.parametrize("name", ["mcts", "montecarlo"])
def test_a_depth_does_not_make_sampling_endless(name: str) -> None:
    """These bots have no depth: a clock that limits nothing else leaves them the default time."""
    assert seated(name, AWELE).choose(AWELE.start(), Clock(depth=3)) in AWELE.start().moves()
