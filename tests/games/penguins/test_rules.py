"""Penguins, one position and one rule at a time."""

import math

import pytest

import palabre
from palabre.core import verbs
from palabre.core.words import the_player
from palabre.games.penguins.notation import ROWS, TILE_NAMES, TILE_NUMBERS, say, tiles_in
from palabre.games.penguins.rules import beside
from tests.messages import holds, refuses, why_illegal

TWO = palabre.game("penguins")
THREE = palabre.game("penguins:players=3")
FOUR = palabre.game("penguins:players=4")
GAMES = {2: TWO, 3: THREE, 4: FOUR}

FRESH = "1111122/22222222/3333333/11111111/1112222/33311111/1122211/11222111"
STANDING = f"{FRESH} a1,a3,d4,h1/f8,g1,g7,h8 4,4 4,4 1"
# Player 1 has a1 and two tiles to go, everybody else is shut in.
ENDGAME = "1110000/00000000/0000000/00000000/0000000/10101000/0000000/10101010"
FLOCKS = "a1,f1,f3,f5/h1,h3,h5,h7"
# Nobody of three can move, and three tiles with four fish are left.
OVER = "1010200/00000000/0000000/10101000/0000000/10101000/0000000/10101000 d1,d3,d5/f1,f3,f5/h1,h3,h5"


def played(text: str, *moves: str, game: palabre.Game = TWO) -> palabre.Position:
    position = game.position(text)
    for move in moves:
        position = position.play(move)
    return position


def texts(position: palabre.Position, start: str = "") -> set[str]:
    return {move.text for move in position.moves() if move.text.startswith(start)}


# --------------------------------------------------------------------------------------------------------- the board


@pytest.mark.parametrize("name", TILE_NAMES)
def test_neighbours_are_those_of_the_rules(name: str) -> None:
    row, column = name[0], int(name[1])
    columns = (column, column + 1) if row in "aceg" else (column - 1, column)
    around = [f"{row}{column - 1}", f"{row}{column + 1}"]
    around += [f"{chr(ord(row) + step)}{number}" for step in (-1, 1) for number in columns]
    found = [TILE_NAMES[tile] for tile in tiles_in(beside(1 << TILE_NUMBERS[name]))]
    assert found == sorted(tile for tile in around if tile in TILE_NAMES)


def test_a_board_has_thirty_twenty_and_ten_tiles() -> None:
    rows = TWO.start(seed=5).text.split()[0]
    assert [len(row) for row in rows.split("/")] == [7, 8, 7, 8, 7, 8, 7, 8]
    assert [rows.count(fish) for fish in "0123"] == [0, 30, 20, 10]


def test_the_seed_makes_the_board_whoever_plays() -> None:
    boards = {seed: TWO.start(seed).text.split()[0] for seed in (0, 1, 2, -1, 2**63)}
    assert len(set(boards.values())) == len(boards)
    for seed, board in boards.items():
        assert all(game.start(seed).text.split()[0] == board for game in GAMES.values())


def test_the_board_of_a_seed_never_changes() -> None:
    assert TWO.start().text == "1213211/21211111/2321123/31121312/1221123/22321211/2132121/21113113 -/- 0,0 0,0 1"


# --------------------------------------------------------------------------------------------------------- placement


def test_penguins_are_placed_on_free_one_fish_tiles() -> None:
    position = TWO.position(f"{FRESH} -/- 0,0 0,0 1")
    ones = {name for name, fish in zip(TILE_NAMES, FRESH.replace("/", ""), strict=True) if fish == "1"}
    assert texts(position) == ones
    assert texts(position.play("d4")) == ones - {"d4"}


def test_a_placement_takes_the_tile_and_its_fish() -> None:
    after = played(f"{FRESH} -/- 0,0 0,0 1", "d4", "a2", "a1")
    assert after.text == f"{FRESH} a1,d4/a2 2,1 2,1 2"
    assert after.ply == 3


