"""Abalone, one position and one rule at a time."""

import pytest

import palabre
from palabre.core.board import Piece
from palabre.games.abalone import LAYOUTS
from tests.messages import holds, refuses, why_illegal

COURSE = palabre.game("abalone")
SUICIDE = palabre.game("abalone:suicide=yes")
OFFICIAL = palabre.game("abalone:official")
WALLED_IN = "11111/122222/12...../12....../12......./12....../12...../12..../12... 1 0"


def board(middle: str, player: int = 1, ply: int = 0) -> str:
    """A position with these rows g to c; nine marbles of player 1 stand above them, nine of player 2 below."""
    return f"11111/1111../{middle}/..2222/22222 {player} {ply}"


def middle(position: palabre.Position) -> str:
    """Rows g to c of a position."""
    return "/".join(position.text.split("/")[2:7])


def moves_of(position: palabre.Position, *marbles: str) -> set[str]:
    """The moves whose texts begin with one of these cells."""
    return {move.text for move in position.moves() if move.text[:2] in marbles}


# ------------------------------------------------------------------------------------------------- along the line


def test_a_single_marble_steps_in_six_directions() -> None:
    position = COURSE.position(board("......./......../....1..../......../......."))
    assert moves_of(position, "e5") == {"e5e6", "e5e4", "e5f5", "e5d5", "e5f6", "e5d4"}


def test_a_step_goes_where_its_text_says() -> None:
    position = COURSE.position(board("......./......../....1..../......../......."))
    assert middle(position.play("e5f6")) == "......./....1.../........./......../......."
    assert middle(position.play("e5f5")) == "......./...1..../........./......../......."
    assert middle(position.play("e5d4")) == "......./......../........./...1..../......."
    assert position.play("e5d4").text.endswith(" 2 1")


@pytest.mark.parametrize("row", ["..11.....", "..111...."])
def test_two_or_three_marbles_move_as_one(row: str) -> None:
    after = COURSE.position(board(f"......./......../{row}/......../.......")).play("e3e4")
    assert middle(after).split("/")[2] == "." + row[:-1]


def test_four_marbles_in_a_line_do_not_move_but_the_three_in_front_do() -> None:
    position = COURSE.position(board("......./......../.1111..../......../......."))
    assert "e2e3" not in moves_of(position, "e2")
    assert middle(position.play("e3e4")).split("/")[2] == ".1.111..."


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("11.2.....", ".112....."),
        ("112......", ".112....."),
        ("1112.....", ".1112...."),
        ("11122....", ".11122..."),
        ("112.2....", ".1122...."),
        ("......112", ".......11"),
        (".....1112", "......111"),
        ("....11122", ".....1112"),
    ],
)
def test_more_marbles_push_fewer(before: str, after: str) -> None:
    position = COURSE.position(board(f"......./......../{before}/......../......."))
    rear = before.index("1") + 1
    assert middle(position.play(f"e{rear}e{rear + 1}")).split("/")[2] == after


@pytest.mark.parametrize("row", [".12......", ".1122....", ".111222..", ".11222...", ".1121....", ".111221.."])
def test_equal_numbers_and_marbles_with_another_behind_are_not_pushed(row: str) -> None:
    position = COURSE.position(board(f"......./......../{row}/......../......."))
    front = row.index("2")
    pushing = {f"e{rear}e{rear + 1}" for rear in range(1, front + 1) if set(row[rear - 1 : front]) == {"1"}}
    assert moves_of(position, *(move[:2] for move in pushing)).isdisjoint(pushing)


@pytest.mark.parametrize(
    ("before", "move", "after"),
    [
        ("......./......../...112.../......../.......", "e4e5", "......./......../....112../......../......."),
        ("......./......../...211.../......../.......", "e6e5", "......./......../..211..../......../......."),
        ("......./....2.../....1..../...1..../.......", "d4e5", "....2../....1.../....1..../......../......."),
        ("......./...2..../....1..../....1.../.......", "d5e5", "..2..../...1..../....1..../......../......."),
        ("......./....1.../....1..../...2..../.......", "f6e5", "......./......../....1..../...1..../..2...."),
        ("......./...1..../....1..../....2.../.......", "f5e5", "......./......../....1..../....1.../....2.."),
    ],
)
def test_marbles_are_pushed_in_all_directions(before: str, move: str, after: str) -> None:
    assert middle(COURSE.position(board(before)).play(move)) == after


