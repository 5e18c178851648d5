"""Every game plays its golden playthrough again, to the letter."""

import pytest

from palabre.core import registry
from tests.playthrough import FOLDER, text_of


def test_every_game_has_a_playthrough() -> None:
    assert [file.stem for file in sorted(FOLDER.glob("*.txt"))] == list(registry.names())


@pytest.mark.parametrize("name", registry.names())
def test_the_playthrough_is_the_same_again(name: str) -> None:
    assert text_of(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8"), "see tests/playthrough.py"
