"""How far three things travel through the package: the functions that are called, and the files they are in.

    python -m tools.walks [--checkout FOLDER] [--list] [WALK...]

    move        from a person's move to the bot's answer, through the web server
    standings   from the first move of a game of a sandboxed bot to the printed standings
    analyse     `palabre analyse` of a position, to the printed text

Each is done for real, by the command of a checkout, this one by default. All its processes are traced but those in a
sandbox. Kernels (as plain Python), the rules of games, comprehensions, generated code and what imports call do not
count. The main line is what is left without properties and without the layers up to `search`, on which all others
stand: positions, words, drawing and searching take their part in any walk. Each walk is done three times and the
shortest one counts, for processes also do other things at times. The second walk needs bubblewrap.
"""

import argparse
import ast
import contextlib
import json
import os
import re
import subprocess
import tempfile
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

ROOT = Path(__file__).parent.parent
TRACED = Path(__file__).parent / "traced"
PATIENCE = 300.0  # seconds for an answer
TIMES = 3  # that a walk is done
# The layers up to `search`; `laws` is one of evaluation.
BASIS = ("core", "compile", "draw", "endgame", "evaluation", "laws", "search")
BOT = """from palabre import Bot


class First(Bot):
    name = "First"
    authors = ("Ada",)

    def choose(self, position, clock):
        return position.moves()[0]
"""


@dataclass(frozen=True)
class Walk:
    """What was called: functions and classes by process, the one that was started first at the head."""

    processes: list[list[tuple[str, str]]]
    classes: list[tuple[str, str]]

    @property
    def functions(self) -> list[tuple[str, str]]:
        """All of them, by file."""
        return sorted({one for process in self.processes for one in process})

    def main_line(self, checkout: Path) -> list[tuple[str, str]]:
        """Those that pass something on, in this checkout."""
        beyond = [(file, name) for file, name in self.functions if not file.startswith(BASIS)]
        known = {file: properties(checkout / "src" / "palabre" / file) for file, _ in beyond}
        return [(file, name) for file, name in beyond if name not in known[file]]


def properties(file: Path) -> set[str]:
    """The qualified names of the properties in a file."""
    tree = ast.parse(file.read_text("utf-8"))
    return {
        f"{kind.name}.{function.name}"
        for kind in ast.walk(tree)
        if isinstance(kind, ast.ClassDef)
        for function in kind.body
        if isinstance(function, ast.FunctionDef)
        and any(isinstance(mark, ast.Name) and "property" in mark.id for mark in function.decorator_list)
    }


class Tracing:
    """The environment of a command that is traced, and what it has called."""

    def __init__(self, checkout: Path, folder: Path) -> None:
        self.folder, self._checkout = folder, checkout
        self._since, self._calls = folder / "since", folder / "calls"
        self._calls.mkdir()

    def command(self, *words: str) -> list[str]:
        return [str(self._checkout / ".venv" / "bin" / "python"), "-m", "palabre", *words]

    def environment(self, first: str = "") -> dict[str, str]:
        """Settings for a command that records from the call of a function of the name `first`, or in `record`."""
        return {
            **os.environ,
            "PYTHONPATH": str(TRACED),
            "PYTHONDONTWRITEBYTECODE": "1",
            "NUMBA_DISABLE_JIT": "1",
            "PALABRE_CACHE": str(self.folder / "cache"),
            "XDG_DATA_HOME": str(self.folder / "data"),
            "TRACED_PACKAGE": str(self._checkout.resolve() / "src" / "palabre"),
            "TRACED_SINCE": str(self._since),
            "TRACED_FROM": first,
            "TRACED_CALLS": str(self._calls),
        }

    @contextlib.contextmanager
    def record(self) -> Iterator[None]:
        """Have functions recorded in the block."""
        self._since.touch()
        yield
        self._since.unlink()

    def walk(self) -> Walk:
        files = sorted(self._calls.iterdir())
        lines = [[line.split("\t") for line in file.read_text("utf-8").splitlines()] for file in files]
        called = [[(file, name) for kind, file, name in process if kind == "f"] for process in lines]
        classes = {(module, name) for process in lines for kind, module, name in process if kind == "c"}
        return Walk([process for process in called if process], sorted(classes))


# ---------------------------------------------------------------------------------------------------------- the walks


def analyse(tracing: Tracing) -> None:
    """From the command line to the printed lines."""
    words = ["analyse", "awele", "--moves", "C", "--nodes", "200", "--bot", "palabre"]
    with tracing.record():
        _run(tracing, words)


def standings(tracing: Tracing) -> None:
    """From the call of the referee to the printed table; without sandboxes the command fails."""
    (tracing.folder / "first.py").write_text(BOT, encoding="utf-8")
    words = ["championship", "first.py", "greedy", "--game", "awele", "--workers", "1", "--untrusted"]
    _run(tracing, words, "play_game")


