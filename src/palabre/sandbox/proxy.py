"""SandboxedBot: a bot in a sandbox, as the referee sees it.

It is a bot like any other. Each hook becomes a message to the supervisor inside; whatever goes wrong there becomes a
`BotFailed` with the reason in words. A game that fails leaves the sandbox as it was before the game.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from json.encoder import encode_basestring_ascii as quoted
from pathlib import Path
from typing import Any, ClassVar

from palabre.bots.bot import Bot
from palabre.bots.submission import digest_of
from palabre.core.errors import printable
from palabre.core.game import Game
from palabre.core.observations import Observation
from palabre.core.plain import from_plain, readable
from palabre.core.position import Move, Position
from palabre.core.spec import Options
from palabre.core.stopping import is_set
from palabre.core.words import Message, say
from palabre.play.failures import BotFailed, Failure, Limits, Turn
from palabre.play.guard import LONGEST_REASON
from palabre.play.judge import Conduct, MoveTime, learning_time, no_end_of_learning, no_move
from palabre.play.stacks import BOT, readable_stack
from palabre.sandbox import bubblewrap
from palabre.sandbox.box import Sandbox
from palabre.sandbox.warm import HEAVY
from palabre.search.clock import Clock
from palabre.search.thought import Thought

LONGEST_PART = 100  # characters of an answer, of the name of an error, of its place, and of the line of code

_decode = json.JSONDecoder().raw_decode  # what `json.loads` does besides takes four times as long


class SandboxedBot(Bot):
    """A bot in a sandbox. `inside` is its spec there, and `files` is all that it sees there."""

    keeps_time: ClassVar[bool] = (
        True  # it is stopped inside if it learns for too long; starting a sandbox takes time, too
    )

    def __init__(
        self,
        spec: str,
        inside: str,
        game: Game,
        files: bubblewrap.Files,
        *,
        limits: Limits | None = None,
        is_kept: bool = False,
    ) -> None:
        self.spec = spec
        self.limits = limits or Limits()
        self.last_turn = Turn()
        self.conduct = Conduct(self.limits)  # in the game that is played
        self.failure: Failure | None = None  # of the last game
        self.output_tail = ""  # the end of what it printed
        self.inside, self._game, self.files = inside, game, files
        self._is_kept = is_kept  # whether the process of a game also plays the next one
        self._has_game = False
        self._imported: list[str] = []  # modules that take long to import, and which the bot imports in its games
        self._preloaded: list[str] = []  # those that its warm parent has by now
        self._lesson: tuple[Sequence[Observation], float] | None = None
        self._load_failure: Failure | None = None
        self._sandbox: Sandbox | None = None
        self._first_state: object = None
        self._sent: tuple[Move, ...] | None = None  # the moves that the bot knows of; None before the first
        self._set_clock(Clock())
        self._is_timed = False

    # ------------------------------------------------------------------------------------------------------- the hooks

    def learn(self, data: Sequence[Observation], budget: float) -> None:
        self._lesson, self._load_failure = (data, budget), None
        self.close()
        self.load()

    def sit_down(self, game: Game, seat: int, seed: int = 0) -> None:
        self.failure, self.last_turn, self._sent = self._load_failure, Turn(), None
        self._is_timed = False
        if self._load_failure is not None:  # it would fail again, perhaps after a minute
            raise BotFailed(self._load_failure)
        if self._sandbox is None or not self._sandbox.is_open:
            self.load()
        elif self._imported != self._preloaded:
            self._preloaded = self._imported
            preload = {"do": "preload", "modules": self._imported}
            self._ask(b"load", json.dumps(preload), self.limits.loading)
        try:
            self._start(seat, seed)
        except BotFailed as error:
            if error.failure.kind != "stuck":
                raise
            self.load()  # the last game has left the sandbox in disorder, for which this one is not to blame
            self._start(seat, seed)

    def choose(self, position: Position, clock: Clock) -> Move | str:
        if clock != self._clock:
            self._set_clock(clock)
        time = self._time
        # Written by hand, as `_news` is: nothing else is asked in each turn, and `json.dumps` takes ten times as long.
        question = f'{{"do": "choose", "clock": {self._clock_text}, {self._news(position)}}}'
        assert self._sandbox is not None
        self._sandbox.expect_stop()
        if is_set(self.stop_token):  # since before it is asked
            self._sandbox.tell_to_stop()
        try:
            answer = self._ask(b"ask", question, time.patience, timed=True)
        except BotFailed as error:
            if error.failure.kind == "time":
                raise self._late(error.failure.stack, has_answered=False) from None
            raise
        if time.is_over(self.last_turn):  # the supervisor could not look at the clock
            raise self._late(has_answered=True)
        if "no_move" in answer:
            raise self._failed("no move", no_move(_clean(answer["no_move"], LONGEST_PART)).message)
        move = answer.get("move")
        if not isinstance(move, str):
            raise self._failed("garbage", say("forfeit.garbage", answer=json.dumps(answer)))
        if "timed" in answer:
            self._is_timed = answer["timed"] is not False
        legal = _legal(position, move, answer.get("code"))
        if legal is None:  # the judge says what is wrong with it
            return move
        self.thought = _thought(position, legal, answer)
        return legal

    def is_timed(self, position: Position, clock: Clock) -> bool:
        """As it reported at the first move of the last game; if it has not moved, nothing can depend on its time."""
        return self._is_timed

    def stop(self) -> None:
        if self._sandbox is not None:
            self._sandbox.tell_to_stop()

    def end_game(self, position: Position) -> None:
        if self._sandbox is not None and self._sandbox.is_open and self.failure is None:
            try:
                self._ask(b"ask", f'{{"do": "end_game", {self._news(position)}}}', self.limits.closing)
            finally:
                if not self._is_kept:
                    self._ask(b"end")

    def end_event(self) -> None:
        if self._sandbox is not None and self._sandbox.is_open:
            self._ask(b"load", json.dumps({"do": "end_event"}), self.limits.closing)

    @property
    def digest(self) -> str:
        """A digest of all files that are its own."""
        total = hashlib.sha256()
        for place, source in sorted(self.files.read.items()):
            content = digest_of(source) if source.is_dir() else hashlib.sha256(source.read_bytes()).hexdigest()
            total.update(f"{place}\0{content}\n".encode())
        return total.hexdigest()

    def close(self) -> None:
        """End the sandbox; it is started again for the next game."""
        if self._sandbox is not None:
            self._sandbox.close()
            self._sandbox = None

    # ---------------------------------------------------------------------------------------------------------- inside

    def load(self) -> None:
        """Start the sandbox and have the bot imported, and let it learn if there is a lesson."""
        self._sandbox = Sandbox(self.limits, self.files)
        self._has_game, self._preloaded = False, []
        game = self._game
        path = str(game.sources()[0].parent if len(game.sources()) > 1 else game.sources()[0])
        spec = game.facts.spec(game.options, None if bubblewrap.package() in Path(path).parents else path)
        try:
            load = {"do": "load", "game": spec, "bot": self.inside}
            answer = self._ask(b"load", json.dumps(load), self.limits.loading, is_loading=True)
            self.options = _options(answer)
            if self._lesson is not None:
                self._teach(*self._lesson)
        except BotFailed as error:
            self._load_failure = error.failure
            self.close()
            raise

    def _teach(self, data: Sequence[Observation], budget: float) -> None:
        """Hand over the observations as rows, and let the bot learn; no clock runs while they are read."""
        rows = [one.cells for one in data]
        self._ask(b"load", json.dumps({"do": "read", "rows": rows}), self.limits.loading)
        try:
            self._ask(b"load", json.dumps({"do": "learn", "budget": budget}), learning_time(budget))
        except BotFailed as error:
            if error.failure.kind != "time":
                raise
            reason = no_end_of_learning(budget, self.last_turn.wall)
            raise self._failed("time", reason, stack=error.failure.stack) from None

    def _start(self, seat: int, seed: int) -> None:
        """Begin a game, in a process of its own or in the one that is kept."""
        order = b"ask" if self._is_kept and self._has_game else b"start"
        if order == b"start":
            self.conduct = Conduct(self.limits)
        start = {"do": "start", "seat": seat, "seed": seed}
        answer = self._ask(order, json.dumps(start), self.limits.starting)
        self._has_game = True
        self._imported = [name for name in HEAVY if name in str(answer.get("imported"))]

    def _set_clock(self, clock: Clock) -> None:
        """Keep a clock, as it is sent, and what follows from it; most moves have the same as the one before."""
        self._clock, self._clock_text = clock, json.dumps(_plain(clock))
        self._time = MoveTime.of(clock, self.limits)

    def _news(self, position: Position) -> str:
        """What the bot does not know yet of the game up to a position, as the members of a JSON object."""
        first = position.state if position.first_state is None else position.first_state
        start = ""
        if self._sent is None or first != self._first_state:
            start = f'"start": {json.dumps(position.start_text)}, '
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
        moves = ", ".join([quoted(move.text) for move in position.played[kept:]])
        return f'{start}"kept": {kept}, "moves": [{moves}]'

    def _ask(
        self, order: bytes, question: str = "", seconds: float = 0.0, *, timed: bool = False, is_loading: bool = False
    ) -> dict[str, Any]:
        """Send the supervisor an order, or a question to the bot with it, and return the answer.

        A `BotFailed` has the reason if the bot fails.
        """
        assert self._sandbox is not None
        turn, words, line = self._sandbox.ask(order, question, seconds, timed=timed)
        if timed or "kind" in words:
            self.last_turn = turn
        if words:
            self.output_tail = words.get("output", self.output_tail)
        if "kind" in words:
            if words["kind"] == "stuck":  # the next game finds a new sandbox
                self.close()
            stack = readable_stack(words.get("stack", ""))
            raise self._failed(words["kind"], from_plain(words["reason"]), stack=stack)
        if timed and (verdict := self.conduct.judge(turn)) is not None:
            raise self._failed("cpu", verdict)
        if not question:
            return {}
        try:
            answer, end = _decode(line)
        except (ValueError, RecursionError):
            answer, end = None, 0
        if not isinstance(answer, dict) or end != len(line):
            raise self._failed("garbage", say("forfeit.garbage", answer=line))
        if "error" in answer:
            reason = _error_in_words(answer, self._game, is_loading=is_loading)
            raise self._failed("error", reason, str(answer.get("traceback", "")))
        return answer

    def _late(self, stack: str = "", *, has_answered: bool) -> BotFailed:
        turn = self.last_turn
        failed = self._failed("time", self._time.reason(turn, has_answered=has_answered), stack=stack)
        failed.machine_late = self._time.is_excused(turn)
        return failed

    def _failed(self, kind: str, reason: Message | str, traceback: str = "", stack: str = "") -> BotFailed:
        self._has_game = False
        self.failure = Failure(kind, reason, traceback, self.output_tail, stack, self.last_turn)
        return BotFailed(self.failure)


def _plain(clock: Clock) -> list[float | None]:
    return [clock.per_move, clock.remaining, clock.increment, clock.depth, clock.nodes]


def _options(answer: Mapping[str, Any]) -> Options:
    """The values of the bot's parameters, as it reports them."""
    options = answer.get("options")
    values = [tuple(item) for item in options if _is_value(item)] if isinstance(options, list) else []
    return Options("", tuple(values)) if values else Bot.options


