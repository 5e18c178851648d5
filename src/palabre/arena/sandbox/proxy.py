"""SandboxedBot: a bot in a sandbox, as the referee sees it.

It is a bot like any other. Each hook becomes a message to the supervisor inside; whatever goes wrong there becomes a
`BotFailed` with the reason in words. A game that fails leaves the sandbox as it was before the game.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, astuple, replace
from pathlib import Path
from typing import Any

from palabre.arena.guard import GRACE
from palabre.arena.sandbox import bubblewrap, seccomp
from palabre.arena.sandbox.report import BotFailed, Failure, Limits, SandboxBroken, Turn
from palabre.bots.bot import Bot
from palabre.core.errors import clip
from palabre.core.game import Game
from palabre.core.position import Move, Position
from palabre.search.clock import Clock

BACKSTOP = 5.0  # seconds that the supervisor may be late with its own answer before all is killed
CHUNK = 1 << 16
LONGEST_REASON = 400  # characters

_launchers: dict[int, ThreadPoolExecutor] = {}


def _launcher() -> ThreadPoolExecutor:
    """The thread that starts sandboxes: a sandbox dies with the thread that has started it, not only the process."""
    return _launchers.setdefault(os.getpid(), ThreadPoolExecutor(1, "palabre-sandboxes"))


class Sandbox:
    """A running sandbox: the process of bubblewrap, and the line to the supervisor in it."""

    def __init__(self, limits: Limits, binds: Mapping[str, Path], *, programs: bool = False) -> None:
        self._uid = bubblewrap.Uid() if bubblewrap.is_root() else None
        self._line, theirs = socket.socketpair()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed by `close`)
        settings = {"limits": asdict(limits), "uid": None if self._uid is None else self._uid.number}
        words = [sys.executable, "-P", "-m", "palabre.arena.sandbox.supervisor", json.dumps(settings)]
        process = _launcher().submit(_start, limits, binds, words, theirs, self._errors, programs).result()
        theirs.close()
        self._process: subprocess.Popen[bytes] = process
        self._buffer = b""
        self.close = weakref.finalize(self, _close, process, self._line, self._errors, self._uid)

    @property
    def is_open(self) -> bool:
        return bool(self.close.alive)

    def ask(self, order: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Have the supervisor do something, and give its answer."""
        self.tell(order)
        deadline = time.monotonic() + seconds + BACKSTOP
        while b"\n" not in self._buffer:
            self._line.settimeout(max(0.001, deadline - time.monotonic()))
            try:
                chunk = self._line.recv(CHUNK)
            except TimeoutError:
                raise self._broken("does not answer") from None
            except OSError as error:
                raise self._broken(f"has failed: {error.strerror}") from error
            if not chunk:
                raise self._broken("has ended")
            self._buffer += chunk
        line, _, self._buffer = self._buffer.partition(b"\n")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def tell(self, order: dict[str, Any]) -> None:
        """Say something that has no answer."""
        try:
            self._line.settimeout(BACKSTOP)
            self._line.sendall(json.dumps(order).encode() + b"\n")
        except OSError as error:
            raise self._broken("does not listen") from error

    def _broken(self, how: str) -> SandboxBroken:
        self._process.kill()
        self._process.wait()
        self._errors.seek(0)
        said = self._errors.read()[-2000:].decode("utf-8", "replace").strip()
        self.close()
        return SandboxBroken(f"the sandbox {how}" + (f": {' / '.join(said.splitlines()[-3:])}" if said else ""))


def _start(
    limits: Limits,
    binds: Mapping[str, Path],
    words: Sequence[str],
    line: socket.socket,
    errors: Any,
    programs: bool,
) -> "subprocess.Popen[bytes]":
    filters = seccomp.program()
    reader = None
    try:
        if filters is not None:
            reader, writer = os.pipe()
            os.write(writer, filters)
            os.close(writer)
        given = bubblewrap.command(limits, binds, words, seccomp=reader, programs=programs)
        before = os.sched_getaffinity(0)
        if limits.processors:
            os.sched_setaffinity(0, limits.processors)  # of this thread, and of what it starts
        try:
            return subprocess.Popen(
                given,
                stdin=line.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=errors,
                pass_fds=[] if reader is None else [reader],
            )
        finally:
            os.sched_setaffinity(0, before)
    finally:
        if reader is not None:
            os.close(reader)


def _close(process: "subprocess.Popen[bytes]", line: socket.socket, errors: Any, uid: bubblewrap.Uid | None) -> None:
    line.close()
    process.kill()
    process.wait()
    errors.close()
    if uid is not None:
        uid.close()


