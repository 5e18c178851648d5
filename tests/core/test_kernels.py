"""Tables, verbs and rules: what they answer, plain and compiled, and what is refused when a game is written."""

import inspect
import itertools
import pydoc
from collections import Counter
from typing import Any, NamedTuple

import pytest

import palabre
from palabre.core import verbs
from palabre.core.dice import shake
from palabre.core.game import Game
from palabre.core.kernels import KERNELS, VERBS, Table, Verb, kernel, rule
from palabre.core.verbs import (
    MANY_PLIES,
    Moves,
    award_remaining,
    count_moves,
    final_score,
    key,
    legal_moves,
    move_buffer,
    players,
    ply,
    random_move,
    repetition_key,
    reversible_plies,
    to_move,
)
from palabre.games.awele import rules
from tests import take_away
from tests.worlds import both

pytestmark = pytest.mark.kernels
AWELE = palabre.game("awele")
TAKE_AWAY = Game(take_away, take_away.GAME.read_options(""))
SQUARE = Table([[1, -2, 3], [2**63 - 1, 0, -(2**63)]])
LINE = Table(range(-2, 3))


class Stranger(NamedTuple):
    """The state of a game that has no rules."""

    word: int


@kernel
def read_tables(row: int, column: int, found: Moves) -> None:
    found[0] = SQUARE[row][column]
    found[1] = LINE[row + column]


def test_tables_are_read_alike_in_both_worlds() -> None:
    for row, column in itertools.product(range(2), range(3)):
        found = [((1, -2, 3), (2**63 - 1, 0, -(2**63)))[row][column], row + column - 2]
        assert both(read_tables, AWELE, row, column, size=2) == [found, found]


def test_a_table_takes_any_iterable_and_never_changes() -> None:
    table = Table((number * row for number in range(3)) for row in range(2))
    assert table == ((0, 0, 0), (0, 1, 2))
    row: Any = table[0]
    with pytest.raises(TypeError):
        row[0] = 1


@pytest.mark.parametrize("rows", [[[1, 2], [3]], [1, [2]], [2**63], [[-(2**63) - 1]]])
def test_a_table_that_no_array_can_hold_is_refused_when_it_is_made(rows: list[Any]) -> None:
    with pytest.raises(ValueError, match="Table"):
        Table(rows)


@kernel
def ask_everything(state: Any, seed: int, answers: Moves) -> None:
    answers[0] = to_move(state)
    answers[1] = players(state)
    answers[2] = ply(state)
    answers[3] = count_moves(state)
    answers[4] = random_move(state, seed)
    answers[5] = key(state)
    answers[6] = final_score(state, 0) * 100 + final_score(state, 1)
    answers[7] = repetition_key(award_remaining(state))
    answers[8] = reversible_plies(state)


@pytest.mark.parametrize("heap", [1, 2, 3, 12])
def test_verbs_without_a_rule_have_the_answers_of_most_games(heap: int) -> None:
    state = take_away.State(heap, 1)
    drawn = random_move(state, 7)
    assert drawn in range(min(heap, 3))
    expected = [1, 2, 0, min(heap, 3), drawn, key(state), 0, 0, MANY_PLIES]
    assert both(ask_everything, TAKE_AWAY, state, 7, size=9) == [expected, expected]
    assert award_remaining(state) == state


def test_two_games_answer_the_same_kernel_each_by_its_own_rules() -> None:
    course, repeating = (palabre.game(spec).start().play("F").state for spec in ("awele", "awele:abapa"))
    for state in (course, repeating):
        plain, fast = both(ask_everything, AWELE, state, 3, size=9)
        assert plain == fast
        assert plain[:4] == [1, 2, 0, 6]
    assert both(ask_everything, TAKE_AWAY, take_away.State(2, 0), 3, size=9)[1][:4] == [0, 2, 0, 2]
    assert repetition_key(course) == 0 != repetition_key(repeating)


def test_the_default_key_tells_states_apart() -> None:
    states = [take_away.State(heap, player) for heap in range(41) for player in range(2)]
    assert len({key(state) for state in states}) == len(states)


