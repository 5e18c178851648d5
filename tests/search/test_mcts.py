"""Monte Carlo tree search: proofs against exhaustive search, limits, kept trees, threads, full memory, any players."""

import itertools
import random
from functools import cache
from pathlib import Path

import pytest

import palabre
from palabre.compile.compiler import compiled, integers, is_disabled
from palabre.core.verbs import weight_classes
from palabre.evaluation.names import default_evaluation, evaluation
from palabre.search import simulation, tree
from palabre.search.clock import Clock
from palabre.search.mcts import Mcts, mcts_parameters
from palabre.search.simulation import MctsParameters
from palabre.search.thought import Thought
from tests.clock import SteppingClock, stopping

pytestmark = pytest.mark.slow

CONNECT_FOUR = str(Path(__file__).parents[2] / "examples" / "connect_four.py")
SHARP = MctsParameters(exploration=0.4, heuristic_weight=0.4, cutoff=4)
PLAIN = MctsParameters()
# The bounds of the tree search are checked in other games, as those of the engine are (test_engine.py).
AVALAM = [pytest.param(spec, marks=pytest.mark.bounds_elsewhere) for spec in ("avalam", "avalam:official")]
DRAW = "..E....../.b..B..../....A.C../....a.c../AE.B..e.b/.c....a../..d....../......C../......E.. 2"


def mind(spec: str, parameters: MctsParameters = PLAIN, **options: object) -> Mcts:
    game = palabre.game(spec)
    weights = evaluation(game, default_evaluation(game))
    return Mcts(game, weights, parameters, **{"megabytes": 4, **options})  # type: ignore[arg-type]


@cache
def solve(position: palabre.Position, player: int) -> int:
    """The result for a player, 1, 0 or -1, when all others play against them; by brute force."""
    if position.result is not None:
        part = position.result[player]
        return 1 if part == 1 else -1 if part == 0 else 0
    outcomes = [solve(position.play(move), player) for move in position.moves()]
    return max(outcomes) if position.to_move == player else min(outcomes)


def end_game(spec: str, seed: int, plies: int) -> palabre.Position:
    """A position so many plies before the end of a random game."""
    chance = random.Random(seed)
    positions = [palabre.game(spec).start(seed)]
    while not positions[-1].is_over:
        positions.append(positions[-1].play(chance.choice(positions[-1].moves())))
    return positions[-1 - plies]


@pytest.mark.kernels
@pytest.mark.parametrize("parameters", [PLAIN, SHARP], ids=["plain", "sharp"])
@pytest.mark.parametrize("spec", [*AVALAM, "penguins"])
def test_ends_are_proven_as_by_brute_force(spec: str, parameters: MctsParameters) -> None:
    searching = mind(spec, parameters, megabytes=32)
    for seed in range(2 if is_disabled() else 10):
        position = end_game(spec, seed, 3 if is_disabled() else 4)
        estimate = searching.think(position, Clock(nodes=200 if is_disabled() else 100_000))
        expected = solve(position, position.to_move)
        if not is_disabled():
            assert estimate.proven_result is not None
        if estimate.proven_result is not None:
            assert estimate.proven_result == expected
            assert estimate.chance == (expected + 1) / 2
            assert estimate.shares is not None
            assert sum(estimate.shares) == 1
            assert solve(position.play(estimate.move), position.to_move) == expected


@pytest.mark.parametrize("seats", [3, 4])
def test_what_is_proven_with_more_players_holds_against_all(seats: int) -> None:
    """A win is one whatever the others do; a loss relies on others who take what they can get."""
    searching = mind(f"penguins:players={seats}", SHARP)
    outcomes = []
    for seed in range(20):
        position = end_game(f"penguins:players={seats}", seed, 4)
        outcomes.append(searching.think(position, Clock(nodes=20_000)).proven_result)
        if outcomes[-1] == 1:
            assert solve(position, position.to_move) == 1
        if outcomes[-1] == -1:
            assert solve(position, position.to_move) == -1
    assert {1, -1} <= set(outcomes)


