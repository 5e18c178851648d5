"""Inside the sandbox: what runs the bot's code. The warm parent imports the bot and lets it learn, once per sandbox.

Each game is played by a fork of the warm parent, which makes games start at once and has them begin all from the same
memory. The supervisor believes nothing of this file: the bot shares its interpreter.
"""

import ctypes
import faulthandler
import gc
import importlib
import json
import math
import os
import platform
import signal
import socket
import subprocess
import sys
import threading
import traceback
from bdb import BdbQuit
from json.encoder import encode_basestring_ascii as quoted
from typing import Any, NoReturn

from palabre.bots.bot import Bot
from palabre.bots.foreign import EngineDied, Foreign
from palabre.bots.specs import bot as find_bot
from palabre.core import registry
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.observations import Observation, from_cells
from palabre.core.plain import stored
from palabre.core.position import Move, Position
from palabre.core.system import hide_memory
from palabre.core.words import Message, say
from palabre.play.failures import STACK_SIGNAL
from palabre.play.guard import shown_answer, traceback_of
from palabre.search.clock import Clock
from palabre.search.thought import Thought

# Descriptors: where questions come in, where a stop comes in, and where we report our stack if we are late.
CHANNEL, STOP, STACK = 3, 4, 5
CHUNK = 1 << 16
BUILD_SECONDS = 120.0  # for a compiler
# Modules that take long to import, and which our own bots import when a game starts.
HEAVY = ("numpy", "numba", "palabre.compile.internals", "palabre.compile.registration", "scipy", "sklearn", "torch")
CLONE = {"x86_64": 56, "aarch64": 220}  # the number of the system call
CLONE_PARENT = 0x8000  # of linux/sched.h
LONGEST_TRACEBACK = 8000  # characters, the last ones
LONGEST_MESSAGE = 16000  # characters of JSON

_decode = json.JSONDecoder().raw_decode  # what `json.loads` does besides takes as long again


class QuestionChannel:
    """The descriptor on which questions come in."""

    def __init__(self, takes_descriptors: bool) -> None:
        self._socket = socket.socket(fileno=CHANNEL)
        self._takes_descriptors = takes_descriptors  # as the warm parent does, for its games
        self._buffer = b""

    def read(self) -> tuple[str, list[int]]:
        """The next question, and the descriptors that come with it; the process ends when it is closed."""
        received: list[int] = []
        while b"\n" not in self._buffer:
            if self._takes_descriptors:
                chunk, descriptors, *_ = socket.recv_fds(self._socket, CHUNK, 4)
                received += descriptors
            else:
                chunk = self._socket.recv(CHUNK)
            if not chunk:
                os._exit(0)
            self._buffer += chunk
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line.decode(), received

    def write(self, answer: str) -> None:
        self._socket.sendall(answer.encode() + b"\n")


def take_over(channel: int, output: int, stop: int, stack: int, *, is_game: bool) -> QuestionChannel:
    """Have these descriptors where everybody expects them, and no others."""
    kept = [os.dup(number) for number in (channel, output, stop, stack)]  # out of the way of each other
    high = [os.dup2(number, 64 + place) for place, number in enumerate(kept)]
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(high[0], CHANNEL, inheritable=False)
    os.dup2(high[1], 1)
    os.dup2(high[1], 2)
    os.dup2(high[2], STOP, inheritable=False)
    os.dup2(high[3], STACK, inheritable=False)
    os.closerange(6, 1024)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", errors="replace", buffering=1, closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="replace", buffering=1, closefd=False)  # noqa: SIM115
    return QuestionChannel(takes_descriptors=not is_game)


def serve(channel: int, output: int, stop: int, stack: int) -> NoReturn:
    """Be the warm parent."""
    hide_memory(False)  # process 1 looks at what we share with games, before the first of them
    line = take_over(channel, output, stop, stack, is_game=False)
    host = BotHost()
    while True:
        text, descriptors = line.read()
        if descriptors:
            fork_game(host, descriptors)
        else:
            report_stack_by_signal()
            answer = host.answer(json.loads(text))
            # A game must not inherit a handler from us: only a parent that handles no signals may have several games.
            faulthandler.unregister(STACK_SIGNAL)
            line.write(answer)


def report_stack_by_signal() -> None:
    """Write the stack of every thread to `STACK` when process 1 asks for it, and end.

    The handler is C code that takes no lock, so it also works while a library holds the interpreter lock. The process
    ends because the handler before, the default one, comes next; then process 1 knows that the stack is complete.
    """
    faulthandler.register(STACK_SIGNAL, file=STACK, all_threads=True, chain=True)


