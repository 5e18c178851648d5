"""The clock and other programs, by the usual calls and by the portable fallbacks."""

import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from palabre.bots import line_program
from palabre.bots.line_program import LineProgram
from palabre.core import pipes, system
from tests.command import PATIENCE, python, wait_until
from tests.messages import refuses

ECHO = (
    "import sys\nfor line in sys.stdin:\n    print('heard', line.strip(), flush=True)\n    if line == 'quit\\n': break"
)

# Starts another program, which has the same standard error and does not end, and ends itself.
HOLDS_ERRORS = """
import subprocess, sys
none = subprocess.DEVNULL
other = subprocess.Popen([sys.executable, "-c", {waiting!r}], stdin=none, stdout=none, start_new_session=True)
print(other.pid, flush=True)
sys.exit("sorry")
"""
# Reads nothing until a file is there, and then its input to the end.
READS_LATE = """
import pathlib, sys, time
while not pathlib.Path(sys.argv[1]).exists():
    time.sleep(0.01)
sys.exit(len(sys.stdin.buffer.read()) != int(sys.argv[2]))
"""


@pytest.fixture(params=["usual", "portable"])
def world(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "IS_PORTABLE", request.param == "portable")


def started(code: str) -> LineProgram:
    return LineProgram([sys.executable, "-c", code])


def say_much(program: LineProgram) -> None:
    for _ in range(100):
        program.send("x" * 60_000)


def listen(program: LineProgram) -> None:
    while program.line(time.monotonic() + PATIENCE) is not None:
        pass


@pytest.mark.usefixtures("world")
def test_a_program_hears_and_answers_and_leaves_when_it_is_told_to() -> None:
    program = started(ECHO)
    for word in ("one", "two"):
        program.send(word)
        assert program.line(time.monotonic() + PATIENCE) == f"heard {word}"
    assert program.line(time.monotonic() - 1) is None  # it waits for us, and so does not write
    program.close()
    assert not program.is_open
    assert program._program.returncode == 0
    with refuses("engine.gone"):
        program.send("three")


@pytest.mark.usefixtures("world")
def test_a_program_that_ends_is_noticed_with_its_last_error_lines() -> None:
    program = started("import sys; print('sorry', file=sys.stderr); sys.exit(3)")
    for _ in range(2):  # asked again, it tells the same
        with refuses("ended.code", code=3):
            program.line(time.monotonic() + PATIENCE)
    assert program.last_error_lines() == "sorry"
    program.close()