def _is_value(item: object) -> bool:
    return isinstance(item, list) and len(item) == 2 and type(item[0]) is str and type(item[1]) in (int, float, str)


def _legal(position: Position, text: str, code: object) -> Move | None:
    """The legal move that the bot has answered with; a text alone is looked for among all others."""
    if type(code) is int:
        move = Move(code, text)
        return move if position.has(move) else None
    return next((legal for legal in position.moves() if legal.text == text), None)


def _thought(position: Position, move: Move, answer: Mapping[str, Any]) -> Thought | None:
    """What the bot reports of its search, as far as it may be true."""
    depth, nodes = answer.get("depth"), answer.get("nodes")
    if type(depth) is not int or type(nodes) is not int:
        return None
    return Thought(position, (move.code,), depth=depth, nodes=nodes)


def _error_in_words(answer: Mapping[str, Any], game: Game, *, is_loading: bool) -> Message | str:
    """An error that the bot's own process reports; none of it need be true, or of the right type.

    A message of ours about a file that cannot be loaded speaks for itself, but for the place of the file in there.
    """
    error: Message | str = _error_text(answer.get("text"))
    if answer.get("is_ours"):
        message = readable(answer.get("message"), game.words().home, str(error), _error_text)
        error = message if len(str(message)) <= LONGEST_REASON else error
        if is_loading:
            return error
    kind, place = _clean(answer.get("error"), LONGEST_PART), answer.get("place")
    error = error or say("forfeit.no_message")
    if isinstance(place, list) and len(place) == 3:
        file, line, code = (_clean(part, LONGEST_PART) for part in place)
        return say("forfeit.raised_at", kind=kind, error=error, file=file, line=line, code=code)
    return say("forfeit.raised", kind=kind, error=error)


def _error_text(text: object) -> str:
    return _clean(str(text).replace(f"{BOT}/", ""), LONGEST_REASON)


def _clean(text: object, length: int) -> str:
    """A text of a bot, so that it can be printed anywhere: no control characters, and not long."""
    return printable(str(text)[:length])
