"""Avalam, rule by rule.

Most positions here are a few towers in the upper rows; `upper` completes them to 48 counters with towers of height 5,
which can neither move nor be landed on.
"""

import random
from collections.abc import Iterator

import pytest

import palabre
from palabre import ImpossiblePosition, Position, UnreadableText
from palabre.core import verbs
from palabre.games.avalam import rules
from palabre.games.avalam.notation import FORM
from tests.messages import holds, refuses, why_illegal

START = "..Aa...../.AaAa..../.aAaAaA../.AaAaAaAa/AaAa.aAaA/aAaAaAaA./..AaAaAa./....aAaA./.....aA.. 1"
PRESETS = ("course", "official")
LOWER_CELLS = [(6, column) for column in range(2, 8)] + [(7, column) for column in range(4, 8)] + [(8, 5), (8, 6)]


def upper(*rows: str, player: int = 1, fives: str = "Ee") -> str:
    """The text with these upper rows, cut at the right; the counters that are left stand below, five by five."""
    board = [list(row.ljust(9, ".")) for row in (*rows, *[""] * (9 - len(rows)))]
    left = 48 - sum(".ABCDE".index(letter.upper()) for row in board for letter in row)
    for index, (row, column) in enumerate(LOWER_CELLS):
        board[row][column] = ".ABCDE"[min(5, left)] if fives[index % len(fives)] == "E" else ".abcde"[min(5, left)]
        left -= min(5, left)
    return "/".join("".join(row) for row in board) + f" {player}"


def first_row(row: str) -> str:
    """The start with another first row."""
    return row + START[9:]


def at(preset: str, text: str) -> Position:
    return palabre.game(f"avalam:{preset}").position(text)


def moves(position: Position) -> set[str]:
    return {str(move) for move in position.moves()}


def tower(position: Position, cell: str) -> str:
    """The letter of a cell in the text."""
    return position.text.split("/")[int(cell[1]) - 1]["abcdefghi".index(cell[0])]


def random_game(preset: str, seed: int) -> Iterator[Position]:
    """Every position of a game played at random."""
    dice = random.Random(seed)
    position = palabre.game(f"avalam:{preset}").start()
    yield position
    while not position.is_over:
        position = position.play(dice.choice(position.moves()))
        yield position


# ------------------------------------------------------------------------------------------------ the start and specs


@pytest.mark.parametrize(("preset", "count"), [("course", 76), ("official", 292)])
def test_the_start(preset: str, count: int) -> None:
    position = palabre.game(f"avalam:{preset}").start()
    assert position.text == START
    assert (position.to_move, position.ply, position.scores) == (0, 0, (24, 24))
    assert not position.is_over
    assert position.result is None
    assert len(position.moves()) == count


def test_course_is_the_default_and_its_summary_tells_that_player_1_cannot_lose() -> None:
    game = palabre.game("avalam")
    assert game.options.preset == "course"
    assert palabre.game("avalam:course").spec == "avalam"
    assert "player 1, who can never lose: a parity fight for the last move" in game.facts.presets["course"].summary


def test_the_official_start_has_every_pair_of_neighbouring_cells_both_ways() -> None:
    """So the numbering of the cells loses no neighbour and invents none, also not across an edge or the middle."""
    game = palabre.game("avalam:official")
    places = {cell.name: (cell.x, cell.y) for cell in game.view.cells(game.options)}
    neighbours = {
        one + other
        for one, (x, y) in places.items()
        for other, (other_x, other_y) in places.items()
        if max(abs(x - other_x), abs(y - other_y)) == 1
    }
    assert moves(game.start()) == neighbours
    assert len(neighbours) == rules.MOST_MOVES == rules.MOVE_CODES


def test_the_cells_are_numbered_without_a_gap_but_for_the_middle() -> None:
    assert sorted(rules.PLACES) == [number for number in range(rules.SPAN) if number != 24]


