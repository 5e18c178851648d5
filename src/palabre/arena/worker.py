"""A worker: plays games of an event, one after another, and tells of each as it ends.

As a process of its own it gets jobs and sends games as JSON, one document in a line: nothing is unpickled. What bots
print goes to standard error, so it cannot be taken for a game.
"""

import json
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from typing import IO, Any, NamedTuple

from palabre.arena.game import OngoingGame
from palabre.arena.guard import LEARNING_SECONDS, Forfeit, Lesson, teach
from palabre.arena.openings import play_opening, start_of
from palabre.arena.outcome import Meeting
from palabre.arena.players import close_bot, seat
from palabre.arena.referee import Played, details_of, play_game
from palabre.arena.rows import BY_THE_RULES, GameRow, Opening, UnderWay
from palabre.arena.sandbox.report import Limits, SandboxBroken
from palabre.bots.bot import Bot
from palabre.core import registry
from palabre.core.bits import combine, signed
from palabre.core.errors import PalabreError
from palabre.core.observations import Cells, from_cells
from palabre.core.position import Position
from palabre.core.system import free_megabytes
from palabre.core.temporary import leave
from palabre.core.words import say
from palabre.search.clock import Clock

LUCK = 5  # the family of seeds of bots
KEPT_BOTS = 32  # that a worker keeps ready at least; a bot that comes back later learns again
BOT_MEGABYTES = 40  # that a bot takes, roughly, which is kept ready
TELL = 0.2  # seconds between two words on how a game goes


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
    load_failures_lose: bool = False  # or end the event, if a bot cannot be made or taught
    grace: float = 0.0  # seconds by which a bot may be late,
    strikes: int = 0  # so often in a game
    kept_bots: int = KEPT_BOTS  # that stay ready
    untrusted: bool = False  # whether bots of others play in sandboxes or not at all
    tells_moves: bool = False  # whether to tell of games before they have ended
    data: Sequence[Cells] = ()  # the rows of the observations that its bots learn from
    learning: float = LEARNING_SECONDS  # seconds that a bot has for it
    forbids_engine: bool = False  # whether bots of others are to do without Palabre's searches
    in_process: bool = False  # whether nobody is put into a sandbox, so that an author can see what happens


class Player:
    """Plays the games of an event. Its bots learn once, before their first game."""

    def __init__(self, setup: Setup, under_way: Callable[[UnderWay], None] | None = None) -> None:
        """`under_way` is told now and then how a game goes that takes long, in the thread that plays it."""
        self.setup = setup
        self._under_way = under_way
        self._told = 0.0  # when that was last told
        self.game = registry.game(setup.game)
        self._lesson = Lesson(from_cells(self.game, setup.data), setup.learning)
        self._bots: dict[tuple[str, int], Bot] = {}  # by name and copy, the latest used last
        self._failures: dict[str, PalabreError] = {}  # of bots that cannot be made or taught, by name

    def play(self, job: Job) -> Iterator[GameRow]:
        """Play the games of a job and yield each as it ends."""
        for rotation, attempt in job.turns:
            yield self._play(job, rotation, attempt)

    def _play(self, job: Job, rotation: int, attempt: int) -> GameRow:
        names = job.meeting.lineups()[rotation]
        # A bot that has several seats sits there as several copies.
        bots = [self._bot(name, names[:place].count(name)) for place, name in enumerate(names)]
        failing = {place: bot for place, bot in enumerate(bots) if isinstance(bot, PalabreError)}
        if failing:
            return self._unplayed(job, rotation, attempt, failing)
        return self._played(job, rotation, attempt, [bot for bot in bots if isinstance(bot, Bot)])

    def _played(self, job: Job, rotation: int, attempt: int, bots: Sequence[Bot]) -> GameRow:
        names = job.meeting.lineups()[rotation]
        clocks = [self.setup.bots[name][1] for name in names]
        start = start_of(self.game, job.opening)
        luck = luck_of(self.setup.seed, job.meeting, rotation)
        started, begin = datetime.now(UTC), time.perf_counter()
        played = play_game(
            bots,
            start,
            opening=job.opening.moves,
            clock=clocks,
            seed=luck,
            grace=self.setup.grace,
            strikes=self.setup.strikes,
            on_move=None if self._under_way is None else partial(self._tell, job, rotation),
        )
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
            machine_late=played.machine_late,
            started=started.isoformat(timespec="milliseconds"),
            duration=round(duration, 6),
        )

    def _tell(self, job: Job, rotation: int, game: OngoingGame) -> None:
        now = time.monotonic()
        if self._under_way is None or now - self._told < TELL or game.is_over:
            return
        self._told = now
        moves = tuple(move.text for move in game.moves)
        names, start = job.meeting.lineups()[rotation], game.positions[0].start_text
        self._under_way(UnderWay(job.meeting, rotation, names, start, moves))

    def _unplayed(self, job: Job, rotation: int, attempt: int, failing: Mapping[int, PalabreError]) -> GameRow:
        """A game that bots have lost before it began; if all of them have, nobody gets anything."""
        names = job.meeting.lineups()[rotation]
        position = play_opening(self.game, job.opening)
        others = len(names) - len(failing)
        untold = (None,) * len(job.opening.moves)
        return GameRow(
            meeting=job.meeting,
            rotation=rotation,
            attempt=attempt,
            bots=names,
            shares=tuple(0.0 if place in failing else 1 / others for place in range(len(names))),
            scores=position.scores,
            margin=None,
            opening=len(job.opening.moves),
            start=position.start_text,
            moves=job.opening.moves,
            movers=_movers(start_of(self.game, job.opening), job.opening.moves),
            seconds=untold,
            depths=untold,
            nodes=untold,
            ending="; ".join(
                str(say("game.loses", player=place + 1, reason=error.message)) for place, error in failing.items()
            ),
            forfeit=min(failing),
            machine_late=any(_is_ours(error) for error in failing.values()),
            details="\n".join(filter(None, map(_details, failing.values()))) or None,
            started=datetime.now(UTC).isoformat(timespec="milliseconds"),
        )

    def close(self) -> None:
        """Let all bots go: a foreign engine is asked to leave."""
        while self._bots:
            close_bot(self._bots.popitem()[1])

    def _bot(self, name: str, copy: int) -> Bot | PalabreError:
        """A bot that has learned, or why there is none."""
        if name in self._failures:
            return self._failures[name]
        bot = self._bots.pop((name, copy), None)
        if bot is None:
            try:
                bot = seat(
                    self.setup.bots[name][0],
                    self.game,
                    limits=Limits(grace=self.setup.grace, forbids_engine=self.setup.forbids_engine),
                    untrusted=self.setup.untrusted,
                    in_process=self.setup.in_process,
                    rivals=[spec for spec, _ in self.setup.bots.values()],
                )
                teach(bot, self._lesson)
            except PalabreError as error:
                if not self.setup.load_failures_lose:
                    raise
                if not _is_ours(error):  # or it may go well next time
                    self._failures[name] = error
                return error
            while len(self._bots) >= self.setup.kept_bots:
                close_bot(self._bots.pop(next(iter(self._bots))))
        self._bots[name, copy] = bot
        return bot


