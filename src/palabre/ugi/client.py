"""`ugi:COMMAND`: any program that speaks UGI, as a player: `ugi:./engine --fast`.

The engine runs in a process of its own, which is started before the first game and again after it has died. For each
move it gets the start of the game and all moves since, so that it sees repeated positions.
"""

import time
from dataclasses import replace

from palabre.bots.foreign import Foreign, check_command
from palabre.core.errors import IllegalMove
from palabre.core.game import Game
from palabre.core.position import Move, Position
from palabre.core.stopping import is_set
from palabre.core.words import say
from palabre.search.clock import Clock
from palabre.search.thought import Thought
from palabre.ugi.protocol import GAME_OPTION, go_command, read_effort

PREFIX = "ugi:"
GREETING = 60.0  # seconds to start and answer `ugi`; preparation is not part of it
PREPARING = 60.0  # seconds to answer `isready`
DEFAULT_TIME = 1.0  # seconds for a move, if nothing limits it
PATIENCE = 60.0  # seconds for a move that is limited, but not in time
STOPPING = 1.0  # seconds to answer `stop`


class Ugi(Foreign):
    """A foreign engine."""

    summary = "any program that speaks UGI"

    def __init__(self) -> None:
        super().__init__()
        self.effort = (0, 0)  # the depth and the nodes that it reported last
        self.is_thinking = False  # it was sent `go`, and no `stop`
        self.takes_game = False  # whether it has an option for the game, as ours has
        self.game: Game | None = None  # the game that was chosen by that option

    def start(self, game: Game, seat: int) -> None:
        if self.process is None or not self.process.is_open:
            self._begin()
        if self.takes_game and self.game != game:
            self.send(f"setoption name {GAME_OPTION} value {game.spec}")
            self.game = game
        self.send("uginewgame")
        self._ask("isready", "readyok", PREPARING)

    def choose(self, position: Position, clock: Clock) -> Move:
        if clock == Clock():
            clock = replace(clock, per_move=DEFAULT_TIME)
        limit = min((seconds for seconds in (clock.per_move, clock.remaining) if seconds is not None), default=PATIENCE)
        deadline = time.monotonic() + limit
        self.send(position_command(position))
        self._ask("isready", "readyok", limit + self.overtime)  # skips what it still writes about earlier positions
        answer = self._answer(go_command(clock, position.game.players), "bestmove", deadline)
        if answer is None:
            request = self.request
            answer = self._answer("stop", "bestmove", time.monotonic() + STOPPING + self.overtime)
            self.request = request
        if answer is None:
            raise self.failure(say("engine.unstoppable", seconds=limit), is_late=True)
        try:
            move = position.move(next(iter(answer.split()[1:]), ""))
        except IllegalMove as error:
            raise self.failure(say("engine.illegal", answer=answer, error=error.message)) from error
        depth, nodes = self.effort
        self.thought = Thought(position, (move.code,), depth=depth, nodes=nodes) if depth or nodes else None
        return move

    def stop(self) -> None:
        if self.is_thinking:
            self.is_thinking = False
            self.send("stop")

    def _begin(self) -> None:
        self.takes_game, self.game = False, None
        self.open()
        self._ask("ugi", "ugiok", GREETING)

    def _ask(self, line: str, answer: str, seconds: float) -> None:
        """Send a line that must be answered in time."""
        if self._answer(line, answer, time.monotonic() + seconds) is None:
            raise self.failure(say("engine.silent", seconds=seconds), is_late=True)

    def _answer(self, line: str, word: str, deadline: float) -> str | None:
        """Send a line and wait for the one that begins with a word; None if it does not come in time."""
        self.send(line)
        self.request, self.is_thinking = line, line.startswith("go")
        if self.is_thinking:
            self.effort = (0, 0)
            if is_set(self.stop_token):  # since before it was sent
                self.stop()
        try:
            while (received := self.receive(deadline)) is not None:
                if received.split()[:1] == [word]:
                    return received
                if received.startswith("info string "):
                    self.remark = received.removeprefix("info string ")
                elif received.startswith("info "):
                    self.effort = read_effort(received.split()) or self.effort
                elif received.startswith(f"option name {GAME_OPTION} "):
                    self.takes_game = True
        finally:
            self.is_thinking = False
        return None


def position_command(position: Position) -> str:
    """The `position` command with how the game began and all that has been played since."""
    start = "startpos" if position.start_text is None else f"fen {position.start_text}"
    moves = " ".join(move.text for move in position.played)
    return f"position {start} moves {moves}" if moves else f"position {start}"


def ugi_bot(command: str) -> Ugi:
    """The bot that runs a command line; raises `BadSpec` if it cannot be run."""
    check_command(PREFIX, command)
    made = Ugi()
    made.command, made.spec = command, f"{PREFIX}{command}"
    return made