# ------------------------------------------------------------------------------------------------------------- moves


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("first", range(1, 6))
@pytest.mark.parametrize("second", range(1, 6))
def test_towers_join_up_to_height_five_and_the_one_on_top_owns(preset: str, first: int, second: int) -> None:
    position = at(preset, upper(".." + ".ABCDE"[first] + ".abcde"[second]))
    if first + second > 5:
        assert position.is_over
        return
    assert moves(position) == ({"c1d1"} if preset == "course" else {"c1d1", "d1c1"})
    after = position.play("c1d1")
    assert (tower(after, "c1"), tower(after, "d1")) == (".", ".ABCDE"[first + second])
    assert after.to_move == 1
    assert after.ply == position.ply + 1
    assert after.text.split("/")[1:8] == position.text.split("/")[1:8]


def test_in_all_eight_directions() -> None:
    position = at("course", upper("", "", ".aaa", ".aAa", ".aaa"))
    assert moves(position) == {"c4" + target for target in ("b3", "c3", "d3", "b4", "d4", "b5", "c5", "d5")}


def test_course_moves_own_towers_onto_enemy_towers_only() -> None:
    position = at("course", upper("..AA", "..aa"))
    assert moves(position) == {"c1c2", "c1d2", "d1c2", "d1d2"}
    holds(why_illegal(position, "c2c1"), "error.not_yours", cell="c2")
    holds(why_illegal(position, "c2d2"), "error.not_yours", cell="c2")
    holds(why_illegal(position, "c1d1"), "error.yours", cell="d1")
    assert moves(at("course", upper("..AA", "..aa", player=2))) == {"c2c1", "d2c1", "c2d1", "d2d1"}


def test_official_moves_any_tower_onto_any_other() -> None:
    position = at("official", upper("..AA", "..aa"))
    cells = ("c1", "d1", "c2", "d2")
    assert moves(position) == {one + other for one in cells for other in cells if one != other}
    after = position.play("c2d2")  # player 1 moves player 2's tower onto another of player 2's
    assert tower(after, "d2") == "b"
    assert after.scores == (position.scores[0], position.scores[1] - 1)


def test_course_and_official_agree_on_what_covers_what() -> None:
    assert tower(at("official", upper("..Ab")).play("d1c1"), "c1") == "c"
    assert tower(at("course", upper("..Ab", player=2)).play("d1c1"), "c1") == "c"


def test_a_cell_once_left_is_a_hole() -> None:
    position = at("official", upper("..Aa", "..a")).play("c1d1")
    holds(why_illegal(position, "d1c1"), "error.no_tower", cell="c1")
    holds(why_illegal(position, "c1d1"), "error.no_tower", cell="c1")
    assert moves(position) == {"d1c2", "c2d1"}


def test_a_tower_of_five_neither_moves_nor_is_landed_on() -> None:
    position = at("official", upper("..Ea", "..A"))
    assert moves(position) == {"d1c2", "c2d1"}
    holds(why_illegal(position, "c1d1"), "error.too_high", height=6, most=5)
    holds(why_illegal(position, "d1c1"), "error.too_high", height=6, most=5)


def test_no_move_crosses_a_hole() -> None:
    assert at("official", upper("", ".A.a")).is_over
    assert at("official", upper("", "", "", "...A", ".....a")).is_over


@pytest.mark.parametrize(
    "move", ["i5c1", "h6b2", "h7b3", "h8b4", "g9a5", "i5b2", "h8a5", "i4c1", "h5b2", "b2h7", "b3h8"]
)
def test_the_board_does_not_wrap_round_its_edges(move: str) -> None:
    """Each is one shift away in the numbering of the cells."""
    for text in (move, move[2:] + move[:2]):
        holds(why_illegal(at("official", START), text), "error.not_adjacent", target=text[2:], origin=text[:2])


# --------------------------------------------------------------------------------------------- move texts and reasons


def test_a_move_text_may_have_either_case_and_blanks_around() -> None:
    start = at("course", START)
    assert start.play(" C1D1 ").text == start.play("c1d1").text


