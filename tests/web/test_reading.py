"""Pasted texts find their game: the one that was asked for, or else another one that they fit."""

import pytest

import palabre
from palabre.core.errors import UnreadableText
from palabre.core.registry import names
from palabre.web.limits import Folders, ServerLimits
from palabre.web.reading import Reader
from palabre.web.refusal import Refused

READER = Reader(ServerLimits(), Folders())
GAMES = [*names(), "penguins:players=3"]


@pytest.mark.parametrize("spec", GAMES)
def test_a_position_pasted_for_another_game_is_opened_in_its_own(spec: str) -> None:
    position = palabre.game(spec).start(3)
    for _ in range(4):
        position = position.play(position.moves()[0])
    for asked in (*names(), None):
        place = READER.text(position.text, asked)
        assert place.game.partition(":")[0] == spec.partition(":")[0]
        assert READER.positions(place)[-1].text == position.text
    assert READER.text(position.text, spec).game == spec


def test_moves_pasted_for_another_game_are_played_in_theirs() -> None:
    place = READER.text("C c A", "abalone")
    assert (place.game.partition(":")[0], place.moves) == ("awele", ["C", "c", "A"])


def test_what_fits_no_game_is_refused_for_the_one_that_was_asked() -> None:
    with pytest.raises(UnreadableText) as raised:
        READER.text("nonsense", "awele")
    with pytest.raises(UnreadableText) as other:
        palabre.game("awele").position("nonsense")
    assert str(raised.value) == str(other.value)
    with pytest.raises(Refused):
        READER.text("nonsense", None)
