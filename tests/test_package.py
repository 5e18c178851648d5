"""What people install: the source archive is complete, and the wheel built from it plays far away from the checkout."""

import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from tests.command import PATIENCE, environment

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parent.parent
WANTED = (
    "LICENSE",
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Makefile",
    "pyproject.toml",
    "docs/map.md",
    "docs/images/awele.svg",
    "examples/connect_four.py",
    "studies/__main__.py",
    "benchmarks/signature.py",
    "tests/conftest.py",
    "tests/perft/awele.perft",
    "tests/playthroughs/awele.txt",
    "src/palabre/py.typed",
)


def run(*words: str | Path, cwd: Path, **settings: str) -> str:
    """What a command prints that must not fail."""
    done = subprocess.run(
        words,
        cwd=cwd,
        env=environment(None, **settings),
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, f"{words}: {done.stderr}"
    return done.stdout


def build(kind: str, folder: Path, into: Path) -> Path:
    """Build an archive of a project by the backend itself, which needs neither pip nor the network."""
    run(sys.executable, "-m", "hatchling", "build", "--target", kind, "--directory", into, cwd=folder)
    (found,) = into.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return found


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source archive, unpacked."""
    folder = tmp_path_factory.mktemp("sdist")
    with tarfile.open(build("sdist", ROOT, folder)) as archive:
        archive.extractall(folder, filter="data")
    (found,) = (entry for entry in folder.iterdir() if entry.is_dir())
    return found


@pytest.fixture(scope="module")
def wheel(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source archive: what is missing there is missing here."""
    return build("wheel", source, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def scripts(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of a fresh environment with the wheel.

    pip installs Palabre as it does for anybody. Its dependencies are borrowed from the environment of the tests by a
    path file: downloading and unpacking Numba again would test Numba's wheel and take longer than all the rest.
    """
    folder = tmp_path_factory.mktemp("elsewhere") / "venv"
    venv.create(folder, with_pip=False)
    places = {name: Path(path) for name, path in sysconfig.get_paths("venv", vars={"base": str(folder)}).items()}
    install = ("install", "--quiet", "--no-index", "--no-deps", "--disable-pip-version-check")
    run(sys.executable, "-m", "pip", "--python", places["scripts"] / "python", *install, wheel, cwd=folder)
    borrowed = [path for path in sys.path if Path(path).name == "site-packages"]
    (places["purelib"] / "borrowed.pth").write_text("\n".join(borrowed) + "\n", encoding="utf-8")
    return places["scripts"]


def test_the_source_archive_is_what_one_needs_to_work_on_it(source: Path) -> None:
    assert [name for name in WANTED if not (source / name).is_file()] == []
    assert not (source / ".venv").exists()


def test_the_wheel_holds_the_whole_package_and_nothing_else(wheel: Path) -> None:
    package = ROOT / "src"
    files = {
        file.relative_to(package).as_posix()
        for file in (package / "palabre").rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {name for name in names if ".dist-info/" not in name} == files
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)


def test_the_wheel_is_used_and_not_the_checkout(scripts: Path, tmp_path: Path) -> None:
    told = run(scripts / "python", "-c", "import palabre; print(palabre.__file__)", cwd=tmp_path)
    assert Path(told.strip()).is_relative_to(scripts.parent)
    assert not Path(told.strip()).is_relative_to(ROOT)


def test_the_installed_program_lists_counts_and_plays(scripts: Path, tmp_path: Path) -> None:
    palabre = scripts / "palabre"
    assert "penguins" in run(palabre, "games", cwd=tmp_path)
    # Compiled, into a cache of its own: the sources are found where they are installed.
    assert run(palabre, "perft", "awele", "3", cwd=tmp_path, PALABRE_CACHE=str(tmp_path / "cache")) == "190\n"
    assert any((tmp_path / "cache").rglob("*.nbi"))
    # As plain Python, which compiles nothing: the engine, its evaluation and a bot of one's own.
    run(palabre, "new", "bot", "mine.py", cwd=tmp_path)
    told = run(
        palabre,
        *("match", "palabre:nodes=20", "mine.py", "--game", "avalam", "--games", "2"),
        cwd=tmp_path,
        NUMBA_DISABLE_JIT="1",
    )
    assert "2 games of avalam" in told
