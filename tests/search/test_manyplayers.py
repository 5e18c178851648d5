"""Searches for more than two: against plain recursions over Positions, with two players against minimax, and limits."""

from typing import Any

import pytest

import palabre
from palabre.compile.compiler import is_disabled
from palabre.core.verbs import evaluate, gain
from palabre.evaluation.names import evaluation
from palabre.evaluation.score import Score
from palabre.search.alphabeta import AlphaBeta
from palabre.search.bestreply import BestReply
from palabre.search.clock import Clock
from palabre.search.deepening import POLL_INTERVAL, TextbookSearch, Values
from palabre.search.maxn import MaxN
from palabre.search.minimax import Minimax
from palabre.search.thought import Thought, points_of_share, share_of_points
from tests.clock import SteppingClock
from tests.search.test_textbook import some_position
from tests.specs import EXAMPLE

pytestmark = pytest.mark.slow

Kind = type[MaxN] | type[AlphaBeta] | type[BestReply] | type[Minimax]
SEARCHES: list[Kind] = [MaxN, AlphaBeta, BestReply]
MANY = ["penguins:players=3", "penguins:players=4"]


def look(kind: Kind, position: palabre.Position, weights: Any, depth: int) -> Thought:
    """What a search finds so many plies deep, at once."""
    return kind(position.game, weights).think(position, Clock(depth=depth))


# ----------------------------------------------------------------------------------------------------- plain recursions


def plain_maxn(position: palabre.Position, weights: Any, depth: int) -> tuple[float, ...]:
    """The value of a position for each player if each plays for themselves."""
    if depth == 0 or position.is_over:
        return tuple(evaluate(weights, position.state, player) for player in range(position.game.players))
    found = [plain_maxn(position.play(move), weights, depth - 1) for move in position.moves()]
    return max(found, key=lambda values: values[position.to_move])  # of equals the first


def plain_bestreply(
    position: palabre.Position,
    weights: Any,
    depth: int,
    player: int,
    before: tuple[int, ...] = (),
    replied: bool = False,
) -> float:
    """The value of a position for a player if one of the others replies; `before` have had their turn."""
    mover = position.to_move
    if mover == player or mover in before:
        before, replied = (), False
    if replied and not position.is_over:
        return plain_bestreply(obvious(position), weights, depth, player, (*before, mover), True)
    if depth == 0 or position.is_over:
        return float(evaluate(weights, position.state, player))
    children = [position.play(move) for move in position.moves()]
    if mover == player:
        return max(plain_bestreply(child, weights, depth - 1, player) for child in children)
    values = [plain_bestreply(child, weights, depth - 1, player, (*before, mover), True) for child in children]
    passed = obvious(position)
    if not passed.is_over and passed.to_move not in (player, mover, *before):
        values.append(plain_bestreply(passed, weights, depth, player, (*before, mover), False))
    return min(values)


def obvious(position: palabre.Position) -> palabre.Position:
    """The position after the move that gains most, scores most, comes first."""
    move = max(
        position.moves(),
        key=lambda move: (gain(position.state, move.code), position.play(move).scores[position.to_move], -move.code),
    )
    return position.play(move)


@pytest.mark.kernels
@pytest.mark.parametrize("spec", MANY)
@pytest.mark.parametrize("plies", [7, 24, 38])
def test_maxn_is_what_each_player_makes_of_it(spec: str, plies: int) -> None:
    position = some_position(spec, plies, plies)
    player = position.to_move
    for name in ("standard", "score"):
        weights = evaluation(position.game, name)
        for depth in (1, 2) if plies < 30 or is_disabled() else (1, 2, 3):
            found = look(MaxN, position, weights, depth)
            values = {move: plain_maxn(position.play(move), weights, depth - 1)[player] for move in position.moves()}
            assert found.value == max(values.values())
            assert list(found.best) == [move for move in values if values[move] == found.value]
            assert found.cutoffs == 0


