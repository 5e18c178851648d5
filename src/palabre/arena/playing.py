"""What the workers of an event do: play its games, one after another."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from palabre.arena.decoding import check_game
from palabre.arena.openings import start_of
from palabre.arena.rows import GameRow, Meeting, Opening, UnderWay
from palabre.bots.bot import Bot
from palabre.core import registry
from palabre.core.bits import combine, signed
from palabre.core.errors import PalabreError
from palabre.core.observations import Cells, from_cells
from palabre.core.system import free_megabytes
from palabre.play.failures import Forfeit, Limits, SandboxBroken
from palabre.play.finished import FinishedGame
from palabre.play.game import OngoingGame
from palabre.play.guard import LEARNING_SECONDS, Lesson, teach
from palabre.play.referee import details_of, forfeited_game, play_game
from palabre.sandbox.players import close_bot, seat
from palabre.search.clock import Clock
from palabre.workers.messages import Task
from palabre.workers.service import Service

MODULE = __name__  # which a process of a worker runs
LUCK = 5  # the family of seeds of bots
KEPT_BOTS = 32  # that a worker keeps ready at least; a bot that comes back later learns again
BOT_MEGABYTES = 40  # that a bot takes, roughly, which is kept ready
REPORT = 0.2  # seconds between two reports on how a game goes


class PlayGame(Task[GameRow], frozen=True):
    """One game of a meeting is to be played."""

    RESULT = GameRow
    REPORT = UnderWay

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
        try:
            check_game(result, self.bots)
        except ValueError:
            return False
        given = self.meeting, self.rotation, self.attempt, self.bots
        return (result.meeting, result.rotation, result.attempt, result.bots) == given

    def row(self, game: FinishedGame) -> GameRow:
        """The game as the event keeps it."""
        return GameRow(**vars(game), meeting=self.meeting, rotation=self.rotation, attempt=self.attempt)


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
    in_process: bool = False  # whether no bot is put into a sandbox, so that an author can see what happens


class Player:
    """Plays the games of an event. Its bots learn once, before their first game."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.game = registry.game(setup.game)
        self._kept_bots = kept_bots(setup.workers)
        self._lesson = Lesson(from_cells(self.game, setup.data), setup.learning)
        self._bots: dict[tuple[str, int], Bot] = {}  # by name and copy, the latest used last
        self._failures: dict[str, PalabreError] = {}  # of bots that cannot be made or taught, by name

    def play(self, task: PlayGame, report: Callable[[UnderWay], object] | None = None) -> GameRow:
        """Play a game; `report` is called now and then with how it goes."""
        names, opening = task.bots, task.opening
        # A bot that has several seats sits there as several copies.
        bots = [self._bot(name, names[:place].count(name)) for place, name in enumerate(names)]
        failing = {place: bot for place, bot in enumerate(bots) if isinstance(bot, PalabreError)}
        start = start_of(self.game, opening)
        if failing:
            reasons = {place: error.message for place, error in failing.items()}
            return replace(
                task.row(forfeited_game(start, opening.moves, names, reasons)),
                machine_late=any(map(_is_ours, failing.values())),
                details="\n".join(filter(None, map(_details, failing.values()))) or None,
            )
        game = play_game(
            [bot for bot in bots if isinstance(bot, Bot)],
            start,
            opening=opening.moves,
            clock=[self.setup.bots[name][1] for name in names],
            seed=luck_of(self.setup.seed, task.meeting, task.rotation),
            names=names,
            grace=self.setup.grace,
            strikes=self.setup.strikes,
            on_move=None if report is None else _Reporter(task, report).on_move,
        )
        return task.row(game)

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
    lineups = meeting.lineups()
    luck = combine(combine(LUCK, seed), meeting.repeat)
    for name in lineups[rotation]:
        luck = combine(luck, signed(int.from_bytes(sha256(name.encode()).digest()[:8], "big")))
    return combine(luck, lineups[:rotation].count(lineups[rotation]))  # the same line-up once more, as that of A B A B


def _is_ours(error: PalabreError) -> bool:
    """Whether a bot could not be loaded for a reason that is hardly its own."""
    return isinstance(error, SandboxBroken) or isinstance(error.__cause__, SandboxBroken)


def _details(error: PalabreError) -> str | None:
    """What the author of a bot that cannot be made or taught should read."""
    return details_of(error.__cause__) if isinstance(error.__cause__, Forfeit) else None


class _Reporter:
    """Reports how a game goes that takes long, not too often."""

    def __init__(self, task: PlayGame, report: Callable[[UnderWay], object]) -> None:
        self._task, self._report = task, report
        self._last = time.monotonic()

    def on_move(self, game: OngoingGame) -> None:
        now, task = time.monotonic(), self._task
        if now - self._last >= REPORT and not game.is_over:
            self._last = now
            moves = tuple(move.text for move in game.moves)
            self._report(UnderWay(task.meeting, task.rotation, task.bots, game.positions[0].start_text, moves))


SERVICE = Service(
    Setup,
    Player,
    {PlayGame: lambda player, task, running: player.play(task, running.report if player.setup.reports_moves else None)},
    on_end=Player.close,
)