def test_the_default_random_move_is_each_legal_move_as_often() -> None:
    seed, drawn = 0, Counter[int]()
    for _ in range(3000):
        seed = shake(seed)
        drawn[random_move(take_away.State(9, 0), seed)] += 1
    assert set(drawn) == {0, 1, 2}
    assert sum((count - 1000) ** 2 / 1000 for count in drawn.values()) < 13.82  # chi-square, 1 in 1000


def test_a_move_buffer_has_room_for_the_most_moves_of_its_own_game() -> None:
    assert len(move_buffer(take_away.State(9, 0))) == take_away.MOST_MOVES
    assert len(move_buffer(AWELE.start().state)) == 6


@kernel
def move_twice(state: Any, moves: Moves) -> None:
    """Two buffers at once: they must not be the same memory."""
    first, second = move_buffer(state), move_buffer(state)
    count = legal_moves(state, first)
    second[0] = 77
    for index in range(count):
        moves[index] = first[index]
    moves[8] = second[0]


def test_two_move_buffers_of_one_kernel_are_two_places() -> None:
    expected = [0, 1, 2, 0, 0, 0, 0, 0, 77]
    assert both(move_twice, TAKE_AWAY, take_away.State(9, 0), size=9) == [expected, expected]


def test_a_state_without_a_rule_is_named_with_the_verb() -> None:
    with pytest.raises(TypeError, match=r"Stranger has no rule 'play'"):
        verbs.play(Stranger(1), 0)


def test_a_default_answers_even_for_a_stranger() -> None:
    assert players(Stranger(1)) == 2
    assert key(Stranger(1)) != key(Stranger(2))


def test_a_verb_keeps_the_name_and_the_words_of_its_declaration() -> None:
    play = VERBS["play"]
    assert isinstance(play, Verb)
    assert (play.name, play.required, play.__doc__) == ("play", True, "The state after a legal move.")
    asked_of_states = [verb for verb in VERBS.values() if verb.is_for_states]
    assert {verb.name for verb in asked_of_states if verb.required} == {
        "legal_moves",
        "play",
        "is_over",
        "to_move",
        "score",
    }


def test_a_rule_for_no_verb_is_refused_with_the_verbs_there_are() -> None:
    def legal_move(state: Stranger) -> int:
        return 0

    with pytest.raises(TypeError, match=r"@rule legal_move: there is no such verb; the verbs are award_rem.*ply"):
        rule(legal_move)


def test_a_rule_must_annotate_its_first_argument() -> None:
    def play(state, move: int) -> Stranger:  # type: ignore[no-untyped-def]
        return Stranger(move)

    def is_over() -> bool:
        return True

    for function in (play, is_over):
        with pytest.raises(TypeError, match="annotate its first argument"):
            rule(function)
    assert not {int, bool} & set(VERBS["play"].answers)


def test_a_refused_rule_answers_nothing_and_a_rule_is_left_as_it_was() -> None:
    def ply(state: Stranger) -> int:
        return state.word

    try:
        assert rule(ply) is ply
        assert verbs.ply(Stranger(5)) == 5
    finally:
        del VERBS["ply"].answers[Stranger]
        del KERNELS[ply]  # type: ignore[arg-type]
    assert verbs.ply(Stranger(5)) == 0


def test_a_rule_for_the_states_of_another_game_is_refused() -> None:
    """It would change that game for everyone in this process, before and after."""

    def reversible_plies(state: rules.State) -> int:
        return 7

    def ply(state: take_away.State) -> int:  # tests are a package, and may share a game
        return 7

    plies = verbs.reversible_plies(AWELE.start().state)
    with pytest.raises(TypeError, match=r"awele\.rules\.State has its rules in its own files"):
        rule(reversible_plies)
    assert verbs.reversible_plies(AWELE.start().state) == plies != 7
    try:
        rule(ply)
    finally:
        del VERBS["ply"].answers[take_away.State], KERNELS[ply]  # type: ignore[index]


def test_help_says_what_a_verb_takes_and_answers() -> None:
    told = pydoc.plain(pydoc.render_doc(verbs.margin_bounds))
    assert "<verb margin_bounds(state: State) -> tuple[int, int]>" in told
    assert "by which the player to move ends ahead" in told
    assert "key = <verb key(state: State) -> int>" in pydoc.plain(pydoc.render_doc(verbs))
    assert list(inspect.signature(verbs.evaluate).parameters) == ["weights", "state", "player"]
