"""Properties that hold for every game, in every variant, along any game: a game is a list of small numbers."""

from collections.abc import Callable, Iterable, MutableSequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import palabre
from palabre.compile.compiler import compiled, integers
from palabre.core import verbs
from palabre.core.dice import shake
from palabre.core.kernels import kernel
from palabre.core.verbs import Moves
from palabre.laws.compiled import AFTER, NO_MOVE, answers
from tests.specs import EXAMPLE, all_specs
from tests.worlds import both

pytestmark = pytest.mark.slow

SPECS = [*all_specs(), EXAMPLE]
CHOICES = st.lists(st.integers(0, 400), max_size=70)
QUICK = settings(max_examples=15, deadline=None)


def along(spec: str, seed: int, choices: Iterable[int]) -> list[palabre.Position]:
    """The positions of the game in which move `choice % number of moves` is played each time."""
    position = palabre.game(spec).start(seed)
    found = [position]
    for choice in choices:
        moves = position.moves()
        if not moves:
            break
        position = position.play(moves[choice % len(moves)])
        found.append(position)
    return found


@pytest.mark.parametrize("spec", SPECS)
@QUICK
@given(seed=st.integers(0, 9), choices=CHOICES)
def test_texts_read_back_to_the_same_position(spec: str, seed: int, choices: list[int]) -> None:
    for position in along(spec, seed, choices)[-3:]:
        again = position.game.position(position.text)
        assert again.state == position.state
        assert again.text == position.text
        assert again.moves() == position.moves()


@pytest.mark.parametrize("spec", SPECS)
@QUICK
@given(seed=st.integers(0, 9), choices=CHOICES)
def test_legal_moves_are_ascending_codes_with_different_texts(spec: str, seed: int, choices: list[int]) -> None:
    for position in along(spec, seed, choices)[-3:]:
        rules = position.game.rules
        codes = [move.code for move in position.moves()]
        assert codes == sorted(set(codes))
        assert all(0 <= code < rules.MOVE_CODES for code in codes)
        assert len(codes) <= rules.MOST_MOVES
        assert len({move.text for move in position.moves()}) == len(codes)
        for move in position.moves():
            assert position.move(move.text) == move
            assert position.move(move.text.upper()).code == position.move(move.text.lower()).code


@pytest.mark.parametrize("spec", SPECS)
@QUICK
@given(seed=st.integers(0, 9), choices=CHOICES, text=st.text(max_size=8))
def test_a_text_is_legal_exactly_when_it_is_listed(spec: str, seed: int, choices: list[int], text: str) -> None:
    position = along(spec, seed, choices)[-1]
    listed = {move.text.lower() for move in position.moves()}
    if text.strip().lower() in listed:
        position.play(text)
    else:
        with pytest.raises(palabre.IllegalMove):
            position.play(text)


@pytest.mark.parametrize("spec", SPECS)
@QUICK
@given(seed=st.integers(0, 9), choices=CHOICES)
def test_an_end_has_a_result_and_only_an_end(spec: str, seed: int, choices: list[int]) -> None:
    for position in along(spec, seed, choices)[-3:]:
        assert position.is_over == (position.moves() == [])
        assert (position.result is not None) == position.is_over
        assert 0 <= position.to_move < position.game.players
        assert len(position.scores) == position.game.players == verbs.players(position.state)
        if position.result is not None:
            assert sum(position.result) == pytest.approx(1.0)


@pytest.mark.parametrize("spec", SPECS)
@QUICK
@given(seed=st.integers(0, 9), choices=CHOICES)
def test_states_are_words(spec: str, seed: int, choices: list[int]) -> None:
    for position in along(spec, seed, choices)[-3:]:
        assert all(type(word) is int and -(2**63) <= word < 2**63 for word in position.state)


@pytest.mark.parametrize("spec", SPECS)
@QUICK
@given(seed=st.integers(0, 3), choices=CHOICES, first=st.integers(0, 400), second=st.integers(0, 400))
def test_keys_are_equal_exactly_for_equal_futures(
    spec: str, seed: int, choices: list[int], first: int, second: int
) -> None:
    """Two different continuations: the keys are equal if the positions are, and differ if the texts do.

    In Penguins, positions that differ only in which penguins are dead have the same future, and the same key.
    """
    start = along(spec, seed, choices)[-1]
    ends = [along_from(start, order)[-1] for order in ((first, second, 7), (7, second, first))]
    left, right = (verbs.key(end.state) for end in ends)
    if ends[0].state == ends[1].state:
        assert left == right
    if board_of(ends[0]) != board_of(ends[1]) and start.game.facts.name != "penguins":
        assert left != right