class StackWanted(BaseException):
    """Raised by the same signal where the bot is a program, which is waited for in Python."""


def raise_stack_wanted(*_: object) -> NoReturn:
    raise StackWanted


def report_program(bot: Foreign) -> NoReturn:
    """Report what a program has written to standard error, and its stack if it has one, and end."""
    try:
        if bot.process is not None:
            os.write(2, bot.process.stderr_tail.encode("utf-8", "replace"))
            for piece in bot.process.stack(math.inf):  # process 1 looks at the time
                os.write(STACK, piece)
    finally:
        os._exit(1)


def fork_game(host: "BotHost", descriptors: list[int]) -> None:
    """Fork the process of a game, as a child of process 1, which learns how it ends."""
    hide_memory()  # from the games, which are to change nothing here
    gc.freeze()
    gate, latch = os.pipe()
    if fork_sibling() == 0:
        hide_memory(False)
        os.close(latch)
        os.read(gate, 1)  # until the warm parent has let go of all that is the game's, and stands aside
        play(host, take_over(*descriptors, is_game=True))
    for number in (*descriptors, gate, latch):
        os.close(number)


def fork_sibling() -> int:
    """Fork a process whose parent is ours, which is process 1. As `os.fork`, it returns 0 in the new process.

    To fork twice and let the process between the two die has the same effect, and takes three times as long. It is done
    where there are threads, whose locks only the C library's own fork can release, and where we do not know the number
    of the system call.
    """
    call = CLONE.get(platform.machine())
    if call is not None and len(os.listdir("/proc/self/task")) == 1:  # noqa: PTH208 (a Path costs more)
        python = ctypes.pythonapi
        python.PyOS_BeforeFork()
        pid: int = ctypes.PyDLL(None).syscall(call, CLONE_PARENT | signal.SIGCHLD, 0, 0, 0, 0)
        (python.PyOS_AfterFork_Child if pid == 0 else python.PyOS_AfterFork_Parent)()
        if pid < 0:
            raise OSError("the process of a game cannot be forked")
        return pid
    pid = os.fork()
    if pid == 0 and os.fork() != 0:
        os._exit(0)
    if pid != 0:
        os.waitpid(pid, 0)
    return pid


def play(host: "BotHost", line: QuestionChannel) -> NoReturn:
    """Be the process of one game."""
    os.setsid()
    if isinstance(host.bot, Foreign):
        signal.signal(STACK_SIGNAL, raise_stack_wanted)
    else:
        report_stack_by_signal()
    if type(host.bot).stop is not Bot.stop:
        threading.Thread(target=host.listen_for_stop, daemon=True).start()
    while True:
        try:
            line.write(host.answer(_decode(line.read()[0])[0]))
        except StackWanted:
            assert isinstance(host.bot, Foreign)
            report_program(host.bot)


