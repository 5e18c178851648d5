"""A copy of the working tree, with an environment of its own, in which something may be broken."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.mutations.patches import Run

ROOT = Path(__file__).parents[2]
HANGS = 900.0  # seconds for the tests of one patch; only a mistake that never ends takes longer
NEVER_ENDS = "never ends"
FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)
NO_TESTS = 5  # exit status of pytest


@dataclass(frozen=True)
class Outcome:
    """What became of some tests."""

    failed: str | None  # the first test that failed; None if all passed
    output: str


class Tree:
    """The copy: what git knows and what is new in the working tree, and the environment of this process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            encoding="utf-8",
            check=True,
        ).stdout
        for name in listed.split("\0"):
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)
        self.python = self._make_environment()

    def _make_environment(self) -> Path:
        """Link the installed packages, but install the copy in place of the tree. Tests also start the command."""
        before, made = Path(sys.prefix), self.folder / ".venv"
        shutil.copytree(
            before, made, symlinks=True, copy_function=os.link, ignore=shutil.ignore_patterns("__pycache__")
        )
        for file in [*made.glob("bin/*"), *made.rglob("site-packages/*palabre*.pth")]:
            if file.is_file() and not file.is_symlink() and (text := _text(file)) and str(ROOT) in text:
                mode = file.stat().st_mode
                file.unlink()  # it is a link to the file of the other environment
                file.write_text(text.replace(str(ROOT), str(self.folder)), encoding="utf-8")
                file.chmod(mode)
        return made / "bin" / Path(sys.executable).name

    def test(self, tests: Sequence[str], run: Run) -> Outcome:
        """Run some tests up to the first that fails."""
        command = [str(self.python), "-m", "pytest", "-q", "-x", "-rfE", "--no-header", "--tb=short", *tests]
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "PYTEST_"))}
        settings = {"NUMBA_DISABLE_JIT": "1"} if run == "plain" else {}
        environment = {**kept, **settings, "PALABRE_CACHE": str(self.folder / "cache")}
        try:
            done = subprocess.run(
                [*command, "-p", "no:cacheprovider"],
                cwd=self.folder,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                errors="replace",
                timeout=HANGS,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            return Outcome(NEVER_ENDS, str(error.stdout))
        if done.returncode in (0, NO_TESTS):
            return Outcome(None, done.stdout)
        first = FAILED.search(done.stdout)
        return Outcome(first[1] if first else "pytest itself", done.stdout)


def _text(file: Path) -> str | None:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


@contextlib.contextmanager
def copied_tree() -> Iterator[Tree]:
    """A copy that is removed in the end. It lies on the disk of the tree, so that packages can be linked."""
    (ROOT / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="mutations-", dir=ROOT / "build") as folder:
        Path(folder).chmod(0o755)  # the users of sandboxes read it, too
        yield Tree(Path(folder))
