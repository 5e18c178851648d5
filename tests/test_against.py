"""`benchmarks.against`: what was played is kept, whatever interrupts the run, and only what was played is counted."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.against import Row, append_row, digest, read_rows, report
from tests import take_away
from tests.command import PATIENCE, environment, wait_until

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parents[1]
GAME = f"{take_away.__file__}:heap=30"
ENGINES = "0123456789ab", "cdef01234567"

# Another checkout, as far as the match can see: it takes one stick at a time, and is told to misbehave at its Nth move.
OTHER = """\
#!{python}
import os, signal, sys, time
from pathlib import Path
if sys.argv[1] == "match":
    sys.exit(0)
moves = Path({moves!r})
for line in sys.stdin:
    word = line.split()[0]
    if word == "go":
        moves.open("a").write("x")
        number = moves.stat().st_size
        {habit}
        print("bestmove 1", flush=True)
    elif word == "quit":
        sys.exit(0)
    elif word in ("ugi", "isready"):
        print({{"ugi": "ugiok", "isready": "readyok"}}[word], flush=True)
"""


def row(pair: int, *points: float, game: str = "awele") -> Row:
    return Row(game, pair, 20_000, 11, ENGINES, (points[0], points[1]), (100, 80), (0.9, 1.8), ())


def checkout(folder: Path, habit: str = "") -> Path:
    """Another checkout whose engine has a habit."""
    program = folder / "old" / ".venv" / "bin" / "palabre"
    program.parent.mkdir(parents=True, exist_ok=True)
    text = OTHER.format(python=sys.executable, moves=str(folder / "moves"), habit=habit or "pass")
    program.write_text(text, encoding="utf-8")
    program.chmod(0o755)
    return folder / "old"


def start(other: Path, *options: str) -> "subprocess.Popen[str]":
    """The match, under way; in plain Python, which is fast enough for a heap of sticks."""
    words = [sys.executable, "-m", "benchmarks.against", str(other), "--game", GAME, "--nodes", "20", "--seed", "3"]
    return subprocess.Popen(
        [*words, "--file", str(other.parent / "pairs.jsonl"), *options],
        env=environment(None, NUMBA_DISABLE_JIT="1"),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


def play(other: Path, *options: str) -> "tuple[int, str, str]":
    """The exit code of a match, what it printed and what it told."""
    with start(other, *options) as process:
        printed, told = process.communicate(timeout=PATIENCE)
    return process.returncode, printed, told


def pairs(folder: Path) -> list[tuple[int, tuple[float, float], tuple[int, int], tuple[str, ...]]]:
    """What is kept of each pair and does not depend on time, in order."""
    rows = read_rows(folder / "pairs.jsonl")
    return sorted((found.pair, found.points, found.plies, found.forfeits) for found in rows)


# --------------------------------------------------------------------------------------------------------- the file


def test_pairs_are_read_back_as_they_were_written(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    times = "player 1 loses: time"
    written = [row(0, 1.0, 0.0), Row("awele", 1, 20_000, 11, ENGINES, (0.5, 1.0), (60, 70), (0.1, 0.2), (times,))]
    for pair in written:
        append_row(file, pair)
    assert read_rows(file) == written
    assert read_rows(tmp_path / "none.jsonl") == []


def test_a_line_cut_short_costs_its_own_pair_only(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    append_row(file, row(0, 1.0, 0.0))
    append_row(file, row(1, 1.0, 1.0))
    file.write_bytes(file.read_bytes()[:-20])
    assert read_rows(file) == [row(0, 1.0, 0.0)]
    append_row(file, row(1, 1.0, 1.0))
    append_row(file, row(2, 0.0, 0.5))
    assert [found.pair for found in read_rows(file)] == [0, 1, 2]


def test_a_pair_that_is_there_twice_counts_once(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    for pair in (row(0, 1.0, 0.0), row(1, 1.0, 1.0), row(0, 1.0, 0.0)):
        append_row(file, pair)
    assert [found.pair for found in read_rows(file)] == [0, 1]


def test_a_file_of_another_version_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text('{"game": "awele", "pair": 0}\n', encoding="utf-8")
    with pytest.raises(SystemExit, match=r"line 1 of .* give another --file"):
        read_rows(file)


def test_the_digest_of_an_engine_is_of_all_its_sources(tmp_path: Path) -> None:
    (tmp_path / "search").mkdir()
    (tmp_path / "search" / "pvs.py").write_text("a = 1\n", encoding="utf-8")
    before = digest(tmp_path)
    (tmp_path / "search" / "notes.txt").write_text("no source", encoding="utf-8")
    assert digest(tmp_path) == before
    (tmp_path / "search" / "pvs.py").write_text("a = 2\n", encoding="utf-8")
    assert digest(tmp_path) != before


# -------------------------------------------------------------------------------------------------------- the table


def test_the_table_counts_games_by_pairs_and_pools_them() -> None:
    rows = [row(0, 1.0, 0.0), row(1, 1.0, 1.0), row(0, 0.5, 0.0, game="abalone")]
    *_, awele, abalone, pooled = report(rows, ("awele", "abalone"))
    assert awele.startswith("| `awele` | 4 | 3–0–1 | 75.00 % ± 25.00 | ")
    assert abalone.startswith("| `abalone` | 2 | 0–1–1 | 25.00 % | ")
    assert pooled.startswith("| all | 6 | 3–1–2 | 58.33 % ± ")
    # 90 plies a game; 900 ms for the 90 moves of one side in two games, 1800 for the other's.
    assert awele.endswith("| 90 | 10 against 20 | 0 |")


# ------------------------------------------------------------------------------------------------- whole small runs


KILLED = "number == 9 and os.kill(os.getpid(), signal.SIGKILL)"


@pytest.mark.parametrize(
    "habit",
    [
        KILLED,
        KILLED.replace("KILL", "TERM"),
        "number == 9 and sys.exit(137)",
        "number == 9 and (os.close(1), time.sleep(9))",
    ],
)
def test_a_pair_whose_engine_was_ended_from_outside_is_played_again(tmp_path: Path, habit: str) -> None:
    code, printed, _ = play(checkout(tmp_path, habit), "--games", "4", "--workers", "1")
    spoiled = pairs(tmp_path)
    (tmp_path / "pairs.jsonl").unlink()
    assert (code, play(checkout(tmp_path), "--games", "4", "--workers", "1")[0]) == (0, 0)
    assert spoiled == pairs(tmp_path)
    assert [forfeits for *_, forfeits in spoiled] == [(), ()]
    assert "left out" not in printed


def test_a_pair_whose_engine_is_ended_each_time_is_left_out_and_named(tmp_path: Path) -> None:
    other = checkout(tmp_path, "os.kill(os.getpid(), signal.SIGKILL)")
    code, printed, _ = play(other, "--games", "2", "--workers", "1")
    assert code == 1
    assert pairs(tmp_path) == []
    told = f"left out: pair 0 of {GAME}, 3 times: player 2 loses: error: EngineDied: "
    assert printed.splitlines()[-1].startswith(told)
    assert "was ended by SIGKILL" in printed
    assert (tmp_path / "moves").stat().st_size == 3


@pytest.mark.parametrize(
    ("habit", "reason"),
    [("os.kill(os.getpid(), signal.SIGSEGV)", "was ended by SIGSEGV"), ("sys.exit(1)", "ended with exit code 1")],
)
def test_an_engine_that_ends_by_its_own_fault_forfeits(tmp_path: Path, habit: str, reason: str) -> None:
    code, printed, _ = play(checkout(tmp_path, habit), "--games", "2", "--workers", "1")
    [(_, points, _, forfeits)] = pairs(tmp_path)
    assert (code, points) == (0, (1.0, 1.0))
    assert all(reason in forfeit for forfeit in forfeits)
    assert printed.splitlines()[-1].endswith("| 2 |")


def test_a_second_run_on_the_same_file_is_refused_and_a_killed_one_goes_on(tmp_path: Path) -> None:
    """Killed in the middle, with two workers, it has in the end what an undisturbed run has."""
    gate = tmp_path / "gate"  # it waits there after 100 moves, of which a pair has 14 to 30
    slow = checkout(tmp_path, f"while number > 100 and not Path({str(gate)!r}).exists(): time.sleep(0.01)")
    with start(slow, "--games", "20") as first:
        wait_until(lambda: len(pairs(tmp_path)) >= 2)
        code, _, told = play(slow, "--games", "20")
        assert (code, told) == (1, f"another run plays for {tmp_path / 'pairs.jsonl'}; wait for it\n")
        first.send_signal(signal.SIGKILL)
        first.communicate(timeout=PATIENCE)  # until the last of its workers is gone
    gate.touch()
    kept = pairs(tmp_path)
    assert 2 <= len(kept) < 10
    code, printed, told = play(slow, "--games", "20")
    assert code == 0
    assert f" of {10 - len(kept)} pairs" in told
    assert "| 20 |" in printed
    interrupted = pairs(tmp_path)
    (tmp_path / "pairs.jsonl").unlink()
    assert play(checkout(tmp_path), "--games", "20", "--workers", "1")[0] == 0
    assert interrupted == pairs(tmp_path)


def test_what_a_killed_worker_played_is_played_again(tmp_path: Path) -> None:
    """The engine kills the worker that drives it, once."""
    other = checkout(tmp_path, "number == 9 and os.kill(os.getppid(), signal.SIGKILL)")
    code, printed, told = play(other, "--games", "4", "--workers", "1")
    assert code == 0
    assert "a worker was ended from outside; what it played is played again" in told
    assert [pair for pair, *_ in pairs(tmp_path)] == [0, 1]
    assert printed.splitlines()[-1].endswith("| 0 |")


def test_a_run_with_other_settings_or_an_edited_engine_is_refused(tmp_path: Path) -> None:
    other = checkout(tmp_path)
    assert play(other, "--games", "2", "--workers", "1")[0] == 0
    (other / "src" / "palabre").mkdir(parents=True)
    (other / "src" / "palabre" / "search.py").write_text("a = 1\n", encoding="utf-8")
    code, _, told = play(other, "--games", "4", "--workers", "1")
    assert code == 1
    assert told.startswith("the file has pairs of other matches (20 nodes, seed 3, engines ")
    assert told.endswith("; give another --file\n")
    assert len(pairs(tmp_path)) == 1
