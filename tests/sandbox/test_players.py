"""Who plays in process, who in a sandbox, and what happens where there are none."""

import logging
import os
import re
import shutil
import sys
import zipfile
from pathlib import Path

import pytest

import palabre
from palabre.arena.admission import admit
from palabre.bots.bot import Bot
from palabre.bots.specs import bot
from palabre.bots.submission import read_submission
from palabre.cli.seats import seated
from palabre.core.errors import PalabreError
from palabre.core.words import say
from palabre.play.guard import teach
from palabre.play.referee import play_game
from palabre.sandbox import bubblewrap
from palabre.sandbox.players import check_protection, close_bot, files_of, is_foreign, may_end_us, seat
from palabre.sandbox.proxy import SandboxedBot
from palabre.search.clock import Clock
from tests import take_away
from tests.arena.needs import needs_sandbox
from tests.command import PATIENCE
from tests.messages import refuses
from tests.sentences import tells

pytestmark = pytest.mark.processes

GAME = palabre.game("awele")
CLOCK = Clock(per_move=PATIENCE)
KITS = Path(__file__).parents[2] / "examples" / "bots"
BOT = """
from palabre import Bot
from helper import last
class Mine(Bot):
    name = "mine"
    authors = ("me",)
    def choose(self, position, clock):
        return last(position)
"""
READING = """
from pathlib import Path
from palabre import Bot
def read(name):
    try:
        return Path(__file__).parent.joinpath(name).read_text()
    except OSError:
        return ""
class Mine(Bot):
    def choose(self, position, clock):
        raise RuntimeError([read(name) for name in {files}])
"""
HELPER = "def last(position):\n    return position.moves()[-1]\n"


def plays(player: Bot, game: palabre.Game = GAME) -> None:
    """A whole game from each seat, without forfeits."""
    try:
        for seats in ([player, bot("random", game)], [bot("random", game), player]):
            played = play_game(seats, game.start(), clock=CLOCK)
            assert played.reason is None
            assert sum(played.shares) == 1
    finally:
        close_bot(player)


def written(tmp_path: Path) -> Path:
    (tmp_path / "helper.py").write_text(HELPER)
    (tmp_path / "rival.py").write_text("secret = 1")
    (tmp_path / "mine.py").write_text(BOT)
    return tmp_path / "mine.py"


def test_ours_play_in_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not isinstance(seat("greedy", GAME, untrusted=True), SandboxedBot)
    (tmp_path / "handed_in").mkdir()
    monkeypatch.chdir(tmp_path)
    assert not any(map(is_foreign, ("greedy", "palabre:level=3", "handed_in")))
    assert all(map(is_foreign, ("a.py", "b/", "c.zip", "ugi:x", "pipe:x", "./handed_in")))
    monkeypatch.setattr(bubblewrap, "why_not", lambda: "missing")
    assert not any(map(may_end_us, ("greedy", "ugi:x", "pipe:x")))
    assert all(map(may_end_us, ("a.py", "b/", "c.zip", "./handed_in")))


@needs_sandbox
def test_a_file_plays_with_what_it_imports_and_nothing_else(tmp_path: Path) -> None:
    player = seat(str(written(tmp_path)), GAME, untrusted=True)
    assert isinstance(player, SandboxedBot)
    assert {Path(place).name for place in player.files.read} == {"mine.py", "helper.py"}
    plays(player)


@needs_sandbox
def test_a_file_does_not_see_a_rival_beside_it(tmp_path: Path) -> None:
    """Neither its file nor what it may have brought along; a folder of its own keeps what it imports."""
    mine, rival = written(tmp_path), str(tmp_path / "rival.py")
    (tmp_path / "rival.py").write_text(BOT.replace("from helper import last", ""))
    mine.write_text(BOT.replace("from helper import last", "import rival"))
    clocks = [CLOCK, CLOCK]
    for specs in ([str(mine), rival], [f"{mine}:Mine", f"{tmp_path}/../{tmp_path.name}/rival.py"]):
        with pytest.raises(PalabreError, match="No module named 'rival'"):
            admit(specs, GAME, clocks)
        with pytest.raises(PalabreError, match="No module named 'rival'"):
            teach(seated(specs, GAME, untrusted=True)[0] or Bot())
    own = tmp_path / "own"
    own.mkdir()
    player = seat(str(written(own)), GAME, untrusted=True, rivals=[rival, str(mine), "greedy", "ugi:x"])
    assert isinstance(player, SandboxedBot)
    assert {Path(place).name for place in player.files.read} == {"mine.py", "helper.py"}