@pytest.mark.parametrize(("players", "each"), [(2, 4), (3, 3), (4, 2)])
def test_all_place_in_turn_before_anybody_moves(players: int, each: int) -> None:
    position = GAMES[players].start(seed=9)
    for ply in range(players * each):
        assert position.to_move == ply % players
        assert all(len(move.text) == 2 for move in position.moves())
        position = position.play(position.moves()[0])
    assert position.to_move == 0
    assert all(len(move.text) == 4 for move in position.moves())


def test_nobody_is_skipped_before_all_stand_even_if_shut_in() -> None:
    after = played(f"{FRESH} h1/g1/h2/- 1,1,1,0 1,1,1,0 4", "a1", game=FOUR)
    assert after.to_move == 0
    assert len(after.moves()) == 26


def test_a_player_shut_in_when_all_stand_is_skipped_at_once() -> None:
    after = played(f"{FRESH} h1,h8/g1,h7/g7,h2/a1 2,2,2,1 2,2,2,1 4", "a3", game=FOUR)
    assert after.to_move == 1
    assert after.text == f"{FRESH} h1,h8/g1,h7/g7,h2/a1,a3 2,2,2,2 2,2,2,2 2"


def test_why_a_placement_is_refused() -> None:
    position = TWO.position(f"{FRESH} a1/- 1,0 1,0 2")
    holds(why_illegal(position, "b1"), "error.placed_on_fish", tile="b1", fish=2)
    holds(why_illegal(position, "a1"), "error.penguin_there", player=the_player(0), tile="a1")
    holds(why_illegal(position, "a8"), "error.no_tile", name="a8")
    holds(why_illegal(position, "a1a2"), "error.form_placement")


# ------------------------------------------------------------------------------------------------------------- moves


def test_a_penguin_slides_any_distance_along_six_lines() -> None:
    west, east = ["d3", "d2", "d1"], ["d5", "d6", "d7", "d8"]
    north_west, north_east = ["c3", "b3", "a2"], ["c4", "b5", "a5"]
    south_west, south_east = ["e3", "f3", "g2", "h2"], ["e4", "f5", "g5", "h6"]
    targets = [*west, *east, *north_west, *north_east, *south_west, *south_east]
    assert texts(TWO.position(STANDING), "d4") == {f"d4{target}" for target in targets}


def test_a_line_ends_at_the_edge_of_the_board() -> None:
    position = TWO.position(STANDING)
    assert texts(position, "a1") == {"a1a2", "a1b1", "a1b2", "a1c2", "a1d3", "a1e3", "a1f4", "a1g4", "a1h5"}
    other = TWO.position(STANDING[:-1] + "2")
    assert texts(other, "f8") == {
        *(f"f8f{column}" for column in range(1, 8)),
        *("f8e7", "f8d7", "f8c6", "f8b6", "f8a5"),
    }


def test_the_tile_left_vanishes_and_the_new_one_counts() -> None:
    after = played(STANDING, "d4c3")
    rows = FRESH.replace("/11111111/", "/11101111/", 1)
    assert after.text == f"{rows} a1,a3,c3,h1/f8,g1,g7,h8 7,4 5,4 2"
    assert after.scores == (7, 4)
    assert after.ply == 9


def test_tiles_slid_over_stay_and_do_not_count() -> None:
    assert played(STANDING, "d4a2").scores == (5, 4)
    assert played(STANDING, "d4a2").text.split()[0] == played(STANDING, "d4c3").text.split()[0]


def test_a_gap_stops_a_slide() -> None:
    position = played(STANDING, "d4d5", "f8f7")
    assert texts(position, "d5d") == {"d5d6", "d5d7", "d5d8"}
    holds(why_illegal(position, "d5d3"), "error.blocked", found=say("error.gone", tile="d4"))
    holds(why_illegal(position, "d5d4"), "error.blocked", found=say("error.gone", tile="d4"))