@pytest.mark.kernels
def test_a_winning_move_is_taken_at_once_and_a_losing_one_avoided() -> None:
    game = palabre.game(CONNECT_FOUR)
    searching = Mcts(game, evaluation(game, "score"), PLAIN, megabytes=1)
    three = game.start()
    for move in "abacad":
        three = three.play(move)
    won = searching.think(three, Clock(nodes=1))
    assert (str(won.move), won.proven_result, won.shares, won.is_proven) == ("a", 1, (1.0, 0.0), True)
    threatened = three.play("e")
    saved = searching.think(threatened, Clock(nodes=200))
    assert str(saved.move) == "a"


@pytest.mark.parametrize("spec", ["awele", "abalone", "avalam:official", "penguins:players=3"])
def test_the_same_simulations_and_seed_give_the_same_estimate(spec: str) -> None:
    def think(seed: int) -> tuple[object, ...]:
        found = mind(spec, PLAIN, seed=seed).think(palabre.game(spec).start(), Clock(nodes=2_000))
        return found.move, found.visits, found.shares, found.nodes, found.line

    assert think(1) == think(1)
    assert think(1) != think(2)
    assert think(1)[3] == 2_000


@pytest.mark.parametrize("parameters", [PLAIN, SHARP], ids=["plain", "sharp"])
@pytest.mark.parametrize("spec", ["awele:abapa", "penguins:players=3"])
def test_compiled_and_plain_python_grow_the_same_tree(spec: str, parameters: MctsParameters) -> None:
    game = palabre.game(spec)
    weights = evaluation(game, "standard")
    state = game.start().state
    trees = []
    fast = compiled(simulation.search, game, *weight_classes(weights), MctsParameters)
    for search, room in ((simulation.search, list), (fast, integers)):
        grown, worker = room([0] * 20_000), room([0] * simulation.WORKER_WORDS)
        tree.write_node(tree.ROOT, 0, 0, -1, 1, grown)
        worker[simulation.USED] = tree.NODE
        worker[simulation.LIMIT], worker[simulation.DEADLINE] = 60, 1 << 62
        search(state, weights, parameters, grown, worker)
        trees.append([int(word) for word in grown])
    assert trees[0] == trees[1]
    assert trees[0][tree.ROOT + tree.VISITS] == 60


@pytest.mark.parametrize("spec", ["awele", "avalam", "penguins:players=4", CONNECT_FOUR])
def test_kept_trees_give_legal_games_to_the_end(spec: str) -> None:
    game = palabre.game(spec)
    keeping, forgetting = mind(spec, SHARP), mind(spec, SHARP, reuse=False)
    position = game.start()
    known = 0
    while not position.is_over:
        keeping.seed = position.ply
        estimate = keeping.think(position, Clock(nodes=500))
        assert estimate.visits <= tree_visits(keeping)
        known = max(known, tree_visits(keeping) - estimate.nodes)
        assert estimate.line[0] == estimate.move
        principal_variation(position, estimate)
        forgetting.think(position, Clock(nodes=10))
        assert tree_visits(forgetting) <= 10
        position = position.play(estimate.move)
    assert known > 0


def tree_visits(searching: Mcts) -> int:
    return sum(int(worker_tree.tree[tree.ROOT + tree.VISITS]) for worker_tree in searching.workers)


def principal_variation(position: palabre.Position, estimate: Thought) -> None:
    """Play the whole line: each of its moves must be legal."""
    for move in estimate.line:
        position = position.play(move)


def test_another_game_is_not_mistaken_for_this_one() -> None:
    """The tree of one past is of no use for the same position with another past that can be repeated."""
    game = palabre.game("awele:abapa")
    searching = mind("awele:abapa", SHARP)
    position = game.start()
    for move in "AaBb":
        position = position.play(move)
    searching.think(position, Clock(nodes=500))
    searching.think(game.position(position.text), Clock(nodes=10))
    assert tree_visits(searching) == 10


