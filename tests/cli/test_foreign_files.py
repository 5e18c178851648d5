"""Files that are not what a command reads: one line that names the file and says what to give instead."""

import sqlite3
from pathlib import Path

import pytest

from tests.command import PLAIN, palabre
from tests.sentences import tells

READERS = {
    "stats": ["stats", "FILE"],
    "replay": ["replay", "FILE"],
    "observe": ["observe", "FILE", "--out", "OUT"],
    "report": ["report", "FILE"],
    "debug": ["debug", "random", "--event", "FILE", "--game", "1", "--ply", "0"],
    "play": ["play", "FILE", "--terminal"],
    "analyse": ["analyse", "FILE"],
}
PICTURE = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"


def make(kind: str, folder: Path) -> Path:
    file = folder / f"my {kind}"
    if kind == "text":
        file.write_text("Dear diary,\n[today] I played.\n", encoding="utf-8")
    elif kind == "picture":
        file.write_bytes(PICTURE)
    elif kind == "empty file":
        file.touch()
    elif kind == "folder":
        file.mkdir()
    elif kind == "database":
        with sqlite3.connect(file) as other:
            other.execute("CREATE TABLE invoices (sum INTEGER)")
    return file


@pytest.mark.parametrize("command", READERS)
@pytest.mark.parametrize("kind", ["text", "picture", "database", "empty file", "folder", "missing"])
def test_a_foreign_file_is_named_with_the_remedy(kind: str, command: str, tmp_path: Path) -> None:
    file = make(kind, tmp_path)
    words = [{"FILE": str(file), "OUT": str(tmp_path / "out.csv")}.get(word, word) for word in READERS[command]]
    done = palabre(*words, settings=PLAIN)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert str(file) in done.stderr
    assert not tells(done.stderr, "database.other_kind"), "that would be a remedy for writing"


@pytest.mark.parametrize("words", [["show", "FILE"], ["check", "FILE"], ["match", "FILE", "random", "--game", "awele"]])
def test_a_null_byte_is_found_on_its_line(words: list[str], tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_bytes(b"x = 1\ny = 2\0\n")
    done = palabre(*(str(file) if word == "FILE" else word for word in words), settings=PLAIN)
    assert done.returncode == 2
    assert tells(done.stderr, "spec.null_byte", line=2)
    assert "None" not in done.stderr