def along_from(position: palabre.Position, choices: Iterable[int]) -> list[palabre.Position]:
    found = [position]
    for choice in choices:
        moves = found[-1].moves()
        if moves:
            found.append(found[-1].play(moves[choice % len(moves)]))
    return found


def board_of(position: palabre.Position) -> str:
    """The text without counters of plies at its end, which need not be part of a key."""
    text = position.text
    return text.rsplit(" ", 1)[0] if position.game.facts.name in ("awele", "awale", "abalone") else text


@pytest.mark.parametrize("spec", SPECS)
@QUICK
@given(seed=st.integers(0, 9), choices=CHOICES)
def test_no_click_path_begins_another(spec: str, seed: int, choices: list[int]) -> None:
    position = along(spec, seed, choices)[-1]
    game = position.game
    paths = [(path, move) for move in position.moves() for path in game.view.clicks(position.state, move.code)]
    assert {move for _, move in paths} == set(position.moves())
    owner = dict(paths)
    for path, move in paths:
        assert path
        for length in range(1, len(path) + 1):
            assert owner.get(path[:length], move) == move
    names = {cell.name for cell in game.view.cells(game.options)}
    assert all(path[0] in names for path, _ in paths)
    assert all(piece.cell in names for piece in game.view.pieces(position.state))


def answered(
    ask: Callable[..., None], game: palabre.Game, state: Any, move: int, room: Callable[..., Any]
) -> list[int]:
    """All that the verbs answer, with the moves that they list; `room` makes the buffers."""
    moves, tactical = (room([0] * game.rules.MOST_MOVES) for _ in range(2))
    told = room([0] * (AFTER + len(state)))
    ask(state, move, verbs.key(state), moves, tactical, told)
    return [*moves, *tactical, *told]


@kernel
def remainder(state: Any, told: MutableSequence[int]) -> None:
    """What is left of a game when it ends here."""
    for place, word in enumerate(verbs.award_remaining(state)):
        told[place] = word


@pytest.mark.kernels
@pytest.mark.compiled_twin
@pytest.mark.parametrize("spec", SPECS)
def test_compiled_and_plain_rules_say_the_same(spec: str) -> None:
    """All that the verbs answer along random games, and what an end would hand out."""
    game = palabre.game(spec)
    worlds: list[tuple[Callable[..., None], Callable[..., Any]]] = [
        (answers, list),
        (compiled(answers, game), integers),
    ]
    for seed in range(6):
        state = game.start(seed).state
        for ply in range(150):
            over = verbs.is_over(state)
            move = NO_MOVE if over else verbs.random_move(state, shake(seed + ply))
            told = [answered(ask, game, state, move, room) for ask, room in worlds]
            assert told[0] == told[1], (move, state)
            if over or ply % 10 == 0:
                plain, fast = both(remainder, game, state, size=len(state))
                assert plain == fast, (ply, state)
            if over:
                break
            state = verbs.play(state, move)


@kernel
def random_moves(state: Any, count: int, tally: Moves) -> None:
    for seed in range(count):
        tally[verbs.random_move(state, shake(seed))] += 1


@pytest.mark.parametrize("spec", SPECS)
def test_random_moves_are_legal_and_equally_likely(spec: str) -> None:
    """Chi-square over the legal moves of a few positions; the bound is far out (six standard deviations)."""
    for choices in ([], [5, 3, 8, 2, 6], [1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4, 6]):
        position = along(spec, 1, choices)[-1]
        if position.is_over:
            continue
        codes = [move.code for move in position.moves()]
        tally = [0] * position.game.rules.MOVE_CODES
        draws = 40 * len(codes)
        random_moves(position.state, draws, tally)
        assert sum(tally[code] for code in codes) == draws
        surprise = sum((tally[code] - 40) ** 2 / 40 for code in codes)
        freedom = len(codes) - 1
        assert surprise < freedom + 6 * (2 * freedom) ** 0.5 + 6