@pytest.mark.kernels
def test_a_repeated_position_ends_the_game_in_the_tree() -> None:
    """One seed each going round: the position comes again, and each side keeps its seeds."""
    position = palabre.game("awele:abapa").position("0,0,0,0,1,0/0,0,0,0,1,0 24,22 1 0")
    estimate = mind("awele:abapa").think(position, Clock(nodes=5_000))
    assert estimate.proven_result == solve(position, 0)


def test_two_threads_grow_two_trees() -> None:
    game = palabre.game("awele")
    searching = mind("awele", threads=2, seed=1)
    estimates = [searching.think(game.start(), Clock(nodes=3_001))]
    searching.seed = 2
    estimates.append(searching.think(game.start(), Clock(nodes=3_001)))
    assert [found.nodes for found in estimates] == [3_002, 3_002]
    first, second = ([int(word) for word in worker_tree.tree[:1000]] for worker_tree in searching.workers)
    assert first != second
    again = mind("awele", threads=2, seed=1).think(game.start(), Clock(nodes=3_001))
    assert (again.move, again.visits, again.shares) == (estimates[0].move, estimates[0].visits, estimates[0].shares)


def test_a_full_memory_does_not_stop_the_search() -> None:
    game = palabre.game("avalam")
    searching = mind("avalam", SHARP, megabytes=1)
    for ply in range(3):
        searching.seed = ply
        estimate = searching.think(game.start(), Clock(nodes=20_000))
        assert estimate.nodes == 20_000
        worker = searching.workers[0].worker
        assert int(worker[simulation.USED]) <= len(searching.workers[0].tree)
    assert int(worker[simulation.USED]) > 0.9 * len(searching.workers[0].tree)


