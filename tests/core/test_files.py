"""`replace_file`: a file is replaced as a whole, or stays as it was."""

from pathlib import Path

import pytest

from palabre.core.files import replace_file


def test_a_file_is_made_or_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    for text in ("one", "two"):
        replace_file(file, text)
        assert file.read_text(encoding="utf-8") == text
    assert list(tmp_path.iterdir()) == [file]


def test_bytes_are_written_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / "a.bin"
    replace_file(file, b"\r\n\xff\0")
    assert file.read_bytes() == b"\r\n\xff\0"


def test_what_cannot_be_encoded_leaves_the_old_text(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    replace_file(file, "old")
    with pytest.raises(UnicodeEncodeError):
        replace_file(file, "\ud800")
    assert file.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_link_stays_a_link_and_permissions_stay(tmp_path: Path) -> None:
    file, link = tmp_path / "a.txt", tmp_path / "link.txt"
    file.write_text("old")
    file.chmod(0o640)
    link.symlink_to(file)
    replace_file(link, "new")
    assert link.is_symlink()
    assert file.read_text() == "new"
    assert file.stat().st_mode & 0o777 == 0o640


def test_a_device_is_written_to() -> None:
    replace_file(Path("/dev/null"), "text")
    assert not Path("/dev/null").is_file()