@pytest.mark.parametrize(
    ("move", "id", "parameters"),
    [
        ("c1", "error.form", {}),
        ("c1d", "error.form", {}),
        ("c1d2e3", "error.form", {}),
        ("c1-d2", "error.form", {}),
        ("1c2d", "error.form", {}),
        ("c0d1", "error.form", {}),
        ("c1j1", "error.form", {}),
        ("c¹d¹", "error.form", {}),
        ("İ1d1", "error.form", {}),
        ("a1b2", "error.no_cell", {"cell": "a1"}),
        ("D5E5", "error.no_cell", {"cell": "e5"}),
        ("c1c1", "error.not_adjacent", {"target": "c1", "origin": "c1"}),
        ("c1c3", "error.not_adjacent", {"target": "c3", "origin": "c1"}),
        ("d1d2", "error.not_yours", {"cell": "d1"}),
        ("c1d2", "error.yours", {"cell": "d2"}),
        ("", "error.no_move", {}),
    ],
)
def test_why_a_move_is_refused(move: str, id: str, parameters: dict[str, object]) -> None:
    holds(why_illegal(at("course", START), move), id, **parameters)


def test_an_ended_game_says_that_it_is_over() -> None:
    holds(why_illegal(at("course", upper("..Ab")).play("c1d1"), "d1c1"), "error.game_is_over")


# --------------------------------------------------------------------------------------------------- end and result


@pytest.mark.parametrize("preset", PRESETS)
def test_the_game_ends_when_no_move_is_left(preset: str) -> None:
    position = at(preset, upper("..Ab"))
    assert not position.is_over
    after = position.play("c1d1")
    assert after.is_over
    assert after.moves() == []
    assert after.to_move == 1  # the next in turn


def test_towers_of_one_colour_end_course_but_not_official() -> None:
    assert at("course", upper("..AA")).is_over
    assert moves(at("official", upper("..AA"))) == {"c1d1", "d1c1"}


def test_more_towers_win_in_both() -> None:
    for preset in PRESETS:
        position = at(preset, upper("..C", fives="EEe"))
        assert position.scores == (7, 3)
        assert position.result == (1.0, 0.0)
        assert at(preset, upper("..c", fives="eeE")).result == (0.0, 1.0)


def test_a_tie_is_broken_by_towers_of_five_in_official_only() -> None:
    text = upper("..C", fives="eE")  # five towers each, four and five of them of height 5
    assert at("official", text).scores == at("course", text).scores == (5, 5)
    assert at("official", text).result == (0.0, 1.0)
    assert at("course", text).result == (0.5, 0.5)


def test_more_towers_beat_more_towers_of_five() -> None:
    position = at("official", upper("..A", "....A", "", ".A", fives="eE"))
    assert position.scores == (7, 5)
    assert position.result == (1.0, 0.0)


@pytest.mark.parametrize("preset", PRESETS)
def test_equal_towers_and_equal_towers_of_five_are_a_draw(preset: str) -> None:
    position = at(preset, upper("..D", "", "..d"))
    assert position.scores == (5, 5)
    assert position.result == (0.5, 0.5)


@pytest.mark.parametrize("seed", range(20))
def test_in_course_the_players_lose_towers_in_turn_and_player_1_never_loses_a_game(seed: int) -> None:
    """So the final difference is 0 or +1: whoever makes the last move decides between a draw and a win of player 1."""
    for position in random_game("course", seed):
        first, second = position.scores
        assert first - second == position.ply % 2
        board, _ = position.text.split()
        one, other = (at("course", f"{board} {player}") for player in (1, 2))
        assert len(one.moves()) == len(other.moves())
    assert position.result == ((1.0, 0.0) if position.ply % 2 else (0.5, 0.5))


def test_in_official_player_1_can_lose() -> None:
    results = {list(random_game("official", seed))[-1].result for seed in range(20)}
    assert {(1.0, 0.0), (0.0, 1.0)} <= results


# ----------------------------------------------------------------------------------------------------- position texts


def test_the_ply_is_48_minus_the_towers_and_the_player_to_move_is_what_the_text_says() -> None:
    for player in (1, 2):
        position = at("course", START[:-1] + str(player))
        assert (position.ply, position.to_move) == (0, player - 1)
        assert at("course", upper("..Ab", player=player)).ply == 48 - 11


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seed", range(10))
def test_every_position_of_a_game_can_be_read_back(preset: str, seed: int) -> None:
    for position in random_game(preset, seed):
        again = at(preset, position.text)
        assert again == position
        assert (again.text, again.ply) == (position.text, position.ply)


