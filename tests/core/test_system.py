"""The clock and other programs, by the usual calls and by the portable fallbacks."""

import os
import sys
import time
from pathlib import Path

import pytest

from palabre.bots.process import Broken, Process
from palabre.core import system
from tests.command import PATIENCE, python

ECHO = (
    "import sys\nfor line in sys.stdin:\n    print('heard', line.strip(), flush=True)\n    if line == 'quit\\n': break"
)


@pytest.fixture(params=["usual", "portable"])
def world(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "IS_PORTABLE", request.param == "portable")


def started(code: str) -> Process:
    return Process([sys.executable, "-c", code])


def say_much(program: Process) -> None:
    for _ in range(100):
        program.say("x" * 60_000)


def listen(program: Process) -> None:
    while program.line(time.monotonic() + PATIENCE) is not None:
        pass


@pytest.mark.usefixtures("world")
def test_a_program_hears_and_answers_and_leaves_when_it_is_told_to() -> None:
    program = started(ECHO)
    for word in ("one", "two"):
        program.say(word)
        assert program.line(time.monotonic() + PATIENCE) == f"heard {word}"
    assert program.line(time.monotonic() + 0.05) is None
    program.close()
    assert not program.is_open
    assert program._program.returncode == 0
    with pytest.raises(Broken, match="has been ended"):
        program.say("three")


@pytest.mark.usefixtures("world")
def test_a_program_that_ends_is_noticed_with_its_last_words() -> None:
    program = started("import sys; print('sorry', file=sys.stderr); sys.exit(3)")
    with pytest.raises(Broken, match="ended with exit code 3"):
        program.line(time.monotonic() + PATIENCE)
    assert program.last_words() == "sorry"
    program.close()


@pytest.mark.usefixtures("world")
def test_a_deaf_program_cannot_hang_us() -> None:
    program = started("import time; time.sleep(600)")
    with pytest.raises(Broken, match="does not read"):
        say_much(program)
    program.close()
    assert program._program.returncode != 0


@pytest.mark.usefixtures("world")
def test_an_endless_talker_is_cut_off() -> None:
    program = started("while True: print('word' * 100)")
    with pytest.raises(Broken, match="bytes without an answer"):
        listen(program)
    program.close()


TIMED_SEARCH = """
import sys, palabre
from palabre.compile.compiler import compiled, words
from palabre.core import system
from palabre.evaluation.score import Score
from palabre.search.minimax import minimax
game = palabre.game(sys.argv[1])
search = compiled(minimax, game, Score)

def nodes(seconds):
    counters = words([0, 0, 0, 0, system.now() + int(seconds * 1e9), 10**9, 0])
    search(game.start().state, Score(), 39, 0, counters)
    return counters[0]

nodes(0)
begin = system.now()
print(system.USES_TICKER, nodes(0.3) < 10**9, (system.now() - begin) / 1e9)
"""


def test_a_timed_search_stops_in_time_by_the_ticker(small_game: Path, tmp_path: Path) -> None:
    """Twice with one cache: the second process finds the code on disk and puts its own clock in.

    Without a clock that goes, the kernel would look at a billion nodes before it returns.
    """
    for _ in range(2):
        told = python(TIMED_SEARCH, f"{small_game}:heap=40", PALABRE_CLOCK="ticker", PALABRE_CACHE=str(tmp_path))
        uses_ticker, is_stopped, seconds = told.split()
        assert (uses_ticker, is_stopped) == ("True", "True")
        assert float(seconds) < 2.0 * (1 + os.getloadavg()[0])


def test_now_never_goes_back() -> None:
    moments = [system.now() for _ in range(1000)]
    assert moments == sorted(moments)