def test_penguins_of_any_player_stop_a_slide() -> None:
    position = TWO.position(STANDING)
    assert "a1a2" in texts(position)
    holds(
        why_illegal(position, "a1a3"),
        "error.blocked",
        found=say("error.penguin_there", player=the_player(0), tile="a3"),
    )
    holds(
        why_illegal(position, "a1a4"),
        "error.blocked",
        found=say("error.penguin_there", player=the_player(0), tile="a3"),
    )
    holds(
        why_illegal(position, "h1g1"),
        "error.blocked",
        found=say("error.penguin_there", player=the_player(1), tile="g1"),
    )
    holds(
        why_illegal(position, "h1h8"),
        "error.blocked",
        found=say("error.penguin_there", player=the_player(1), tile="h8"),
    )


def test_of_two_own_penguins_in_a_line_the_nearer_one_slides() -> None:
    position = TWO.position(f"{FRESH} d1,d4,d6,h1/f8,g1,g7,h8 4,4 4,4 1")
    assert position.play("d4d5").text.split()[1] == "d1,d5,d6,h1/f8,g1,g7,h8"
    assert position.play("d6d5").text.split()[1] == "d1,d4,d5,h1/f8,g1,g7,h8"
    assert position.play("d6d8").text.split()[1] == "d1,d4,d8,h1/f8,g1,g7,h8"
    assert position.play("d4d2").text.split()[1] == "d1,d2,d6,h1/f8,g1,g7,h8"


def test_why_a_move_is_refused() -> None:
    position = TWO.position(STANDING)
    holds(why_illegal(position, "d4e1"), "error.no_line", target="e1", origin="d4")
    holds(why_illegal(position, "d4d4"), "error.must_leave")
    holds(
        why_illegal(position, "f8f7"),
        "error.not_yours",
        found=say("error.penguin_there", player=the_player(1), tile="f8"),
        player=the_player(0),
    )
    holds(
        why_illegal(position, "a2a4"),
        "error.not_yours",
        found=say("error.no_penguin", tile="a2"),
        player=the_player(0),
    )
    holds(why_illegal(position, "d4e8"), "error.no_tile", name="e8")
    for text in ("d4", "d", "d4 e3", "d4e3f3"):
        holds(why_illegal(position, text), "error.form_move")


def test_moves_are_read_in_either_case() -> None:
    assert played(STANDING, "D4C3") == played(STANDING, "d4c3")
    assert played(f"{FRESH} -/- 0,0 0,0 1", "D4") == played(f"{FRESH} -/- 0,0 0,0 1", "d4")


# ------------------------------------------------------------------------------------------------- skipping, the end


def test_who_cannot_move_is_skipped() -> None:
    after = played(f"{ENDGAME} {FLOCKS} 50,48 29,29 1", "a1a2")
    assert after.to_move == 0
    assert texts(after) == {"a2a3"}


def test_two_players_who_cannot_move_are_both_skipped() -> None:
    rows = "1110011/00000000/0000000/00000000/0000000/10101000/0000000/10100010"
    after = played(f"{rows} a1,f1/f3,f5/h1,h3/a7,h7 25,24,24,24 15,14,14,14 1", "a1a2", game=FOUR)
    assert after.to_move == 3
    assert after.play("a7a6").to_move == 0


def test_the_game_ends_when_nobody_can_move_and_the_next_in_turn_is_to_move() -> None:
    after = played(f"{ENDGAME} {FLOCKS} 50,48 29,29 1", "a1a2", "a2a3")
    assert after.is_over
    assert after.moves() == []
    assert after.to_move == 1
    assert after.scores == (52, 48)
    assert after.result == (1.0, 0.0)
    holds(why_illegal(after, "a3a2"), "error.game_is_over")


