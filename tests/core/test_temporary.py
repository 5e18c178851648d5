"""Temporary folders: those of killed processes are removed, those in use and those of other users stay."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from palabre.core import temporary
from palabre.core.temporary import LOCK, temporary_folder
from tests.command import wait_until

pytestmark = pytest.mark.processes
MAKE = "from palabre.core.temporary import temporary_folder; made = temporary_folder('mine-')"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files; this process has not looked into it yet."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    temporary._remove_abandoned.cache_clear()
    return tmp_path


def age(folder: Path) -> None:
    """Make a folder look as if it had been made long ago."""
    for path in (folder / LOCK, folder):
        if path.exists():
            os.utime(path, (0, 0))


def run(home: Path, code: str) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run([sys.executable, "-c", code], env={**os.environ, "TMPDIR": str(home)}, check=False)


def test_it_is_removed_when_it_is_closed(home: Path) -> None:
    folder, closing = temporary_folder("mine-")
    assert folder.stat().st_mode & 0o777 == 0o700
    (folder / "content").mkdir()
    closing.close()
    assert not list(home.iterdir())


def test_what_a_killed_process_leaves_is_removed_by_the_next_one(home: Path) -> None:
    run(home, f"{MAKE}; import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    (home / "mine-killed-before-it-was-locked").mkdir()
    (home / "other-1").mkdir()
    for folder in home.iterdir():
        age(folder)
    before = set(home.iterdir())
    assert len(before) == 3
    folder, closing = temporary_folder("mine-")
    with closing:
        assert set(home.iterdir()) == {folder, home / "other-1"}


def test_without_locks_every_folder_stays(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(temporary, "HAS_LOCKS", False)
    (home / "mine-in-use-or-abandoned").mkdir()
    age(home / "mine-in-use-or-abandoned")
    made, closing = temporary_folder("mine-")
    with closing:
        assert set(home.iterdir()) == {made, home / "mine-in-use-or-abandoned"}


def test_what_is_young_or_in_use_stays(home: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(home)}
    command = [sys.executable, "-c", f"{MAKE}; input()"]
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE) as other:
        try:
            wait_until(lambda: list(home.glob(f"mine-*/{LOCK}")))
            [used] = home.iterdir()
            run(home, f"{MAKE}; import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
            assert len(list(home.iterdir())) == 2, "one that has just been made may be locked at any moment"
            wait_until(lambda: not _is_free(used))
            for folder in home.iterdir():
                age(folder)
            made, closing = temporary_folder("mine-")
            with closing:
                assert set(home.iterdir()) == {used, made}
        finally:
            other.kill()


def _is_free(folder: Path) -> bool:
    """Whether a folder's lock could be taken; asked in another process, which does not keep it."""
    code = (
        "import fcntl, sys; fcntl.flock(open(sys.argv[1], 'rb'), fcntl.LOCK_EX | fcntl.LOCK_NB)"
        if sys.platform != "win32"
        else "raise SystemExit(1)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(folder / LOCK)], capture_output=True, check=False)
    return done.returncode == 0


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a folder away")
def test_other_users_folders_are_left_alone(home: Path) -> None:
    trap = home / "mine-trap"
    trap.mkdir()
    (trap / LOCK).symlink_to(home / "created-by-opening-the-lock")
    os.chown(trap, 12345, 12345)
    (home / "mine-link").symlink_to(trap)
    age(trap)
    _, closing = temporary_folder("mine-")
    with closing:
        assert trap.exists()
        assert not (home / "created-by-opening-the-lock").exists()


@pytest.mark.parametrize("end", ["pass", "temporary.leave(7)", "os.fork() or os._exit(0); temporary.leave(7)"])
def test_it_is_removed_however_a_process_ends_by_itself(end: str, home: Path) -> None:
    done = run(home, f"import os; from palabre.core import temporary; {MAKE}; {end}")
    assert done.returncode == (0 if end == "pass" else 7)
    assert not list(home.iterdir())


@pytest.mark.parametrize("end", ["leave()", "exit()", "made[1].close()"])
def test_a_process_that_is_forked_leaves_it_alone(end: str, home: Path) -> None:
    fork = f"import os; from palabre.core.temporary import leave; os.fork() or ({end}, exit()); os.wait()"
    done = run(home, f"{MAKE}; {fork}; assert made[0].exists()")
    assert done.returncode == 0


def test_whoever_closes_it_may_be_another(home: Path) -> None:
    done = run(home, f"{MAKE}; other = made[1].pop_all(); from palabre.core.temporary import leave; leave()")
    assert done.returncode == 0
    assert not list(home.iterdir())


def test_two_threads_may_remove_it_at_the_same_time(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, closing = temporary_folder("mine-")
    calls: list[Path] = []

    def rmtree(path: Path, ignore_errors: bool) -> None:
        calls.append(path)
        if len(calls) == 1:
            temporary._remove(folder)  # as the other thread does, before the first one has finished
        shutil.rmtree(path, ignore_errors=ignore_errors)

    monkeypatch.setattr(temporary, "shutil", SimpleNamespace(rmtree=rmtree))
    closing.close()
    assert calls == [folder, folder]
    assert not folder.exists()
    assert folder not in temporary._made
