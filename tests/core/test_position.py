"""Position and Move on Awélé: playing by move and by text, refusing with a reason, repetition, reading bad texts."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import palabre
from palabre import ImpossiblePosition, Move, UnreadableText
from palabre.core.words import say
from tests import take_away
from tests.messages import refuses

AWELE = palabre.game("awele")
ABAPA = palabre.game("awele:abapa")
START = "4,4,4,4,4,4/4,4,4,4,4,4 0,0 1 0"


def test_the_first_position_says_what_it_is() -> None:
    start = AWELE.start()
    assert (start.text, start.to_move, start.ply, start.scores) == (START, 0, 0, (0, 0))
    assert (start.is_over, start.result) == (False, None)
    assert [str(move) for move in start.moves()] == list("ABCDEF")
    assert [move.code for move in start.moves()] == list(range(6))


def test_playing_leaves_the_position_as_it_was() -> None:
    start = AWELE.start()
    moves = start.moves()
    after = start.play("C")
    assert after.text == "4,4,0,5,5,5/5,4,4,4,4,4 0,0 2 1"
    assert (after.to_move, after.ply) == (1, 1)
    assert (start.text, start.ply, start.moves()) == (START, 0, moves)


def test_the_list_of_moves_is_the_callers_own() -> None:
    start = AWELE.start()
    start.moves().clear()
    assert len(start.moves()) == 6
    assert start.play("A").ply == 1


def test_a_state_and_a_move_cannot_be_changed() -> None:
    start = AWELE.start()
    with pytest.raises(AttributeError):
        start.moves()[0].code = 3  # type: ignore[misc]
    with pytest.raises(AttributeError):
        start.state.own = 0


@pytest.mark.parametrize("text", ["A", "a", " A", "a\n", "\tA  "])
def test_a_move_is_known_by_its_text_in_either_case(text: str) -> None:
    start = AWELE.start()
    assert start.move(text) == Move(0, "A")
    assert start.play(text) == start.play(start.moves()[0]) == start.play(Move(0, "A"))
    answer = start.play("F")
    assert answer.move(text) == Move(0, "a")


@pytest.mark.parametrize(
    ("position", "move", "why"),
    [
        (START, "G", "error.one_letter"),
        (START, "AA", "error.one_letter"),
        (START, "1", "error.one_letter"),
        (START, "ß", "error.one_letter"),
        (START, "", "error.no_move"),
        (START, " ", "error.no_move"),
        (START, "A" * 10_000_000, "error.no_move"),
        ("0,4,4,4,4,4/8,4,4,4,4,4 0,0 1 0", "A", "error.empty_pit"),
        ("1,0,0,0,0,1/0,0,0,0,0,0 23,23 1 0", "A", "error.must_feed"),
        ("1,1,1,1,1,1/1,1,1,1,1,1 24,12 1 0", "G", "error.one_letter"),
        ("1,1,1,1,1,1/1,1,1,1,1,1 36,0 1 0", "A", "error.game_is_over"),
    ],
)
def test_an_illegal_move_is_told_with_move_position_and_reason(position: str, move: str, why: str) -> None:
    game = palabre.game("awele:stop=0")
    with refuses(why) as told:
        game.position(position).play(move)
    message = str(told.value)
    assert repr(move[:60]) in message
    assert position in message
    assert len(message) < 300


def test_a_move_of_another_position_is_refused() -> None:
    start = AWELE.start()
    for stranger in (Move(0, "a"), Move(1, "A"), Move(99, "A"), Move(-1, "A"), Move(0, "")):
        with refuses("error.illegal_move", why=say("error.move_of_another_position")):
            start.play(stranger)
    theirs = start.play("F").moves()[0]
    with refuses("error.illegal_move", move="a", why=say("error.move_of_another_position")):
        start.play(theirs)


def test_equal_positions_are_equal_and_hash_alike() -> None:
    first, second = AWELE.start().play("A"), palabre.game("awele:course").start().play("a")
    assert first == second
    assert hash(first) == hash(second)
    assert len({first, second, AWELE.start()}) == 2
    assert first != AWELE.start()
    assert first != palabre.game("awele:stop=7").start().play("A")
    assert first != first.text
    assert first == AWELE.position(first.text)


def test_a_position_prints_as_a_board_and_shows_its_text_in_tracebacks() -> None:
    position = AWELE.start().play("F")
    lines = str(position).splitlines()
    assert [line.split() for line in lines[:4]] == [
        ["4", "4", "5", "5", "5", "5"],
        [f"○{name}" for name in "fedcba"],
        ["4", "4", "4", "4", "4", "0"],
        [f"●{name}" for name in "ABCDEF"],
    ]
    assert "player 1: 0" in lines[-1]
    assert lines[-1].endswith("player 2 to move")
    assert repr(position) == f"<Position awele {position.text}>"


# ------------------------------------------------------------------------------------------------- abapa, by history


# Each has one seed and pushes it round; they come back to the same places without a capture.
ROUND = "0,0,0,0,0,1/0,0,0,0,0,1 23,23 1 0"


def test_a_repeated_position_ends_abapa_and_hands_the_seeds_out() -> None:
    position = ABAPA.position(ROUND)
    seen = []
    while not position.is_over:
        seen.append(position.text.rsplit(" ", 1)[0])
        position = position.play(position.moves()[0])
        assert len(seen) < 200
    assert len(set(seen)) == len(seen)
    assert position.moves() == []
    assert sum(position.scores) == 48
    assert position.text.startswith("0,0,0,0,0,0/0,0,0,0,0,0 ")
    assert ABAPA.position(position.text).result == position.result


def test_history_is_part_of_an_abapa_position() -> None:
    """The same board is another position when it can repeat, and a position read from a text has no past."""
    position = ABAPA.start().play("A").play("a")
    read = ABAPA.position(position.text)
    assert position != read
    assert (position.state, len(position.seen), len(read.seen)) == (read.state, 3, 1)
    assert AWELE.start().play("A").seen == ()


def test_the_course_rules_do_not_end_by_repetition() -> None:
    game = palabre.game("awele:stop=0,stagnation=60")
    position = game.position(ROUND)
    boards = []
    while not position.is_over:
        boards.append(position.text.rsplit(" ", 1)[0])
        position = position.play(position.moves()[0])
    assert len(set(boards)) < len(boards) == 60


# ---------------------------------------------------------------------------------------------------------- bad texts


@pytest.mark.parametrize(
    ("text", "error", "id", "params"),
    [
        ("", UnreadableText, "text.parts", {"found": 1, "wanted": 4}),
        (START + " 7", UnreadableText, "text.parts", {"found": 5, "wanted": 4}),
        (START.replace(" ", "  ", 1), UnreadableText, "text.parts", {"found": 5, "wanted": 4}),
        (START.replace("/", ","), UnreadableText, "text.parts", {"wanted": 2}),
        (START.replace("4,", "", 1), UnreadableText, "text.parts", {"found": 5, "wanted": 6}),
        (START.replace("4", "x", 1), UnreadableText, "text.not_a_number", {"text": "x"}),
        (START.replace("4", "+4", 1), UnreadableText, "text.not_a_number", {"text": "+4"}),
        (START.replace("4", "04", 1), UnreadableText, "text.not_a_number", {"text": "04"}),
        (START.replace("4", "٤", 1), UnreadableText, "text.not_a_number", {}),
        (START.replace("4", "²", 1), UnreadableText, "text.not_a_number", {}),
        (START.replace("4", "", 1), UnreadableText, "text.not_a_number", {"text": ""}),
        (START.replace("4", "-4", 1), UnreadableText, "text.not_a_number", {"text": "-4"}),
        (START.replace("4", "5", 1), ImpossiblePosition, "error.total", {"total": 49, "seeds": 48}),
        (START.replace("4", "49", 1), ImpossiblePosition, "text.too_large", {"number": "49", "most": 48}),
        (START.replace("4", "9" * 2000, 1), UnreadableText, "error.position_too_long", {}),
        (START.replace(" 1 ", " 3 "), ImpossiblePosition, "text.player_to_move", {"players": 2}),
        (START.replace(" 1 ", " 0 "), ImpossiblePosition, "text.player_to_move", {"players": 2}),
        (START[:-1] + "99999999999", ImpossiblePosition, "text.too_large", {"most": 1000000}),
        ("4" * 10_000_000, UnreadableText, "error.position_too_long", {}),
        ("\0" * 10_000_000, UnreadableText, "error.position_too_long", {}),
    ],
)
def test_a_bad_text_is_refused_with_the_reason(
    text: str, error: type[palabre.PalabreError], id: str, params: dict[str, object]
) -> None:
    with refuses(id, **params) as refusal:
        AWELE.position(text)
    assert isinstance(refusal.value, error)
    assert len(str(refusal.value)) < 400


def check_text(text: str) -> None:
    """A text is a position that reads back, or one of our two errors."""
    for game in (AWELE, ABAPA):
        try:
            position = game.position(text)
        except (UnreadableText, ImpossiblePosition):
            continue
        assert game.position(position.text).text == position.text
        assert sum(position.scores) <= 48


@settings(deadline=None)
@given(st.text(max_size=60) | st.from_regex(r"[0-9,/ ]{20,50}", fullmatch=True))
def test_any_text_is_a_position_or_one_of_two_errors(text: str) -> None:
    check_text(text)


@settings(deadline=None, max_examples=300)
@given(
    place=st.integers(0, len(START)),
    cut=st.integers(0, 3),
    put=st.text("0123456789,/ -+._٤é\0\n", max_size=3) | st.text(),
)
def test_a_spoiled_text_is_a_position_or_one_of_two_errors(place: int, cut: int, put: str) -> None:
    check_text(START[:place] + put + START[place + cut :])


@pytest.mark.parametrize("name", ["state", "ply", "game", "seen"])
def test_nothing_of_a_position_can_be_assigned(name: str) -> None:
    position = palabre.game("awele").start()
    with pytest.raises(AttributeError):
        setattr(position, name, None)


def test_a_copy_shares_nothing_that_can_be_changed() -> None:
    position = palabre.game("awele").start().play("A")
    copied = position.copy()
    assert copied == position
    assert copied.moves() == position.moves()
    copied._codes.clear()
    vars(copied)["state"] = None
    assert [str(move) for move in position.moves()] == ["a", "b", "c", "d", "e", "f"]
    assert position.has(Move(0, "a"))
    assert not position.has(Move(0, "A"))
    assert not position.has(Move(99, "a"))


def test_a_text_in_its_own_case_comes_before_one_in_another(tmp_path: Path) -> None:
    source = take_away.source().replace("return str(move + 1)", 'return "aAb"[move]')
    (tmp_path / "cases.py").write_text(source, encoding="utf-8")
    start = palabre.game(str(tmp_path / "cases.py")).start()
    assert [start.move(text).code for text in ("a", "A", "b", "B")] == [0, 1, 2, 2]