@needs_sandbox
def test_a_folder_and_a_zip_play(tmp_path: Path) -> None:
    written(tmp_path)
    (tmp_path / "rival.py").unlink()
    plays(seat(str(tmp_path), GAME, untrusted=True))
    packed = tmp_path / "packed.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        for name in ("mine.py", "helper.py"):
            archive.write(tmp_path / name, f"folder/{name}")
    player = seat(str(packed), GAME, untrusted=True)
    assert player.spec == "mine"
    plays(player)


@needs_sandbox
def test_files_that_only_their_owner_may_read_play(tmp_path: Path) -> None:
    file = written(tmp_path)
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "__init__.py").write_text(BOT)
    (tmp_path / "pack" / "helper.py").write_text(HELPER)
    for part in (file, tmp_path / "helper.py", *(tmp_path / "pack").iterdir()):
        part.chmod(0o600)
    (tmp_path / "pack").chmod(0o700)
    for spec in (str(file), f"{tmp_path / 'pack'}/"):
        plays(seat(spec, GAME, untrusted=True))
    file.write_text(BOT.replace("return last", "return None or last").replace("Mine", "Changed"))
    player = seat(str(file), GAME, untrusted=True)
    assert isinstance(player, SandboxedBot)
    (source,) = (source for place, source in player.files.read.items() if place.endswith("/mine.py"))
    assert "Changed" in source.read_text()  # not the copy from before
    assert file.stat().st_mode & 0o777 == 0o600


@needs_sandbox
@pytest.mark.parametrize("name", ["stolen.txt", "deeper/stolen.txt"])
def test_a_folder_brings_along_nothing_that_its_links_lead_to(tmp_path: Path, name: str) -> None:
    """Under root, a folder with files that only their owner may read is copied, and links are not followed."""
    secret = tmp_path / "secret"
    secret.write_text("secret")
    secret.chmod(0o600)
    pack = tmp_path / "pack"
    (pack / name).parent.mkdir(parents=True, exist_ok=True)
    (pack / name).symlink_to(secret)
    (pack / "own.txt").write_text("own")
    (pack / "own.txt").chmod(0o600)
    (pack / "link.txt").symlink_to("own.txt")
    (pack / "__init__.py").write_text(READING.format(files=("own.txt", "link.txt", name)))
    player = seat(f"{pack}/", GAME, untrusted=True)
    try:
        assert "['own', 'own', '']" in str(play_game([player, bot("random", GAME)], GAME.start(), clock=CLOCK).reason)
    finally:
        close_bot(player)
    assert secret.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("is_known", [False, True])
def test_a_file_brings_along_no_link_that_leads_out_of_its_folder(tmp_path: Path, is_known: bool) -> None:
    secret = tmp_path / "secret.py"
    secret.write_text("password = 1")
    if is_known:  # what it imports need not be found out
        files_of(str(secret))
    folder = tmp_path / "bots"
    folder.mkdir()
    (folder / "stolen.py").symlink_to(secret)
    (folder / "mine.py").write_text(f"import stolen\n{HELPER}")
    with refuses("submission.link", path=folder / "stolen.py"):
        files_of(str(folder / "mine.py"))
    (folder / "stolen.py").unlink()
    (folder / "stolen.py").symlink_to("helper.py")
    (folder / "helper.py").write_text(HELPER)
    assert {Path(place).name for place in files_of(str(folder / "mine.py"))[1].read} == {"mine.py", "stolen.py"}


