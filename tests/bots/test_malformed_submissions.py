"""Malformed and hostile submissions: each is rejected in one printable sentence, and the event goes on."""

import os
import stat
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from palabre.arena.entries import gather
from palabre.bots import submission as submissions
from palabre.bots.submission import MOST_DEPTH, MOST_FILES, MOST_SOURCE, Rejected, has_bot, read_submission
from palabre.sandbox.players import files_of
from palabre.search.clock import Clock
from tests.arena.championships import SMALL
from tests.messages import holds, refuses

pytestmark = pytest.mark.processes
SECRET = "root:$6$secret"
BOT = 'from palabre import Bot\nclass Mine(Bot):\n    name = "Max"\n    authors = ("Eva",)\n'
TOML = 'name = "x"\nauthors = "y"\n'
BIDI, ESCAPE = "\u202e", "\x1b[2J"
Make = Callable[[Path], Path]


def is_printable(text: str) -> bool:
    """Whether nothing in a text changes how a terminal shows it; French has spaces that do not break."""
    return text.translate(dict.fromkeys((0xA0, 0x202F), " ")).isprintable()


def source(text: str | bytes, name: str = "bot.py") -> Make:
    """A single file."""

    def make(folder: Path) -> Path:
        path = folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return make


def tree(**files: str | bytes) -> Make:
    """A folder; `bot_toml` stands for `bot.toml`."""

    def make(folder: Path) -> Path:
        for name, text in files.items():
            path = folder / "entry" / name.replace("_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return folder / "entry"

    return make


def toml(text: str | bytes, **files: str) -> Make:
    """A folder with a C++ source and a `bot.toml`."""
    return tree(bot_toml=text, **(files or {"bot_cpp": "int main() {}"}))


def program(command: str) -> Make:
    """A folder whose `bot.toml` names a command, in TOML's own spelling."""
    return toml(f"{TOML}command = {command}", readme_txt="")


def pack(*members: tuple[str | zipfile.ZipInfo, str], change: Callable[[bytes], bytes] = bytes) -> Make:
    """A zip, whose bytes are changed in the end."""

    def make(folder: Path) -> Path:
        path = folder / "entry.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
            for name, text in members:
                packed.writestr(name, text)
        path.write_bytes(change(path.read_bytes()))
        return path

    return make


def replaced(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    """The change that puts other bytes in the place of some."""
    return lambda content: content.replace(old, new)


def broken_deflate(content: bytes) -> bytes:
    """A zip whose first member cannot be inflated: its data begins after a header of 30 bytes and the name."""
    [length] = struct.unpack("<H", content[26:28])
    begin = 30 + length
    return content[:begin] + b"\xff" * 8 + content[begin + 8 :]


def other_method(content: bytes) -> bytes:
    """A zip whose members are compressed by a method that does not exist."""
    return content.replace(b"\x50\x4b\x01\x02\x14\x03\x14\0\0\0\x08\0", b"\x50\x4b\x01\x02\x14\x03\x14\0\0\0\x63\0")


def encrypted(content: bytes) -> bytes:
    """A zip whose first member claims to be encrypted."""
    central = content.index(b"PK\x01\x02")
    return content[:6] + b"\x01" + content[7 : central + 8] + b"\x01" + content[central + 9 :]


def special(name: str, kind: int, target: str = "") -> tuple[zipfile.ZipInfo, str]:
    """A member of a zip that is no plain file."""
    entry = zipfile.ZipInfo(name)
    entry.external_attr = (kind | 0o777) << 16
    return entry, target


def beside_a_secret(change: Callable[[Path, Path], Path]) -> Make:
    """A submission that may lead to a file outside it which only the organiser may read."""

    def make(folder: Path) -> Path:
        secret = folder.parent / "secret"
        secret.write_text(f"{SECRET}\n")
        return change(folder, secret)

    return make


def link_as_a_bot(folder: Path, secret: Path) -> Path:
    path = folder / "bot.py"
    path.symlink_to(secret)
    return path


def link_as_a_zip(folder: Path, secret: Path) -> Path:
    path = folder / "bot.zip"
    path.symlink_to(secret)
    return path


def link_to_nothing(folder: Path, secret: Path) -> Path:
    path = folder / "bot.py"
    path.symlink_to(secret.with_name("missing"))
    return path


def link_to_itself(folder: Path, _: Path) -> Path:
    path = folder / "bot.py"
    path.symlink_to(path)
    return path


def link_to_a_folder(folder: Path, secret: Path) -> Path:
    path = folder / "entry"
    path.symlink_to(secret.parent)
    return path


def link_inside(name: str, *, to_folder: bool = False) -> Callable[[Path, Path], Path]:
    def change(folder: Path, secret: Path) -> Path:
        path = tree(bot_py=BOT)(folder)
        (path / name).symlink_to(secret.parent if to_folder else secret)
        return path

    return change


def toml_as_a_folder(folder: Path) -> Path:
    path = tree(bot_py=BOT)(folder)
    (path / "bot.toml").mkdir()
    return path


def pipe(folder: Path) -> Path:
    os.mkfifo(folder / "bot.py")
    return folder / "bot.py"


def pipe_inside(folder: Path) -> Path:
    path = tree(bot_py=BOT)(folder)
    os.mkfifo(path / "bot.toml")
    return path


def deep_folders(folder: Path) -> Path:
    path = tree(bot_py=BOT)(folder)
    (path / "/".join("d" * (MOST_DEPTH + 1))).mkdir(parents=True)
    return path


def many_folders(folder: Path) -> Path:
    path = tree(bot_py=BOT)(folder)
    for number in range(MOST_FILES):
        (path / str(number)).mkdir()
    return path


def classes(number: int) -> str:
    """Bots that are each the base of the next one."""
    lines = [f"class C{at}({f'C{at - 1}' if at else 'Bot'}): pass" for at in range(number)]
    return "from palabre import Bot\n" + "\n".join(lines)


def body(line: str) -> str:
    """A bot with this line in its class."""
    return f"from palabre import Bot\nclass Mine(Bot):\n    {line}\n"


def shown_bot(name: str) -> Make:
    """A sound bot in a file with an odd name."""
    return source(BOT, name)


HUGE = "9" * 10_000
MALFORMED: dict[str, tuple[Make, str]] = {
    # What is no Python, or too much of it.
    "empty source": (source(""), "spec.no_bot_in_file"),
    "not Python": (source("class A(Bot:"), "submission.no_python"),
    "Python 2": (source("print 'x'"), "submission.no_python"),
    "bad UTF-8": (source(b"x = '\xff\xfe'"), "submission.no_python"),
    "UTF-16": (source(BOT.encode("utf-16")), "spec.null_byte"),
    "unknown coding": (source("# -*- coding: klingon -*-\n" + BOT), "submission.no_python"),
    "coding that decompresses": (source("# -*- coding: zlib_codec -*-\n" + BOT), "submission.no_python"),
    "null byte": (source("x = 1\n\0"), "spec.null_byte"),
    "escape in a syntax error": (source(f"x = = '{ESCAPE}{BIDI}'"), "submission.no_python"),
    "huge integer": (source(f"x = {HUGE}\n" + BOT), "submission.no_python"),
    "huge integer as a name": (source(body("name = 1 << 99999")), "submission.computed"),
    "number as a name": (source(body("name = 7")), "submission.computed"),
    "set of lists as authors": (source(body("authors = {[], []}")), "submission.computed"),
    "authors by a number": (source(body("name = 'x'; authors = 7")), "submission.computed"),
    "name as bytes": (source(body("name = b'x'")), "submission.computed"),
    "name by a call": (source(body("name = input()")), "submission.computed"),
    "deep name": (source(body(f"name = {'(' * 150}'x'{')' * 150}[0]")), "submission.computed"),
    "deep parentheses": (source("x = " + "(" * 5000 + ")" * 5000), "submission.no_python"),
    "deep unary": (source("x = " + "-" * 200_000 + "1"), "submission.no_python"),
    "deep attributes as a base": (source(f"class A({'x.' * 20_000}Bot): pass"), "submission.no_python"),
    "deep sums as a base": (source(f"class A({'x+' * 3_000}x): pass"), "submission."),
    "many bases": (source(classes(20_000)), "submission.several_bots"),
    "deep subscripts as a base": (source(f"class A(Bot{'[0]' * 5_000}): pass"), "submission.no_python"),
    "large list": (source("x = [" + "1," * MOST_SOURCE + "]\n" + BOT), "submission.large_source"),
    "large source beside the bot": (tree(bot_py=BOT, data_py="#" * (MOST_SOURCE + 1)), "submission.large_source"),
    "large C++": (tree(bot_toml=TOML, bot_cpp="/" * (MOST_SOURCE + 1)), "submission.large_source"),
    # What `bot.toml` says.
    "toml as a folder": (toml_as_a_folder, "submission.wrong_toml"),
    "toml in Latin-1": (toml('name = "caf\xe9"'.encode("latin-1")), "submission.wrong_toml"),
    "toml with a null byte": (toml("name = '\0'"), "submission.wrong_toml"),
    "toml that ends early": (toml("name = "), "submission.wrong_toml"),
    "toml with a key twice": (toml("name = 'a'\nname = 'b'"), "submission.wrong_toml"),
    "deep toml": (toml("name = " + "[" * 20_000), "submission.wrong_toml"),
    "deep tables in toml": (toml("a" + ".a" * 5_000 + " = 1"), "submission.unknown_keys"),
    "huge integer in toml": (toml(f"name = {HUGE}"), "submission."),
    "hexadecimal in toml": (toml(f"{TOML}main = 0x{HUGE}"), "submission.needs_text"),
    "large toml": (toml("#" * (MOST_SOURCE + 1)), "submission.large_source"),
    "odd keys in toml": (toml(f'"{BIDI}x" = 1'), "submission.unknown_keys"),
    "name as a list": (toml("name = ['x']\nauthors = 'y'"), "submission.needs_text"),
    "name as a date": (toml("name = 2026-01-01\nauthors = 'y'"), "submission.needs_text"),
    "authors as a table": (toml("name = 'x'\nauthors = {a = 1}"), "submission.needs_texts"),
    "authors without letters": (toml(f"name = 'x'\nauthors = ['{BIDI}']"), "submission.no_authors"),
    "kind as a list": (toml(f"{TOML}kind = ['c++']"), "submission.needs_text"),
    "kind as a number": (toml(f"{TOML}kind = 0"), "submission.needs_text"),
    "keep as a text": (toml(f"{TOML}keep = 'no'"), "submission.needs_boolean"),
    "unknown protocol": (toml(f"{TOML}protocol = 'uci'"), "submission.wrong_protocol"),
    "main as options": (toml(f"{TOML}main = 'x -J-Dy=z'"), "submission.odd_name"),
    "main as a dot": (toml(f"{TOML}main = '.'"), "submission.odd_name"),
    "main outside": (toml(f"{TOML}main = '../../etc/passwd'", bot_py=BOT), "submission.no_main"),
    "blank command": (program("'   '"), "submission.no_command"),
    "empty command": (program("''"), "submission.no_command"),
    "unbalanced command": (program("""'./x "'"""), "submission.wrong_command"),
    "command that ends in a backslash": (program("'./x \\'"), "submission.wrong_command"),
    "command of empty quotes and a null byte": (program('"./x\\u0000"'), "submission.wrong_command"),
    "command with an escape": (program('"./x \\u001b[2J"'), "submission.wrong_command"),
    "command as a list": (program("['./x']"), "submission.needs_text"),
    "long command": (program(f"'./{'x' * 5_000}'"), "submission.wrong_command"),
    "long word in a command": (program(f"'./{'x' * 300}'"), "submission.wrong_command"),
    # Zips.
    "no zip": (source(b"PK\x03\x04 no zip", "bot.zip"), "submission.unreadable"),
    "empty zip": (source(b"", "bot.zip"), "submission.unreadable"),
    "zip of nothing": (pack(), "submission.no_source"),
    "bad UTF-8 in a zip": (pack(("ä.py", BOT), change=replaced("ä".encode(), b"\xff\xfe")), "submission.unreadable"),
    "bad deflate": (pack(("bot.py", BOT), change=broken_deflate), "submission.unreadable"),
    "unknown compression": (pack(("bot.py", BOT), change=other_method), "submission.unreadable"),
    "encrypted": (pack(("bot.py", BOT), change=encrypted), "submission.unreadable"),
    "zip cut short": (pack(("bot.py", BOT), change=lambda content: content[:-30]), "submission.unreadable"),
    "zip that reaches out": (pack(("../bot.py", BOT)), "submission.outside"),
    "zip with a drive": (pack(("C:\\bot.py", BOT)), "submission.outside"),
    "zip with a link": (pack(("bot.py", BOT), special("x", stat.S_IFLNK, "/etc/shadow")), "submission.no_plain_file"),
    "zip with a device": (pack(("bot.py", BOT), special("x", stat.S_IFBLK)), "submission.no_plain_file"),
    "file and folder at once": (pack(("a", "x"), ("a/bot.py", BOT)), "submission.unreadable"),
    "long name in a zip": (pack(("x" * 300 + ".py", BOT)), "submission.unreadable"),
    "deep zip": (pack(("d/" * 2000 + "bot.py", BOT)), "submission.too_deep"),
    "escape in a zip": (pack((f"a{ESCAPE}.py", BOT)), "submission.odd_name"),
    "escape in a zip, no Python": (pack((f"a{ESCAPE}{BIDI}.py", "x = =")), "submission.no_python"),
    # Links, pipes and names.
    "link as a bot": (beside_a_secret(link_as_a_bot), "submission.link"),
    "link as a zip": (beside_a_secret(link_as_a_zip), "submission.link"),
    "link to a folder": (beside_a_secret(link_to_a_folder), "submission.link"),
    "link to nothing": (beside_a_secret(link_to_nothing), "submission.link"),
    "link to itself": (beside_a_secret(link_to_itself), "submission.link"),
    "link inside": (beside_a_secret(link_inside("helper.py")), "submission.no_file"),
    "link as a toml": (beside_a_secret(link_inside("bot.toml")), "submission.no_file"),
    "link to a folder inside": (beside_a_secret(link_inside("more", to_folder=True)), "submission.no_file"),
    "link with an odd name": (beside_a_secret(link_inside(f"x{ESCAPE}")), "submission.no_file"),
    "pipe": (pipe, "submission.no_kind"),
    "pipe inside": (pipe_inside, "submission.no_file"),
    "deep folders": (deep_folders, "submission.too_deep"),
    "many folders": (many_folders, "submission.too_many"),
    "escape in a name": (shown_bot(f"bot{ESCAPE}.py"), "submission.odd_path"),
    "direction in a name": (shown_bot(f"bot{BIDI}.py"), "submission.odd_path"),
    "line end in a name": (shown_bot("bot\nadmitted.py"), "submission.odd_path"),
    "name in no coding": (shown_bot(os.fsdecode(b"bot\xff.py")), "submission.odd_path"),
    "nothing in a folder": (tree(readme_txt="hello"), "submission.no_source"),
}


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files, empty at first."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


@pytest.mark.parametrize("case", MALFORMED)
def test_a_malformed_submission_is_rejected_in_a_printable_sentence(tmp_path: Path, temporary: Path, case: str) -> None:
    make, id = MALFORMED[case]
    home = tmp_path / "home"
    home.mkdir()
    path = make(home)
    with pytest.raises(Rejected) as caught:
        read_submission(path)
    message = caught.value.message
    assert not isinstance(message, str)
    assert message.id.startswith(id) if id.endswith(".") else message.id == id, message
    for language in ("en", "fr"):
        text = caught.value.text(language)
        assert is_printable(text), text
        assert SECRET not in text
        assert len(text) < 1000
    assert not list(temporary.iterdir()), "the copy is removed"


def test_an_event_goes_on_without_malformed_submissions(tmp_path: Path) -> None:
    folder = tmp_path / "submissions"
    folder.mkdir()
    (folder / "good.py").write_text(BOT)
    for number, case in enumerate(MALFORMED):
        home = tmp_path / str(number)
        home.mkdir()
        made = MALFORMED[case][0](home)
        made.rename(folder / (f"{number:03d}{made.suffix}" if made.name.isprintable() else f"{number:03d}{made.name}"))
    entries = gather([str(folder)], SMALL, Clock())
    assert len(entries) == len(MALFORMED) + 1
    assert [entry.row.name for entry in entries if entry.row.state == "admitted"] == ["Max"]
    for entry in entries:
        for text in (entry.row.name, entry.row.spec, entry.row.note, entry.row.file):
            assert text.isprintable()
            assert SECRET not in text


def test_a_reading_process_that_dies_or_hangs_is_a_rejection(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = source(BOT)(tmp_path)
    monkeypatch.setattr(submissions, "READ", "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")
    with refuses("submission.unreadable") as caught:
        read_submission(path)
    holds(caught.value.message, "ended.signal", signal="SIGSEGV")
    monkeypatch.setattr(submissions, "READ", "input")
    with refuses("submission.unreadable"):
        read_submission(path)
    monkeypatch.setattr(submissions, "PATIENCE", 0.0)
    with refuses("submission.needs_time", most=0.0):
        read_submission(path)
    assert not list(temporary.iterdir())


@pytest.mark.parametrize("case", ["deep unary", "deep sums as a base", "large list", "escape in a name"])
def test_a_malformed_file_that_is_named_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    """As in `palabre match bot.py`: what it imports is found out by another process, also for what it imports."""
    monkeypatch.setattr("palabre.compile.digest.parse", lambda content: pytest.fail("it is parsed in this process"))
    path = MALFORMED[case][0](tmp_path)
    importing = [source(f"import {path.stem}", "honest.py")(tmp_path)] if path.stem.isidentifier() else []
    for name in (path, *importing):
        with pytest.raises(Rejected) as caught:
            files_of(str(name))
        assert is_printable(str(caught.value))


def test_memory_and_processor_are_limited_before_anything_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resource = pytest.importorskip("resource")
    limits = ("RLIMIT_AS", submissions.MEMORY), ("RLIMIT_CPU", submissions.PROCESSOR_SECONDS)
    checks = "; ".join(f"assert resource.getrlimit(resource.{name})[0] <= {value}" for name, value in limits)
    code = (
        "import sys, resource; sys.path.insert(0, {root!r}); from palabre.bots import submission_reader as reader; "
        f"reader._read = lambda *_: [{{'x': 1}}, exec({checks!r})][0]; reader.main()"
    )
    assert resource.getrlimit(resource.RLIMIT_CPU)[0] != submissions.PROCESSOR_SECONDS, "ours stays"
    monkeypatch.setattr(submissions, "READ", code)
    with pytest.raises(KeyError):  # it answers what is no submission, and no check has failed
        read_submission(source(BOT)(tmp_path))


def test_whether_a_file_has_a_bot_is_not_seen_in_this_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert has_bot(source(BOT)(tmp_path))
    assert not has_bot(source("x = 1")(tmp_path))
    assert not has_bot(source("x = " + "-" * 200_000 + "1")(tmp_path))
    assert not has_bot(beside_a_secret(lambda folder, secret: link_as_a_zip(folder, secret))(tmp_path))
    monkeypatch.setattr(submissions, "READ", "import os; os.abort()")
    assert not has_bot(source(BOT)(tmp_path))
