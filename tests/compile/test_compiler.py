"""Compiled code on disk: found again, never stale, and no harm when it is damaged, unwritable or half written."""

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import palabre as palabre_package
from palabre.compile.compiler import compiled
from palabre.core.kernels import kernel
from palabre.core.verbs import play
from tests import take_away
from tests.command import COMMAND, PATIENCE, environment, palabre, python
from tests.sentences import tells

pytestmark = pytest.mark.processes

PREPARING = "preparing"
CHECKING = "checking"
DAMAGED = "was damaged"
CANNOT_KEEP = "cannot keep compiled code"


def files(cache: Path, ending: str) -> list[Path]:
    return sorted(cache.rglob(f"*.{ending}"))


def game_file(folder: Path, **changes: str) -> Path:
    """A copy of Take-Away with other constants."""
    folder.mkdir(exist_ok=True)
    file = folder / "heap.py"
    file.write_text(take_away.source(**changes), encoding="utf-8")
    return file


def count(spec: str | Path, depth: int, cache: Path, warning: str = "", **settings: str) -> int:
    """Perft by the command; the warning is told, and without one the code is found and nothing is told."""
    done = palabre("perft", str(spec), str(depth), "--json", cache=cache, settings=settings)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    for note in (PREPARING, DAMAGED, CANNOT_KEEP):
        assert (note in done.stderr) == (note in warning), done.stderr
    return int(json.loads(done.stdout)["nodes"])


def limit_file_size() -> None:
    """No file that this process writes can be long, as on a full disk: room for Numba's index, not for the code."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))


def test_the_next_process_finds_the_code(small_game: Path, cache: Path) -> None:
    before = {file: file.stat().st_mtime_ns for file in cache.rglob("*.nb*")}
    assert count(small_game, 4, cache) == take_away.sequences(12, 4)
    assert {file: file.stat().st_mtime_ns for file in cache.rglob("*.nb*")} == before


def test_edits_of_a_game_and_of_its_helper_count_at_once(tmp_path: Path) -> None:
    for most, more in ((2, 0), (3, 0), (3, 1)):
        game = game_file(tmp_path, MOST=f"limits.HOW_MANY + {more}")
        game.write_text("import limits\n" + game.read_text("utf-8"), encoding="utf-8")
        (tmp_path / "limits.py").write_text(f"HOW_MANY = {most}\n", encoding="utf-8")
        found = count(game, 3, tmp_path / "cache", warning=PREPARING)
        assert found == take_away.sequences(12, 3, most + more)


def test_an_edit_within_a_second_is_seen(tmp_path: Path) -> None:
    """Python's own .pyc files are taken for fresh when the source has the same size and second; ours must not be."""
    for most in (3, 2):
        game = game_file(tmp_path, MOST="__import__('limits').HOW_MANY")
        game.write_text(f"import limits\nPIECES = {most}\n" + game.read_text("utf-8"), encoding="utf-8")
        (tmp_path / "limits.py").write_text(f"HOW_MANY = {most}\n", encoding="utf-8")
        for file in (game, tmp_path / "limits.py"):
            os.utime(file, (1_700_000_000, 1_700_000_000))
        assert count(game, 3, tmp_path, NUMBA_DISABLE_JIT="1") == take_away.sequences(12, 3, most)


PERFT_OF_EACH = """
import sys, palabre
from palabre.compile.compiler import compiled
from palabre.search.perft import perft
for spec in sys.argv[1:]:
    game = palabre.game(spec)
    print(compiled(perft, game)(game.start().state, 3))
"""


