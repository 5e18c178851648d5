"""A bare name is a registered game or bot, whatever lies in the current folder; a path has a separator or an ending."""

import asyncio
from pathlib import Path

import pytest

import palabre
from palabre.arena.entries import gather, is_handed_in
from palabre.arena.match import Match
from palabre.bots.specs import ALIASES, bots_for, is_registered
from palabre.core import registry
from palabre.core.record import is_reference
from palabre.sandbox.players import close_bot, is_foreign, seat
from palabre.search.clock import Clock
from palabre.web.pool.tasks import Choose, Think
from tests.arena.championships import FIRST
from tests.command import PLAIN
from tests.command import palabre as command
from tests.messages import refuses
from tests.web.pool.pools import PLACE, open_pool

GAME = palabre.game("awele")
NAMES = [*bots_for(GAME), *ALIASES, *registry.names()]


@pytest.fixture(params=["folder", "file"])
def namesakes(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, which holds a folder or a file called like each bot and each game."""
    for name in NAMES:
        if request.param == "folder":
            (tmp_path / name).mkdir()
            (tmp_path / name / "bot.toml").write_text("name = 'a stranger'\nauthors = 'x'\ncommand = 'false'\n")
        else:
            (tmp_path / name).write_text("not a bot, not a game")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_bot_is_ours(namesakes: Path) -> None:
    for name in bots_for(GAME):
        assert not is_foreign(name)
        assert not is_handed_in(name, GAME)
    player = seat("greedy", GAME, untrusted=True)
    assert type(player) is type(palabre.bot("greedy", GAME))
    close_bot(player)


def test_every_game_is_ours(namesakes: Path) -> None:
    for name in registry.names():
        assert palabre.game(name).spec == name
        assert not is_reference(name)


@pytest.mark.usefixtures("plain_python")
def test_matches_and_championships_take_our_bots(namesakes: Path) -> None:
    with Match(["greedy", "random"], GAME, 2) as match:
        assert all(row.forfeit is None for row in match.play())
    (entry,) = gather(["greedy"], GAME, Clock())
    assert (entry.row.name, entry.submission) == ("greedy", None)


@pytest.mark.usefixtures("plain_python")
def test_the_server_finds_its_bots(namesakes: Path) -> None:
    async def scenario() -> None:
        async with open_pool(1) as pool:
            assert (await pool.submit(Choose(PLACE, "palabre:nodes=50"), owner="a").outcome()).move
            assert (await pool.submit(Think(PLACE, bot="palabre", nodes=50), owner="a").outcome()).lines

    asyncio.run(scenario())


@pytest.mark.parametrize(
    "arguments",
    [
        ("match", "greedy", "palabre:nodes=20", "--game", "awele", "--games", "2"),
        ("play", "awele", "--terminal", "--players", "greedy,palabre:nodes=20"),
        ("bots", "awele"),
        ("championship", "greedy", "random", "--game", "awele", "--format", "round-robin", "--dry-run"),
    ],
)
def test_commands_find_our_bots(namesakes: Path, arguments: tuple[str, ...]) -> None:
    done = command(*arguments, settings=PLAIN, cwd=namesakes)
    assert done.returncode == 0, done.stderr
    assert "stranger" not in done.stdout + done.stderr


def test_a_folder_needs_a_separator_and_the_error_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "bot.py").write_text(FIRST)
    monkeypatch.chdir(tmp_path)
    with refuses("spec.bot_without_separator"):
        seat("mine", GAME)
    assert is_foreign("./mine")
    assert is_foreign("mine/")
    assert is_foreign("mine.zip")


def test_a_championship_takes_a_folder_of_submissions_unless_a_bot_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("submissions", "greedy"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path)
    assert is_handed_in("submissions", GAME)
    assert not is_handed_in("greedy", GAME)
    assert is_handed_in("./greedy", GAME)
    assert is_registered("greedy", GAME)
    assert not is_registered("submissions", GAME)
