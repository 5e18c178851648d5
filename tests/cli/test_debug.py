"""`palabre debug` from outside: what an author reads when the bot fails, and the command that shows it again."""

import shlex
from pathlib import Path

import pytest

import palabre
from palabre.arena.match import Match
from palabre.core.words import say
from palabre.search.clock import Clock
from tests.command import palabre as command
from tests.sentences import tells

GAME = palabre.game("awele")
BOT = "from palabre import Bot\n\nclass Mine(Bot):\n    def choose(self, position, clock):\n"
PLY = 4  # after the opening


def written(folder: Path, *lines: str) -> Path:
    file = folder / "my bot.py"
    file.write_text(BOT + "".join(f"        {line}\n" for line in lines), encoding="utf-8")
    return file


OF_MEMORY = {"kind": "MemoryError"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two events of a bot, one with a clock."""
    folder = tmp_path_factory.mktemp("debug")
    file = written(folder, "return position.moves()[0]")
    for name, clock in (("free", Clock()), ("short", Clock(per_move=0.5))):
        with Match(
            (str(file), "random"), GAME, 2, clocks=clock, balanced=False, in_process=True, file=folder / f"{name}.event"
        ) as match:
            next(iter(match.play()))
    return folder


@pytest.mark.parametrize(
    ("lines", "event", "id", "params", "line"),
    [
        (["if position.ply:", "    return [][1]"], "free", "forfeit.raised_in", {"kind": "IndexError"}, 6),
        (["return 'Z9'"], "free", "error.illegal_move", {"move": "Z9"}, 4),
        (["return None"], "free", "forfeit.no_move", {"answer": "None"}, 4),
        (["while True:", "    pass"], "short", "forfeit.no_answer_in_time", {"allowed": 0.5}, None),
        (["kept = []", "while True:", "    kept.append(bytes(1 << 24))"], "free", "forfeit.raised_in", OF_MEMORY, 7),
        (["raise SystemExit('\\x1b[2J\\u202egone')"], "free", "forfeit.raised_in", {"error": "?[2J?gone"}, 5),
    ],
)
def test_what_an_author_reads(
    folder: Path, lines: list[str], event: str, id: str, params: dict[str, object], line: int | None
) -> None:
    file = written(folder, *lines)
    arguments = ["debug", file.name, "--event", f"{event}.event", "--game", "1", "--ply", str(PLY)]
    done = command(*arguments, cwd=folder)
    assert done.returncode == 1, done.stderr
    place, position, again = done.stdout.splitlines()[-3:]
    assert tells(done.stdout.splitlines()[-4], id, **params)
    expected = str(say("debug.place", function="choose", file=file, line=line or 0))
    assert place == expected if line is not None else place.startswith(expected.removesuffix("0"))
    assert position.startswith(str(say("debug.position", position="")))
    assert GAME.position(position.removeprefix(str(say("debug.position", position="")))).ply >= 0
    assert again == str(say("debug.again", command=shlex.join(["palabre", *arguments])))
    assert ("Traceback" in done.stderr) == (line != 4)
    assert all(sign.isprintable() or sign == "\n" for sign in done.stdout + done.stderr)


def test_an_honest_answer_is_shown_with_the_one_of_the_event(folder: Path) -> None:
    file = written(folder, "return position.moves()[0]")
    done = command("debug", file.name, "--event", "free.event", "--game", "1", "--ply", str(PLY), cwd=folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].startswith("it answers ")


def test_the_command_to_repeat_keeps_its_options(folder: Path) -> None:
    file = written(folder, "return None")
    arguments = ["debug", file.name, "--event", "free.event", "--game", "1", "--ply", str(PLY), "--from-start"]
    done = command(*arguments, cwd=folder)
    assert done.returncode == 1, done.stderr
    assert done.stdout.splitlines()[-1] == str(say("debug.again", command=shlex.join(["palabre", *arguments])))