def _run(tracing: Tracing, words: list[str], first: str = "") -> None:
    """Run the command to its end, traced from the call of a function of the name `first`, if there is one."""
    done = subprocess.run(
        tracing.command(*words),
        env=tracing.environment(first),
        cwd=tracing.folder,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"palabre {' '.join(words)} failed:\n{done.stdout}{done.stderr}")


def move(tracing: Tracing) -> None:
    """From a browser's message to the one with the bot's answer."""
    words = ["play", "--no-browser", "--port", "0", "--data", "games.db", "--workers", "1"]
    with subprocess.Popen(
        tracing.command(*words),
        env=tracing.environment(),
        cwd=tracing.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    ) as server:
        try:
            assert server.stdout is not None
            for line in server.stdout:
                if found := re.search(r"(http://[^/\s]+)(/enter\?token=\S+)", line):
                    _play(tracing, *found.groups())
                    return
            raise RuntimeError("the server printed no link")
        finally:
            server.terminate()


def _play(tracing: Tracing, origin: str, link: str) -> None:
    """Play two moves; before the second one, the server has imported and prepared what it needs."""
    with connect(
        origin.replace("http", "ws", 1) + "/socket",
        origin=Origin(origin),
        additional_headers={"Cookie": _cookie(origin + link)},
        max_size=None,
        ping_interval=None,
    ) as socket:
        player = Player(socket)
        second = player.play(0, "C")
        with tracing.record():
            player.play(2, second)


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Leaves a redirection to the caller, who wants its cookie."""

    def redirect_request(self, *arguments: Any) -> None:
        return None


def _cookie(link: str) -> str:
    try:
        urllib.request.build_opener(NoRedirect).open(link, timeout=PATIENCE)
    except urllib.error.HTTPError as reply:
        return str(reply.headers["Set-Cookie"]).partition(";")[0]
    raise RuntimeError(f"{link} sent no cookie")


class Player:
    """A browser without a page, with a game against a bot."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._ask("Hello", language="en")
        seats = [{"who": "me"}, {"who": "bot", "bot": "palabre:nodes=200"}]
        self._room = self._ask("OpenRoom", place={"game": "awele"}, seats=seats)["name"]
        self._ask("Enter", room=self._room)

    def play(self, ply: int, move: str) -> str:
        """Play a move, wait for the bot's answer, and return the first legal move after it."""
        self._send("PlayMove", room=self._room, ply=ply, move=move)
        while True:
            message = self._receive()
            if message["kind"] != "RoomChanged" or message["since"] is None:
                continue
            if message["since"] + len(message["plies"]) > ply + 2:
                return str(message["now"]["paths"][0]["move"])

    def _ask(self, kind: str, **fields: Any) -> Any:
        self._send(kind, **fields)
        while (message := self._receive())["kind"] != "Answer":
            pass
        return message.get("result")

    def _send(self, kind: str, **fields: Any) -> None:
        self._socket.send(json.dumps({"kind": kind, "ask": 1, **fields}))

    def _receive(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self._socket.recv(timeout=PATIENCE))
        if message["kind"] == "Refusal":
            raise RuntimeError(message["text"])
        return message


WALKS: dict[str, Callable[[Tracing], None]] = {"move": move, "standings": standings, "analyse": analyse}


def walked(name: str, checkout: Path = ROOT) -> Walk:
    """Do one of the walks, once."""
    with tempfile.TemporaryDirectory() as folder:
        tracing = Tracing(checkout, Path(folder))
        WALKS[name](tracing)
        return tracing.walk()


def main() -> None:
    parser = argparse.ArgumentParser(description="How far three things travel through the package.")
    parser.add_argument("walks", nargs="*", metavar="WALK", help=f"{', '.join(WALKS)}; all by default")
    parser.add_argument("--checkout", type=Path, default=ROOT, help="with a .venv of its own; this one by default")
    parser.add_argument("--list", action="store_true", help="list functions and classes")
    chosen = parser.parse_args()
    print(
        f"{'walk':<12}{'functions':>10}{'files':>8}{'classes':>9}{'main line':>12}   each process: functions in files"
    )
    for name in chosen.walks or WALKS:
        walk = min((walked(name, chosen.checkout) for _ in range(TIMES)), key=lambda walk: len(walk.functions))
        line = walk.main_line(chosen.checkout)
        passed = f"{len(line)} in {len({file for file, _ in line})}"
        each = ", ".join(f"{len(one)} in {len({file for file, _ in one})}" for one in walk.processes)
        files = Counter(file for file, _ in walk.functions)
        print(f"{name:<12}{len(walk.functions):>10}{len(files):>8}{len(walk.classes):>9}{passed:>12}   {each}")
        if chosen.list:
            for file in files:
                print(f"    {file}: {', '.join(function for place, function in walk.functions if place == file)}")
            print(f"    classes: {', '.join(name for _, name in walk.classes)}")


if __name__ == "__main__":
    main()