def test_a_marble_pushed_over_the_edge_is_off_the_board() -> None:
    after = COURSE.position(board("......./......../......112/......../.......")).play("e7e8")
    assert after.scores == (5, 3)
    assert after.text == board("......./......../.......11/......../.......", player=2, ply=1)


def test_a_corner_marble_is_pushed_off_along_the_edge() -> None:
    after = OFFICIAL.position("..112/1111../1111.../......../........./......../......./.22222/22222 1 0").play("i7i8")
    assert after.text.startswith("...11/")
    assert after.scores == (4, 4)


# ----------------------------------------------------------------------------------------------------------- suicide


def test_own_marbles_do_not_leave_the_board() -> None:
    position = COURSE.position(board("......./......../.......11/......../......."))
    assert moves_of(position, "e8", "e9").isdisjoint({"e8e9", "e9e"})
    assert all(len(move.text) == 4 for move in position.moves())


def test_suicide_of_a_corner_marble_goes_three_ways() -> None:
    position = SUICIDE.position(board("......./......../........1/......../......."))
    assert moves_of(position, "e9") == {"e9e8", "e9f9", "e9d8", "e9e", "e9ne", "e9se"}
    after = {position.play(move).text for move in ("e9e", "e9ne", "e9se")}
    assert after == {board("......./......../........./......../.......", player=2, ply=1)}


@pytest.mark.parametrize(("row", "move"), [(".......11", "e8e9"), ("......111", "e7e8")])
def test_suicide_of_a_group_is_written_with_the_rear_marble(row: str, move: str) -> None:
    after = SUICIDE.position(board(f"......./......../{row}/......../.......")).play(move)
    assert middle(after).split("/")[2] == "." * (10 - row.count("1")) + "1" * (row.count("1") - 1)
    assert after.scores == (5, 14 - 9 - row.count("1") + 1)


def test_four_marbles_do_not_commit_suicide() -> None:
    position = SUICIDE.position(board("......./......../.....1111/......../......."))
    assert "e6e7" not in moves_of(position, "e6")


def test_the_sixth_marble_lost_by_suicide_loses_the_game() -> None:
    after = SUICIDE.position(board("......./......../........./......../.......")).play("i5nw")
    assert after.is_over
    assert after.scores == (5, 6)
    assert after.result == (0.0, 1.0)


# -------------------------------------------------------------------------------------------------------- side-steps


def test_two_marbles_step_aside_in_four_directions() -> None:
    position = OFFICIAL.position(board("......./......../...11..../......../......."))
    assert {move for move in moves_of(position, "e4") if len(move) == 6} == {"e4e5f4", "e4e5f5", "e4e5d3", "e4e5d4"}
    assert middle(position.play("e4e5f5")) == "......./...11.../........./......../......."
    assert middle(position.play("e4e5d3")) == "......./......../........./..11..../......."


def test_three_marbles_step_aside_on_every_axis() -> None:
    east = OFFICIAL.position(board("......./......../...111.../......../......."))
    assert middle(east.play("e4e6f4")) == "......./..111.../........./......../......."
    north_east = OFFICIAL.position(board("......./....1.../....1..../...1..../......."))
    assert middle(north_east.play("d4f6d5")) == "......./.....1../.....1.../....1.../......."
    north_west = OFFICIAL.position(board("......./...1..../....1..../....1.../......."))
    assert middle(north_west.play("d5f5d4")) == "......./..1...../...1...../...1..../......."


def test_two_of_three_marbles_may_step_aside_alone() -> None:
    position = OFFICIAL.position(board("......./......../...111.../......../......."))
    assert middle(position.play("e5e6f6")) == "......./....11../...1...../......../......."


def test_a_side_step_never_pushes() -> None:
    position = OFFICIAL.position(board("......./...2..../...11..../......../......."))
    side_steps = {move for move in moves_of(position, "e4") if len(move) == 6}
    assert side_steps == {"e4e5d3", "e4e5d4"}


def test_a_side_step_does_not_leave_the_board() -> None:
    position = OFFICIAL.position(board("......./......../........1/.......1/......."))
    assert {move for move in moves_of(position, "d8") if len(move) == 6} == {"d8e9d7", "d8e9e8"}


def test_course_has_no_side_steps() -> None:
    position = COURSE.position(board("......./......../...11..../......../......."))
    assert all(len(move.text) == 4 for move in position.moves())


# ------------------------------------------------------------------------------------------------------ end and result