class BotHost:
    """The bot, and the game it plays."""

    def __init__(self) -> None:
        self.game: Game | None = None
        self.bot: Bot = Bot()
        self.observations: list[Observation] = []
        self.positions: list[Position] = []
        self.thought: Thought | None = None  # what the bot has reported last while it was choosing
        self.clock = Clock()  # the last one, and the values that it was made of
        self.clock_values: list[Any] = []

    def answer(self, question: dict[str, Any]) -> str:
        """Do what is asked, and answer in JSON; whatever the bot raises goes back as data."""
        try:
            verb = question["do"]
            answer: str | dict[str, Any] = getattr(self, f"do_{verb}")(question)
        except StackWanted:
            raise
        except BaseException as error:
            if isinstance(error, EngineDied):
                sys.stderr.write(error.stderr_tail)
            answer = error_report(error, self.game)
        finally:
            sys.stdout.flush()
        return answer if isinstance(answer, str) else json.dumps(answer)

    def do_load(self, question: dict[str, Any]) -> dict[str, Any]:
        self.game = registry.game(question["game"])
        self.bot = find_bot(question["bot"], self.game)
        self.bot.watch = self.watch
        if isinstance(self.bot, Foreign):
            self.bot.overtime = math.inf  # process 1 looks at the time
        return {"options": list(self.bot.options.values), "any_seat": bool(self.bot.any_seat)}

    def do_read(self, question: dict[str, Any]) -> dict[str, Any]:
        assert self.game is not None
        self.observations = from_cells(self.game, question["rows"])
        return {}

    def do_learn(self, question: dict[str, Any]) -> dict[str, Any]:
        self.bot.learn(self.observations, question["budget"])
        self.observations = []  # what the bot needs of them, it has kept
        return {}

    def do_start(self, question: dict[str, Any]) -> dict[str, Any]:
        assert self.game is not None
        self.positions = []
        self.bot.sit_down(self.game, question["seat"], question["seed"])
        return {"imported": [name for name in HEAVY if name in sys.modules]}

    def do_choose(self, question: dict[str, Any]) -> str | dict[str, Any]:
        self.thought = self.bot.thought = None
        position = self.position(question)
        if question["clock"] != self.clock_values:
            self.clock, self.clock_values = Clock(*question["clock"]), question["clock"]
        move = self.bot.choose(position, self.clock)
        if not isinstance(move, Move | str):
            return {"no_move": shown_answer(move)}
        # Written by hand, as the question is: it is the answer of every turn.
        answer = f'{{"move": {quoted(str(move))}'
        if isinstance(move, Move):
            answer += f', "code": {int(move.code)}'
        if "start" in question:  # once in a game, and here: what a bot learns in its warm parent, all games know
            answer += f', "timed": {json.dumps(self.is_timed(position, self.clock))}'
        thought = self.bot.thought or self.thought
        if thought is not None:
            answer += f', "depth": {int(thought.depth)}, "nodes": {int(thought.nodes)}'
        return answer + "}"

    def do_end_game(self, question: dict[str, Any]) -> dict[str, Any]:
        self.bot.end_game(self.position(question))
        return {}

    def do_run(self, question: dict[str, Any]) -> dict[str, Any]:
        """Run a program, such as a compiler."""
        done = subprocess.run(question["words"], timeout=BUILD_SECONDS, check=False)
        return {"code": done.returncode}

    def do_preload(self, question: dict[str, Any]) -> dict[str, Any]:
        """Import modules that the bot imports in its games; from now on they are there from the beginning."""
        for name in question["modules"]:
            importlib.import_module(name)
        return {}

    def do_end_event(self, question: dict[str, Any]) -> dict[str, Any]:
        self.bot.end_event()
        return {}

    def position(self, question: dict[str, Any]) -> Position:
        """The position in question: what is left of the last one after so many moves, and the moves since."""
        assert self.game is not None
        if "start" in question:
            start = question["start"]
            self.positions = [self.game.start() if start is None else self.game.position(start)]
        del self.positions[question["kept"] + 1 :]
        for move in question["moves"]:
            self.positions.append(self.positions[-1].play(move))
        return self.positions[-1]

    def is_timed(self, position: Position, clock: Clock) -> bool:
        try:
            return bool(self.bot.is_timed(position, clock))
        except Exception:  # which is no move, and loses no game
            return True

    def watch(self, thought: Thought) -> None:
        self.thought = thought

    def listen_for_stop(self) -> None:
        while os.read(STOP, 1):
            self.bot.stop()


def error_report(error: BaseException, game: Game | None) -> dict[str, Any]:
    """An error as data: its text and message, where in the bot's own files it was raised, and the whole traceback."""
    message = say("forfeit.breakpoint") if isinstance(error, BdbQuit) else getattr(error, "message", None)
    is_ours = isinstance(error, PalabreError | BdbQuit)
    try:
        text = " ".join(str(message if isinstance(error, BdbQuit) else error).split())
        plain = stored(message, None if game is None else game.words().home) if isinstance(message, Message) else None
    except Exception:  # the error's own text fails, too
        text, plain = "", None
    cause: BaseException = error
    if isinstance(error, PalabreError) and error.__cause__ is not None:  # the bot's own, under our words
        cause = error.__cause__
    frames = [frame for frame in traceback.extract_tb(cause.__traceback__) if frame.filename.startswith("/bot/")]
    place = [frames[-1].filename.removeprefix("/bot/"), frames[-1].lineno, frames[-1].line] if frames else None
    try:
        whole = "" if isinstance(error, EngineDied) else traceback_of(error).replace('File "/bot/', 'File "')
    except Exception:
        whole = ""
    return {
        "error": type(error).__name__,
        "is_ours": is_ours,
        "text": text[:1000],
        "message": plain if len(json.dumps(plain)) <= LONGEST_MESSAGE else None,
        "place": place,
        "traceback": whole[-LONGEST_TRACEBACK:],
    }
