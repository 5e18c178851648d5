"""What a net sees of Avalam, against the slow, obvious form."""

import pytest

import palabre
from palabre.core.verbs import features, phase, row_buffer
from tests.evaluation import random_games
from tests.naive import avalam as naive

SETTLED, FIVES = 512 + 12, 512 + 25 + 3


def seen(position: palabre.Position) -> list[int]:
    rows = row_buffer(position.state)
    return sorted(rows[: features(position.state, rows)])


def naive_features(text: str, preset: str) -> list[int]:
    """The features of a position by its text, tower by tower."""
    position = naive.Position.from_text(text, preset)
    rows, settled, fives = [], 0, 0
    for cell, tower in position.board.items():
        sign = 1 if tower.owner == position.to_move else -1
        around = [position.board[other] for other in naive.neighbours(cell) if other in position.board]
        joinable = [
            other
            for other in around
            if tower.height + other.height <= naive.HIGHEST and (preset == "official" or other.owner != tower.owner)
        ]
        if not joinable:
            settled += sign
            fives += sign * (tower.height == naive.HIGHEST)
            continue
        friends = [other for other in joinable if other.owner == tower.owner]
        enemies = [other for other in joinable if other.owner != tower.owner]
        makes_five = [
            any(tower.height + other.height == naive.HIGHEST for other in group) for group in (friends, enemies)
        ]
        number = tower.height - 1 + 4 * min(len(friends), 3) + 16 * min(len(enemies), 3)
        rows.append(number + 64 * makes_five[0] + 128 * makes_five[1] + 256 * (sign < 0))
    rows.append(SETTLED + max(-12, min(12, settled)))
    rows.append(FIVES + max(-3, min(3, fives)))
    return sorted(rows)


@pytest.mark.parametrize("preset", ["official", "course"])
def test_features_are_the_naive_ones_in_random_games(preset: str) -> None:
    for position in random_games(f"avalam:{preset}", 8):
        if not position.is_over:
            assert seen(position) == naive_features(position.text, preset), position.text


def test_a_phase_is_six_plies() -> None:
    phases = [phase(position.state) for position in random_games("avalam:official", 1)]
    assert phases == [min(number // 6, 5) for number in range(len(phases))]
