"""A worker: plays games of an event, one after another, and tells of each as it ends.

As a process of its own it gets jobs and sends games as JSON, one document in a line: nothing is unpickled. What bots
print goes to standard error, so it cannot be taken for a game.
"""

import json
import os
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import IO, Any, NamedTuple

from palabre.arena.guard import teach
from palabre.arena.openings import start_of
from palabre.arena.outcome import Meeting
from palabre.arena.players import seat
from palabre.arena.referee import Played, play_game
from palabre.arena.rows import GameRow, Opening
from palabre.bots.bot import Bot
from palabre.core import registry
from palabre.core.bits import combine, signed
from palabre.core.errors import PalabreError
from palabre.core.position import Position
from palabre.search.clock import Clock

LUCK = 5  # the family of seeds of bots
KEPT_BOTS = 32  # that a worker keeps ready; a bot that comes back later learns again


class Job(NamedTuple):
    """Games of one meeting that are to be played."""

    meeting: Meeting
    opening: Opening
    turns: tuple[tuple[int, int], ...]  # rotations of the seats, and which attempt each is


@dataclass(frozen=True)
class Setup:
    """What a worker must know of an event before it can play."""

    game: str  # its spec
    seed: int
    bots: Mapping[str, tuple[str, Clock]]  # spec and clock by name


class Player:
    """Plays the games of an event. Its bots learn once, before their first game."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.game = registry.game(setup.game)
        self._bots: dict[tuple[str, int], Bot] = {}  # by name and copy, the latest used last

    def play(self, job: Job) -> Iterator[GameRow]:
        """Play the games of a job and yield each as it ends."""
        for rotation, attempt in job.turns:
            yield self._play(job, rotation, attempt)

    def _play(self, job: Job, rotation: int, attempt: int) -> GameRow:
        names = job.meeting.lineups()[rotation]
        # A bot that has several seats sits there as several copies.
        bots = [self._bot(name, names[:place].count(name)) for place, name in enumerate(names)]
        clocks = [self.setup.bots[name][1] for name in names]
        start = start_of(self.game, job.opening)
        luck = luck_of(self.setup.seed, job.meeting, rotation)
        started, begin = datetime.now(UTC), time.perf_counter()
        played = play_game(bots, start, opening=job.opening.moves, clock=clocks, seed=luck)
        duration = time.perf_counter() - begin
        return GameRow(
            meeting=job.meeting,
            rotation=rotation,
            attempt=attempt,
            bots=names,
            shares=played.shares,
            scores=played.scores,
            margin=played.margin,
            opening=len(job.opening.moves),
            start=played.record.start,
            moves=played.record.moves,
            movers=played.movers,
            seconds=tuple(None if spent is None else round(spent, 6) for spent in played.move_seconds),
            depths=played.depths,
            nodes=played.nodes,
            ending=_ending(played),
            timed=tuple(place for place, bot in enumerate(bots) if _is_timed(bot, start, clocks[place])),
            forfeit=played.loser,
            details=played.details,
            started=started.isoformat(timespec="milliseconds"),
            duration=round(duration, 6),
        )

    def _bot(self, name: str, copy: int) -> Bot:
        bot = self._bots.pop((name, copy), None)
        if bot is None:
            bot = seat(self.setup.bots[name][0], self.game)
            teach(bot)
            while len(self._bots) >= KEPT_BOTS:
                del self._bots[next(iter(self._bots))]
        self._bots[name, copy] = bot
        return bot


def luck_of(seed: int, meeting: Meeting, rotation: int) -> int:
    """The seed of a game's luck: it depends on who sits where, on the opening's number, and on nothing else."""
    found = meeting.lineups()
    luck = combine(combine(LUCK, seed), meeting.repeat)
    for name in found[rotation]:
        luck = combine(luck, signed(int.from_bytes(sha256(name.encode()).digest()[:8], "big")))
    return combine(luck, found[:rotation].count(found[rotation]))  # the same line-up once more, as that of A B A B


def _is_timed(bot: Bot, start: Position, clock: Clock) -> bool:
    try:
        return bool(bot.is_timed(start, clock))
    except Exception:  # somebody's own bot
        return True


def _ending(played: Played) -> str:
    return "by the rules" if played.reason is None else played.reason


# ------------------------------------------------------------------------------------------------- as a process


def to_line(document: Mapping[str, Any]) -> bytes:
    """A message, as it goes through a pipe."""
    return json.dumps(document, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"


def setup_to_plain(setup: Setup) -> dict[str, Any]:
    bots = {name: [spec, asdict(clock)] for name, (spec, clock) in setup.bots.items()}
    return {"game": setup.game, "seed": setup.seed, "bots": bots}


def setup_from_plain(plain: Mapping[str, Any]) -> Setup:
    bots = {name: (spec, Clock(**clock)) for name, (spec, clock) in plain["bots"].items()}
    return Setup(plain["game"], plain["seed"], bots)


def job_from_plain(plain: Any) -> Job:
    (round_, bots, repeat), opening, turns = plain
    meeting = Meeting(round_, tuple(bots), repeat)
    opened = Opening(**{**opening, "moves": tuple(opening["moves"])})
    return Job(meeting, opened, tuple((rotation, attempt) for rotation, attempt in turns))


def job_to_plain(job: Job) -> Any:
    return [job.meeting, vars(job.opening), job.turns]


def main() -> None:
    """Read a setup and then jobs, until there are no more; write games. A `PalabreError` is told and ends it."""
    messages = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    # A bot that prints, or reads what is typed, is at none of our pipes.
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started this one
    _serve(messages, answers)
    sys.stderr.flush()
    os._exit(0)  # Python would take a third of a second to take Numba down


def _serve(messages: IO[bytes], answers: IO[bytes]) -> None:
    from palabre.compile.collector import freeze_collector

    freeze_collector()
    try:
        player = Player(setup_from_plain(json.loads(messages.readline())))
        for line in messages:
            for plain in json.loads(line):
                for row in player.play(job_from_plain(plain)):
                    answers.write(to_line({"game": row.to_plain()}))
                    answers.flush()
    except PalabreError as error:
        answers.write(to_line({"error": str(error)}))
        answers.flush()
