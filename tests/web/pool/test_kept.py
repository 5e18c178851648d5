"""What a process keeps from job to job, and how much of it."""

from pathlib import Path

import pytest

from palabre.core.errors import PalabreError
from palabre.web.limits import Folders, ServerLimits
from palabre.web.pool import kept
from palabre.web.pool.kept import SearchCache
from palabre.web.pool.tasks import SearchSetup
from palabre.web.requests import Place
from tests.arena.needs import needs_sandbox

SETUP = SearchSetup(ServerLimits(memory=1))
PLACE = Place("awele", moves=["C", "d", "E"])
BOT = """
from palabre import Bot
class Mine(Bot):
    def choose(self, position, clock):
        return position.moves()[0]
"""

pytestmark = pytest.mark.usefixtures("plain_python")


def test_a_bot_that_is_ready_is_used_again() -> None:
    mine = SearchCache(SETUP)
    game = mine.position(PLACE).game
    assert mine.bot("palabre:nodes=10", game) is mine.bot("palabre:nodes=10", game)
    assert mine.bot("palabre:nodes=20", game) is not mine.bot("palabre:nodes=10", game)


def test_tables_are_bounded_one_by_one_and_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MOST_MEGABYTES", 3)
    mine = SearchCache(SETUP)
    game = mine.position(PLACE).game
    bots = [mine.bot(f"palabre:nodes={nodes}", game) for nodes in range(1, 8)]
    assert all(bot.options.number("memory") == 1 for bot in bots)
    assert mine.megabytes == 3
    assert mine.bot("palabre:nodes=7", game) is bots[-1]
    assert mine.bot("palabre:nodes=1", game) is not bots[0]


def test_the_number_of_bots_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MOST_BOTS", 2)
    mine = SearchCache(SETUP)
    game = mine.position(PLACE).game
    first = mine.bot("idiot:seed=1", game)
    mine.bot("idiot:seed=2", game)
    assert mine.bot("idiot:seed=1", game) is first
    mine.bot("idiot:seed=3", game)
    assert mine.bot("idiot:seed=1", game) is first  # the one that was not used is gone


@pytest.mark.parametrize("plies", range(12))
def test_a_position_is_the_same_however_much_of_its_game_is_known(plies: int) -> None:
    mine = SearchCache(SETUP)
    moves: list[str] = []
    position = mine.position(Place("awele"))
    for _ in range(plies):
        moves.append(position.moves()[-1].text)
        position = position.play(moves[-1])
    for known in (0, max(0, plies - 2), plies):
        mine.position(Place("awele", moves=moves[:known]))
    found = mine.position(Place("awele", moves=moves))
    assert found == position
    assert [move.text for move in found.played] == moves


def test_positions_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MOST_POSITIONS", 2)
    mine = SearchCache(SETUP)
    places = [Place("awele", moves=[move]) for move in "ABCDEF"]
    found = [mine.position(place) for place in places]
    assert mine.position(places[-1]) is found[-1]
    assert mine.position(places[0]) is not found[0]


@needs_sandbox
def test_a_guest_does_not_see_another_bot_on_offer(tmp_path: Path) -> None:
    """It comes with the helpers beside it, unless one of what it imports may play against it."""
    files = {
        "alone.py": f"import helper\n{BOT}",
        "spy.py": f"import rival\n{BOT}",
        "deep_spy.py": f"import more.rival\n{BOT}",
        "helper.py": "secret = 1",
        "rival.py": BOT,
        "more/__init__.py": "",
        "more/rival.py": BOT,
    }
    folder = tmp_path / "mine"
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    mine = SearchCache(SearchSetup(ServerLimits(memory=1), Folders(bots=(folder,))))
    game = mine.position(PLACE).game
    try:
        assert mine.guest(("room", 0, "mine/alone.py"), game, 0)
        for spy in ("spy", "deep_spy"):
            with pytest.raises(PalabreError, match="No module named"):
                mine.guest(("room", 0, f"mine/{spy}.py"), game, 0)
    finally:
        mine.end_room("room", None)


def test_a_game_of_a_folder_is_found(small_game: Path) -> None:
    mine = SearchCache(SearchSetup(ServerLimits(memory=1), Folders(games=(small_game,))))
    name = f"{small_game.parent.name}/{small_game.name}"
    assert mine.position(Place(name, moves=["1", "2"])).game.spec == name