@pytest.mark.parametrize("game", [COURSE, OFFICIAL])
def test_six_marbles_off_the_board_win(game: palabre.Game) -> None:
    after = game.position("1.1.1/11.111/......./......../......221/......../......./2222../.222. 2 3").play("e7e8")
    assert after.is_over
    assert after.scores == (5, 6)
    assert after.result == (0.0, 1.0)
    assert after.moves() == []
    assert after.to_move == 0


@pytest.mark.parametrize(("spec", "turns"), [("abalone", 50), ("abalone:official", 400), ("abalone:turns=7", 7)])
def test_the_plies_run_out(spec: str, turns: int) -> None:
    game = palabre.game(spec)
    position = game.position(board("......./......../....1..../......../.......", ply=turns - 1))
    assert not position.is_over
    after = position.play("e5e6")
    assert after.is_over
    assert after.ply == turns
    assert after.result == (1.0, 0.0)


def test_at_the_limit_fewer_marbles_lost_win_whatever_the_distances() -> None:
    position = COURSE.position("11111/11111./......./......../....2..../...2..../.222222/.2..../..... 1 50")
    assert position.scores == (5, 4)
    assert position.result == (1.0, 0.0)


def test_a_tie_in_course_goes_to_the_marbles_nearer_the_centre() -> None:
    text = board("......./......../....1..../......../2......", ply=50)
    assert COURSE.position(text).scores == (4, 4)
    assert COURSE.position(text).result == (1.0, 0.0)
    assert COURSE.position(board("......./......../1......../....2.../.......", ply=50)).result == (0.0, 1.0)


def test_equal_distances_are_a_draw() -> None:
    assert COURSE.position(f"{LAYOUTS['classic']} 1 50").result == (0.5, 0.5)


def test_a_tie_in_official_is_a_draw() -> None:
    text = board("......./......../....1..../......../2......", ply=400)
    assert OFFICIAL.position(text).result == (0.5, 0.5)


@pytest.mark.parametrize("game", [COURSE, OFFICIAL])
def test_a_player_who_cannot_move_ends_the_game_decided_as_at_the_limit(game: palabre.Game) -> None:
    position = game.position(WALLED_IN)
    assert position.is_over
    assert position.moves() == []
    assert position.scores == (2, 1)
    assert position.result == (1.0, 0.0)


def test_the_player_not_to_move_may_be_walled_in() -> None:
    assert not COURSE.position(WALLED_IN.replace(" 1 0", " 2 0")).is_over


def test_suicide_is_a_way_out_of_a_wall() -> None:
    assert len(SUICIDE.position(WALLED_IN).moves()) == 42


def test_a_marble_without_an_empty_neighbour_may_still_push() -> None:
    position = COURSE.position("12..2/12..../212...2/112..2../1122...../1112..../122..../2...../..... 1 0")
    assert {str(move) for move in position.moves()} == {"d1c1", "d1d2", "d2d3", "e1d1", "e2d2", "e2f3", "f2e2", "f2f3"}


def test_when_both_have_lost_six_fewer_lost_win() -> None:
    position = OFFICIAL.position("11111/11..../......./......../........./......../......./....../2222. 1 9")
    assert position.is_over
    assert position.scores == (10, 7)
    assert position.result == (1.0, 0.0)


def test_a_text_beyond_the_limit_is_over() -> None:
    assert COURSE.position(f"{LAYOUTS['classic']} 1 1000").is_over


# --------------------------------------------------------------------------------------------------- specs and texts


def test_specs_are_written_with_their_parameters_in_one_order() -> None:
    assert palabre.game("abalone:course,suicide=yes,turns=60,layout=alien").spec == (
        "abalone:layout=alien,turns=60,suicide=yes"
    )
    assert palabre.game("abalone:official,turns=400,layout=classic").spec == "abalone:official"


@pytest.mark.parametrize(
    ("spec", "remedy"),
    [
        ("abalone:official,suicide=yes", "layout, turns"),
        ("abalone:layout=daisy", "classic, alien, belgian-daisy, german-daisy"),
        ("abalone:turns=0", "1 to 10000"),
        ("abalone:suicide=maybe", "no, yes"),
        ("abalone:school", "course, official"),
    ],
)
def test_a_bad_spec_is_told_what_is_valid(spec: str, remedy: str) -> None:
    with pytest.raises(palabre.BadSpec, match=remedy):
        palabre.game(spec)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("preset", ["course", "official"])