def test_a_bot_is_made_of_plain_files(tmp_path: Path) -> None:
    """A pipe would keep whoever reads it waiting, and two sandboxes with the same folder could talk by it."""
    pack = tmp_path / "pack"
    pack.mkdir()
    (pack / "__init__.py").write_text(BOT)
    assert files_of(f"{pack}/")
    (pack / "deeper").mkdir()
    for place in (tmp_path / "mine.py", pack / "deeper" / "pipe"):
        os.mkfifo(place)
    for spec in (str(tmp_path / "mine.py"), f"{pack}/"):
        with refuses("submission.no_file"):
            files_of(spec)


@needs_sandbox
def test_a_python_package_plays(tmp_path: Path) -> None:
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "__init__.py").write_text(BOT)
    (tmp_path / "pack" / "helper.py").write_text(HELPER)
    plays(seat(f"{tmp_path / 'pack'}/", GAME, untrusted=True))


@needs_sandbox
def test_parameters_and_classes_are_passed_on(tmp_path: Path) -> None:
    file = tmp_path / "two.py"
    file.write_text(
        "from palabre import Bot, Parameter\nclass A(Bot):\n    def choose(self, position, clock): return None\n"
        "class B(Bot):\n    @classmethod\n"
        "    def parameters(cls, game): return [Parameter('nth', 0, range(3), 'which')]\n"
        "    def choose(self, position, clock): return position.moves()[self.options.number('nth') - 1]\n"
    )
    plays(seat(f"{file}:B,nth=1", GAME))
    player = seat(f"{file}:B,nth=7", GAME)
    with pytest.raises(PalabreError, match="nth"):
        player.learn((), 1.0)


@needs_sandbox
def test_somebodys_game_is_there_as_well(tmp_path: Path) -> None:
    file = tmp_path / "small.py"
    file.write_text(take_away.source())
    for spec in (str(file), f"{file}:heap=5"):
        game = palabre.game(spec)
        mine = tmp_path / "last.py"
        mine.write_text(
            "from palabre import Bot\nclass L(Bot):\n    def choose(self, p, clock): return p.moves()[-1]\n"
        )
        plays(seat(str(mine), game, untrusted=True), game)


@needs_sandbox
@pytest.mark.parametrize(
    "kit",
    [
        "python",
        pytest.param("cpp", marks=pytest.mark.needs("g++")),
        pytest.param("java", marks=pytest.mark.needs("javac")),
    ],
)
def test_starter_kits_play(kit: str) -> None:
    player = seat(str(KITS / kit), GAME, untrusted=True)
    assert player.spec.startswith("starter in ")
    plays(player)


@needs_sandbox
@pytest.mark.needs("g++")
@pytest.mark.needs("javac")
def test_starter_kits_play_the_same(tmp_path: Path) -> None:
    """The three of them think alike, so they agree with the first of the moves that take most."""

    class Most(Bot):
        def choose(self, position: palabre.Position, clock: Clock) -> palabre.Move:
            return max(position.moves(), key=lambda move: position.play(move).scores[position.to_move])

    expected = play_game([Most(), bot("random", GAME)], GAME.start(), seed=5, clock=CLOCK).moves
    for kit in ("cpp", "java"):
        player = seat(str(KITS / kit), GAME)
        moves = play_game([player, bot("random", GAME)], GAME.start(), seed=5, clock=CLOCK).moves
        shared = next((ply for ply, (one, two) in enumerate(zip(moves, expected, strict=False)) if one != two), 99)
        assert shared > 10  # they differ where the rules hand out seeds at the end, which the kits do not count
        close_bot(player)


@needs_sandbox
@pytest.mark.needs("g++")
def test_sources_that_do_not_compile_are_rejected_with_what_the_compiler_says(tmp_path: Path) -> None:
    folder = tmp_path / "bad"
    shutil.copytree(KITS / "cpp", folder)
    (folder / "bot.cpp").write_text("int main() { return nonsense; }")
    with refuses("submission.uncompiled") as caught:
        seat(str(folder), GAME)
    assert re.search(r"bot\.cpp:1\b.*\bnonsense\b", str(caught.value))


