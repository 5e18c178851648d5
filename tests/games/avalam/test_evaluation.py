"""Avalam's evaluations: every value of a tower by hand, and against a recomputation from the moves."""

import pytest

import palabre
from palabre.evaluation.names import evaluations
from palabre.games.avalam.evaluation import Divine, isolated, vulnerable
from palabre.games.avalam.notation import CELLS
from tests.evaluation import check_both_worlds, random_games, value
from tests.naive import avalam as naive

PRESETS = ("course", "official")
NAMES = ("towers", "divine")

#   abcdefghi
EVERY_KIND = (
    "..Da.....",  # c1 and d1 are 5 together, of two colours: each can capture the other
    ".........",
    ".B..d.A..",  # e3 and g3 are isolated
    ".C......e",  # b3 and b4 are 5 together, but of one colour: neither can be captured
    ".........",
    "E..Dc....",  # d6 and e6 are 7 together: neither can be captured
    ".......A.",  # h7 and h8 are 6 together
    ".......e.",
    ".....Ee..",
)
FIRST = -200 + 60 + 1000 + 150 + 1000 + 400 + 10 + 1000  # c1, b3, g3, b4, a6, d6, h7, f9
SECOND = -200 + 1000 + 1000 + 150 + 1000 + 1000  # d1, e3, i4, e6, h8, g9


def at(preset: str, *rows: str, player: int = 1) -> palabre.Position:
    return palabre.game(f"avalam:{preset}").position(f"{'/'.join(rows)} {player}")


def names(cells: int) -> set[str]:
    return {name for name, cell in CELLS.items() if cells >> cell & 1}


def in_other_colours(position: palabre.Position) -> palabre.Position:
    board, player = position.text.split()
    return position.game.position(f"{board.swapcase()} {3 - int(player)}")


# ------------------------------------------------------------------------------------------------------------- by hand


def test_the_weights_are_those_of_the_report() -> None:
    assert tuple(Divine()) == (1000, -200, 400, 150, 60, 10, 10000)
    assert set(NAMES) <= set(evaluations(palabre.game("avalam")))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("player", [1, 2])
def test_every_kind_of_tower(preset: str, player: int) -> None:
    """The value does not ask who is to move; nor do the rules matter here, since b3 on b4 captures nothing."""
    position = at(preset, *EVERY_KIND, player=player)
    assert names(isolated(position.state)) == {"e3", "g3", "i4", "a6"}
    assert names(vulnerable(position.state)) == {"c1", "d1"}
    assert value(position, "divine") == FIRST - SECOND == -530
    assert value(position, "divine", player=1) == 530
    assert value(position, "towers") == 8 - 6
    assert value(position, "towers", player=1) == 6 - 8


def test_the_start_is_even_and_all_of_it_vulnerable() -> None:
    for preset in PRESETS:
        start = palabre.game(f"avalam:{preset}").start()
        assert len(names(vulnerable(start.state))) == 48
        assert isolated(start.state) == 0
        assert value(start, "divine") == value(start, "towers") == 0.0


@pytest.mark.parametrize("preset", PRESETS)
def test_one_move_from_the_start(preset: str) -> None:
    """c1 goes onto d1: of its neighbours c2, d2, e2, of one counter each, c2 and e2 are the enemy's."""
    after = palabre.game(f"avalam:{preset}").start().play("c1d1")
    assert value(after, "towers") == 24 - 23
    assert value(after, "divine") == -200 * 24 + 200 * 23


# Ten towers, too high to be joined: four of height 5 each, and in the last three rows what decides.
FIVES = ("..Ee.....", ".........", ".E..e....", "........E", ".........", "E..e.....")
SIX_TO_FOUR = (*FIVES, ".......E.", ".........", ".....Ec..")
FIVE_TO_FIVE = (*FIVES, ".......e.", ".........", ".....Dd..")
MORE_FIVES = (*FIVES, ".......E.", ".........", ".....ec..")  # five to five towers, five to four of height 5


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("preset", "rows", "expected"),
    [
        ("course", SIX_TO_FOUR, 10000.0),
        ("course", FIVE_TO_FIVE, 0.0),
        ("course", MORE_FIVES, 0.0),
        ("official", SIX_TO_FOUR, 10000.0),
        ("official", FIVE_TO_FIVE, 0.0),
        ("official", MORE_FIVES, 10000.0),
    ],
)
def test_a_game_over_is_worth_10000_or_nothing(name: str, preset: str, rows: tuple[str, ...], expected: float) -> None:
    position = at(preset, *rows)
    assert position.is_over
    assert value(position, name) == expected
    assert value(position, name, player=1) == -expected


# ----------------------------------------------------------------------------------------------------- random positions


def can_be_captured(position: naive.Position, cell: str) -> bool:
    """Whether some move of the owner's opponent makes the tower on a cell his."""
    owner = position.board[cell].owner
    asked = naive.Position(position.preset, position.board, 1 - owner)
    return any(move[2:] == cell and asked.play(move).board[cell].owner != owner for move in asked.moves())


def is_isolated(position: naive.Position, cell: str) -> bool:
    return not any(other in position.board for other in naive.neighbours(cell))


def naive_worth(position: naive.Position, cell: str) -> int:
    """What the tower on a cell is worth to its owner."""
    height = position.board[cell].height
    if height == 5 or is_isolated(position, cell):
        return 1000
    if can_be_captured(position, cell):
        return -200
    return {4: 400, 3: 150, 2: 60, 1: 10}[height]


@pytest.mark.parametrize("preset", PRESETS)
def test_values_are_what_the_moves_say(preset: str) -> None:
    for position in list(random_games(f"avalam:{preset}", games=2))[::4]:
        twin = naive.Position.from_text(position.text, preset)
        assert names(isolated(position.state)) == {cell for cell in twin.board if is_isolated(twin, cell)}
        assert names(vulnerable(position.state)) == {cell for cell in twin.board if can_be_captured(twin, cell)}
        if not position.is_over:
            signed = [(1, -1)[tower.owner] * naive_worth(twin, cell) for cell, tower in twin.board.items()]
            assert value(position, "divine") == sum(signed)
            assert value(position, "towers") == twin.scores[0] - twin.scores[1]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("preset", PRESETS)
def test_colours_are_treated_alike(name: str, preset: str) -> None:
    for position in random_games(f"avalam:{preset}", games=2, seed=1):
        assert value(position, name, player=1) == -value(position, name)
        assert value(in_other_colours(position), name) == -value(position, name)


@pytest.mark.parametrize("preset", PRESETS)
def test_values_stay_in_their_range(preset: str) -> None:
    for position in random_games(f"avalam:{preset}", games=2, seed=2):
        assert abs(value(position, "towers")) <= (10000 if position.is_over else 24)
        assert abs(value(position, "divine")) <= (10000 if position.is_over else 24 * 1000 + 24 * 200)


@pytest.mark.kernels
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("preset", PRESETS)
def test_compiled_and_plain_values_are_the_same(name: str, preset: str) -> None:
    check_both_worlds(f"avalam:{preset}", name, games=3)
