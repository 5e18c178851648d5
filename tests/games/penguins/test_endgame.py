"""Penguins' islands: against every way to play them out, by hand, and in both worlds."""

import random
from collections.abc import Iterator
from functools import cache

import pytest

import palabre
from palabre.compile.compiler import compiled, integers, is_disabled
from palabre.core import verbs
from palabre.core.kernels import kernel
from palabre.core.verbs import FAR, margin_bounds
from palabre.evaluation.names import evaluations
from palabre.games.penguins.endgame import (
    MANY,
    NODES,
    ODD,
    SOLVER_WORDS,
    harvest,
    island_yield,
    margins,
    private_tiles,
    prospect,
    reach,
)
from palabre.games.penguins.rules import FISH_VALUE, State, beside, free_tiles, is_placing, penguins_of
from tests.evaluation import random_games
from tests.naive import penguins as naive

TWO = palabre.game("penguins")
evaluations(TWO)  # loads the answer to `margin_bounds`
ENOUGH = 10**6  # nodes
Island = tuple[State, int, int]  # the fish, the free tiles, the penguins


def yield_of(island: Island, nodes: int = ENOUGH, floor: int = -1) -> tuple[int, int]:
    state, free, penguins = island
    solver = [0] * SOLVER_WORDS
    solver[NODES], solver[ODD], solver[MANY] = nodes, state.odd, state.many
    return harvest(free, penguins, floor, 0, free, solver)


# --------------------------------------------------------------------------------------------------- every way to play


def random_island(tiles: int, penguins: int, seed: int) -> Island:
    """Tiles that hang together, with penguins on some of them, on a shuffled board."""
    chance = random.Random(f"{tiles} {penguins} {seed}")
    ice = 1 << chance.randrange(60)
    while ice.bit_count() < tiles + penguins:
        edge = beside(ice) & ~ice
        ice |= 1 << chance.choice([tile for tile in range(60) if edge >> tile & 1])
    own = sum(1 << tile for tile in chance.sample([tile for tile in range(60) if ice >> tile & 1], penguins))
    return TWO.start(seed).state, ice ^ own, own


def names(tiles: int) -> frozenset[str]:
    return frozenset(name for tile, name in enumerate(naive.TILES) if tiles >> tile & 1)


def fish_by_name(state: State) -> dict[str, int]:
    return {name: (state.odd >> tile & 1) + 2 * (state.many >> tile & 1) for tile, name in enumerate(naive.TILES)}


def best_of_all_ways(island: Island) -> int:
    """What the best way to play an island out adds to the standing: all ways are gone."""
    fish = fish_by_name(island[0])

    @cache
    def best(free: frozenset[str], penguins: frozenset[str]) -> int:
        most = 0
        for penguin in penguins:
            for direction in naive.DIRECTIONS:
                target = naive.neighbour(penguin, direction)
                while target is not None and target in free:
                    after = best(free - {target}, penguins - {penguin} | {target})
                    most = max(most, FISH_VALUE * fish[target] + 1 + after)
                    target = naive.neighbour(target, direction)
        return most

    return best(names(island[1]), names(island[2]))


@cache
def some_islands() -> tuple[tuple[Island, int], ...]:
    """Small islands with one, two or three penguins, and what they yield."""
    sizes = [(1, 9), (2, 8), (3, 7)]
    islands = [
        random_island(tiles, penguins, seed)
        for penguins, most in sizes
        for tiles in range(1, most + 1)
        for seed in range(12)
    ]
    return tuple((island, best_of_all_ways(island)) for island in islands)


def test_an_island_yields_what_the_best_of_all_ways_does() -> None:
    for island, best in some_islands():
        assert yield_of(island) == (best, best), island


@pytest.mark.parametrize("nodes", [0, 1, 2, 4, 8, 16])
def test_with_few_nodes_the_yield_is_between_the_bounds(nodes: int) -> None:
    exact = 0
    for island, best in some_islands():
        low, high = yield_of(island, nodes)
        assert low <= best <= high, island
        exact += low == high
    assert 0 < exact <= len(some_islands())


def test_of_a_yield_below_the_floor_a_bound_is_told() -> None:
    for island, best in some_islands():
        for floor in (best - FISH_VALUE, best - 1, best, best + 1):
            low, high = yield_of(island, floor=floor)
            assert low <= best <= high, island
            assert low == high or high <= floor, island


