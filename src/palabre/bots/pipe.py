"""`pipe:COMMAND`: any program that reads and writes moves as lines, as a player: `pipe:./player`.

In its turn the program reads one line: `START` if no move has been made, else the moves since its last turn, separated
by blanks; between two players that is the opponent's move. It answers with its own move on a line. After the game it
reads `RESULT` and the scores, and then its input ends. A game that does not begin as usual is announced by a line
`POSITION` with the first position. Each game has a process of its own.

`pipe:upper:COMMAND` gets all moves in capital letters, `12TB`, as from the arbiter of the Awalé course.
"""

import time

from palabre.bots.foreign import Foreign, check_command
from palabre.bots.line_program import Broken
from palabre.core.errors import IllegalMove
from palabre.core.game import Game
from palabre.core.position import Move, Position
from palabre.core.words import say
from palabre.search.clock import Clock

PREFIX = "pipe:"
UPPER = "upper:"
PATIENCE = 60.0  # seconds for a move that no clock limits
STARTING = 30.0  # seconds for a program to start before it is asked for a move all the same


class Pipe(Foreign):
    """A program that reads and writes moves."""

    summary = "any program that reads and writes moves as lines"
    is_upper = False  # whether it gets moves in capital letters

    def __init__(self) -> None:
        super().__init__()
        self.known = 0  # moves that it was sent or has made

    def start(self, game: Game, seat: int) -> None:
        if self.process is not None:
            self.process.close()
        self.open()
        self.known = 0
        assert self.process is not None
        try:
            self.process.wait_until_ready(STARTING)
        except Broken as error:
            raise self.failure(error.message) from error

    def choose(self, position: Position, clock: Clock) -> Move:
        limit = min((seconds for seconds in (clock.per_move, clock.remaining) if seconds is not None), default=PATIENCE)
        if self.known > len(position.played):  # moves have been taken back
            self.start(position.game, position.to_move)
        deadline = time.monotonic() + limit + self.overtime
        if self.known == 0 and position.start_text is not None:
            self.send(f"POSITION {position.start_text}")
        news = " ".join(move.text for move in position.played[self.known :]) or "START"
        self.request = news.upper() if self.is_upper else news
        self.send(self.request)
        while (answer := self.receive(deadline)) == "":
            pass
        if answer is None:
            raise self.failure(say("engine.silent", seconds=limit), is_late=True)
        try:
            move = position.move(answer)
        except IllegalMove as error:
            raise self.failure(say("engine.illegal", answer=answer, error=error.message)) from error
        self.known = len(position.played) + 1
        return move

    def end_game(self, position: Position) -> None:
        if self.process is not None and self.process.is_open:
            self.send(f"RESULT {' '.join(str(score) for score in position.scores)}")
            self.process.close()


def pipe_bot(text: str) -> Pipe:
    """The player that is a command line; raises `BadSpec` if it cannot be one."""
    command = text.removeprefix(UPPER).strip()
    check_command(PREFIX, command)
    made = Pipe()
    made.is_upper = text.startswith(UPPER)
    made.command, made.spec = command, f"{PREFIX}{text}"
    return made