def test_a_player_may_top_all_his_24_counters_and_the_other_none() -> None:
    towers = START[:-2].replace("a", "x").replace("A", "B").replace("x", ".")
    assert at("course", f"{towers} 1").scores == (24, 0)
    assert at("course", f"{towers} 1").is_over


@pytest.mark.parametrize(
    ("text", "id", "params"),
    [
        ("", "text.parts", {"found": 1, "wanted": 2}),
        (START[:-2], "text.parts", {"found": 1, "wanted": 2}),
        (START + " 0", "text.parts", {"found": 3, "wanted": 2}),
        (START.replace(" ", "  "), "text.parts", {"found": 3, "wanted": 2}),
        (START.replace(" ", "\t"), "text.parts", {"found": 1, "wanted": 2}),
        (START.replace("/", "", 1), "text.parts", {"found": 8, "wanted": 9}),
        ("/" + START, "text.parts", {"found": 10, "wanted": 9}),
        (START.replace(".....aA..", ".....aA."), "error.row", {"row": "9", "letters": ".....aA.", "length": 8}),
        (first_row("..Aa......"), "error.row", {"row": "1", "letters": "..Aa......", "length": 10}),
        (first_row("2Aa5"), "error.row", {"row": "1", "letters": "2Aa5", "length": 4}),
        (first_row("..Fa....."), "error.letter", {"letter": "F", "cell": "c1"}),
        (first_row("..A1....."), "error.letter", {"letter": "1", "cell": "d1"}),
        (first_row("..Αa....."), "error.letter", {"cell": "c1"}),  # a Greek capital alpha
        (first_row("..\x00a....."), "error.letter", {"cell": "c1"}),
        ("x" * 1999, "text.parts", {"found": 1, "wanted": 2}),
        ("A" * 2001, "error.position_too_long", {}),
    ],
)
def test_a_text_of_another_form_is_refused(text: str, id: str, params: dict[str, object]) -> None:
    with refuses(id, **params) as caught:
        at("course", text)
    assert isinstance(caught.value, UnreadableText)
    assert id == "error.position_too_long" or f"expected {FORM}" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "id", "params"),
    [
        (START.replace("/.AaAa", "/aAaAa"), "error.tower_off_board", {"cell": "a2"}),
        (START.replace("AaAa.aAaA", "AaAaAaAaA"), "error.tower_off_board", {"cell": "e5"}),
        (first_row("..Ba....."), "error.total", {"total": 49, "counters": 48}),
        (first_row("...a....."), "error.total", {"total": 47, "counters": 48}),
        ("/".join(["." * 9] * 9) + " 1", "error.total", {"total": 0, "counters": 48}),
        (first_row("..AA....."), "error.too_many_towers", {"player": 1, "towers": 25, "most": 24}),
        (START.lower(), "error.too_many_towers", {"player": 2, "towers": 48, "most": 24}),
        (START[:-1] + "3", "text.player_to_move", {"text": "3", "players": 2}),
        (START[:-1] + "0", "text.player_to_move", {"text": "0", "players": 2}),
        (START[:-1] + "A", "text.player_to_move", {"text": "A", "players": 2}),
        (START[:-1] + "¹", "text.player_to_move", {"text": "¹", "players": 2}),
    ],
)
def test_an_impossible_position_is_refused(text: str, id: str, params: dict[str, object]) -> None:
    with refuses(id, **params) as caught:
        at("official", text)
    assert isinstance(caught.value, ImpossiblePosition)


# -------------------------------------------------------------------------------------------------------- symmetries


def turned(text: str) -> str:
    """The board turned by 180°, colours and player to move unchanged."""
    board, player = text.split()
    return f"{board[::-1]} {player}"


def turned_move(move: str) -> str:
    columns, rows = "abcdefghi", "123456789"
    return "".join(names[8 - names.index(letter)] for letter in move for names in (columns, rows) if letter in names)


