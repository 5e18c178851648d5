"""A bot as an engine that other programs drive by UGI, line by line: `palabre ugi`.

The bot prepares (loads, compiles, learns, clears its memory) in one background thread and thinks in another, so that
`isready`, `stop` and `quit` are answered at any time. Preparation begins with the program, and again at `uginewgame`
and `setoption`; it is never part of `go`. Every change and every line is written under the lock.
"""

import contextlib
import itertools
import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from typing import BinaryIO

from palabre import __version__
from palabre.bots.specs import bot, parameters
from palabre.core import registry
from palabre.core.culprit import in_one_line
from palabre.core.errors import BadSpec, PalabreError, did_you_mean, listing
from palabre.core.game import Game
from palabre.core.position import Move, Position
from palabre.core.spec import Options
from palabre.core.stopping import StopToken
from palabre.core.verbs import evaluate
from palabre.core.words import say
from palabre.evaluation.score import Score
from palabre.play.failures import Forfeit
from palabre.play.game import OngoingGame
from palabre.play.guard import guard, name, position_after, teach
from palabre.search.clock import Clock
from palabre.search.thought import Thought
from palabre.ugi.protocol import GAME_OPTION, NO_MOVE, info_line, option_line, read_go, read_option, read_position

MAX_LINE_BYTES = 1 << 18  # enough for a game of ten thousand moves
LOADING = 8.0  # seconds that `ugi` waits for code on disk; drivers, ours included, wait 10 and more for `ugiok`
# If the bot is not ready for a `go`, these parts of the time for the move are for waiting, and for a plain move.
WAITING_PART, PLAIN_PART = 0.5, 0.75
# Seconds that a bot which has been ready before may at least be waited for. It needs a few milliseconds to begin a new
# game, but on a busy machine they may be long in coming, and a search that begins late is better than none.
NEW_GAME_WAIT = 0.04
SHORTEST = 0.001  # seconds that a bot always has for its move


class Setting:
    """A game, a bot for it, and the values that `setoption` has given; options that the bot lacks are dropped."""

    def __init__(self, game: Game, spec: str, texts: dict[str, str]) -> None:
        self.game = game
        self.bot = bot(spec, game)
        self.known = parameters(type(self.bot), game)
        read = {option: self.known[option].read(text) for option, text in texts.items() if option in self.known}
        values = {option: value for option, value in read.items() if value is not None}
        self.texts = {option: texts[option] for option in values}
        self.bot.options = Options("", tuple({**dict(self.bot.options.values), **values}.items()))
        self.has_learnt = False
        self.has_been_ready = False
        self.seat = 0  # where the bot sits

    def prepare(self, luck: int) -> None:
        """Have the bot learn, if it has not, and begin a game."""
        if not self.has_learnt:
            teach(self.bot)
            self.has_learnt = True
        self.seat = 0  # which seat it will play, only `go` tells
        guard(self.bot.sit_down, self.game, self.seat, luck)
        self.has_been_ready = True

    def take_seat(self, seat: int, luck: int) -> None:
        """Seat a bot anew that must know where it sits; such a bot is a user's, and so on its clock."""
        if seat != self.seat and not self.bot.any_seat:
            guard(self.bot.sit_down, self.game, seat, luck)
            self.seat = seat