def kept_bots(workers: int) -> int:
    """How many bots each worker may keep ready in half of the memory that is free: to load one takes long."""
    return max(KEPT_BOTS, int(free_megabytes() / 2 / max(1, workers) / BOT_MEGABYTES))


def luck_of(seed: int, meeting: Meeting, rotation: int) -> int:
    """The seed of a game's luck: it depends on who sits where, on the opening's number, and on nothing else."""
    found = meeting.lineups()
    luck = combine(combine(LUCK, seed), meeting.repeat)
    for name in found[rotation]:
        luck = combine(luck, signed(int.from_bytes(sha256(name.encode()).digest()[:8], "big")))
    return combine(luck, found[:rotation].count(found[rotation]))  # the same line-up once more, as that of A B A B


def _movers(position: Position, moves: Sequence[str]) -> tuple[int, ...]:
    """Who makes each of these moves."""
    found = []
    for move in moves:
        found.append(position.to_move)
        position = position.play(move)
    return tuple(found)


def _is_ours(error: PalabreError) -> bool:
    """Whether a bot could not be loaded for a reason that is hardly its own."""
    return isinstance(error, SandboxBroken) or isinstance(error.__cause__, SandboxBroken)


def _details(error: PalabreError) -> str | None:
    """What the author of a bot that cannot be made or taught should read."""
    return details_of(error.__cause__) if isinstance(error.__cause__, Forfeit) else None


def _is_timed(bot: Bot, start: Position, clock: Clock) -> bool:
    try:
        return bool(bot.is_timed(start, clock))
    except Exception:  # somebody's own bot
        return True


def _ending(played: Played) -> str:
    return BY_THE_RULES if played.reason is None else played.reason


# ------------------------------------------------------------------------------------------------- as a process


def to_line(document: Mapping[str, Any]) -> bytes:
    """A message, as it goes through a pipe."""
    return json.dumps(document, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"


def setup_to_plain(setup: Setup) -> dict[str, Any]:
    bots = {name: [spec, asdict(clock)] for name, (spec, clock) in setup.bots.items()}
    return {**vars(setup), "bots": bots}


def setup_from_plain(plain: Mapping[str, Any]) -> Setup:
    bots = {name: (spec, Clock(**clock)) for name, (spec, clock) in plain["bots"].items()}
    return Setup(**{**plain, "bots": bots})


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
    leave()


def _serve(messages: IO[bytes], answers: IO[bytes]) -> None:
    from palabre.compile.collector import freeze_collector

    def tell(one: UnderWay) -> None:
        answers.write(to_line({"under_way": one}))
        answers.flush()

    freeze_collector()
    try:
        setup = setup_from_plain(json.loads(messages.readline()))
        player = Player(setup, tell if setup.tells_moves else None)
        for line in messages:
            for plain in json.loads(line):
                for row in player.play(job_from_plain(plain)):
                    answers.write(to_line({"game": row.to_plain()}))
                    answers.flush()
        player.close()
    except PalabreError as error:
        answers.write(to_line({"error": str(error)}))
        answers.flush()