@pytest.mark.kernels
@pytest.mark.parametrize("spec", MANY)
@pytest.mark.parametrize("plies", [7, 24, 38])
def test_best_reply_is_the_worst_reply_of_anybody(spec: str, plies: int) -> None:
    position = some_position(spec, plies, plies)
    weights = evaluation(position.game, "standard")
    for depth in (1, 2) if plies < 30 or is_disabled() else (1, 2, 3):
        found = look(BestReply, position, weights, depth)
        player = position.to_move
        values = {m: plain_bestreply(position.play(m), weights, depth - 1, player) for m in position.moves()}
        assert found.value == max(values.values())
        assert list(found.best) == [move for move in values if values[move] == found.value]


def test_the_paranoid_expect_the_worst_and_the_others_less() -> None:
    """With one look at the replies: all of them are worse than one of them, and one of them than none in particular."""
    for seed in range(6):
        position = some_position("penguins:players=3", seed, 16 + 4 * seed)
        weights = evaluation(position.game, "score")
        paranoid = look(AlphaBeta, position, weights, 3).value
        assert paranoid == look(Minimax, position, weights, 3).value
        assert paranoid <= look(BestReply, position, weights, 2).value


# ---------------------------------------------------------------------------------------------------------- two players


@pytest.mark.parametrize("spec", ["penguins", EXAMPLE])
@pytest.mark.parametrize("plies", [6, 38])
def test_with_two_players_all_searches_agree(spec: str, plies: int) -> None:
    """Also where a player moves twice in a row, as in Penguins, near the end."""
    compare_all_searches(spec, plies)


@pytest.mark.usefixtures("plain_python")
@pytest.mark.parametrize("spec", ["awele", "awale", "abalone", "avalam:official", "penguins", EXAMPLE])
@pytest.mark.parametrize("plies", [6, 38])
def test_so_they_do_in_every_game(spec: str, plies: int) -> None:
    compare_all_searches(spec, plies)


def compare_all_searches(spec: str, plies: int) -> None:
    position = some_position(spec, plies, plies)
    weights = evaluation(position.game, "score")
    for depth in (1, 2) if is_disabled() else (1, 2, 3, 4):
        if depth < 4 or plies > 30:
            full = look(Minimax, position, weights, depth)
            for kind in SEARCHES:
                found = look(kind, position, weights, depth)
                assert (found.value, found.best) == (full.value, full.best), kind.__name__


# -------------------------------------------------------------------------------------------------- counters and limits


def test_maxn_looks_at_every_sequence() -> None:
    position = palabre.game("awele").start()
    found = look(MaxN, position, Score(), 4)
    assert found.leaves == 1014
    assert found.nodes == 1 + 6 + 36 + 190 + 1014


def test_best_reply_prunes() -> None:
    position = some_position("penguins:players=3", 1, 20)
    weights = evaluation(position.game, "standard")
    found = look(BestReply, position, weights, 3)
    assert found.cutoffs > 0
    assert found.leaves < found.nodes < look(MaxN, position, weights, 3).nodes * 3


@pytest.mark.parametrize("kind", SEARCHES)
def test_deepening_to_a_depth_finds_what_one_iteration_does(kind: Kind) -> None:
    position = some_position("penguins:players=3", 2, 30)
    weights = evaluation(position.game, "standard")
    for depth in (1, 2, 3):
        at_once = look(kind, position, weights, depth)
        by_and_by = kind(position.game, weights).think(position, Clock(per_move=1000, depth=depth))
        assert (by_and_by.value, by_and_by.best) == (at_once.value, at_once.best)
        assert by_and_by.depth == depth