def test_tiles_that_nobody_can_reach_count_for_nobody() -> None:
    over = THREE.position(f"{OVER} 33,32,31 20,19,18 1")
    assert over.is_over
    assert over.scores == (33, 32, 31)
    assert over.result == (1.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("taken", "result"),
    [
        ("32,32,32 20,19,18", (1.0, 0.0, 0.0)),
        ("32,32,32 18,19,20", (0.0, 0.0, 1.0)),
        ("32,32,32 19,19,19", (1 / 3, 1 / 3, 1 / 3)),
        ("33,30,33 19,19,19", (0.5, 0.0, 0.5)),
        ("33,32,31 18,19,20", (1.0, 0.0, 0.0)),
    ],
)
def test_most_fish_win_then_most_tiles_then_it_is_shared(taken: str, result: tuple[float, ...]) -> None:
    assert THREE.position(f"{OVER} {taken} 2").result == result


# ------------------------------------------------------------------------------------------------------------- texts


def test_a_text_in_which_the_player_to_move_is_shut_in_gives_the_turn_to_the_next() -> None:
    position = TWO.position(f"{ENDGAME} {FLOCKS} 50,48 29,29 2")
    assert position.text == f"{ENDGAME} {FLOCKS} 50,48 29,29 1"


def test_a_text_of_an_ended_game_keeps_its_player_to_move() -> None:
    over = ENDGAME.replace("1110000", "1000000")
    for player in ("1", "2"):
        text = f"{over} {FLOCKS} 50,50 30,30 {player}"
        assert TWO.position(text).text == text
        assert TWO.position(text).result == (0.5, 0.5)


def test_the_tiles_taken_tell_the_ply() -> None:
    assert TWO.position(f"{ENDGAME} {FLOCKS} 50,48 29,29 1").ply == 58
    assert TWO.position(f"{FRESH} a1/a2 1,1 1,1 1").ply == 2


UNREADABLE: list[tuple[str, str, dict[str, object]]] = [
    ("", "text.parts", {"wanted": 5}),
    ("x" * 3000, "error.position_too_long", {}),
    ("١" * 60, "text.parts", {"wanted": 5}),
    (STANDING + " 0", "text.parts", {"found": 6}),
    (STANDING.replace(" 4,4 4,4", "  4,4 4,4"), "text.parts", {"found": 6}),
    (STANDING.replace("/22222222", ""), "text.parts", {"found": 7}),
    (STANDING.replace("22222222", "2222222"), "error.row", {"row": "b", "length": 8}),
    (STANDING.replace("1111122", "11111222"), "error.row", {"row": "a", "length": 7}),
    (STANDING.replace("1111122", "11x1122"), "text.not_a_number", {"text": "x"}),
    (STANDING.replace("1111122", "11١1122"), "text.not_a_number", {}),
    (STANDING.replace("/f8,g1,g7,h8", ""), "text.parts", {"wanted": 2}),
    (STANDING.replace("/f8", "/-/f8"), "text.parts", {"found": 3, "wanted": 2}),
    (STANDING.replace("a1,a3", "a3,a1"), "error.penguin_order", {"right": "a1,a3,d4,h1"}),
    (STANDING.replace("a1,", "A1,"), "error.penguin_tile", {"name": "A1"}),
    (STANDING.replace("a1,", "a8,"), "error.penguin_tile", {"name": "a8"}),
    (STANDING.replace("a1,", "a1,,"), "error.penguin_tile", {"name": ""}),
    (STANDING.replace("a1,a3,d4,h1", ""), "error.penguin_tile", {"name": ""}),
    (STANDING.replace("a1,", "-,a1,"), "error.penguin_tile", {"name": "-"}),
    (STANDING.replace("4,4 4,4", "4 4,4"), "text.parts", {"wanted": 2}),
    (STANDING.replace("4,4 4,4", "04,4 4,4"), "text.not_a_number", {"text": "04"}),
    (STANDING.replace("4,4 4,4", "4,4 4,-4"), "text.not_a_number", {"text": "-4"}),
]