@pytest.mark.usefixtures("world")
def test_standard_error_is_read_to_its_end_when_the_program_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if no thread of ours has read any of it before it is asked for."""
    is_asked_for = threading.Event()
    receive = pipes.ThreadedPipes._receive

    def receive_late(threaded: pipes.ThreadedPipes, number: int, is_error: bool) -> None:
        if is_error:
            is_asked_for.wait(PATIENCE)
        receive(threaded, number, is_error)

    monkeypatch.setattr(pipes.ThreadedPipes, "_receive", receive_late)
    monkeypatch.setattr(line_program, "ERRORS_PATIENCE", PATIENCE)
    program = started(r"import sys; print('a\n' * 9 + 'sorry', file=sys.stderr); sys.exit(3)")
    with refuses("ended.code", code=3):
        program.line(time.monotonic() + PATIENCE)
    read = program._pipes.read

    def read_and_notice(seconds: float) -> tuple[bytes | None, bytes]:
        is_asked_for.set()
        return read(seconds)

    monkeypatch.setattr(program._pipes, "read", read_and_notice)
    assert program.last_error_lines() == "a / a / sorry"
    program.close()


@pytest.mark.usefixtures("world")
def test_much_on_standard_error_does_not_stop_a_program_from_answering() -> None:
    program = started("import sys; sys.stderr.write('word ' * 200_000 + 'last'); print('answer', flush=True); input()")
    assert program.line(time.monotonic() + PATIENCE) == "answer"
    program.close()


@pytest.mark.usefixtures("world")
def test_a_process_that_holds_standard_error_open_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(line_program, "ERRORS_PATIENCE", 0.1)
    end = tmp_path / "end"
    program = started(HOLDS_ERRORS.format(waiting=f"import time; time.sleep({2 * PATIENCE}); open({str(end)!r}, 'w')"))
    pid = program.line(time.monotonic() + PATIENCE)
    assert pid is not None
    with refuses("ended.code", code=1):
        program.line(time.monotonic() + PATIENCE)
    program.last_error_lines()
    assert not end.exists()
    program.close()
    os.kill(int(pid), signal.SIGKILL)


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize("before", ["", "sys.stderr.write('a word'); "])
def test_an_answer_that_we_are_late_to_read_counts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, before: str
) -> None:
    """Also if standard error has to be read first, and if no thread of ours has read either of them."""
    monkeypatch.setattr(pipes, "PASS_ON", PATIENCE)
    written = tmp_path / "written"
    program = started(f"import sys; {before}print('answer', flush=True); open({str(written)!r}, 'w'); input()")
    wait_until(written.exists)
    assert program.line(time.monotonic() - 1) == "answer"
    program.close()


@pytest.mark.usefixtures("world")
def test_after_the_deadline_a_program_cannot_keep_us_reading() -> None:
    program = started("while True: print('word' * 100)")
    wait_until(lambda: program.line(time.monotonic() - 1) is not None)
    amount = 0
    while (line := program.line(time.monotonic() - 1)) is not None:
        amount += len(line)
    assert amount <= 3 * pipes.CHUNK
    program.close()


def test_closing_threaded_pipes_ends_the_input_after_all_messages(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Also if a message waits behind one that the program has not read yet."""
    monkeypatch.setattr(system, "IS_PORTABLE", True)
    monkeypatch.setattr(pipes, "WRITE_PATIENCE", PATIENCE)
    go = tmp_path / "go"
    with system.start_program([sys.executable, "-c", READS_LATE, str(go), str((1 << 20) + 5)]) as program:
        assert program.stdin is not None
        threaded = pipes.ThreadedPipes(program)
        assert threaded.write(b"x" * (1 << 20))  # more than a pipe holds
        assert threaded.write(b"quit\n")
        threaded.close()
        program.stdin.close()
        go.touch()
        assert program.wait(PATIENCE) == 0


@pytest.mark.usefixtures("world")
def test_a_deaf_program_cannot_hang_us() -> None:
    program = started("import time; time.sleep(600)")
    with refuses("engine.deaf"):
        say_much(program)
    program.close()
    assert program._program.returncode != 0


@pytest.mark.usefixtures("world")
def test_an_endless_talker_is_cut_off() -> None:
    program = started("while True: print('word' * 100)")
    with refuses("engine.flood", most=line_program.MOST_OUTPUT):
        listen(program)
    program.close()


TIMED_SEARCH = """
import sys, palabre
from palabre.compile.compiler import compiled, integers
from palabre.core import system
from palabre.evaluation.score import Score
from palabre.search.minimax import minimax
game = palabre.game(sys.argv[1])
search = compiled(minimax, game, Score)

def nodes(seconds):
    counters = integers([0, 0, 0, 0, system.now() + int(seconds * 1e9), 10**9, 0])
    search(game.start().state, Score(), 39, 0, counters)
    return counters[0]

nodes(0)
print(system.USES_TICKER, nodes(0.3) < 10**9)
"""


def test_a_timed_search_stops_by_the_ticker(small_game: Path, tmp_path: Path) -> None:
    """Twice with one cache: the second process finds the code on disk and puts its own clock in.

    Without a clock that goes, the kernel would look at a billion nodes before it returns.
    """
    for _ in range(2):
        told = python(TIMED_SEARCH, f"{small_game}:heap=40", PALABRE_CLOCK="ticker", PALABRE_CACHE=str(tmp_path))
        assert told == "True True\n"


def test_now_never_goes_back() -> None:
    moments = [system.now() for _ in range(1000)]
    assert moments == sorted(moments)
