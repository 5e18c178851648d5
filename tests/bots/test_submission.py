"""Submissions: what is accepted, what is rejected and in which words; nothing of them is run."""

import os
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from palabre.bots.submission import (
    MOST_BYTES,
    MOST_FILES,
    Rejected,
    digest_of,
    read_submission,
)
from tests.command import wait_until
from tests.messages import refuses

BOT = """
raise SystemExit("nobody may run this")
from palabre import Bot
class Mine(Bot):
    name = "Max & Moritz"
    authors = ("Wilhelm", "Busch")
"""


def file(tmp_path: Path, text: str = BOT, name: str = "mine.py") -> Path:
    made = tmp_path / name
    made.parent.mkdir(parents=True, exist_ok=True)
    made.write_text(text)
    return made


def archive(tmp_path: Path, *members: tuple[str | zipfile.ZipInfo, str]) -> Path:
    made = tmp_path / "mine.zip"
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in members:
            packed.writestr(name, text)
    return made


def test_a_file(tmp_path: Path) -> None:
    found = read_submission(file(tmp_path))
    assert (found.name, found.authors, found.kind) == ("Max & Moritz", ("Wilhelm", "Busch"), "python")
    assert (found.main, found.class_name) == ("mine.py", "Mine")
    assert (found.folder / "mine.py").read_text() == BOT


def test_a_folder_and_a_zip_of_it_have_the_same_digest(tmp_path: Path) -> None:
    folder = tmp_path / "bot"
    file(folder)
    file(folder, "x = 1", "helpers/more.py")
    file(folder, "litter", "__pycache__/mine.pyc")
    one = read_submission(folder)
    two = read_submission(archive(tmp_path, ("bot/mine.py", BOT), ("bot/helpers/more.py", "x = 1")))
    assert one.digest == two.digest == digest_of(one.folder)
    assert one.main == two.main == "mine.py"
    file(folder, "x = 2", "helpers/more.py")
    assert read_submission(folder).digest != one.digest
    assert (one.folder / "helpers" / "more.py").read_text() == "x = 1"  # the copy is ours


def test_the_copy_is_gone_when_nobody_needs_it(tmp_path: Path) -> None:
    folder = read_submission(file(tmp_path)).folder
    assert not folder.parent.exists()


def test_the_copies_of_a_killed_process_are_removed_by_the_next_one(tmp_path: Path) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    imports = "from pathlib import Path; from palabre.bots.submission import read_submission"
    read = f"{imports}; x = read_submission(Path({str(file(tmp_path))!r}))"
    killed, alive = (f"{read}; import os, signal; {end}" for end in ("os.kill(os.getpid(), signal.SIGKILL)", "input()"))
    environment = {**os.environ, "TMPDIR": str(folder)}
    with subprocess.Popen([sys.executable, "-c", alive], env=environment, stdin=subprocess.PIPE) as other:
        try:
            wait_until(lambda: list(folder.glob("*/bot/mine.py")))
            subprocess.run([sys.executable, "-c", killed], env=environment, check=False)
            subprocess.run([sys.executable, "-c", f"{read}; print(x.name)"], env=environment, check=True)
            assert len(list(folder.glob("*/bot"))) == 2, "a copy that has just been made may be locked any moment"
            for lock in folder.glob("*/lock"):
                os.utime(lock, (0, 0))
            subprocess.run([sys.executable, "-c", f"{read}; print(x.name)"], env=environment, check=True)
            assert len(list(folder.glob("*/bot"))) == 1, "that of the process that still runs"
        finally:
            other.kill()


def test_a_closed_folder_becomes_readable(tmp_path: Path) -> None:
    made = file(tmp_path / "closed")
    made.chmod(0o600)
    made.parent.chmod(0o700)
    found = read_submission(made.parent)
    assert stat.S_IMODE((found.folder / "mine.py").stat().st_mode) == 0o644
    assert stat.S_IMODE(found.folder.stat().st_mode) == 0o755


def test_a_toml_says_it_for_other_languages(tmp_path: Path) -> None:
    file(tmp_path, 'name = "fast"\nauthors = "me"\nprotocol = "ugi"\nkeep = true', "bot.toml")
    file(tmp_path, "int main() {}", "bot.cpp")
    found = read_submission(tmp_path)
    assert (found.kind, found.main, found.protocol, found.is_kept) == ("c++", "bot.cpp", "ugi", True)
    assert found.authors == ("me",)