class Conversation:
    """A driver's commands to a bot, and the answers; `write` sends a line to the driver."""

    def __init__(self, game: Game, spec: str, write: Callable[[str], None]) -> None:
        self.spec = spec
        self.write = write
        self.setting = Setting(game, spec, {})
        self.board: OngoingGame | None = None
        self.games = 0  # begun so far; each has luck of its own
        self.commands: dict[str, Callable[[list[str]], None]] = {
            "ugi": self._ugi,
            "isready": self._isready,
            "setoption": self._setoption,
            "uginewgame": self._uginewgame,
            "position": self._position,
            "go": self._go,
            "stop": self._stop,
            "query": self._query,
            "quit": self._quit,
        }
        self.lock = threading.RLock()
        self.has_quit = False
        self.is_thinking = False  # from `go` to `bestmove`
        self.token = StopToken()  # of the search under way: set by `stop`
        self.is_infinite = False  # the answer waits for `stop`
        self.answer: Move | Forfeit | None = None  # the answer that waits
        self._preparer = ThreadPoolExecutor(1, "prepare")
        self._ready: Future[None] = Future()  # the last preparation
        self._prepare()

    def run(self, source: BinaryIO) -> None:
        """Do the driver's commands until `quit` or the end of the input."""
        while not self.has_quit:
            line = source.readline(MAX_LINE_BYTES)
            if len(line) < MAX_LINE_BYTES or line.endswith(b"\n"):
                self.receive(line.decode("utf-8", "replace") if line else "quit")
                continue
            while line and not line.endswith(b"\n"):
                line = source.readline(MAX_LINE_BYTES)
            with self.lock:
                self._explain(str(say("ugi.long_line", most=MAX_LINE_BYTES)))

    def receive(self, line: str) -> None:
        """Do the command of one line; one that cannot be done is explained and changes nothing."""
        words = line.split()
        if not words:
            return
        if words[0] == "ugi":
            wait([self._ready], LOADING)  # without the lock, which the preparation may need
        with self.lock:
            try:
                self._command(words[0])(words[1:])
            except (PalabreError, Forfeit) as error:
                self._explain(str(error))
            except OSError:  # the driver is gone
                raise
            except Exception as error:  # from a user's game
                self._explain(f"{words[0]}: {in_one_line(error)}")

    def _command(self, word: str) -> Callable[[list[str]], None]:
        if word in self.commands:
            return self.commands[word]
        hint = did_you_mean(word[:20], self.commands)
        raise PalabreError(say("ugi.no_command", command=word, hint=hint, commands=listing(self.commands)))

    # ------------------------------------------------------------------------------------------------- the commands

    def _ugi(self, words: list[str]) -> None:
        self.write(f"id name Palabre {__version__} {self._name}")
        self.write("id author the authors of Palabre")
        self.write(f"option name {GAME_OPTION} type string default {self.setting.game.spec}")
        for parameter in self.setting.known.values():
            self.write(option_line(parameter, self.setting.bot.options[parameter.name]))
        self.write("ugiok")

    def _isready(self, words: list[str]) -> None:
        self._ready.add_done_callback(self._report_ready)  # now, or when it is

    def _setoption(self, words: list[str]) -> None:
        self._refuse_while_thinking("setoption")
        option, value = read_option(words)
        known = self.setting.known
        chosen = next((name for name in [GAME_OPTION, *known] if name.lower() == option.lower()), None)
        if chosen is None:
            hint = did_you_mean(option[:20], known)
            raise BadSpec(say("ugi.no_option", option=option, hint=hint, options=listing([GAME_OPTION, *known])))
        if chosen == GAME_OPTION:
            self.setting = Setting(registry.game(value), self.spec, self.setting.texts)
            self.board = None
        elif known[chosen].read(value) is None:
            raise BadSpec(say("ugi.bad_value", option=chosen, value=value, valid=known[chosen].valid))
        else:
            self.setting = Setting(self.setting.game, self.spec, {**self.setting.texts, chosen: value})
        self._prepare()

    def _uginewgame(self, words: list[str]) -> None:
        self._refuse_while_thinking("uginewgame")
        self.games += 1
        self.board = None
        self._prepare()

    def _position(self, words: list[str]) -> None:
        self._refuse_while_thinking("position")
        text, moves = read_position(words)
        start = self._start(text)
        board = self.board
        if board is None or board.positions[0] != start:
            board = OngoingGame(start)
        # A driver repeats all the moves of the game each time; those that are on the board are not played again.
        on_board = [move.text for move in board.moves]
        same = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(on_board, moves, strict=False))
        known = len(list(same))
        fresh = [board.positions[known]]
        for move in moves[known:]:
            fresh.append(fresh[-1].play(move))  # if one is illegal, the board stays as it is
        board.undo(len(on_board) - known)
        for position in fresh[1:]:
            board.accept(position)
        self.board = board

    def _start(self, text: str | None) -> Position:
        return self.setting.game.start() if text is None else self.setting.game.position(text)

    def _go(self, words: list[str]) -> None:
        self._refuse_while_thinking("go")
        position = self._on_the_board("go")
        go = read_go(words, position.to_move)
        if go.unknown:
            self._explain(str(say("ugi.unknown_words", words=" ".join(go.unknown))))
        if position.is_over:
            self._explain(str(say("error.game_is_over")))
            self.write(f"bestmove {NO_MOVE}")
            return
        self.is_thinking, self.is_infinite, self.token = True, go.is_infinite, StopToken()
        threading.Thread(target=self._think, args=(position, go.clock, self._ready, self.token), daemon=True).start()

    def _stop(self, words: list[str]) -> None:
        if not self.is_thinking:
            raise PalabreError(say("ugi.not_thinking"))
        if self.answer is not None:
            self._send_answer()
        else:
            self.token.set()

    def _query(self, words: list[str]) -> None:
        position = self._on_the_board("query")
        answers = {
            "p1turn": lambda: str(position.to_move == 0).lower(),
            "gameover": lambda: str(position.is_over).lower(),
            "result": lambda: _result(position),
        }
        if len(words) != 1 or words[0] not in answers:
            raise PalabreError(say("ugi.query", words=" ".join(words), answers=listing(answers)))
        self.write(f"response {answers[words[0]]()}")

    def _quit(self, words: list[str]) -> None:
        self.has_quit = True
        if self.is_thinking:
            self.token.set()

    # --------------------------------------------------------------------------------------------------- preparation

    def _prepare(self) -> None:
        """Have the bot begin a game in the background; a preparation that has not begun is not needed any more."""
        last = self._ready
        self._ready = self._preparer.submit(self.setting.prepare, self.games)
        last.cancel()

    def _report_ready(self, ready: "Future[None]") -> None:
        """Answer `isready`; an engine that cannot play reports why, and is ready to report it again."""
        if ready.cancelled():
            self._ready.add_done_callback(self._report_ready)
            return
        trouble = ready.exception()
        with self.lock, contextlib.suppress(OSError):  # the driver is gone
            if trouble is not None:
                self._explain(str(trouble))
            self.write("readyok")

    # ------------------------------------------------------------------------------------------------------ the bot

    def _think(self, position: Position, clock: Clock, ready: "Future[None]", token: StopToken) -> None:
        """In a thread of its own: find the bot's move, or why there is none."""
        begin = time.monotonic()
        answer: Move | Forfeit
        try:
            if self._wait_for(ready, clock, token):
                ready.result()
                self.setting.take_seat(position.to_move, self.games)
                player = self.setting.bot
                player.watch, player.stop_token = self._on_thought, token
                with token.calling(self._stop_bot):
                    chosen = guard(player.choose, position, _later(clock, time.monotonic() - begin))
                answer = position_after(position, chosen).played[-1]
            else:
                self._explain(str(say("ugi.not_ready", engine=self._name)))
                answer = _plain_move(position, begin + PLAIN_PART * _time_limit(clock))
        except (Forfeit, PalabreError) as reason:
            answer = Forfeit(reason.message)
        except KeyboardInterrupt:  # the bot's own doing: a person's would reach the main thread
            answer = Forfeit(say("forfeit.error", error="KeyboardInterrupt"))
        with contextlib.suppress(OSError):  # the driver is gone, and the reader of its lines will notice, too
            self._on_answer(answer)

    def _wait_for(self, ready: "Future[None]", clock: Clock, token: StopToken) -> bool:
        """Wait until the bot is ready, there is no more time, or `stop` comes; whether it is ready."""
        patience = WAITING_PART * _time_limit(clock)
        if self.setting.has_been_ready:
            patience = max(patience, NEW_GAME_WAIT)
        woken = threading.Event()
        ready.add_done_callback(lambda ready: woken.set())
        with token.calling(woken.set):
            woken.wait(min(patience, threading.TIMEOUT_MAX))
        return ready.done()

    def _on_thought(self, thought: Thought) -> None:
        with self.lock:
            self.write(info_line(thought))

    def _on_answer(self, answer: Move | Forfeit) -> None:
        with self.lock:
            self.answer = answer
            if self.token.is_set or not self.is_infinite:
                self._send_answer()

    def _send_answer(self) -> None:
        move: object = self.answer
        if isinstance(move, Forfeit):
            self._explain(str(say("ugi.no_move", engine=self._name, why=move)))
            move = NO_MOVE
        self.write(f"bestmove {move}")
        self.is_thinking, self.answer = False, None

    def _stop_bot(self) -> None:
        try:
            guard(self.setting.bot.stop)
        except Forfeit as error:
            self._explain(str(say("ugi.not_stopped", engine=self._name, why=error)))

    # ---------------------------------------------------------------------------------------------------- the rest

    def _explain(self, message: str) -> None:
        with self.lock:
            self.write("info string " + "".join(sign if sign.isprintable() else "?" for sign in message))

    def _refuse_while_thinking(self, command: str) -> None:
        if self.is_thinking:
            raise PalabreError(say("ugi.thinking", command=command))

    def _on_the_board(self, command: str) -> Position:
        if self.board is None:
            raise PalabreError(say("ugi.no_position", command=command))
        return self.board.position

    @property
    def _name(self) -> str:
        return name(self.setting.bot)


def _time_limit(clock: Clock) -> float:
    """The seconds that a move may take, infinite if nothing limits them."""
    return min((limit for limit in (clock.per_move, clock.remaining) if limit is not None), default=math.inf)


def _plain_move(position: Position, end: float) -> Move:
    """The move with the best score right after it, of those that can be looked at in time; the first at least."""
    moves = position.moves()
    values: list[float] = []
    for move in moves:
        values.append(evaluate(Score(), position.play(move).state, position.to_move))
        if time.monotonic() > end:
            break
    return moves[values.index(max(values))]


def _later(clock: Clock, seconds: float) -> Clock:
    """A clock that has run for so long."""
    per_move, remaining = (
        None if limit is None else max(SHORTEST, limit - seconds) for limit in (clock.per_move, clock.remaining)
    )
    return replace(clock, per_move=per_move, remaining=remaining)


def _result(position: Position) -> str:
    if position.result is None:
        return "none"
    winner = next((player for player, share in enumerate(position.result) if share == 1.0), None)
    return "draw" if winner is None else f"p{winner + 1}win"
