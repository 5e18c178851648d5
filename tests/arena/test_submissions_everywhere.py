"""A folder or a zip, as handed in to a championship, plays wherever a bot is named by its path."""

import json
import shutil
import zipfile
from pathlib import Path

import pytest

import palabre
from palabre.arena.match import Match
from palabre.bots.specs import bot
from palabre.web.limits import Folders, bot_spec_with_path
from tests.arena.needs import needs_sandbox
from tests.command import PLAIN
from tests.command import palabre as command
from tests.messages import refuses

pytestmark = pytest.mark.usefixtures("plain_python")
KITS = Path(__file__).parents[2] / "examples" / "bots"
GAME = palabre.game("awele")
SEARCHER = """
from palabre import SearchBot
from palabre.bots.engine import Palabre
class Searcher(Palabre, SearchBot):
    name = "searcher"
    authors = ("me",)
"""


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    return Path(shutil.copytree(KITS / "python", tmp_path / "python"))


@pytest.fixture
def packed(kit: Path) -> Path:
    with zipfile.ZipFile(kit.with_name("packed.zip"), "w") as archive:
        archive.write(kit / "bot.py", "packed/bot.py")
    return kit.with_name("packed.zip")


@needs_sandbox
@pytest.mark.parametrize("workers", [0, 2])
def test_folders_and_zips_play_matches(kit: Path, packed: Path, workers: int) -> None:
    result = palabre.play_match(str(kit), str(packed), GAME, 4, workers=workers)
    assert (result.first.bot, result.second.bot) == (str(kit), str(packed))
    assert (result.games, result.first.forfeits, result.second.forfeits) == (4, 0, 0)
    assert result.score == 0.5  # it is the same bot


@needs_sandbox
def test_a_folder_plays_a_sequential_test(kit: Path) -> None:
    _, result = palabre.play_sprt(str(kit), "idiot", GAME, max_games=2)
    assert (result.games, result.first.forfeits) == (2, 0)


@needs_sandbox
def test_what_was_read_is_what_plays(kit: Path) -> None:
    with Match([str(kit), "greedy"], GAME, 2) as match:
        (kit / "bot.py").write_text("raise SystemExit")
        assert all(row.forfeit is None for row in match.play())


@needs_sandbox
def test_an_event_resumes_with_a_folder(kit: Path, tmp_path: Path) -> None:
    file = tmp_path / "small.event"
    first = palabre.play_match(str(kit), "greedy", GAME, 2, file=file)
    assert palabre.play_match(str(kit), "greedy", GAME, 2, file=file) == first


@needs_sandbox
@pytest.mark.parametrize(
    "name",
    [
        "python",
        pytest.param("cpp", marks=pytest.mark.needs("g++")),
        pytest.param("java", marks=pytest.mark.needs("javac")),
    ],
)
def test_the_lines_of_the_kits_play(name: str) -> None:
    words = ("match", f"examples/bots/{name}", "greedy", "--game", "awele", "--games", "2", "--json")
    done = command(*words, settings=PLAIN, cwd=KITS.parents[1])
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["first"]["bot"] == f"examples/bots/{name}"
    assert document["first"]["forfeits"] == 0


@needs_sandbox
def test_a_folder_plays_in_the_terminal(kit: Path) -> None:
    done = command("play", "awele", "--terminal", "--players", f"{kit},greedy", settings=PLAIN)
    assert done.returncode == 0, done.stderr


def test_folders_and_zips_are_offered_to_browsers(kit: Path, packed: Path) -> None:
    (kit / "bot.toml").write_text('name = "mine"\n')
    offered = Folders(bots=(kit.parent,))
    home = kit.parent.name
    assert set(offered.bot_files()) == {f"{home}/python", f"{home}/packed.zip"}
    assert bot_spec_with_path(f"{home}/packed.zip", offered) == str(packed.resolve())
    assert Folders(bots=(kit,)).bot_files() == {f"{home}/python": kit.resolve()}
    assert not Folders(games=(kit.parent,)).game_files()


def test_a_bot_in_python_is_made_in_this_process_too(kit: Path, packed: Path) -> None:
    for path in (kit, packed):
        made = bot(str(path), GAME)
        assert made.spec == str(path)
        made.sit_down(GAME, 0)
        assert made.choose(GAME.start(), palabre.Clock()) in GAME.start().moves()


def test_a_folder_analyses(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(SEARCHER)
    thoughts = palabre.analyse(GAME.start(), depth=2, bot=str(tmp_path))
    assert thoughts[0].depth == 2


def test_a_program_cannot_be_made_in_this_process() -> None:
    with refuses("spec.not_in_this_process"):
        bot(str(KITS / "cpp"), GAME)


def test_a_submission_takes_no_parameters(kit: Path) -> None:
    with refuses("spec.takes_none"):
        bot(f"{kit}:depth=3", GAME)