class SandboxedBot(Bot):
    """A bot in a sandbox. `inside` is its spec there, and `binds` are the files that it needs there."""

    def __init__(
        self,
        spec: str,
        inside: str,
        game: Game,
        binds: Mapping[str, Path],
        *,
        limits: Limits | None = None,
        programs: bool = False,
    ) -> None:
        self.spec = spec
        self.limits = limits or Limits()
        self.last_turn = Turn()
        self.failure: Failure | None = None  # of the last game
        self.last_words = ""  # the end of what it printed
        self._inside, self._game, self._binds, self._programs = inside, game, dict(binds), programs
        self._lesson: tuple[Sequence[Any], float] | None = None
        self._load_failure: Failure | None = None
        self._sandbox: Sandbox | None = None
        self._first_state: object = None
        self._sent: tuple[Move, ...] | None = None  # the moves that the bot knows of; None before the first
        self._is_thinking = threading.Event()

    # ------------------------------------------------------------------------------------------------------- the hooks

    def learn(self, data: Sequence[Any], budget: float) -> None:
        self._lesson, self._load_failure = (data, budget), None
        self.close()
        self._load()

    def sit_down(self, game: Game, seat: int, seed: int = 0) -> None:
        self.failure, self.last_turn, self._sent = self._load_failure, Turn(), None
        if self._load_failure is not None:  # it would fail again, perhaps after a minute
            raise BotFailed(self._load_failure)
        if self._sandbox is None or not self._sandbox.is_open:
            self._load()
        self._ask("start", {"do": "start", "seat": seat, "seed": seed}, self.limits.starting)

    def choose(self, position: Position, clock: Clock) -> Move | str:
        limits = [seconds for seconds in (clock.per_move, clock.remaining) if seconds is not None]
        seconds = min(limits) + GRACE if limits else self.limits.patience
        question = {"do": "choose", "clock": astuple(clock), **self._news(position)}
        self._is_thinking.set()
        try:
            answer = self._ask("ask", question, seconds, timed=True)
        finally:
            self._is_thinking.clear()
        if "no_move" in answer:
            raise self._failed("no move", f"no move: it returned {clip(str(answer['no_move']), 80)}")
        move = answer.get("move")
        if not isinstance(move, str):
            raise self._failed("garbage", f"garbage: it answered {clip(json.dumps(answer))}")
        depth, nodes = (answer.get(name) for name in ("depth", "nodes"))
        if isinstance(depth, int) and isinstance(nodes, int):
            self.last_turn = replace(self.last_turn, depth=depth, nodes=nodes)
        return move

    def stop(self) -> None:
        if self._is_thinking.is_set() and self._sandbox is not None:
            self._sandbox.tell({"do": "stop"})

    def end_game(self, position: Position) -> None:
        if self._sandbox is not None and self._sandbox.is_open and self.failure is None:
            try:
                self._ask("ask", {"do": "end_game", **self._news(position)}, self.limits.farewell)
            finally:
                self._order({"do": "end"}, 0.0)

    def end_event(self) -> None:
        if self._sandbox is not None and self._sandbox.is_open:
            self._ask("load", {"do": "end_event"}, self.limits.farewell)

    def close(self) -> None:
        """End the sandbox; it is started again when somebody wants to play."""
        if self._sandbox is not None:
            self._sandbox.close()
            self._sandbox = None

    # ---------------------------------------------------------------------------------------------------------- inside

    def _load(self) -> None:
        """Start the sandbox and have the bot imported, and let it learn if it has been told to."""
        self._sandbox = Sandbox(self.limits, self._binds, programs=self._programs)
        game = self._game
        path = str(game.sources()[0].parent if len(game.sources()) > 1 else game.sources()[0])
        spec = game.facts.spec(game.options, None if bubblewrap.package() in Path(path).parents else path)
        try:
            self._ask("load", {"do": "load", "game": spec, "bot": self._inside}, self.limits.loading)
            if self._lesson is not None:
                data, budget = self._lesson
                self._ask("load", {"do": "learn", "data": list(data), "budget": budget}, budget + GRACE)
        except BotFailed as error:
            self._load_failure = error.failure
            self.close()
            raise

    def _news(self, position: Position) -> dict[str, Any]:
        """What the bot does not know yet of the game up to a position."""
        first = position.state if position.first_state is None else position.first_state
        news: dict[str, Any] = {}
        if self._sent is None or first != self._first_state:
            news["start"] = position.start_text
            self._sent, self._first_state = (), first
        kept = 0
        if position.played[: len(self._sent)] == self._sent:
            kept = len(self._sent)
        else:
            for known, played in zip(self._sent, position.played, strict=False):
                if known != played:
                    break
                kept += 1
        self._sent = position.played
        return news | {"kept": kept, "moves": [move.text for move in position.played[kept:]]}

    def _ask(self, do: str, question: dict[str, Any], seconds: float, *, timed: bool = False) -> dict[str, Any]:
        """Ask the bot something; a `BotFailed` says how it failed."""
        order = {"do": do, "line": json.dumps(question), "seconds": seconds, "timed": timed}
        told = self._order(order, seconds)
        try:
            answer = json.loads(told["line"])
        except (ValueError, RecursionError):
            raise self._failed("garbage", f"garbage: it answered {clip(told['line'])}") from None
        if not isinstance(answer, dict):
            raise self._failed("garbage", f"garbage: it answered {clip(told['line'])}")
        if "error" in answer:
            raise self._failed("error", _error_in_words(answer), str(answer.get("traceback", "")))
        return answer

    def _order(self, order: dict[str, Any], seconds: float) -> dict[str, Any]:
        assert self._sandbox is not None
        told = self._sandbox.ask(order, seconds)
        if "turn" in told:
            self.last_turn = Turn(**told["turn"])
        self.last_words = told.get("output", "")
        if told.get("kind") == "stuck":  # the next game finds a new sandbox
            self.close()
        if "kind" in told:
            raise self._failed(told["kind"], told["reason"])
        return told

    def _failed(self, kind: str, reason: str, traceback: str = "") -> BotFailed:
        words = "".join(sign if sign.isprintable() else "?" for sign in reason[:LONGEST_REASON])
        self.failure = Failure(kind, words, traceback, self.last_words, self.last_turn)
        return BotFailed(self.failure)


def _error_in_words(answer: Mapping[str, Any]) -> str:
    """An error that the bot's own process tells of; none of it need be true, or of the right type."""
    words = f"error: {answer.get('error')}: {answer.get('text')}"
    place = answer.get("place")
    if isinstance(place, list) and len(place) == 3:
        words += f" ({place[0]}, line {place[1]}: {place[2]})"
    return words
