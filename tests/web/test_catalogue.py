"""What can be chosen for a game: bots that analyse are told from those that only play."""

import contextlib
from pathlib import Path

import pytest

import palabre
from palabre.bots.analysis import analysing_bot
from palabre.core.errors import PalabreError
from palabre.core.registry import names
from palabre.web.catalogue import choices
from palabre.web.limits import Folders, ServerLimits
from palabre.web.reading import Reader


@pytest.mark.parametrize("spec", [*names(), "penguins:players=3"])
def test_those_that_analyse_are_the_bots_that_search(spec: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("from palabre import Bot\n", encoding="utf-8")
    game = palabre.game(spec)
    listed = choices(game, Reader(ServerLimits(), Folders(bots=(tmp_path,))), "en").bots
    found = set()
    for bot in listed[:-1]:
        with contextlib.suppress(PalabreError):
            analysing_bot(bot.name, game)
            found.add(bot.name)
    assert {bot.name for bot in listed if bot.can_analyse} == found
    assert 0 < len(found) < len(listed)
    assert not listed[-1].can_analyse  # somebody's own bot plays, and does not analyse
