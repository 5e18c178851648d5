"""What an event puts into the folder for temporary files is gone when it ends; what a killed one leaves, later."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.arena.needs import needs_sandbox
from tests.command import PLAIN, palabre

pytestmark = pytest.mark.processes
KIT = Path(__file__).parents[2] / "examples" / "bots" / "cpp"
CODE = """
from palabre import Bot
class Mine(Bot):
    def choose(self, position, clock):
        return position.moves()[0]
"""
BUILD = "from palabre.sandbox.build import Built; made = Built()"
COPY = """
from pathlib import Path
from palabre.sandbox import readable
readable.bubblewrap.is_root = lambda: True
made = readable.readable(readable.Files({"/bot": Path(FILE)}))
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """An empty folder for temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    return folder


@pytest.fixture
def own_bot(tmp_path: Path) -> Path:
    """A bot that only its owner may read, so that root's sandboxes get a copy."""
    file = tmp_path / "mine.py"
    file.write_text(CODE)
    file.chmod(0o600)
    return file


@needs_sandbox
@pytest.mark.needs("g++")
def test_an_event_leaves_nothing_behind(home: Path, own_bot: Path, tmp_path: Path) -> None:
    kit = shutil.copytree(KIT, tmp_path / "kit")
    settings = {**PLAIN, "TMPDIR": str(home)}
    done = palabre("match", str(own_bot), str(kit), "--game", "awele", "--games", "2", settings=settings)
    assert done.returncode == 0, done.stderr
    assert not list(home.iterdir())


@pytest.mark.parametrize("make", [BUILD, COPY], ids=["build", "copy"])
def test_what_a_killed_event_leaves_is_removed_by_the_next_one(make: str, home: Path, own_bot: Path) -> None:
    def run(end: str) -> None:
        code = f"import os, signal\n{make.replace('FILE', repr(str(own_bot)))}\n{end}"
        subprocess.run([sys.executable, "-c", code], env={**os.environ, "TMPDIR": str(home)}, check=False)

    run(f"os.kill(os.getpid(), {int(signal.SIGKILL)})")
    (left,) = home.iterdir()
    assert left.stat().st_mode & 0o077 == 0, "others may look into it"
    os.utime(left / "lock", (0, 0))  # it has been there for long
    run("print(made)")
    assert not list(home.iterdir())