def mirrored(tiles: int) -> int:
    """The same tiles with left and right exchanged."""
    row_of = [name[0] for name in naive.TILES]
    rows = {row: [tile for tile in range(60) if row_of[tile] == row] for row in naive.ROWS}
    other = {tile: row[-1 - place] for row in rows.values() for place, tile in enumerate(row)}
    return sum(1 << other[tile] for tile in range(60) if tiles >> tile & 1)


def test_a_mirrored_island_yields_the_same() -> None:
    for seed in range(30):
        state, free, penguins = random_island(10, 1 + seed % 3, seed)
        turned = state._replace(odd=mirrored(state.odd), many=mirrored(state.many))
        assert yield_of((turned, mirrored(free), mirrored(penguins))) == yield_of((state, free, penguins))


# ------------------------------------------------------------------------------------------------------------- by hand


def island_of(*rows: str) -> Island:
    """From eight rows: fish, `P` for a penguin, `.` for nothing."""
    drawn = "".join(row.replace(" ", "") for row in rows).ljust(60, ".")
    fish = [int(tile) if tile.isdigit() else 0 for tile in drawn]
    odd = sum((count & 1) << tile for tile, count in enumerate(fish))
    many = sum((count >> 1) << tile for tile, count in enumerate(fish))
    state = State(odd, many, 0, 0, 0, 0, 0, 0, 2)
    penguins = sum(1 << tile for tile, letter in enumerate(drawn) if letter == "P")
    return state, odd | many, penguins


@pytest.mark.parametrize(
    ("rows", "fish", "tiles"),
    [
        pytest.param(["P......"], 0, 0, id="nothing to eat"),
        pytest.param(["P123..."], 6, 3, id="a corridor, step by step"),
        pytest.param(["12P21.."], 3, 2, id="two ways, and no way back"),
        pytest.param(["31P1111"], 4, 4, id="as many fish on more tiles"),
        pytest.param(["P1P2P3."], 6, 3, id="one tile for each of three"),
        pytest.param(["1P2P3.."], 5, 2, id="three tiles for two, one step each"),
        pytest.param(["P12.3.."], 3, 2, id="a gap"),
        pytest.param(["..3....", "..P2....", ".3....."], 5, 2, id="two pieces of ice"),
        pytest.param(["P12....", ".3......"], 6, 3, id="into a dead end over its only neighbour, and back"),
        pytest.param(["P......", ".12.....", "3......"], 4, 2, id="two dead ends for one penguin"),
    ],
)
def test_by_hand(rows: list[str], fish: int, tiles: int) -> None:
    island = island_of(*rows)
    assert yield_of(island) == (FISH_VALUE * fish + tiles,) * 2
    assert best_of_all_ways(island) == FISH_VALUE * fish + tiles


# ----------------------------------------------------------------------------------------------------- whole positions


def late_positions(games: int, tiles: int) -> Iterator[palabre.Position]:
    """Positions of random games of two in which at most so many tiles can still be reached."""
    for position in random_games("penguins", games):
        state = position.state
        reached = reach(state.own | state.second, free_tiles(state))
        if not position.is_over and not is_placing(state) and reached.bit_count() <= tiles:
            yield position


def is_separated(state: State) -> bool:
    return private_tiles(state, 0)[1] == 0


def true_margin(state: State) -> int:
    """How far the player to move ends ahead, in standing, if both play for that: every line of play is looked at."""
    known: dict[State, int] = {}

    def ahead(state: State) -> int:
        me = verbs.to_move(state)
        moves = verbs.move_buffer(state)
        best = -FAR
        for index in range(verbs.legal_moves(state, moves)):
            after = verbs.play(state, moves[index])
            if verbs.is_over(after):
                value = verbs.final_score(after, me) - verbs.final_score(after, 1 - me)
            elif verbs.to_move(after) == me:
                value = visit(after)
            else:
                value = -visit(after)
            best = max(best, value)
        return best

    def visit(state: State) -> int:
        if state not in known:
            known[state] = ahead(state)
        return known[state]

    return visit(state)


def test_the_margins_of_a_separated_position_are_how_it_ends() -> None:
    count = 0
    for position in late_positions(games=60, tiles=8):
        if is_separated(position.state):
            count += 1
            assert margin_bounds(position.state) == (true_margin(position.state),) * 2, position.text
    assert count > 50