def test_layouts_are_the_positions_they_show(preset: str, layout: str) -> None:
    position = palabre.game(f"abalone:{preset},layout={layout}").start()
    assert position.text == f"{LAYOUTS[layout]} 1 0"
    assert position.scores == (0, 0)
    assert not position.is_over


def test_the_ply_is_read_from_the_text() -> None:
    assert COURSE.position(f"{LAYOUTS['alien']} 2 17").ply == 17


@pytest.mark.parametrize(
    ("text", "id", "params"),
    [
        ("", "text.parts", {"found": 1}),
        ("11111/111111", "text.parts", {"found": 1}),
        (f"{LAYOUTS['classic']} 1", "text.parts", {"found": 2}),
        (f"{LAYOUTS['classic']}  1 0", "text.parts", {"found": 4}),
        (f"{LAYOUTS['classic']}/..... 1 0", "text.parts", {"found": 10}),
        (
            "1111/111111/..111../......../........./......../..222../222222/22222 1 0",
            "error.row",
            {"letter": "i", "row": "1111", "cells": 5},
        ),
        (
            "11111/111111/..111../......../........../......../..222../222222/22222 1 0",
            "error.row",
            {"letter": "e", "cells": 9},
        ),
        ("11111/111111/..111../......../....3..../......../..222../222222/22222 1 0", "error.row", {"letter": "e"}),
        ("11111/111111/..11١../......../........./......../..222../222222/22222 1 0", "error.row", {"letter": "g"}),
        (f"{LAYOUTS['classic']} 1 -1", "text.not_a_number", {}),
        (f"{LAYOUTS['classic']} 1 00", "text.not_a_number", {}),
        (f"{LAYOUTS['classic']} 1 ٣", "text.not_a_number", {}),
    ],
)
def test_a_text_of_another_form_is_unreadable(text: str, id: str, params: dict[str, object]) -> None:
    with refuses(id, **params) as caught:
        COURSE.position(text)
    assert isinstance(caught.value, palabre.UnreadableText)


@pytest.mark.parametrize(
    ("text", "id", "params"),
    [
        (
            "11111/111111/1.111../......../........./......../..222../222222/22222 1 0",
            "error.too_many_marbles",
            {"player": 1, "marbles": 15, "most": 14},
        ),
        (
            "11111/111111/..111../......../....2..../......../..222../222222/22222 1 0",
            "error.too_many_marbles",
            {"player": 2, "marbles": 15, "most": 14},
        ),
        (f"{LAYOUTS['classic']} 3 0", "text.player_to_move", {"players": 2}),
        (f"{LAYOUTS['classic']} 0 0", "text.player_to_move", {"players": 2}),
        (f"{LAYOUTS['classic']} 1 1000001", "text.too_large", {"most": 1000000}),
    ],
)
def test_a_text_that_cannot_be_a_position_is_refused(text: str, id: str, params: dict[str, object]) -> None:
    with refuses(id, **params) as caught:
        COURSE.position(text)
    assert isinstance(caught.value, palabre.ImpossiblePosition)


def test_moves_are_read_in_either_case() -> None:
    assert COURSE.start().play("G5F5").text == COURSE.start().play("g5f5").text
    assert OFFICIAL.start().play(" G5G6F4 ").text == OFFICIAL.start().play("g5g6f4").text


# ------------------------------------------------------------------------------------------------------ explanations

ARENA = "11.../..1.../.....2./1.2...../1111.2.../11222.../......./....22/22222 1 0"


@pytest.mark.parametrize(
    ("move", "id", "parameters"),
    [
        ("e", "error.form_course", {}),
        ("e1e2e", "error.form_course", {}),
        ("xyz", "error.form_course", {}),
        ("e0e1", "error.no_cell", {"name": "e0"}),
        ("e1j1", "error.no_cell", {"name": "j1"}),
        ("e¹e2", "error.no_cell", {"name": "e¹"}),
        ("e5e6", "error.empty_cell", {"cell": "e5"}),
        ("e6e7", "error.not_yours", {"cell": "e6"}),
        ("e4e6", "error.not_adjacent", {"target": "e6", "cell": "e4"}),
        ("e1e1", "error.not_adjacent", {"target": "e1", "cell": "e1"}),
        ("e1e2", "error.long_line", {"marbles": 4, "cell": "e1", "most": 3}),
        ("d1d2", "error.too_weak", {"group": 2, "enemies": 3}),
        ("e2w", "error.write_cell", {"move": "e2e1"}),
        ("e1w", "error.leaves_board", {}),
        ("e2e1", "error.pushes_own_off", {}),
        ("e1e2f2", "error.no_side_steps", {}),
    ],
)
def test_an_illegal_move_is_explained(move: str, id: str, parameters: dict[str, object]) -> None:
    holds(why_illegal(COURSE.position(ARENA), move), id, **parameters)