@pytest.mark.parametrize("kind", SEARCHES)
def test_time_is_kept_and_used(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that goes on by half a millisecond whenever it is read."""
    clock = SteppingClock(0.0005, monkeypatch)
    position = palabre.game("penguins:players=3").start(3)
    search = kind(position.game, evaluation(position.game, "standard"))
    for seconds in (0.02, 0.1):
        begin, readings = clock.seconds, clock.readings
        found = search.think(position, Clock(per_move=seconds))
        assert 0.5 * seconds < clock.seconds - begin < seconds
        assert found.nodes <= POLL_INTERVAL * (clock.readings - readings)
        assert 1 <= found.depth < 30
        assert set(found.best) <= set(position.moves())


@pytest.mark.parametrize("kind", SEARCHES)
def test_a_limit_of_time_ends_a_compiled_search(kind: Kind) -> None:
    position = palabre.game("penguins:players=3").start(3)
    search = kind(position.game, evaluation(position.game, "standard"))
    assert search.think(position, Clock(per_move=0.05)).move in position.moves()


@pytest.mark.parametrize("kind", SEARCHES)
def test_with_no_time_at_all_some_move_is_found(kind: Kind) -> None:
    position = palabre.game("penguins:players=4").start(3)
    weights = evaluation(position.game, "standard")
    assert kind(position.game, weights).think(position, Clock(per_move=0.0)).move in position.moves()


@pytest.mark.parametrize("kind", SEARCHES)
def test_nobody_looks_past_the_end(kind: Kind) -> None:
    """All lines are seen to their end long before thirty plies; the value is then the game's."""
    position = some_position("penguins:players=3", 4, 48)
    weights = evaluation(position.game, "score")
    found = kind(position.game, weights).think(position, Clock(per_move=1000))
    assert found.depth < 12
    assert found.value == look(kind, position, weights, 20).value
    assert abs(found.value) > 900 or found.value % 1 == 0


def test_the_only_move_is_played_at_once() -> None:
    depths: list[int] = []

    class Counted(TextbookSearch):
        def values(self, state: Any, depth: int, alpha: float, player: int) -> Values:
            depths.append(depth)
            self.counters[3] += 1
            return (0.0,)

    position = palabre.game("awele").position("0,0,0,0,0,4/4,4,4,4,4,4 10,10 1 0")
    assert len(position.moves()) == 1
    Counted(position.game, Score()).think(position, Clock(per_move=1000))
    assert depths == [0]
    Counted(position.game, Score()).think(position, Clock(depth=3, per_move=1000))
    assert depths == [0, 0, 1, 2]  # who asks for a depth gets it


# --------------------------------------------------------------------------------------------------------------- shares


@pytest.mark.parametrize("spec", MANY)
@pytest.mark.parametrize("kind", SEARCHES)
@pytest.mark.parametrize("name", ["standard", "score"])
def test_each_player_has_a_share(spec: str, kind: Kind, name: str) -> None:
    position = some_position(spec, 3, 40)
    weights = evaluation(position.game, name)
    told: list[Thought] = []
    kind(position.game, weights).think(position, Clock(depth=2), told.append, 2)
    first, second = told[-2:]
    for thought in (first, second):
        assert thought.shares is not None
        assert len(thought.shares) == position.game.players
        assert sum(thought.shares) == pytest.approx(1)
        assert thought.chance == thought.shares[position.to_move]
    assert first.value >= second.value


@pytest.mark.parametrize("kind", [AlphaBeta, BestReply])
def test_a_lead_is_worth_more_than_a_fair_share(kind: Kind) -> None:
    for seed in (4, 5):
        position = some_position("penguins:players=3", seed, 48)
        thought = look(kind, position, evaluation(position.game, "score"), 4)
        assert thought.chance is not None
        assert (thought.chance > 1 / 3) == (thought.value > 0)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_points_and_shares_are_two_scales_for_the_same(players: int) -> None:
    assert share_of_points(0.0, players, 0.3) == pytest.approx(1 / players)
    for share in (0.01, 0.2, 0.5, 0.9):
        assert share_of_points(points_of_share(share, players, 0.3), players, 0.3) == pytest.approx(share)
    assert share_of_points(-1e9, players, 1.0) == 0.0
    assert share_of_points(1e9, players, 1.0) == 1.0
