"""A process that works: how its end is noticed, and what is kept of its last output."""

import os
import queue
import signal
from pathlib import Path

import pytest

from palabre.workers import process
from palabre.workers.process import Process
from tests.command import PATIENCE, wait_until
from tests.web.pool.pools import is_alive

pytestmark = pytest.mark.processes

DETACHED = """
import os, subprocess, sys
def main(module):
    other = subprocess.Popen(["sleep", "1000"], start_new_session=True, stdout=sys.stdout, stderr=sys.stderr)
    sys.stderr.write("the end\\n")
    sys.stderr.flush()
    print(other.pid, flush=True)  # last: whoever reads it may kill this process at once
    for line in sys.stdin:
        if line == "leave\\n":
            os._exit(3)
"""


class Started:
    """A process that runs this code, and its lines."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
        (folder / "program.py").write_text(code, encoding="utf-8")
        run = f"import sys; sys.path.insert(0, {str(folder)!r}); from program import main; main({{module!r}})"
        monkeypatch.setattr(process, "RUN", run)
        self.lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.process = Process("any", b"", self.lines.put)

    def read(self) -> bytes | None:
        return self.lines.get(timeout=PATIENCE)


@pytest.mark.parametrize("leaves", [True, False])
def test_a_program_that_outlives_it_and_holds_its_pipes_holds_nobody_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leaves: bool
) -> None:
    monkeypatch.setattr(process, "CLOSING", 0.1)  # what the other program holds open does not end
    started = Started(tmp_path, monkeypatch, DETACHED)
    other = int(started.read() or b"")
    try:
        wait_until(lambda: started.process._stderr_tail)
        if leaves:
            started.process.send(b"leave\n")
        else:
            started.process.kill()
        assert started.read() is None
        report = started.process.exit_report()
        assert report.stderr_tail == ("the end",)
        assert report.status == (3 if leaves else -signal.SIGKILL)
        started.process.close()
    finally:
        os.kill(other, signal.SIGKILL)
    wait_until(lambda: not is_alive(other))


def test_the_last_lines_of_a_process_are_complete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if it writes much and ends at once, and the machine is busy."""
    monkeypatch.setattr(process, "CLOSING", PATIENCE)
    code = (
        "import os\ndef main(module):\n    os.write(2, b'x' * 60_000 + b'\\none\\ntwo\\nthree\\n')\n    os._exit(3)\n"
    )
    for _ in range(5):
        started = Started(tmp_path, monkeypatch, code)
        assert started.read() is None
        assert str(started.process.exit_report()).endswith("'one / two / three' last")
        started.process.close()


def test_a_process_that_cannot_be_started_is_gone_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/no/such/python")
    lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    made = Process("any", b"", lines.put)
    assert lines.get(timeout=PATIENCE) is None
    assert "/no/such/python" in str(made.exit_report())
    made.close()
