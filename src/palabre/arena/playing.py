"""What the workers of an event do: play its games, one after another."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from msgspec import Struct

from palabre.arena.openings import play_opening, start_of
from palabre.arena.outcome import Meeting
from palabre.arena.rows import BY_THE_RULES, GameRow, Opening
from palabre.bots.bot import Bot
from palabre.core import registry
from palabre.core.bits import combine, signed
from palabre.core.errors import PalabreError
from palabre.core.observations import Cells, from_cells
from palabre.core.position import Position
from palabre.core.system import free_megabytes
from palabre.core.words import say
from palabre.play.failures import Limits, SandboxBroken
from palabre.play.game import OngoingGame
from palabre.play.guard import LEARNING_SECONDS, Forfeit, Lesson, teach
from palabre.play.referee import Played, details_of, play_game
from palabre.sandbox.players import close_bot, seat
from palabre.search.clock import Clock
from palabre.workers.messages import Task
from palabre.workers.service import Running, Service

MODULE = __name__  # which a process of a worker runs
LUCK = 5  # the family of seeds of bots
KEPT_BOTS = 32  # that a worker keeps ready at least; a bot that comes back later learns again
BOT_MEGABYTES = 40  # that a bot takes, roughly, which is kept ready
REPORT = 0.2  # seconds between two reports on how a game goes


class Moves(Struct, frozen=True):
    """How a game goes that is being played."""

    start: str | None  # the text of the first position, None for the game's usual one
    moves: tuple[str, ...]  # so far, the opening included


class PlayGame(Task[GameRow], frozen=True):
    """One game of a meeting is to be played."""

    RESULT = GameRow
    REPORT = Moves

    meeting: Meeting
    rotation: int  # by how many seats its bots have moved on
    attempt: int  # from 1
    opening: Opening

    @property
    def bots(self) -> tuple[str, ...]:
        """The names of its bots, by seat."""
        return self.meeting.lineups()[self.rotation]

    def accepts(self, result: GameRow) -> bool:
        """Whether this is a result of this game; a bot that has found the pipe of its process may send any."""
        given = self.meeting, self.rotation, self.attempt, self.bots
        return (result.meeting, result.rotation, result.attempt, result.bots) == given


@dataclass(frozen=True)
class Setup:
    """What a worker must know of an event before it can play."""

    game: str  # its spec
    seed: int
    bots: Mapping[str, tuple[str, Clock]]  # spec and clock by name
    load_failures_lose: bool = False  # or end the event, if a bot cannot be made or taught
    grace: float = 0.0  # seconds by which a bot may be late,
    strikes: int = 0  # so often in a game
    workers: int = 1  # that share a machine: fewer bots of each stay ready
    untrusted: bool = False  # whether bots of others play in sandboxes or not at all
    reports_moves: bool = False  # whether to report on games before they have ended
    data: Sequence[Cells] = ()  # the rows of the observations that its bots learn from
    learning: float = LEARNING_SECONDS  # seconds that a bot has for it
    forbids_engine: bool = False  # whether bots of others are to do without Palabre's searches
    in_process: bool = False  # whether nobody is put into a sandbox, so that an author can see what happens


class Player:
    """Plays the games of an event. Its bots learn once, before their first game."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.game = registry.game(setup.game)
        self._kept_bots = kept_bots(setup.workers)
        self._lesson = Lesson(from_cells(self.game, setup.data), setup.learning)
        self._bots: dict[tuple[str, int], Bot] = {}  # by name and copy, the latest used last
        self._failures: dict[str, PalabreError] = {}  # of bots that cannot be made or taught, by name

    def play(self, task: PlayGame, report: Callable[[Moves], object] | None = None) -> GameRow:
        """Play a game; `report` is called now and then with how it goes."""
        names = task.bots
        # A bot that has several seats sits there as several copies.
        bots = [self._bot(name, names[:place].count(name)) for place, name in enumerate(names)]
        failing = {place: bot for place, bot in enumerate(bots) if isinstance(bot, PalabreError)}
        if failing:
            return self._unplayed(task, failing)
        return self._played(task, [bot for bot in bots if isinstance(bot, Bot)], report)

    def play_task(self, task: PlayGame, running: Running) -> GameRow:
        """Play a game for a pool."""
        return self.play(task, running.report if self.setup.reports_moves else None)

    def _played(self, task: PlayGame, bots: Sequence[Bot], report: Callable[[Moves], object] | None) -> GameRow:
        names, opening = task.bots, task.opening
        clocks = [self.setup.bots[name][1] for name in names]
        start = start_of(self.game, opening)
        luck = luck_of(self.setup.seed, task.meeting, task.rotation)
        started, begin = datetime.now(UTC), time.perf_counter()
        played = play_game(
            bots,
            start,
            opening=opening.moves,
            clock=clocks,
            seed=luck,
            grace=self.setup.grace,
            strikes=self.setup.strikes,
            on_move=None if report is None else _Reporter(report).on_move,
        )
        duration = time.perf_counter() - begin
        return GameRow(
            meeting=task.meeting,
            rotation=task.rotation,
            attempt=task.attempt,
            bots=names,
            shares=played.shares,
            scores=played.scores,
            margin=played.margin,
            opening=len(opening.moves),
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

    def _unplayed(self, task: PlayGame, failing: Mapping[int, PalabreError]) -> GameRow:
        """A game that bots have lost before it began; if all of them have, nobody gets anything."""
        names, opening = task.bots, task.opening
        position = play_opening(self.game, opening)
        others = len(names) - len(failing)
        untold = (None,) * len(opening.moves)
        return GameRow(
            meeting=task.meeting,
            rotation=task.rotation,
            attempt=task.attempt,
            bots=names,
            shares=tuple(0.0 if place in failing else 1 / others for place in range(len(names))),
            scores=position.scores,
            margin=None,
            opening=len(opening.moves),
            start=position.start_text,
            moves=opening.moves,
            movers=_movers(start_of(self.game, opening), opening.moves),
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
            while len(self._bots) >= self._kept_bots:
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


class _Reporter:
    """Reports how a game goes that takes long, not too often."""

    def __init__(self, report: Callable[[Moves], object]) -> None:
        self._report = report
        self._last = time.monotonic()

    def on_move(self, game: OngoingGame) -> None:
        now = time.monotonic()
        if now - self._last >= REPORT and not game.is_over:
            self._last = now
            self._report(Moves(game.positions[0].start_text, tuple(move.text for move in game.moves)))


SERVICE = Service(Setup, Player, {PlayGame: Player.play_task}, on_end=Player.close)