@pytest.mark.parametrize(("text", "id", "params"), UNREADABLE)
def test_an_unreadable_text_is_refused(text: str, id: str, params: dict[str, object]) -> None:
    with refuses(id, **params) as caught:
        TWO.position(text)
    assert isinstance(caught.value, palabre.UnreadableText)


IMPOSSIBLE: list[tuple[str, str, dict[str, object]]] = [
    (STANDING.replace("1111122", "1111124"), "text.too_large", {"number": "4", "most": 3}),
    (STANDING.replace("22222222", "12222222"), "error.too_many_tiles", {"tiles": 31, "fish": 1, "most": 30}),
    (STANDING.replace("1111122", "1111222"), "error.too_many_tiles", {"tiles": 21, "fish": 2, "most": 20}),
    (STANDING.replace("1111122", "1111132"), "error.too_many_tiles", {"tiles": 11, "fish": 3, "most": 10}),
    (STANDING.replace("a1,a3", "a1,a1"), "error.two_penguins", {"tile": "a1"}),
    (STANDING.replace("a1,a3,d4,h1", "a1,a3,d4,g1"), "error.two_penguins", {"tile": "g1"}),
    (STANDING.replace("1111122", "0111122"), "error.penguin_in_water", {"tile": "a1"}),
    (STANDING.replace("a1,a3", "a1,a2,a3"), "error.penguin_counts", {"counts": "5, 4", "players": 2, "each": 4}),
    (STANDING.replace("a1,a3", "a1"), "error.penguin_counts", {"counts": "3, 4"}),
    (f"{FRESH} a1,a3/- 2,0 2,0 1", "error.penguin_counts", {"counts": "2, 0"}),
    (f"{FRESH} -/a1 0,1 0,1 1", "error.penguin_counts", {"counts": "0, 1"}),
    (f"{FRESH} a1/- 1,0 1,0 1", "error.placing_order", {"player": 1, "expected": 2}),
    (
        f"{FRESH.replace('1111122', '1111120')} a1/- 3,0 2,0 2",
        "error.gone_too_early",
        {"tile": "a7"},
    ),
    (f"{FRESH} b1/- 2,0 1,0 2", "error.placed_on_fish", {"tile": "b1", "fish": 2}),
    (STANDING.replace("4,4 4,4", "4,4 4,5"), "error.tiles_taken", {"tiles": 9, "right": 8}),
    (STANDING.replace("4,4 4,4", "4,5 4,4"), "error.fish_taken", {"taken": 9, "free": 92, "total": 101, "right": 100}),
    (STANDING.replace("4,4 4,4", "4,4 5,3"), "error.fish_and_tiles", {"player": 1, "fish": 4, "tiles": 5}),
    (
        STANDING.replace("4,4 4,4", "5,3 4,4"),
        "error.fish_and_tiles",
        {"player": 1, "fish": 5, "tiles": 4, "penguins": 4, "under": 4},
    ),
    (STANDING.replace("4,4 4,4", "3,5 4,4"), "error.fish_and_tiles", {"player": 1, "fish": 3, "tiles": 4}),
    (STANDING.replace("4,4 4,4", "101,4 4,4"), "text.too_large", {"number": "101", "most": 100}),
    (STANDING.replace("4,4 4,4", "4,4 61,4"), "text.too_large", {"number": "61", "most": 60}),
    (STANDING[:-1] + "3", "text.player_to_move", {"text": "3", "players": 2}),
    (f"{ENDGAME} {FLOCKS} 90,8 29,29 1", "error.fish_and_tiles", {"player": 1, "fish": 90, "tiles": 29}),
]


@pytest.mark.parametrize(("text", "id", "params"), IMPOSSIBLE)
def test_an_impossible_position_is_refused(text: str, id: str, params: dict[str, object]) -> None:
    with refuses(id, **params) as caught:
        TWO.position(text)
    assert isinstance(caught.value, palabre.ImpossiblePosition)