@pytest.mark.parametrize(
    ("files", "id", "parameters"),
    [
        (
            {"a.py": BOT, "b.py": BOT.replace("Mine", "Other")},
            "submission.several_bots",
            {"number": 2, "bots": "Mine in a.py, Other in b.py"},
        ),
        (
            {"a.py": BOT + BOT.replace("Mine", "Other")},
            "submission.several_bots",
            {"number": 2, "bots": "Mine in a.py, Other in a.py"},
        ),
        (
            {"a.py": "from palabre import Bot\nclass A(Bot): ...\nclass B(Bot): ..."},
            "submission.several_bots",
            {"number": 2},
        ),
        ({"a.py": "x = 1"}, "spec.no_bot_in_file", {}),
        ({"a.py": "from palabre import Bot\nclass A(Bot): ..."}, "submission.anonymous", {}),
        (
            {"a.py": BOT.replace('name = "Max & Moritz"', "name = input()")},
            "submission.computed",
            {"attribute": "Mine.name"},
        ),
        ({"a.py": BOT.replace("authors", "friends")}, "submission.no_authors", {}),
        ({"a.py": "class A(Bot:"}, "submission.no_python", {}),
        ({"a.py": "x = 1\n\0"}, "spec.null_byte", {"line": 2}),
        ({"readme.txt": "hello"}, "submission.no_source", {}),
        ({"a.cpp": "", "B.java": ""}, "submission.several_kinds", {"kind": "c++"}),
        (
            {"a.cpp": "", "b.cpp": "", "bot.toml": "name = 'x'\nauthors = 'y'"},
            "submission.several_files",
            {"files": 2, "ending": ".cpp"},
        ),
        ({"bot.toml": "name = "}, "submission.wrong_toml", {}),
        ({"bot.toml": "nmae = 'x'"}, "submission.unknown_keys", {}),
        ({"bot.toml": "kind = 'rust'"}, "submission.wrong_kind", {"kind": "rust"}),
        (
            {"bot.toml": "command = './x'\nname='n'\nauthors='a'\nprotocol='uci'"},
            "submission.wrong_protocol",
            {"protocol": "uci"},
        ),
        (
            {"bot.toml": "name = 'x'\nmain = '../../etc/passwd'", "a.py": BOT},
            "submission.no_main",
            {"name": "../../etc/passwd"},
        ),
        ({"a.py": BOT.replace("Max & Moritz", " \u200b\x07 ")}, "submission.no_name", {}),
    ],
)
def test_rejections(tmp_path: Path, files: dict[str, str], id: str, parameters: dict[str, object]) -> None:
    folder = tmp_path / "folder"
    for name, text in files.items():
        file(folder, text, name)
    with refuses(id, **parameters) as error:
        read_submission(folder)
    assert isinstance(error.value, Rejected)
    assert str(folder) in str(error.value)


def test_a_base_class_of_its_own_is_no_second_competitor(tmp_path: Path) -> None:
    text = "from palabre import Bot\nclass Base(Bot): ...\n" + BOT.replace("(Bot)", "(Base)")
    assert read_submission(file(tmp_path, text)).class_name == "Mine"


def link(name: str, target: str) -> tuple[zipfile.ZipInfo, str]:
    made = zipfile.ZipInfo(name)
    made.external_attr = (stat.S_IFLNK | 0o777) << 16
    return made, target


@pytest.mark.parametrize(
    ("member", "id"),
    [
        (("../escaped.py", BOT), "outside"),
        (("/tmp/escaped.py", BOT), "outside"),
        (("..\\escaped.py", BOT), "outside"),
        (("C:/escaped.py", BOT), "outside"),
        (link("passwords", "/etc/shadow"), "no_plain_file"),
    ],
)
def test_zips_that_reach_out_are_rejected(tmp_path: Path, member: tuple[str, str], id: str) -> None:
    with refuses(f"submission.{id}"):
        read_submission(archive(tmp_path, ("mine.py", BOT), member))
    assert not list(tmp_path.parent.glob("escaped*"))


def test_bombs_are_rejected_before_they_go_off(tmp_path: Path) -> None:
    with refuses("submission.too_large", most=64):
        read_submission(archive(tmp_path, ("mine.py", BOT), ("bomb", "x" * (MOST_BYTES + 1))))
    with refuses("submission.too_many", most=MOST_FILES):
        read_submission(archive(tmp_path, *((f"{number}.txt", "") for number in range(MOST_FILES + 1))))
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04 no zip")
    with refuses("submission.unreadable"):
        read_submission(tmp_path / "broken.zip")


def test_links_and_odd_files_in_folders_are_rejected(tmp_path: Path) -> None:
    folder = file(tmp_path / "links").parent
    (folder / "passwords").symlink_to("/etc/passwd")
    with refuses("submission.no_file", name="passwords"):
        read_submission(folder)
    folder = file(tmp_path / "pipes").parent
    os.mkfifo(folder / "pipe")
    with refuses("submission.no_file", name="pipe"):
        read_submission(folder)


def test_what_is_no_submission(tmp_path: Path) -> None:
    with refuses("submission.none"):
        read_submission(tmp_path / "missing.py")
    with refuses("submission.no_kind"):
        read_submission(file(tmp_path, "", "bot.txt"))