def swapped(text: str) -> str:
    """The colours and the player to move swapped, towers unmoved."""
    board, player = text.split()
    return f"{board.swapcase()} {3 - int(player)}"


def test_the_start_turned_by_180_degrees_is_the_start() -> None:
    assert turned(START) == START


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seed", range(5))
def test_turning_the_board_turns_the_moves_and_changes_nothing_else(preset: str, seed: int) -> None:
    for position in random_game(preset, seed):
        mirror = at(preset, turned(position.text))
        assert moves(mirror) == {turned_move(move) for move in moves(position)}
        assert (mirror.scores, mirror.result) == (position.scores, position.result)
        for move in sorted(moves(position))[:3]:
            assert mirror.play(turned_move(move)).text == turned(position.play(move).text)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seed", range(5))
def test_swapping_colours_and_players_keeps_the_moves_and_swaps_the_scores(preset: str, seed: int) -> None:
    for position in random_game(preset, seed):
        mirror = at(preset, swapped(position.text))
        assert mirror.moves() == position.moves()
        assert mirror.scores == position.scores[::-1]
        assert mirror.result == (position.result and position.result[::-1])
        for move in position.moves()[:3]:
            assert mirror.play(move).text == swapped(position.play(move).text)


# ---------------------------------------------------------------------------------------------------- state and verbs


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seed", range(5))
def test_no_counter_is_ever_lost_and_no_height_passes_five(preset: str, seed: int) -> None:
    for position in random_game(preset, seed):
        ones, twos, fours, _ = position.state
        assert ones.bit_count() + 2 * twos.bit_count() + 4 * fours.bit_count() == 48
        assert twos & fours == 0
        assert position.ply == 48 - sum(position.scores)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seed", range(3))
def test_moves_come_in_ascending_order_and_are_counted_right(preset: str, seed: int) -> None:
    for position in random_game(preset, seed):
        codes = [move.code for move in position.moves()]
        assert codes == sorted(set(codes))
        assert verbs.count_moves(position.state) == len(codes)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_random_move_is_every_legal_move_for_exactly_one_roll(preset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "roll", lambda seed, sides: seed % sides)
    for position in random_game(preset, seed=1):
        codes = [move.code for move in position.moves()]
        assert sorted(verbs.random_move(position.state, seed) for seed in range(len(codes))) == codes


def test_the_key_is_the_same_whatever_the_order_of_moves_and_tells_who_is_to_move() -> None:
    start = palabre.game("avalam:official").start()
    one = start.play("c1d1").play("g9f9").play("a5a6")
    other = start.play("a5a6").play("g9f9").play("c1d1")
    assert verbs.key(one.state) == verbs.key(other.state)
    assert verbs.key(at("official", START).state) != verbs.key(at("official", START[:-1] + "2").state)


# -------------------------------------------------------------------------------------------------------------- view


def test_the_board_is_48_circles_on_a_square_grid() -> None:
    game = palabre.game("avalam")
    cells = game.view.cells(game.options)
    assert len({cell.name for cell in cells}) == len({(cell.x, cell.y) for cell in cells}) == 48
    assert {cell.shape for cell in cells} == {"circle"}
    assert [(cell.name, cell.x, cell.y) for cell in cells[:2]] == [("c1", 2, 0), ("d1", 3, 0)]


def test_towers_have_an_owner_and_a_height_and_are_settled_if_nothing_can_join_them() -> None:
    position = at("course", upper("..Ab"))
    pieces = position.game.view.pieces(position.state)
    assert {piece.kind for piece in pieces} == {"tower"}
    assert [(piece.cell, piece.player, piece.height, piece.settled) for piece in pieces[:3]] == [
        ("c1", 0, 1, False),
        ("d1", 1, 2, False),
        ("c7", 0, 5, True),
    ]
    assert len(pieces) == sum(position.scores)


def test_a_move_is_entered_by_clicking_its_two_cells() -> None:
    position = palabre.game("avalam:official").start()
    for move in position.moves():
        assert position.game.view.clicks(position.state, move.code) == [(move.text[:2], move.text[2:])]