@pytest.mark.parametrize("players", ["1", "5", "two", "", "٢"])
def test_two_to_four_can_play(players: str) -> None:
    with refuses("spec.bad_value", name="players", value=players, valid="2, 3, 4"):
        palabre.game(f"penguins:players={players}")


# -------------------------------------------------------------------------------------------------------------- keys


def test_the_same_position_has_the_same_key_in_whatever_order_it_came_about() -> None:
    one = played(STANDING, "d4d5", "f8f7", "a1a2", "g1f1")
    other = played(STANDING, "a1a2", "g1f1", "d4d5", "f8f7")
    assert one == other
    assert verbs.key(one.state) == verbs.key(other.state)


def test_a_key_tells_the_player_to_move_and_the_fish() -> None:
    position = TWO.position(STANDING)
    assert verbs.key(position.state) != verbs.key(TWO.position(STANDING[:-1] + "2").state)
    keys = [
        verbs.key(TWO.position(f"{ENDGAME} {FLOCKS} {taken} 1").state)
        for taken in ("50,48 29,29", "49,49 29,29", "50,48 28,30")
    ]
    assert len(set(keys)) == 3


def test_where_a_penguin_died_is_no_part_of_the_key() -> None:
    """Two ways over the same three tiles: what is left, and who has what, is the same."""
    triangle = f"{ENDGAME.replace('1110000/00000000', '1000000/11000000')} {FLOCKS} 50,48 29,29 1"
    one, other = played(triangle, "a1b1", "b1b2"), played(triangle, "a1b2", "b2b1")
    assert one.text != other.text
    assert verbs.key(one.state) == verbs.key(other.state)


# ---------------------------------------------------------------------------------------------------- what is drawn


def test_cells_are_hexagons_one_apart() -> None:
    places = {cell.name: (cell.x, cell.y) for cell in TWO.view.cells(TWO.options)}
    assert list(places) == TILE_NAMES
    assert all(cell.shape == "hexagon" for cell in TWO.view.cells(TWO.options))
    for name, place in places.items():
        near = {other for other in places if 0.1 < math.dist(place, places[other]) < 1.1}
        assert near == {TILE_NAMES[tile] for tile in tiles_in(beside(1 << TILE_NUMBERS[name]))}
    assert [places[row[0]][0] for row in ROWS] == [0.5, 0, 0.5, 0, 0.5, 0, 0.5, 0]


def test_pieces_are_fish_on_free_tiles_and_penguins_the_dead_ones_faded() -> None:
    state = TWO.position(f"{ENDGAME.replace('1110000', '1230000')} {FLOCKS} 47,48 29,29 1").state
    tiles = {piece.cell for piece in TWO.view.pieces(state) if piece.kind == "tile"}
    pieces = {piece.cell: piece for piece in TWO.view.pieces(state) if piece.kind != "tile"}
    assert set(pieces) == tiles == {"a1", "a2", "a3", "f1", "f3", "f5", "h1", "h3", "h5", "h7"}
    assert [(pieces[tile].kind, pieces[tile].count) for tile in ("a2", "a3")] == [("fish", 2), ("fish", 3)]
    assert (pieces["a1"].kind, pieces["a1"].player, pieces["a1"].text, pieces["a1"].faded) == ("penguin", 0, "1", False)
    assert (pieces["f1"].player, pieces["f1"].faded) == (0, True)
    assert (pieces["h7"].player, pieces["h7"].faded) == (1, True)


def test_clicks_are_the_tiles_of_the_move() -> None:
    placing, moving = TWO.position(f"{FRESH} -/- 0,0 0,0 1"), TWO.position(STANDING)
    assert TWO.view.clicks(placing.state, placing.move("d4").code) == [("d4",)]
    assert TWO.view.clicks(moving.state, moving.move("d4c3").code) == [("d4", "c3")]