def test_the_margins_of_any_late_position_contain_how_it_ends() -> None:
    count = decided = 0
    for position in late_positions(games=60, tiles=7):
        if not is_separated(position.state):
            count += 1
            truth = true_margin(position.state)
            for nodes in (0, ENOUGH):
                least, most = margins(position.state, nodes)
                assert least <= truth <= most, position.text
            decided += least > 0 or most < 0
    assert count > 20
    assert decided > 5


def test_who_plays_by_the_margins_harvests_all_there_is() -> None:
    """Both choose the move with the best guaranteed margin, in positions too large to look at every line."""
    count = 0
    for position in late_positions(games=12, tiles=24):
        if not is_separated(position.state) or count >= 25:
            continue
        count += 1
        least, most = margin_bounds(position.state)
        assert least == most
        me = position.to_move
        while not position.is_over:
            position = max((position.play(move) for move in position.moves()), key=lambda after: guaranteed(after, me))
            player = position.to_move
            if not position.is_over:
                assert margin_bounds(position.state) == ((least, most) if player == me else (-most, -least))
            me, least, most = (player, least, most) if player == me else (player, -most, -least)
        end = position.state
        assert verbs.final_score(end, me) - verbs.final_score(end, 1 - me) == least == most
    assert count == 25


def guaranteed(position: palabre.Position, player: int) -> int:
    """What a player is sure to end ahead by, of a position after his move."""
    state = position.state
    if position.is_over:
        return verbs.final_score(state, player) - verbs.final_score(state, 1 - player)
    least, most = margin_bounds(state)
    return least if position.to_move == player else -most


def test_there_are_no_bounds_while_penguins_are_placed_or_for_more_than_two() -> None:
    for spec in ("penguins", "penguins:players=3", "penguins:players=4"):
        for position in random_games(spec, games=1):
            if not position.is_over and (position.game.players > 2 or is_placing(position.state)):
                assert margin_bounds(position.state) == (-FAR, FAR)


def test_the_margins_never_contradict_earlier_ones() -> None:
    """What is certain stays certain: the bounds of a position contain those of its best child."""
    for position in random_games("penguins", games=3, seed=5):
        if position.is_over or is_placing(position.state):
            continue
        least, most = margin_bounds(position.state)
        best = max(guaranteed(position.play(move), position.to_move) for move in position.moves())
        assert best <= most
        assert least <= most


@pytest.mark.parametrize("spec", ["penguins:players=3", "penguins:players=4"])
def test_the_islands_of_more_players(spec: str) -> None:
    """On an own island a player adds what the solver says by his own moves, whatever the others do."""
    chance = random.Random(spec)
    count = 0
    for number in range(12):
        position = palabre.game(spec).start(number)
        while not position.is_over:
            position = position.play(chance.choice(position.moves()))
            player = position.to_move
            own, shared = private_tiles(position.state, player)
            if own and not shared and not is_placing(position.state) and own.bit_count() <= 8:
                count += 1
                best = best_of_all_ways((position.state, own, penguins_of(position.state, player)))
                low, high = prospect(position.state, player, ENOUGH, [0] * SOLVER_WORDS)
                assert low == high == verbs.final_score(position.state, player) + best
    assert count > 10


# ---------------------------------------------------------------------------------------------------------- both worlds


@kernel
def both_margins(state: State, nodes: int) -> tuple[int, int]:
    return margins(state, nodes)


@kernel
def any_harvest(state: State, free: int, penguins: int, nodes: int, solver: list[int]) -> tuple[int, int]:
    solver[NODES], solver[ODD], solver[MANY] = nodes, state.odd, state.many
    return island_yield(free, penguins, solver)


@pytest.mark.kernels
def test_compiled_and_plain_bounds_are_the_same() -> None:
    fast = compiled(both_margins, TWO)
    for position in list(late_positions(games=4, tiles=40))[:: 9 if is_disabled() else 2]:
        for nodes in (0, 20, 1000):
            assert fast(position.state, nodes) == margins(position.state, nodes)


@pytest.mark.kernels
def test_compiled_and_plain_harvests_look_at_the_same_positions() -> None:
    fast = compiled(any_harvest, TWO)
    for seed in range(3 if is_disabled() else 30):
        state, free, penguins = random_island(14, 1 + seed % 3, seed)
        plain_solver, fast_solver = [0] * SOLVER_WORDS, integers([0] * SOLVER_WORDS)
        plain = any_harvest(state, free, penguins, 5000, plain_solver)
        assert fast(state, free, penguins, 5000, fast_solver) == plain
        assert fast_solver[NODES] == plain_solver[NODES]
