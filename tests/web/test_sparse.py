"""The log: whoever repeats something, and however it varies, it stays short."""

import logging
import subprocess
import sys

import pytest

from palabre.web.sparse import MOST_LINES, SAME_AGAIN, Sparse
from tests.command import PATIENCE


def passed(sparse: Sparse, line: str, name: str = "asyncio") -> bool:
    return sparse.filter(logging.LogRecord(name, logging.ERROR, __file__, 1, line, None, None))


def test_a_line_is_repeated_once_a_minute_also_if_its_numbers_change() -> None:
    now = [0.0]
    sparse = Sparse(lambda: now[0])
    lines = [f"socket.accept() out of system resource\nsocket: <socket fd={number}>" for number in range(100)]
    lines += [f"<Task at {number:#x}> failed" for number in range(100)]
    assert sum(passed(sparse, line) for line in lines) == 2
    assert passed(sparse, lines[0], "uvicorn.error")
    now[0] += SAME_AGAIN - 1
    assert not passed(sparse, lines[0])
    now[0] += 2
    assert passed(sparse, lines[0])


def test_lines_that_differ_each_time_fill_no_log_either() -> None:
    now = [0.0]
    sparse = Sparse(lambda: now[0])
    assert sum(passed(sparse, "x" * number) for number in range(1_000)) <= MOST_LINES
    now[0] += SAME_AGAIN + 1
    assert passed(sparse, "something else")


@pytest.mark.processes
@pytest.mark.parametrize("name", ["asyncio", "palabre.web.session", "uvicorn.error", "websockets.server"])
def test_every_logger_goes_through_it(name: str) -> None:
    code = (
        "import logging; from palabre.web.sparse import log_to_stderr; log_to_stderr()\n"
        f"for number in range(1000): logging.getLogger({name!r}).error('line %d', number)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=PATIENCE)
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.processes
def test_nothing_in_it_instructs_the_terminal() -> None:
    code = (
        "import logging; from palabre.web.sparse import log_to_stderr; log_to_stderr()\n"
        "try: raise ValueError('a\\x1b[2J\\r\\u202eb')\n"
        "except ValueError: logging.getLogger('palabre').exception('c\\x1bd')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=PATIENCE)
    assert "c?d\n" in done.stderr
    assert done.stderr.endswith("ValueError: a?[2J??b\n")
