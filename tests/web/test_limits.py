"""What a browser may ask for: registered names, and values up to the limits of the server."""

from pathlib import Path

import pytest

from palabre.bots.specs import bot
from palabre.core import registry
from palabre.web.limits import Folders, ServerLimits, bot_spec_with_path, lower_memory, read_bot, read_game
from tests.messages import refuses

AWELE = registry.game("awele")
LIMITS = ServerLimits(seconds=2.0, depth=10, nodes=1000, playouts=50, threads=2, memory=8)
BOT = """
import palabre
class Mine(palabre.Bot):
    def choose(self, position, clock):
        return position.moves()[0]
"""


@pytest.fixture
def folders(tmp_path: Path, small_game: Path) -> Folders:
    """A folder of bots and one of games, and a secret beside them."""
    bots, games = tmp_path / "mine", tmp_path / "ours"
    bots.mkdir()
    games.mkdir()
    for file in (bots / "first.py", bots / "_helper.py", tmp_path / "secret.py"):
        file.write_text(BOT, encoding="utf-8")
    (bots / "notes.txt").write_text("not a bot", encoding="utf-8")
    (bots / "leak.py").symlink_to(tmp_path / "secret.py")
    (bots / "package").mkdir()
    (bots / "package" / "__init__.py").symlink_to(tmp_path / "secret.py")
    (games / "small.py").write_text(small_game.read_text(encoding="utf-8"), encoding="utf-8")
    (games / "broken.py").write_text("1 / 0", encoding="utf-8")
    return Folders((bots,), (games,))


# --------------------------------------------------------------------------------------------------------------- games


def test_registered_games_are_read_by_their_specs() -> None:
    assert read_game("abalone:official,layout=alien").spec == "abalone:official,layout=alien"


@pytest.mark.parametrize("spec", ["examples/connect_four.py", "/etc/passwd", "../x.py", "mine/../secret.py", "C:/x.py"])
def test_files_are_no_games_for_a_browser(spec: str) -> None:
    with refuses("server.no_game", name=spec):
        read_game(spec)


def test_a_game_of_a_folder_goes_by_the_name_of_folder_and_file(folders: Folders) -> None:
    game = read_game("ours/small.py", folders)
    assert game.spec == "ours/small.py"
    assert game.start().moves()


def test_a_game_that_cannot_be_loaded_is_refused_without_its_path(folders: Folders, tmp_path: Path) -> None:
    with refuses("spec.unloadable", file="ours/broken.py") as error:
        read_game("ours/broken.py", folders)
    assert str(tmp_path) not in str(error.value)


# ---------------------------------------------------------------------------------------------------------------- bots


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ("palabre:level=3", "palabre:level=3"),
        ("random", "idiot"),
        ("palabre:time=100", "palabre:time=2.0"),
        ("palabre:nodes=5000,depth=60", "palabre:depth=10,nodes=1000"),
        ("palabre:memory=4096,threads=64,nodes=5", "palabre:nodes=5,memory=8,threads=2"),
        ("montecarlo:playouts=999999", "montecarlo:playouts=50"),
        ("alphabeta:depth=20,playouts=1000", "alphabeta:depth=10,playouts=50"),
        (" mcts:nodes=10 , seed=7", "mcts:nodes=10,seed=7"),
    ],
)
def test_values_are_lowered_to_the_limits(asked: str, given: str) -> None:
    assert read_bot(asked, AWELE, LIMITS) == given
    assert bot(given, AWELE).spec == given


@pytest.mark.parametrize("name", ["palabre", "mcts", "montecarlo", "bestreply", "palabre:time=0", "palabre:level=10"])
def test_a_bot_that_nothing_limits_gets_the_time_of_the_server(name: str) -> None:
    assert read_bot(name, AWELE, LIMITS).endswith("time=2.0")


@pytest.mark.parametrize(
    ("spec", "id", "parameters"),
    [
        ("palabre:strength=3", "spec.unknown_parameter", {"owner": "palabre", "name": "strength"}),
        ("palabre:level=99", "spec.range", {"least": 1, "most": 10}),
        ("nobody", "spec.no_bot", {"name": "nobody"}),
        ("ugi:./engine", "server.no_programs", {}),
        (" pipe:cat", "server.no_programs", {}),
        ("mybot.py", "server.no_bot", {"name": "mybot.py"}),
        ("/bin/bot.py", "server.no_bot", {"name": "/bin/bot.py"}),
        ("submission.zip", "server.no_bot", {"name": "submission.zip"}),
        ("palabre:eval=mine.net", "server.no_weights", {"value": "mine.net"}),
        ("palabre:eval=/etc/weights.json", "server.no_weights", {"value": "/etc/weights.json"}),
        ("alphabeta:depth=2, eval = weights.json", "server.no_weights", {"value": "weights.json"}),
        ("x" * 600, "server.too_long", {}),
    ],
)
def test_what_is_not_registered_is_refused(spec: str, id: str, parameters: dict[str, object]) -> None:
    with refuses(id, **parameters):
        read_bot(spec, AWELE, LIMITS)


def test_folders_offer_their_python_files_and_nothing_that_leads_out(folders: Folders) -> None:
    assert set(folders.bot_files()) == {"mine/first.py"}
    assert read_bot("mine/first.py:depth=3", AWELE, LIMITS, folders) == "mine/first.py:depth=3"
    for refused in ("mine/leak.py", "mine/_helper.py", "mine/package", "mine/../secret.py", "secret.py"):
        with refuses("server.no_bot", name=refused):
            read_bot(refused, AWELE, LIMITS, folders)


def test_a_process_finds_the_file_of_a_folder(folders: Folders) -> None:
    assert bot_spec_with_path("mine/first.py:depth=3", folders) == f"{folders.bots[0].resolve()}/first.py:depth=3"


def test_a_table_that_nobody_asked_for_is_lowered_too() -> None:
    lowered = lower_memory(bot("palabre:nodes=10", AWELE).options, 8)
    assert (lowered.number("memory"), lowered.number("nodes")) == (8, 10)
