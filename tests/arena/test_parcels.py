"""Files that travel to the nodes of a cluster: sent as they are, unpacked as they were, and checked."""

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import palabre
from palabre.arena.parcels import Parcels
from palabre.bots.submission import MOST_FILES, read_submission
from palabre.core.errors import PalabreError
from palabre.sandbox.players import SUBMISSION, seat
from palabre.workers.cluster.archives import SENT, pack, placed, unpack_all
from tests.arena.championships import FIRST, hand_in
from tests.arena.events import TAKE_AWAY
from tests.messages import refuses

MINE = "from beside import first\nfrom palabre import Bot\n\nclass Mine(Bot):\n    choose = first\n"


@pytest.fixture(autouse=True)
def node(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A node whose temporary files lie here."""
    place = tmp_path / "node"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A bot of two files, beside one that it does not import."""
    folder = tmp_path / "bots"
    folder.mkdir()
    (folder / "mine.py").write_text(MINE)
    (folder / "beside.py").write_text("def first(bot, position, clock):\n    return position.moves()[0]\n")
    (folder / "secret.py").write_text("")
    return folder / "mine.py"


def fetched(archives: Mapping[str, bytes]) -> dict[str, Callable[[], bytes]]:
    return {digest: lambda archive=archive: archive for digest, archive in archives.items()}  # type: ignore[misc]


def arrived(parcels: Parcels, spec: str) -> str:
    """A spec as it is on a node that has got the parcels."""
    return placed(spec.encode(), unpack_all(fetched(parcels.archives))).decode()


def test_a_bot_travels_with_what_it_imports_and_with_nothing_else(mine: Path, unprotected: None) -> None:
    parcels = Parcels()
    spec = parcels.bot(f"{mine}:seed=3")
    assert spec.startswith(f"{SENT}/")
    assert parcels.bot(f"{mine}:seed=3") == spec
    found = arrived(parcels, spec)
    place = Path(found.removesuffix(":seed=3"))
    assert sorted(file.name for file in place.parent.iterdir()) == ["beside.py", "mine.py"]
    shutil.rmtree(mine.parent)
    game = palabre.game("awele")
    assert seat(found, game).options.number("seed") == 3


def test_games_weights_folders_zips_and_submissions_travel(tmp_path: Path, mine: Path) -> None:
    parcels = Parcels()
    weights = tmp_path / "weights.json"
    weights.write_text("{}")
    zipped = shutil.make_archive(str(tmp_path / "zipped"), "zip", mine.parent)
    submission = read_submission(hand_in(tmp_path, "Anna", FIRST))
    game = arrived(parcels, parcels.game(f"{TAKE_AWAY}:heap=20"))
    assert palabre.game(game).start().text == palabre.game(f"{TAKE_AWAY}:heap=20").start().text
    found = arrived(parcels, parcels.bot(f"palabre:nodes=5,eval={weights}"))
    assert Path(found.removeprefix("palabre:nodes=5,eval=")).read_text() == "{}"
    assert Path(arrived(parcels, parcels.bot(zipped))).read_bytes() == Path(zipped).read_bytes()
    sent = arrived(parcels, parcels.bot(f"{SUBMISSION}{submission.folder}")).removeprefix(SUBMISSION)
    assert read_submission(Path(sent)).digest == submission.digest


def test_what_needs_no_file_stays_as_it_is() -> None:
    parcels = Parcels()
    for spec in ("greedy", "palabre:nodes=5,eval=standard", "ugi:java -jar"):
        assert arrived(parcels, parcels.bot(spec)) == spec
    assert parcels.game("abalone:official,layout=alien") == "abalone:official,layout=alien"
    assert not parcels.archives


def test_a_command_takes_its_files_along_and_finds_the_interpreter(tmp_path: Path) -> None:
    program = tmp_path / "my engine"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    parcels = Parcels()
    found = arrived(parcels, parcels.bot(f"pipe:upper:'{program}' --fast"))
    place = Path(found.removeprefix("pipe:upper:'").removesuffix("' --fast"))
    assert place.name == "my engine"
    assert place != program
    assert os.access(place, os.X_OK)
    assert (
        arrived(parcels, parcels.bot(f"ugi:{sys.executable} -m palabre ugi")) == f"ugi:{sys.executable} -m palabre ugi"
    )
    assert sys.executable not in parcels.bot(f"ugi:{sys.executable} -m palabre ugi")


def test_a_parcel_is_fetched_once_and_again_if_it_was_changed(mine: Path) -> None:
    parcels = Parcels()
    spec = parcels.bot(str(mine))
    place = Path(arrived(parcels, spec))

    def fail() -> bytes:
        pytest.fail("it is there already")

    unpack_all(dict.fromkeys(parcels.archives, fail))
    place.write_text("somebody's mischief")
    arrived(parcels, spec)
    assert place.read_text() == MINE
    (place.parent / "more.py").write_text("")
    arrived(parcels, spec)
    assert not (place.parent / "more.py").exists()


def test_what_was_damaged_on_the_way_is_refused(mine: Path) -> None:
    parcels = Parcels()
    parcels.bot(str(mine))
    damaged = {digest: archive.replace(b"Mine", b"Your") for digest, archive in parcels.archives.items()}
    with refuses("cluster.damaged"):
        unpack_all(fetched(damaged))


def test_a_folder_that_is_open_to_others_is_refused(node: Path) -> None:
    unpack_all({}).chmod(0o777)
    with refuses("cluster.open_folder"):
        unpack_all({})


def test_too_much_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PalabreError, match=f"at most {MOST_FILES} files"):
        pack({f"{number}.py": tmp_path for number in range(MOST_FILES + 1)})
