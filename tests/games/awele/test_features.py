"""What a net sees of Awélé, against the slow, obvious form."""

import random

import pytest

import palabre
from palabre.core.verbs import features, phase, row_buffer
from tests.evaluation import random_games
from tests.naive import awele as naive

COUNTS = 17
TAKEN, ATTACKS = 12 * COUNTS, 12 * COUNTS + 50
MOST_TO_ATTACK = 22  # seeds: beyond, a sowing goes round twice


def seen(position: palabre.Position) -> list[int]:
    rows = row_buffer(position.state)
    return sorted(rows[: features(position.state, rows)])


def naive_features(text: str) -> list[int]:
    """The features of a position by its text, one after the other."""
    position = naive.Position.from_text(text, "abapa")
    sides = naive.SIDES[position.to_move], naive.SIDES[1 - position.to_move]
    pits = sides[0] + sides[1]
    rows = [COUNTS * number + min(position.board[pit], 16) for number, pit in enumerate(pits)]
    rows += [TAKEN + position.scores[position.to_move], TAKEN + 25 + position.scores[1 - position.to_move]]
    for side, other in (sides, sides[::-1]):
        hits = []
        for pit in side:
            if not 0 < position.board[pit] <= MOST_TO_ATTACK:
                continue
            sown, last = naive.sow(position.board, pit)
            if last in other and sown[last] in (2, 3):
                hits.append(last)
                rows.append(ATTACKS + 6 * pits.index(pit) + sown[last] - 2)
        for pit in set(hits):
            kind = 2 + 2 * (hits.count(pit) > 1) + (position.board[pit] == 2)
            rows.append(ATTACKS + 6 * pits.index(pit) + kind)
    return sorted(rows)


def test_features_are_the_naive_ones_in_random_games() -> None:
    for position in random_games("awele:abapa", 20):
        if not position.is_over:
            assert seen(position) == naive_features(position.text), position.text


def test_features_are_the_naive_ones_with_many_seeds_in_a_pit() -> None:
    dice = random.Random(3)
    game = palabre.game("awele:abapa")
    for _ in range(500):
        seeds = [0] * 12
        for _ in range(48):
            seeds[dice.choice((0, 4, 5, 7, dice.randrange(12)))] += 1
        pits = ",".join(map(str, seeds[:6])) + "/" + ",".join(map(str, seeds[6:]))
        position = game.position(f"{pits} 0,0 {dice.randint(1, 2)} 0")
        assert seen(position) == naive_features(position.text), position.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4,4,4,4,4,4/4,4,4,4,4,4 0,0 1 0", 5),
        ("0,0,0,0,0,1/4,4,0,0,0,0 20,19 2 0", 1),
        ("1,0,0,0,0,1/1,4,0,0,0,0 20,21 1 0", 0),
    ],
)
def test_a_phase_is_eight_seeds_on_the_board(text: str, expected: int) -> None:
    assert phase(palabre.game("awele").position(text).state) == expected