@needs_sandbox
@pytest.mark.parametrize("keep", [False, True])
def test_a_process_plays_one_game_unless_it_asks_to_be_kept(tmp_path: Path, keep: bool) -> None:
    counter = (
        "from palabre import Bot\ngames = []\nclass C(Bot):\n    def start(self, game, seat): games.append(seat)\n"
    )
    (tmp_path / "bot.py").write_text(
        f"{counter}    def choose(self, position, clock):\n"
        "        print(len(games))\n        return position.moves()[0]\n"
    )
    (tmp_path / "bot.toml").write_text(f'name = "x"\nauthors = "y"\nkeep = {str(keep).lower()}\n')
    player = seat(read_submission(tmp_path), GAME, untrusted=True)
    assert isinstance(player, SandboxedBot)
    for number in (1, 2):
        assert play_game([player, bot("random", GAME)], GAME.start(), clock=CLOCK).reason is None
        assert player.output_tail.split()[-1] == str(number if keep else 1)
    close_bot(player)


@needs_sandbox
def test_an_engine_plays_in_a_sandbox(tmp_path: Path) -> None:
    command = f"{sys.executable} -m palabre ugi awele --bot greedy"
    plays(seat(f"ugi:{command}", GAME, untrusted=True))
    (tmp_path / "bot.toml").write_text(f'name = "x"\nauthors = "y"\nprotocol = "ugi"\ncommand = "{command}"\n')
    plays(seat(str(tmp_path), GAME, untrusted=True))


@needs_sandbox
def test_commands_see_the_files_that_they_name(tmp_path: Path) -> None:
    (tmp_path / "rival.py").write_text("secret")
    program = tmp_path / "player.py"
    program.write_text(
        "import os, sys\nassert not os.path.exists(os.path.join(os.path.dirname(__file__), 'rival.py'))\n"
        "import palabre\nposition = palabre.game('awele').start()\n"
        "for line in sys.stdin:\n    if line.startswith('RESULT'): break\n"
        "    for word in line.replace('START', '').split(): position = position.play(word)\n"
        "    move = position.moves()[0]; position = position.play(move); print(move, flush=True)\n"
    )
    plays(seat(f"pipe:{sys.executable} {program}", GAME, untrusted=True))
    with refuses("engine.no_program", program="/nowhere/x"):
        seat("pipe:/nowhere/x", GAME)


def test_what_does_not_exist_is_said_at_once(tmp_path: Path) -> None:
    with refuses("spec.no_bot_file", path=str(tmp_path / "missing.py")):
        seat(str(tmp_path / "missing.py"), GAME)
    with refuses("submission.none"):
        seat(str(tmp_path / "missing.zip"), GAME)
    with refuses("spec.no_bot", name="nobody"):
        seat("nobody", GAME)


def test_without_bubblewrap_it_says_loudly_what_is_not_protected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    missing = say("sandbox.missing", command="apt-get install bubblewrap")
    monkeypatch.setattr(bubblewrap, "why_not", lambda: missing)
    file = written(tmp_path)
    with refuses("sandbox.required", bots="a, b", why=missing, option="--untrusted"):
        check_protection(["a", "b", "a"], untrusted=True)
    with refuses("sandbox.unprotected", why=missing):
        seat(str(file), GAME, untrusted=True)
    with caplog.at_level(logging.WARNING):
        assert not check_protection(["mine.py", "ugi:x"], untrusted=False)
    [warning] = caplog.messages
    assert tells(warning, "sandbox.none", bots="mine.py, ugi:x", why=missing)
    for danger in ("without a sandbox", "your files", "network", "memory", "never answers", "opponent's time"):
        assert danger in warning
    player = seat(str(file), GAME)
    assert not isinstance(player, SandboxedBot)
    plays(player)
    assert check_protection([], untrusted=True)
    seat("greedy", GAME, untrusted=True)  # ours need no protection


@pytest.mark.needs("g++")
def test_without_bubblewrap_submissions_play_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "why_not", lambda: "missing")
    for kit in ("python", "cpp"):
        folder = shutil.copytree(KITS / kit, tmp_path / kit)
        for source in folder.glob("bot.cpp"):
            source.write_text(source.read_text() + "\n// compiled outside\n")
        player = seat(str(folder), GAME)
        assert player.spec.startswith("starter in ")
        plays(player)