@pytest.mark.parametrize(
    ("limits", "least", "most"),
    [
        (Clock(per_move=0.05), 0.045, 0.05),
        (Clock(remaining=1.5), 0.01, 0.1),
        (Clock(per_move=10.0, remaining=0.3), 0.002, 0.02),
    ],
)
def test_time_is_kept_and_used(limits: Clock, least: float, most: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that goes on by a millisecond whenever it is read."""
    clock = SteppingClock(0.001, monkeypatch)
    game = palabre.game("abalone")
    searching = mind("abalone", SHARP)
    begin, readings = clock.seconds, clock.readings
    estimate = searching.think(game.start(), limits)
    assert least <= clock.seconds - begin <= most
    assert 0 < estimate.nodes <= simulation.POLL * (clock.readings - readings)


def test_a_limit_of_time_and_stop_end_a_search() -> None:
    game = palabre.game("abalone")
    searching = mind("abalone", SHARP)
    assert searching.think(game.start(), Clock(per_move=0.05)).nodes > 0
    with stopping(searching.stop):
        assert searching.think(game.start(), Clock()).move in game.start().moves()


def test_the_only_move_costs_little() -> None:
    position = palabre.game("awele").position("0,0,0,0,0,1/4,4,4,4,4,4 10,13 1 0")
    assert len(position.moves()) == 1
    searching = mind("awele")
    estimate = searching.think(position, Clock(per_move=2000.0))
    assert 0 < estimate.nodes <= searching.parameters.forced_simulations


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_shares_add_up_to_one_game(seats: int) -> None:
    game = palabre.game(f"penguins:players={seats}")
    for parameters in (PLAIN, SHARP):
        estimate = mind(game.spec, parameters).think(game.start(), Clock(nodes=1_000))
        assert estimate.shares is not None
        assert len(estimate.shares) == seats
        assert sum(estimate.shares) == pytest.approx(1, abs=1e-4)
        assert estimate.chance == estimate.shares[0]


def test_visits_are_the_sum_over_the_children() -> None:
    """Every simulation but those that ended at the root went through one of its children."""
    searching = mind("awele")
    searching.think(palabre.game("awele").start(), Clock(nodes=1_000))
    grown = searching.workers[0].tree
    first = tree.first_child(tree.ROOT, grown)
    nodes = itertools.islice(itertools.count(first, tree.NODE), tree.count_children(tree.ROOT, grown))
    assert sum(int(grown[node + tree.VISITS]) for node in nodes) == 1_000


# ------------------------------------------------------------------------------------------------------- the interface


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("spec", ["awele:abapa", "penguins:players=3"])
def test_watching_changes_nothing(spec: str, threads: int) -> None:
    position = palabre.game(spec).start()
    told: list[Thought] = []
    watched = mind(spec, SHARP, threads=threads).think(position, Clock(nodes=3_000), told.append)
    alone = mind(spec, SHARP, threads=threads).think(position, Clock(nodes=3_000))
    assert (watched.line, watched.visits, watched.shares) == (alone.line, alone.visits, alone.shares)
    nodes = [thought.nodes for thought in told]
    assert len(nodes) > 3
    assert nodes == sorted(set(nodes))
    assert nodes[-1] == alone.nodes == 3_000


@pytest.mark.parametrize("spec", ["awele", "penguins:players=3"])
def test_several_lines_are_told_in_order(spec: str) -> None:
    position = palabre.game(spec).start()
    told: list[Thought] = []
    best = mind(spec, SHARP).think(position, Clock(nodes=2_000), told.append, 4)
    last = told[-4:]
    assert [thought.rank for thought in last] == [1, 2, 3, 4]
    assert last[0] == best
    assert len({thought.move for thought in last}) == 4
    visits = [thought.visits for thought in last]
    assert visits == sorted(visits, reverse=True)
    for thought in last:
        principal_variation(position, thought)
        assert thought.depth == len(thought.line)
        assert thought.shares is not None
        assert sum(thought.shares) == pytest.approx(1)
        fair = 1 / position.game.players
        assert thought.chance is not None
        assert (thought.points > 0) == (thought.chance > fair)


def test_more_lines_than_moves_are_all_moves() -> None:
    told: list[Thought] = []
    mind("awele").think(palabre.game("awele").start(), Clock(nodes=100), told.append, 50)
    assert sorted(str(thought.move) for thought in told[-6:]) == list("ABCDEF")


def test_losing_moves_are_told_to_be_proven_and_come_last() -> None:
    """Player 2 must stop three in a column: every other move loses at once."""
    game = palabre.game(CONNECT_FOUR)
    threatened = game.start()
    for move in "abacade":
        threatened = threatened.play(move)
    told: list[Thought] = []
    Mcts(game, evaluation(game, "score"), PLAIN, megabytes=4).think(threatened, Clock(nodes=3_000), told.append, 7)
    best, *others = told[-7:]
    assert str(best.move) == "a"
    assert best.proven_result is None
    assert [other.proven_result for other in others] == [-1] * 6
    assert all(other.chance == 0.0 and other.shares == (1.0, 0.0) for other in others)


def test_a_proven_draw_is_complete_and_worth_half() -> None:
    """Three plies before the end, both players will have as many towers, whatever they play."""
    position = palabre.game("avalam").position(DRAW)
    thought = mind("avalam").think(position, Clock(nodes=5_000))
    assert (thought.proven_result, thought.value, thought.is_complete) == (0, 0, True)
    assert (thought.chance, thought.shares) == (0.5, (0.5, 0.5))


def test_a_game_has_parameters_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    game = palabre.game("awele")
    assert mcts_parameters(game) == SHARP
    assert mcts_parameters(palabre.game(CONNECT_FOUR)) == PLAIN
    monkeypatch.setattr(
        game.part("evaluation"),
        "SEARCH_PARAMETERS",
        {"mcts": {"exploration": 0.7, "siblings_a_visit": 8}},
        raising=False,
    )
    assert mcts_parameters(game) == SHARP._replace(exploration=0.7, siblings_a_visit=8)


# ------------------------------------------------------------------------------------------------------ the heuristic


def grown(position: palabre.Position, parameters: MctsParameters, simulations: int) -> tree.Words:
    """The tree of a search in plain Python."""
    searching = Mcts(position.game, evaluation(position.game, "score"), parameters, megabytes=1)
    searching.think(position, Clock(nodes=simulations))
    words: tree.Words = searching.workers[0].tree
    return words


def children(node: int, words: tree.Words) -> list[int]:
    first = tree.first_child(node, words)
    return [first + tree.NODE * number for number in range(tree.count_children(node, words))]


@pytest.mark.usefixtures("plain_python")
def test_the_heuristic_of_a_move_is_what_its_player_has_of_it() -> None:
    """Of two moves only F takes seeds, so it is worth more to the player who makes it, and is tried first."""
    position = palabre.game("awele").position("1,0,0,0,0,1/1,1,6,6,6,6 10,10 1 0")
    parameters = MctsParameters(exploration=0.0, heuristic_weight=1.0, cutoff=0, scale_games=1)
    words = grown(position, parameters, 2)
    heuristics = {words[child + tree.MOVE]: words[child + tree.HEURISTIC] for child in children(tree.ROOT, words)}
    taking, quiet = position.move("F").code, position.move("A").code
    assert position.play("F").scores[0] > position.play("A").scores[0] == 10
    assert heuristics[taking] > heuristics[quiet] == tree.WHOLE // 2
    visited = [words[child + tree.MOVE] for child in children(tree.ROOT, words) if words[child + tree.VISITS]]
    assert visited == [taking]


def two_children(heuristics: tuple[int, int], visits: int = 0) -> tree.Words:
    """A root and its children, all of which have won half of their visits."""
    words = [0] * (3 * tree.NODE)
    tree.write_node(tree.ROOT, 0, 33, -1, 1, words)
    words[tree.ROOT + tree.CHILDREN] = tree.NODE << tree.COUNT_BITS | 2
    for child, heuristic in zip(children(tree.ROOT, words), heuristics, strict=True):
        tree.write_node(child, 0, heuristic, -1, 1, words)
        words[child + tree.VISITS], words[child + tree.SUM] = visits, visits * tree.WHOLE // 2
    return words


@pytest.mark.parametrize("visits", [0, 10])
@pytest.mark.parametrize("better", [0, 1])
def test_of_moves_that_won_as_often_the_one_with_the_better_heuristic_is_tried(better: int, visits: int) -> None:
    parameters = MctsParameters(exploration=0.0, heuristic_weight=0.4)
    words = two_children((tree.WHOLE // 3, tree.WHOLE // 2) if better else (tree.WHOLE // 2, tree.WHOLE // 3), visits)
    worker = [0] * simulation.WORKER_WORDS
    found = {simulation.most_promising(tree.ROOT, 0, 0, 2, parameters, words, worker) for _ in range(10)}
    assert found == {children(tree.ROOT, words)[better]}


@pytest.mark.parametrize(("owner", "bounds"), [(0, (0, 1)), (1, (-1, 0))])
def test_what_is_proven_for_the_player_to_move_is_reversed_for_the_opponent(
    owner: int, bounds: tuple[int, int]
) -> None:
    """Player 1 is to move and has at least a draw by the first child; the second is at most a draw."""
    words = two_children((0, 0))
    for child, (least, most) in zip(children(tree.ROOT, words), ((0, 1), (-1, 0)), strict=True):
        words[child + tree.LOWER], words[child + tree.UPPER] = least, most
    assert simulation.refresh(tree.ROOT, owner, 0, 2, PLAIN, words)
    assert (words[tree.ROOT + tree.LOWER], words[tree.ROOT + tree.UPPER]) == bounds


@pytest.mark.parametrize(
    ("owner", "player", "seats", "expected"),
    [(0, 1, 2, tree.WHOLE - 70), (1, 0, 2, tree.WHOLE - 70), (1, 1, 2, 70), (0, 0, 3, 70), (0, 1, 3, 33)],
)
def test_a_node_is_worth_to_its_owner_what_the_best_answer_leaves(
    owner: int, player: int, seats: int, expected: int
) -> None:
    """The best child is best for the player to move; with more than two players that tells nothing about another."""
    words = two_children((20, 70))
    simulation.refresh(tree.ROOT, owner, player, seats, SHARP, words)
    assert words[tree.ROOT + tree.HEURISTIC] == expected