def test_games_do_not_disturb_each_other(small_game: Path, cache: Path, tmp_path: Path) -> None:
    """Numba's files name the modules they need: ours, a file and its equal elsewhere must all be kept apart.

    The states of Awélé and Abalone have as many words. A process that has compiled neither loads the code of both.
    """
    twin = game_file(tmp_path)
    assert twin.read_bytes() == small_game.read_bytes()
    assert count(twin, 3, cache, warning=PREPARING) == 27
    twin.unlink()
    assert count("awele", 3, cache, warning=PREPARING) == 190
    assert count("abalone:official", 2, cache, warning=PREPARING) == 44 * 44
    files = {file: file.stat().st_mtime_ns for file in cache.rglob("*.nb*")}
    specs = [str(small_game), "awele", "abalone:official", "awele"]
    assert python(PERFT_OF_EACH, *specs, PALABRE_CACHE=str(cache)).split() == ["27", "190", "98912", "190"]
    assert {file: file.stat().st_mtime_ns for file in cache.rglob("*.nb*")} == files


def shorten(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def scramble(file: Path) -> None:
    file.write_bytes(bytes(range(255, 0, -1)) * 20)


def flip_a_bit(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


@pytest.mark.parametrize(("ending", "damage"), [("nbi", scramble), ("nbc", shorten), ("nbc", flip_a_bit)])
def test_damaged_code_is_made_again(ending: str, damage: Callable[[Path], None], small_game: Path, cache: Path) -> None:
    for file in files(cache, ending):
        damage(file)
    assert count(small_game, 4, cache, warning=f"{DAMAGED} {PREPARING}") == 81
    assert count(small_game, 4, cache) == 81


def test_a_cache_that_cannot_be_written_to_costs_only_a_warning(small_game: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    # The brackets would be markup to whoever prints the warning without care.
    assert count(small_game, 3, tmp_path / "file" / "[/cache]", warning=f"{CANNOT_KEEP} {PREPARING}") == 27


def test_a_full_disk_costs_only_a_warning(small_game: Path, tmp_path: Path) -> None:
    # Python itself would cut short the bytecode of whatever it imports then.
    settings = {"PYTHONDONTWRITEBYTECODE": "1"}
    done = palabre("perft", str(small_game), "3", cache=tmp_path, settings=settings, preexec_fn=limit_file_size)
    assert (done.returncode, done.stdout) == (0, "27\n"), done.stderr
    assert CANNOT_KEEP in done.stderr
    assert "Traceback" not in done.stderr
    assert not files(tmp_path, "nbc")
    assert count(small_game, 3, tmp_path, warning=PREPARING) == 27
    assert files(tmp_path, "nbc")


def test_of_two_processes_one_compiles_and_the_other_waits_for_it(small_game: Path, tmp_path: Path) -> None:
    both = [
        subprocess.Popen(
            [COMMAND, "perft", str(small_game), "3"],
            env=environment(tmp_path),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        for _ in range(2)
    ]
    ends = [process.communicate(timeout=PATIENCE) for process in both]
    assert [printed for printed, _ in ends] == ["27\n", "27\n"]
    told = "".join(notes for _, notes in ends)
    assert told.count(PREPARING + " Take-Away") == 1, told
    assert not [note for note in (DAMAGED, CANNOT_KEEP) if note in told]


def test_a_process_that_waits_says_so_and_a_dead_holder_is_no_obstacle(tmp_path: Path) -> None:
    """The system gives the lock of a killed process back."""
    hold = "import sys, time; from pathlib import Path; from palabre.core.system import locked\n" + (
        "with locked(Path(sys.argv[1]), lambda: print('waits', flush=True)):\n"
        "    print('holds', flush=True)\n"
        "    time.sleep(600)"
    )
    command = [sys.executable, "-c", hold, str(tmp_path / "lock")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "holds\n"
        with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as second:
            assert second.stdout is not None
            assert second.stdout.readline() == "waits\n"
            first.kill()
            assert second.stdout.readline() == "holds\n"
            second.kill()


def test_a_compilation_that_was_killed_leaves_no_trouble(small_game: Path, tmp_path: Path) -> None:
    command = [COMMAND, "perft", str(small_game), "3"]
    with subprocess.Popen(command, env=environment(tmp_path), stderr=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stderr is not None
        assert CHECKING in process.stderr.readline()
        assert PREPARING in process.stderr.readline()
        process.kill()
    assert process.returncode == -signal.SIGKILL
    assert count(small_game, 3, tmp_path, warning=PREPARING) == 27


def test_plain_python_counts_the_same_without_numba(tmp_path: Path) -> None:
    code = (
        "import sys, palabre\n"
        "from palabre.search.perft import count_sequences\n"
        "from palabre.evaluation.playout import play_randomly\n"
        "start = palabre.game('awele:abapa').start()\n"
        "print(count_sequences(start, 4), play_randomly(start, games=5, seed=3, threads=2).plies > 0)\n"
        "print(*sorted({'numba', 'numpy'} & set(sys.modules)))"
    )
    assert python(code, NUMBA_DISABLE_JIT="1").split() == ["1014", "True"]
    assert count("awele", 3, tmp_path, NUMBA_DISABLE_JIT="1") == 190
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("rule", "instead", "id", "says"),
    [
        ("range(min(MOST, state.heap))", "range(min(max(LIMIT), state.heap))", "contract.uncompilable", "'LIMIT'"),
        ("1 - state.player)", "int(f'{1 - state.player:>2}'))", "contract.uncompilable", "f-strings"),
        ('options.number("heap"), 0)', 'options.number("heap") + 2**70, 0)', "contract.wide", "heap"),
    ],
)
def test_rules_that_cannot_be_compiled_are_told_in_one_line(
    rule: str, instead: str, id: str, says: str, tmp_path: Path
) -> None:
    game = game_file(tmp_path)
    game.write_text("LIMIT = frozenset({3})\n" + game.read_text("utf-8").replace(rule, instead), encoding="utf-8")
    done = palabre("perft", str(game), "3", cache=tmp_path / "cache")
    assert (done.returncode, done.stdout) == (2, "")
    *notes, error = done.stderr.splitlines()
    assert all(PREPARING in note or CHECKING in note for note in notes), done.stderr
    assert error.startswith(f"palabre: {game}: ")
    assert tells(error, id)
    assert says in error


@pytest.mark.parametrize("arguments", [[], ["games"], ["show", "awele"], ["show", "awele:abapa", "--json"]])
def test_what_only_shows_imports_neither_numba_nor_numpy(arguments: list[str]) -> None:
    code = (
        "import sys, palabre\n"
        "if sys.argv[1:]:\n"
        "    from palabre.cli.main import main\n"
        "    try: main()\n"
        "    except SystemExit as end: assert not end.code\n"
        "print('\\nloaded', *sorted({'numba', 'numpy', 'llvmlite'} & set(sys.modules)))"
    )
    assert python(code, *arguments).splitlines()[-1] == "loaded"


COMPILE_AND_TELL = """
import gc, sys
import palabre
from palabre.compile.collector import freeze_collector
from palabre.compile.compiler import compiled
from palabre.search.perft import perft
game = palabre.game(sys.argv[1])
state = game.start().state
before = game.state_class.__name__, repr(state)
if sys.argv[2] == "program":
    freeze_collector()
print(compiled(perft, game)(state, 1), gc.get_freeze_count(), gc.isenabled())
print(before == (game.state_class.__name__, repr(state)), repr(state))
if sys.argv[2] == "program":
    print(len(gc.get_objects()))
"""


def test_a_library_renames_no_class_and_leaves_the_garbage_collector_alone(small_game: Path, cache: Path) -> None:
    told = python(COMPILE_AND_TELL, str(small_game), "library", PALABRE_CACHE=str(cache)).splitlines()
    assert told == ["3 0 True", "True State(heap=12, player=0)"]


def test_in_a_program_the_collector_has_nothing_of_numbas_to_look_through(small_game: Path, cache: Path) -> None:
    """It would take a fifth of a second, in the middle of somebody's search."""
    told = python(COMPILE_AND_TELL, str(small_game), "program", PALABRE_CACHE=str(cache)).splitlines()
    assert 100 * int(told[2]) < int(told[0].split()[1])


@pytest.mark.parametrize("command", ["perft", "ugi"])
def test_our_own_program_freezes_the_collector(command: str, small_game: Path, cache: Path) -> None:
    code = (
        "import os, sys\n"
        "from palabre.cli.main import main\n"
        "sys.stdin = open(os.devnull)\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "from palabre.compile import collector\n"
        "print(collector._is_frozen)"
    )
    arguments = ["perft", str(small_game), "1"] if command == "perft" else ["ugi", str(small_game), "--bot", "greedy"]
    assert python(code, *arguments, PALABRE_CACHE=str(cache)).splitlines()[-1] == "True"


def test_kernels_give_back_the_class_they_were_given(small_game: Path) -> None:
    game = palabre_package.game(str(small_game))
    state = game.start().state
    after = compiled(step, game)(state, 1)
    assert type(after) is game.state_class
    assert after == state._replace(heap=10, player=1)


@kernel
def step(state: Any, move: int) -> Any:
    return play(state, move)


EDIT_AND_COUNT = """
import sys
from pathlib import Path
import palabre
from palabre import compiled
from palabre.search.perft import perft
file = Path(sys.argv[1])
game = palabre.game(file)
file.write_text(file.read_text().replace("MOST = 3", "MOST = 2"))
print(compiled(perft, game)(game.start().state, 3))
"""


def test_code_of_a_file_that_was_edited_after_it_was_loaded_is_not_kept(tmp_path: Path) -> None:
    """The next process has the edited file, and would find the code of the rules before the edit."""
    game, cache = game_file(tmp_path), tmp_path / "cache"
    assert int(python(EDIT_AND_COUNT, str(game), PALABRE_CACHE=str(cache))) == take_away.sequences(12, 3)
    assert not files(cache, "nbc")
    assert count(game, 3, cache, warning=PREPARING) == take_away.sequences(12, 3, 2)


NOTEBOOK = """
import palabre
from palabre import compiled
from palabre.author import kernel
game = palabre.game("awele")
state = game.start().state

@kernel
def first(state):
    return later(1)

@kernel
def other(state):
    return 1

print(compiled(other, game)(state))
ADDED = 41

@kernel
def later(number):
    return number + ADDED

@kernel
def other(state):
    return 2

@kernel
def second(state):
    return first(state) * 100 + other(state)

print(compiled(second, game)(state))
"""


def test_a_notebook_compiles_kernels_as_it_defines_them(tmp_path: Path) -> None:
    """Their source is in no file, so they are not kept. A later definition is seen by an earlier kernel."""
    assert python(NOTEBOOK, PALABRE_CACHE=str(tmp_path)).split() == ["1", "4202"]
    assert not files(tmp_path, "nbc")


OWN_KERNEL = """
import sys
import palabre
from palabre import compiled
sys.path.insert(0, sys.argv[1])
from mine import doubled
game = palabre.game("awele")
kernel = compiled(doubled, game)
print(kernel.is_kept, kernel(game.start().state, 4))
"""


def test_a_comment_above_a_kernel_compiles_nothing_anew(tmp_path: Path) -> None:
    source = "from palabre.author import kernel\n@kernel\ndef doubled(state, number):\n    return 2 * number\n"
    written = []
    for kept, text in ((False, source), (True, f"# A comment.\n\n{source}")):
        (tmp_path / "mine.py").write_text(text, encoding="utf-8")
        assert python(OWN_KERNEL, str(tmp_path), PALABRE_CACHE=str(tmp_path)).split() == [str(kept), "8"]
        written.append({file: file.stat().st_mtime_ns for file in tmp_path.rglob("*.nb*")})
    assert written[0] == written[1] != {}
