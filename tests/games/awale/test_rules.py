"""Awalé's rules, one position one rule."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import palabre
from palabre.core import dice, verbs
from palabre.core.errors import ImpossiblePosition, UnreadableText
from palabre.core.position import Position
from palabre.core.words import say, the_player
from tests.messages import holds, refuses, why_illegal

GAME = palabre.game("awale")
START = "/".join(["2.2.2"] * 16) + " 0,0 1 0"


def text(holes: str, first: int = 40, player: int = 1, ply: int = 0) -> str:
    """A position from its filled holes, as in `1:2.0.0 16:0.3.1`; of the other seeds player 1 has taken `first`."""
    seeds = ["0.0.0"] * 16
    for filled in holes.split():
        hole, counts = filled.split(":")
        seeds[int(hole) - 1] = counts
    on_board = sum(int(count) for counts in seeds for count in counts.split("."))
    return f"{'/'.join(seeds)} {first},{96 - on_board - first} {player} {ply}"


def position(holes: str, first: int = 40, player: int = 1, ply: int = 0) -> Position:
    return GAME.position(text(holes, first, player, ply))


def filled(position: Position) -> str:
    """The filled holes of a position, in the form that `text` takes."""
    holes = position.text.split()[0].split("/")
    return " ".join(f"{hole}:{counts}" for hole, counts in enumerate(holes, 1) if counts != "0.0.0")


def moves(position: Position) -> list[str]:
    return [str(move) for move in position.moves()]


# -------------------------------------------------------------------------------------------------------- the start


def test_start() -> None:
    start = GAME.start()
    assert start.text == START
    assert GAME.position(START) == start
    assert (start.to_move, start.ply, start.scores, start.result) == (0, 0, (0, 0), None)


def test_start_has_four_moves_in_each_own_hole() -> None:
    odd = [f"{hole}{kind}" for hole in range(1, 17, 2) for kind in ("r", "b", "tr", "tb")]
    even = [f"{hole}{kind}" for hole in range(2, 17, 2) for kind in ("r", "b", "tr", "tb")]
    assert moves(GAME.start()) == odd
    assert moves(GAME.position(START.replace(" 1 0", " 2 0"))) == even


def test_there_is_one_rule_set_without_parameters() -> None:
    assert palabre.game("awale:course").spec == "awale"
    with refuses("spec.unknown_preset", owner="awale", name="abapa", presets="course"):
        palabre.game("awale:abapa")
    with refuses("spec.unknown_parameter", name="stop", valid=say("spec.no_parameters")):
        palabre.game("awale:stop=6")


# ---------------------------------------------------------------------------------------------------------- sowing

FULL = "2:4.0.0 4:4.0.0 6:4.0.0 8:4.0.0"  # player 2's holes, filled so that nothing is captured there


def test_red_play_sows_every_following_hole_and_leaves_the_other_colours() -> None:
    assert filled(position(f"1:3.2.1 3:4.0.0 {FULL}").play("1r")) == "1:0.2.1 2:5.0.0 3:5.0.0 4:5.0.0 6:4.0.0 8:4.0.0"


def test_blue_play_sows_only_the_opponents_holes() -> None:
    assert filled(position(f"1:1.3.1 {FULL}").play("1b")) == "1:1.0.1 2:4.1.0 4:4.1.0 6:4.1.0 8:4.0.0"


def test_blue_play_of_player_2_sows_only_odd_holes() -> None:
    after = position("14:0.3.0 15:4.0.0 1:4.0.0 3:4.0.0", player=2).play("14b")
    assert filled(after) == "1:4.1.0 3:4.1.0 15:4.1.0"


def test_transparent_seeds_played_as_red_go_first() -> None:
    after = position(f"1:1.1.2 3:4.0.0 {FULL}").play("1tr")
    assert filled(after) == "1:0.1.0 2:4.0.1 3:4.0.1 4:5.0.0 6:4.0.0 8:4.0.0"


def test_transparent_seeds_played_as_blue_go_first_and_only_to_the_opponents_holes() -> None:
    after = position(f"1:1.1.2 {FULL}").play("1tb")
    assert filled(after) == "1:1.0.0 2:4.0.1 4:4.0.1 6:4.1.0 8:4.0.0"


def test_transparent_seeds_may_be_played_as_a_colour_that_the_hole_does_not_have() -> None:
    before = position(f"1:0.0.2 3:4.0.0 {FULL}")
    assert moves(before)[:2] == ["1tr", "1tb"]
    assert filled(before.play("1tr")) == "2:4.0.1 3:4.0.1 4:4.0.0 6:4.0.0 8:4.0.0"
    assert filled(before.play("1tb")) == "2:4.0.1 3:4.0.0 4:4.0.1 6:4.0.0 8:4.0.0"


def test_a_colour_needs_a_seed_of_it_and_transparent_play_a_transparent_one() -> None:
    assert moves(position(f"1:1.0.0 3:0.1.0 5:1.1.0 7:0.0.1 {FULL}")) == ["1r", "3b", "5r", "5b", "7tr", "7tb"]


def test_hole_1_follows_hole_16() -> None:
    assert filled(position("16:2.0.0 1:4.0.0 2:4.0.0 3:4.0.0", player=2).play("16r")) == "1:5.0.0 2:5.0.0 3:4.0.0"


def test_red_play_skips_its_origin_on_every_lap() -> None:
    after = position("5:32.1.0 6:0.9.0 7:0.9.0", first=20).play("5r")  # 32 = 15 + 15 + 2
    assert filled(after) == (
        "1:2.0.0 2:2.0.0 3:2.0.0 4:2.0.0 5:0.1.0 6:3.9.0 7:3.9.0 8:2.0.0 9:2.0.0 10:2.0.0 11:2.0.0 12:2.0.0 13:2.0.0 "
        "14:2.0.0 15:2.0.0 16:2.0.0"
    )


def test_blue_play_goes_round_in_eight_seeds() -> None:
    after = position("5:1.10.0 6:4.0.0 8:4.0.0 10:4.0.0").play("5b")
    assert filled(after) == "2:0.1.0 4:0.1.0 5:1.0.0 6:4.2.0 8:4.2.0 10:4.1.0 12:0.1.0 14:0.1.0 16:0.1.0"


def test_the_coloured_seeds_go_on_where_the_transparent_ones_end_even_after_a_lap() -> None:
    after = position("1:2.0.16 2:8.0.0 3:8.0.0 4:8.0.0").play("1tr")
    assert filled(after).startswith("2:8.0.2 3:9.0.1 4:9.0.1 5:0.0.1")


def test_a_hand_of_64_seeds() -> None:
    after = position("7:32.0.32 8:0.32.0", first=0).play("7tr")  # 64 = 4 * 15 + 4; transparent 32 = 2 * 15 + 2
    assert filled(after) == (
        "1:2.0.2 2:2.0.2 3:2.0.2 4:2.0.2 5:2.0.2 6:2.0.2 8:2.32.3 9:2.0.3 10:3.0.2 11:3.0.2 12:2.0.2 13:2.0.2 14:2.0.2 "
        "15:2.0.2 16:2.0.2"
    )


# -------------------------------------------------------------------------------------------------------- capturing


def test_capture_of_the_rules_over_own_holes_and_the_origin() -> None:
    before = position("1:2.0.0 16:2.0.0 15:0.2.0 14:2.2.0 13:2.2.0", player=2)
    after = before.play("14b")
    assert filled(after) == "13:2.2.0"
    assert after.scores == (40, before.scores[1] + 10)


RULES_CHECK = "1:1.0.0 2:2.0.0 3:0.1.0 4:0.2.0 5:1.0.0 16:1.3.0 15:2.0.0 14:0.4.0"


def test_capture_of_the_rules_over_holes_not_sown() -> None:
    before = position(RULES_CHECK, player=2)
    after = before.play("16b")
    assert filled(after) == "14:0.4.0 15:2.0.0 16:1.0.0"
    assert after.scores[1] == before.scores[1] + 10


def test_capture_of_the_rules_back_over_hole_1() -> None:
    before = position(RULES_CHECK, player=2)
    after = before.play("16r")
    assert filled(after) == "2:2.0.0 3:0.1.0 4:0.2.0 5:1.0.0 14:0.4.0"
    assert after.scores[1] == before.scores[1] + 7


@pytest.mark.parametrize(("seeds", "captured"), [("0.0.0", 0), ("1.0.0", 2), ("0.1.1", 3), ("1.1.1", 0), ("0.0.9", 0)])
def test_two_or_three_are_captured_whatever_their_colours(seeds: str, captured: int) -> None:
    assert position(f"1:1.0.0 2:{seeds} 6:0.0.20 7:0.1.0").play("1r").scores[0] == 40 + captured


def test_a_capture_goes_back_to_the_first_hole_that_is_not_two_or_three() -> None:
    after = position("1:3.0.0 2:1.0.0 3:3.0.0 4:1.0.0 9:0.0.9 10:0.0.1").play("1r")
    assert filled(after) == "2:2.0.0 3:4.0.0 9:0.0.9 10:0.0.1"
    assert after.scores[0] == 42


def test_nothing_is_captured_before_a_last_hole_that_is_not_two_or_three() -> None:
    assert position("1:2.0.0 2:1.0.0 3:3.0.0 9:0.0.9 10:0.0.1").play("1r").scores[0] == 40


def test_an_own_hole_is_captured_too() -> None:
    after = position("1:2.0.0 3:0.1.0 9:0.0.9 10:0.0.1").play("1r")
    assert filled(after) == "2:1.0.0 9:0.0.9 10:0.0.1"
    assert after.scores[0] == 42


@pytest.mark.parametrize("player", [1, 2])
def test_a_capture_may_take_all_sixteen_holes(player: int) -> None:
    origin = 1 if player == 1 else 16
    others = " ".join(f"{hole}:0.0.1" for hole in range(1, 17) if hole != origin)
    after = position(f"{origin}:15.2.0 {others}", first=16 if player == 1 else 48, player=player).play(f"{origin}r")
    assert filled(after) == ""
    assert after.scores == (48, 48)
    assert after.result == (0.5, 0.5)


# -------------------------------------------------------------------------------------------------------- the ends


def test_49_seeds_end_the_game() -> None:
    before = "1:1.0.0 2:1.0.0 9:0.0.9 10:0.0.9"
    assert not position(before, first=46).play("1r").is_over
    after = position(before, first=47).play("1r")
    assert after.is_over
    assert after.result == (1.0, 0.0)
    assert (after.to_move, after.moves(), after.scores) == (1, [], (49, 29))
    assert filled(after) == "9:0.0.9 10:0.0.9"  # nobody takes them


def test_the_opponents_49_seeds_end_the_game_too() -> None:
    assert position("1:1.0.0 2:1.0.0 9:0.0.9", first=36).result == (0.0, 1.0)


def test_fewer_than_ten_seeds_on_the_board_end_the_game_and_go_to_nobody() -> None:
    after = position("1:1.0.0 2:1.0.0 9:0.0.5 10:0.0.4", first=43).play("1r")
    assert after.is_over
    assert filled(after) == "9:0.0.5 10:0.0.4"
    assert after.scores == (45, 42)
    assert after.result == (1.0, 0.0)


def test_ten_seeds_on_the_board_go_on() -> None:
    after = position("1:1.0.0 2:1.0.0 9:0.0.6 10:0.0.4", first=42).play("1r")
    assert not after.is_over
    assert after.scores == (44, 42)


def test_a_player_without_seeds_leaves_all_to_the_other() -> None:
    before = position("1:1.0.0 2:1.0.0 9:0.0.12", first=35)
    after = before.play("1r")  # takes the last seeds of player 2, which is allowed
    assert after.is_over
    assert after.scores == (35 + 2 + 12, 47)
    assert (filled(after), after.to_move) == ("", 1)


def test_player_2_takes_all_from_a_starved_player_1() -> None:
    after = position("2:0.0.11 16:0.1.0 1:1.0.0", first=40, player=2).play("16b")
    assert after.scores == (40, 56)
    assert after.result == (0.0, 1.0)


def test_fewer_than_ten_seeds_come_before_starving() -> None:
    after = position("1:1.0.0 2:1.0.0 9:0.0.9", first=43).play("1r")
    assert after.scores == (45, 42)
    assert filled(after) == "9:0.0.9"


def test_a_majority_comes_before_starving() -> None:
    after = position("1:1.0.0 2:1.0.0 9:0.0.12", first=47).play("1r")
    assert after.scores == (49, 35)
    assert filled(after) == "9:0.0.12"


def test_400_plies_end_the_game_and_the_seeds_go_to_nobody() -> None:
    before = "1:1.0.0 2:9.0.0 9:0.0.9"
    assert not position(before, ply=398).play("1r").is_over
    after = position(before, first=40, ply=399).play("1r")
    assert (after.ply, after.moves(), after.scores, after.result) == (400, [], (40, 37), (1.0, 0.0))
    assert filled(after) == "2:10.0.0 9:0.0.9"


def test_starving_comes_before_the_last_ply() -> None:
    after = position("1:1.0.0 2:1.0.0 9:0.0.12", first=36, ply=399).play("1r")
    assert after.scores == (50, 46)
    assert filled(after) == ""


def test_equal_seeds_are_a_draw() -> None:
    assert position("1:0.0.4 2:0.0.4", first=44).result == (0.5, 0.5)


def test_end_rules_are_applied_to_a_text() -> None:
    starved = position("9:0.0.12", first=40, player=2, ply=7)
    assert starved.is_over
    assert starved.text == text("", first=52, player=2, ply=7)
    assert position("1:9.9.0 2:1.0.0", ply=400).is_over
    assert not position("1:9.9.0 2:1.0.0", ply=399).is_over


def test_the_final_text_of_an_ended_game_reads_back() -> None:
    for end in ("9:0.0.12", "1:0.0.9"):  # starved, too few seeds
        ended = position(end, first=40, player=2)
        assert GAME.position(ended.text) == ended


# ----------------------------------------------------------------------------------------------------- move texts


@pytest.mark.parametrize("written", ["1TB", "1Tb", " 1tb "])
def test_moves_are_read_in_either_case(written: str) -> None:
    assert str(GAME.start().move(written)) == "1tb"


@pytest.mark.parametrize(
    ("move", "id", "parameters"),
    [
        ("2r", "error.not_yours", {"hole": "2", "odd": the_player(0), "even": the_player(1)}),
        ("16TB", "error.not_yours", {"hole": "16", "odd": the_player(0), "even": the_player(1)}),
        ("3r", "error.no_red", {"hole": "3"}),
        ("1b", "error.no_blue", {"hole": "1"}),
        ("1tr", "error.no_transparent", {"hole": "1", "kind": "tr"}),
        ("1tb", "error.no_transparent", {"hole": "1", "kind": "tb"}),
        ("17r", "error.no_hole", {"hole": "17", "holes": 16}),
        ("99tb", "error.no_hole", {"hole": "99"}),
        *((bad, "error.form", {"holes": 16}) for bad in ("0r", "01r", "1", "r", "1t", "1rt")),
        *((bad, "error.form", {"holes": 16}) for bad in ("-1r", "1 r", "１r", "1rr", "100r")),
        ("", "error.no_move", {}),
    ],
)
def test_why_a_move_is_illegal(move: str, id: str, parameters: dict[str, object]) -> None:
    holds(why_illegal(position("1:1.0.0 2:9.9.9"), move), id, **parameters)


def test_no_move_in_an_ended_game() -> None:
    holds(why_illegal(position("1:0.0.4 2:0.0.4"), "1tr"), "error.game_is_over")


# ------------------------------------------------------------------------------------------------------- bad texts


@pytest.mark.parametrize(
    ("bad", "id", "params"),
    [
        ("", "text.parts", {"found": 1, "wanted": 4}),
        ("start", "text.parts", {"wanted": 4}),
        (START.replace(" 1 0", " 1"), "text.parts", {"found": 3, "wanted": 4}),
        (START + " 0", "text.parts", {"found": 5, "wanted": 4}),
        (START.replace(" ", "  ", 1), "text.parts", {"found": 5, "wanted": 4}),
        (START.replace("2.2.2/", "", 1), "text.parts", {"found": 15, "wanted": 16}),
        ("2.2.2/" + START, "text.parts", {"found": 17, "wanted": 16}),
        (START.replace("2.2.2", "2.2", 1), "text.parts", {"found": 2, "wanted": 3}),
        (START.replace("2.2.2", "2.2.2.2", 1), "text.parts", {"found": 4, "wanted": 3}),
        (START.replace("2.2.2", "2,2,2", 1), "text.parts", {"wanted": 3}),
        (START.replace("2.2.2", "02.2.2", 1), "text.not_a_number", {"text": "02"}),
        (START.replace("2.2.2", "+2.2.2", 1), "text.not_a_number", {}),
        (START.replace("2.2.2", "2.2.", 1), "text.not_a_number", {"text": ""}),
        (START.replace("2.2.2", "２.2.2", 1), "text.not_a_number", {}),
        (START.replace("2.2.2", "²2.2.2", 1), "text.not_a_number", {}),
        (START.replace("0,0", "0"), "text.parts", {"found": 1, "wanted": 2}),
        (START.replace("0,0", "-1,1"), "text.not_a_number", {}),
        (START.replace(" 1 0", " 1 x"), "text.not_a_number", {"text": "x"}),
        ("é" * 2000, "text.parts", {"wanted": 4}),
        ("1" * 2001, "error.position_too_long", {}),
    ],
)
def test_unreadable_texts(bad: str, id: str, params: dict[str, object]) -> None:
    with refuses(id, **params) as caught:
        GAME.position(bad)
    assert isinstance(caught.value, UnreadableText)


@pytest.mark.parametrize(
    ("bad", "id", "params"),
    [
        (START.replace("0,0", "1,0"), "error.total", {"total": 97, "seeds": 96}),
        (START.replace("2.2.2", "2.2.1", 1), "error.total", {"total": 95, "seeds": 96}),
        (START.replace("2.2.2", "3.2.1", 1), "error.surplus_red", {"seeds": 33, "most": 32}),
        (START.replace("2.2.2", "1.3.2", 1), "error.surplus_blue", {"seeds": 33, "most": 32}),
        (START.replace("2.2.2", "2.1.3", 1), "error.surplus_transparent", {"seeds": 33, "most": 32}),
        (START.replace("2.2.2", "33.2.2", 1), "text.too_large", {"number": "33", "most": 32}),
        (text("1:1.0.0").replace("40,", "97,"), "text.too_large", {"number": "97", "most": 96}),
        (START.replace(" 1 0", " 0 0"), "text.player_to_move", {"text": "0", "players": 2}),
        (START.replace(" 1 0", " 3 0"), "text.player_to_move", {"players": 2}),
        (START.replace(" 1 0", " ² 0"), "text.player_to_move", {"players": 2}),
        (START.replace(" 1 0", " 1 401"), "text.too_large", {"number": "401", "most": 400}),
    ],
)
def test_impossible_positions(bad: str, id: str, params: dict[str, object]) -> None:
    with refuses(id, **params) as caught:
        GAME.position(bad)
    assert isinstance(caught.value, ImpossiblePosition)


# ------------------------------------------------------------------------------------------- properties of the rules


def game_of(choices: list[int]) -> list[Position]:
    """The positions of a game in which each number chooses among the legal moves."""
    positions = [GAME.start()]
    for choice in choices:
        legal = positions[-1].moves()
        if not legal:
            break
        positions.append(positions[-1].play(legal[choice % len(legal)]))
    return positions


QUICK = settings(max_examples=40, deadline=None)
GAMES = st.lists(st.integers(0, 31), min_size=50, max_size=150).map(game_of)  # by default lists are short


def turned(position_text: str, steps: int) -> str:
    """A position with every seed that many holes further; an odd number changes the players over."""
    holes, stores, player, ply = position_text.split()
    ring = holes.split("/")
    if steps % 2:
        stores, player = ",".join(reversed(stores.split(","))), str(3 - int(player))
    return f"{'/'.join(ring[-steps:] + ring[:-steps])} {stores} {player} {ply}"


def turned_move(move: str, steps: int) -> str:
    kind = move.lstrip("0123456789")
    return f"{(int(move.removesuffix(kind)) - 1 + steps) % 16 + 1}{kind}"


@QUICK
@given(GAMES, st.integers(1, 15), st.data())
def test_the_rules_are_the_same_all_round_the_ring(game: list[Position], steps: int, data: st.DataObject) -> None:
    before = data.draw(st.sampled_from(game))
    elsewhere = GAME.position(turned(before.text, steps))
    assert set(moves(elsewhere)) == {turned_move(move, steps) for move in moves(before)}
    for move in moves(before):
        assert elsewhere.play(turned_move(move, steps)).text == turned(before.play(move).text, steps)


@QUICK
@given(GAMES)
def test_no_seed_is_lost(game: list[Position]) -> None:
    for reached in game:
        holes = reached.text.split()[0].replace("/", ".").split(".")
        assert sum(map(int, holes)) + sum(reached.scores) == 96


@QUICK
@given(GAMES, st.integers(-(2**63), 2**63 - 1))
def test_a_random_move_is_the_legal_move_of_its_roll(game: list[Position], seed: int) -> None:
    for reached in game:
        legal = reached.moves()
        assert verbs.count_moves(reached.state) == len(legal)
        if legal:
            assert verbs.random_move(reached.state, seed) == legal[dice.roll(seed, len(legal))].code


# ----------------------------------------------------------------------------------------------------------- the key


def key(holes: str, first: int = 40, player: int = 1, ply: int = 0) -> int:
    return int(verbs.key(position(holes, first, player, ply).state))


def test_the_key_tells_players_stores_holes_and_colours_apart() -> None:
    different = [
        key("1:9.1.0 2:1.0.1"),
        key("1:9.1.0 2:1.0.1", player=2),
        key("1:9.1.0 2:1.0.1", first=41),
        key("3:9.1.0 2:1.0.1"),
        key("1:1.9.0 2:1.0.1"),
        key("1:9.0.1 2:1.0.1"),
        key("1:9.1.0 2:0.1.1"),
        key("2:9.1.0 1:1.0.1"),
    ]
    assert len(set(different)) == len(different)


def test_no_two_colours_cancel_out_in_the_key() -> None:
    """Reds and blues that are alike, or differ in a bit or two, must not make one key of many positions."""
    counts = itertools.product(range(4), repeat=3)
    keys = [key(f"1:{red}.{blue}.{clear} 2:9.9.9", first=30) for red, blue, clear in counts]
    assert len(set(keys)) == 64


def test_the_ply_is_in_the_key_only_when_the_last_one_is_near() -> None:
    board = "1:9.1.0 2:1.0.1"
    assert key(board, ply=0) == key(board, ply=298)
    assert len({key(board, ply=ply) for ply in range(300, 400)}) == 100


# ---------------------------------------------------------------------------------------------------------- the view


def test_the_holes_run_round_in_two_rows() -> None:
    cells = {cell.name: cell for cell in GAME.view.cells(GAME.options)}
    assert set(cells) == {*(str(hole) for hole in range(1, 17)), "store 1", "store 2"}
    along = [cells[str(hole)].x for hole in range(1, 9)]
    assert along == sorted(along)
    assert [cells[str(hole)].x for hole in range(16, 8, -1)] == along
    assert cells["1"].y == cells["8"].y > cells["9"].y == cells["16"].y
    assert [cells[str(hole)].owner for hole in range(1, 17)] == [0, 1] * 8


def test_each_hole_shows_its_three_colours() -> None:
    pieces = GAME.view.pieces(position("1:1.2.3 16:9.0.0", player=2).state)
    assert [(piece.count, piece.colour) for piece in pieces if piece.cell == "1"] == [
        (1, "red"),
        (2, "blue"),
        (3, "clear"),
    ]
    assert sum(piece.count for piece in pieces if not piece.cell.startswith("store")) == 15


def test_a_move_is_entered_by_its_hole_and_its_kind() -> None:
    start = GAME.start()
    assert GAME.view.clicks(start.state, start.move("15tb").code) == [("15", "tb")]
