"""A process of the server's own: how its end is noticed, and what is kept of its last output."""

import os
import signal
from pathlib import Path

import pytest

from palabre.web import child
from palabre.web.child import Child
from tests.web.pool.pools import is_alive, run, until

DETACHED = """
import os, subprocess, sys
def main():
    other = subprocess.Popen(["sleep", "1000"], start_new_session=True, stdout=sys.stdout, stderr=sys.stderr)
    sys.stderr.write("the end\\n")
    sys.stderr.flush()
    print(other.pid, flush=True)  # last: whoever reads it may kill this process at once
    {then}
"""


async def start(folder: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> Child:
    """A process that runs this code."""
    (folder / "program.py").write_text(code, encoding="utf-8")
    monkeypatch.setattr(
        child, "RUN", f"import sys; sys.path.insert(0, {str(folder)!r}); from program import main; main()"
    )
    return await Child.start("program")


@pytest.mark.parametrize("then", ["os._exit(3)", "sys.stdin.read()"])
def test_a_program_that_outlives_it_and_holds_its_pipes_holds_nobody_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, then: str
) -> None:
    async def scenario() -> None:
        process = await start(tmp_path, monkeypatch, DETACHED.format(then=then))
        other = int(await process.read())
        try:
            if "exit" not in then:
                process.kill()
            words = await process.last_words()
            assert words.endswith("the end")
            assert not process.is_alive
            await process.end(0)
        finally:
            os.kill(other, signal.SIGKILL)
        await until(lambda: not is_alive(other))

    run(scenario())


def test_the_last_lines_of_a_process_are_complete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if it writes much and ends at once."""
    code = "import os\ndef main():\n    os.write(2, b'x' * 60_000 + b'\\none\\ntwo\\nthree\\n')\n    os._exit(3)\n"

    async def scenario() -> None:
        for _ in range(5):
            process = await start(tmp_path, monkeypatch, code)
            assert await process.read() == b""
            assert (await process.last_words()).endswith("one / two / three")

    run(scenario())