def test_a_push_against_an_own_marble_is_explained() -> None:
    text = board("......./......../.1121..../......../.......")
    holds(why_illegal(COURSE.position(text), "e2e3"), "error.own_marble_behind")


@pytest.mark.parametrize(
    ("move", "id", "parameters"),
    [
        ("e1e4f2", "error.not_the_ends", {"first": "e1", "last": "e4"}),
        ("e1e1f2", "error.not_the_ends", {"first": "e1", "last": "e1"}),
        ("e1d2f2", "error.not_the_ends", {"first": "e1", "last": "d2"}),
        ("e4e5f5", "error.empty_cell", {"cell": "e5"}),
        ("e4e6f5", "error.empty_cell", {"cell": "e5"}),
        ("d2d3e3", "error.not_yours", {"cell": "d3"}),
        ("e3e2f3", "error.reading_order", {"cell": "e2"}),
        ("e1e3g3", "error.not_adjacent", {"target": "g3", "cell": "e1"}),
        ("e1e3e2", "error.on_the_line", {"target": "e2"}),
        ("e1e2f1", "error.no_cell", {"name": "f1"}),
        ("d1e1d2", "error.not_empty", {"cells": "d2, e2"}),
        ("e2e3f3", "error.not_empty", {"cells": "f4"}),
        ("e2e4d2", "error.not_empty", {"cells": "d2, d3, d4"}),
        ("e", "error.form_official", {}),
    ],
)
def test_an_illegal_side_step_is_explained(move: str, id: str, parameters: dict[str, object]) -> None:
    holds(why_illegal(OFFICIAL.position(ARENA), move), id, **parameters)


def test_a_side_step_over_the_edge_is_explained() -> None:
    text = board("......./......../........./......11/.......")
    holds(why_illegal(OFFICIAL.position(text), "d7d8c7"), "error.would_leave", cell="d8")


def test_a_finished_game_says_so() -> None:
    holds(why_illegal(COURSE.position(WALLED_IN), "i5i6"), "error.game_is_over")


# -------------------------------------------------------------------------------------------------------------- view


def test_neighbours_are_one_apart_and_row_i_is_on_top() -> None:
    cells = {cell.name: cell for cell in COURSE.view.cells(COURSE.options)}
    assert len([cell for cell in cells.values() if not cell.store]) == 61
    centre = cells["e5"]
    for name in ("e4", "e6", "f5", "f6", "d4", "d5"):
        across, down = cells[name].x - centre.x, cells[name].y - centre.y
        assert across**2 + down**2 == pytest.approx(1)
    assert cells["i5"].y == 0
    assert cells["f5"].x < centre.x < cells["f6"].x


def test_pieces_are_the_marbles_of_both_players() -> None:
    pieces = COURSE.view.pieces(COURSE.start().play("g5f5").state)
    assert len(pieces) == 28
    assert Piece("f5", "marble", player=0) in pieces
    assert Piece("a1", "marble", player=1) in pieces


def clicks(game: palabre.Game, text: str, move: str) -> set[tuple[str, ...]]:
    position = game.position(text)
    return set(game.view.clicks(position.state, position.move(move).code))


def test_a_single_marble_is_moved_by_two_clicks() -> None:
    text = board("......./......../........1/......../.......")
    assert clicks(SUICIDE, text, "e9e8") == {("e9", "e8")}
    assert clicks(SUICIDE, text, "e9ne") == {("e9", "ne")}


def test_a_group_is_moved_by_its_ends_and_the_cell_before_it() -> None:
    text = board("......./......../..1112.../......../.......")
    assert clicks(COURSE, text, "e3e4") == {("e3", "e5", "e6"), ("e5", "e3", "e6"), ("e3", "e6")}
    edge = board("......./......../.......11/......../.......")
    assert clicks(SUICIDE, edge, "e8e9") == {("e8", "e9", "e"), ("e9", "e8", "e"), ("e8", "e")}


def test_a_group_steps_aside_by_its_ends_and_the_goal_of_the_first_clicked() -> None:
    text = board("......./......../..111..../......../.......")
    assert clicks(OFFICIAL, text, "e3e5f4") == {("e3", "e5", "f4"), ("e5", "e3", "f6")}
