"""Doing jobs, in a process that searches: moves, the best lines, reviews."""

import contextlib
import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import replace

from palabre.arena.guard import Forfeit, guard, position_after
from palabre.arena.players import is_foreign
from palabre.bots.analysis import Lines, analysing_bot, default_bot, think_lines
from palabre.bots.bot import Bot, SearchBot
from palabre.bots.levels import STRONGEST
from palabre.bots.opponents import opponent
from palabre.bots.review import review
from palabre.core.bits import combine
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.core.words import say
from palabre.search.clock import AnalysisClock, Clock
from palabre.search.thought import Thought
from palabre.web.pool import jobs
from palabre.web.pool.facts import reviewed_move, thought_facts
from palabre.web.pool.jobs import Choose, Chosen, Order, Review, Setup, Think
from palabre.web.pool.kept import Kept

PAUSE = 0.1  # seconds between two reports of the same job
INSIST = 0.005  # seconds after which a bot that was told to stop is told again: it may not have begun before
QUICK_LEVEL = 3  # up to this level, plain Python takes less than a second for a move


class Stopped(Exception):
    """The job was stopped, and has no result."""


class Running:
    """A job under way."""

    def __init__(
        self, order: Order, tell: Callable[[jobs.FromWorker], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.number, self.job, self._seconds = order.number, order.job, order.seconds
        self.is_stopping = False
        self._tell, self._clock = tell, clock
        self._bot: Bot | None = None  # that is to be stopped
        self._lines: Lines | None = None  # that are to be told
        self._told: tuple[Thought, ...] = ()
        self._deadline = float("inf")
        self._is_over = False
        self._lock = threading.Lock()
        self._wake = threading.Event()

    def stop(self) -> None:
        """End the job with what is known by now; called by the thread that reads."""
        self.is_stopping = True
        self._wake.set()

    def begin(self, bot: Bot, lines: Lines | None = None) -> None:
        """All is prepared, and the bot begins to think."""
        self._deadline = self._clock() + self._seconds
        self._lines, self._bot = lines, bot
        self._tell(jobs.Began(self.number))

    def report(self, report: jobs.Report) -> None:
        """Tell the server how far it has come."""
        self._tell(jobs.Told(self.number, report))

    def attend(self) -> None:
        """Report the lines and stop the bot, when it is time; in a thread of its own."""
        while not self._is_over:
            self._wake.wait(min(PAUSE, max(INSIST, self._deadline - self._clock())))
            self.look()
            if self.is_stopping:
                time.sleep(INSIST)

    def look(self) -> None:
        """Report what is new, or stop the bot if its time is over; nothing once the job has ended.

        The lock is for the next job, which may have the same bot: it must not be stopped for this one.
        """
        with self._lock:
            if self._is_over:
                return
            if self.is_stopping or self._clock() >= self._deadline:
                self.is_stopping = True
                if self._bot is not None:
                    with contextlib.suppress(Forfeit):
                        guard(self._bot.stop)
            else:
                self._tell_lines()

    def end(self) -> None:
        """The job is over: nothing more is told or stopped."""
        with self._lock:
            self._is_over = True
        self._wake.set()

    def _tell_lines(self) -> None:
        if self._lines is not None and self._lines.thoughts is not self._told:
            self._told = self._lines.thoughts
            self.report(jobs.Thoughts([thought_facts(thought) for thought in self._told]))


class Thinker:
    """Does jobs, one after another."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.kept = Kept(setup)
        self._rooms: weakref.WeakKeyDictionary[Bot, str] = weakref.WeakKeyDictionary()  # each bot's last one

    def do(self, running: Running) -> jobs.AnyResult:
        """Do a job; a `PalabreError`, `Forfeit` or `Stopped` says why it has no result."""
        job = running.job
        if isinstance(job, Choose):
            return self._choose(job, running)
        if isinstance(job, Think):
            return self._think(job, running)
        if isinstance(job, Review):
            return self._review(job, running)
        self.kept.bot(job.bot, self.kept.position(job.place).game)
        return jobs.Prepared()

    # ----------------------------------------------------------------------------------------------------------- moves

    def _choose(self, job: Choose, running: Running) -> Chosen:
        position = self.kept.position(job.place)
        if position.is_over:
            raise PalabreError(say("thinking.game_over", bot=job.bot))
        limits = [seconds for seconds in (job.per_move, job.remaining) if seconds is not None]
        clock = Clock(min([self.setup.seconds, *limits]) if limits else None, job.remaining, job.increment)
        if not is_foreign(job.bot):
            return self._ask(self._seated(job, position, clock), position, clock, running)
        key = (job.room, job.seat, job.bot)
        try:
            bot = self.kept.guest(key, position.game, job.seed)
            return self._ask(bot, position, replace(clock, per_move=clock.per_move or self.setup.seconds), running)
        except (Forfeit, PalabreError):
            self.kept.drop_guest(key)
            raise

    def _seated(self, job: Choose, position: Position, clock: Clock) -> Bot:
        """A bot of ours, ready to choose a move in this position.

        It sits down before every move with dice of this ply, as if the game began here: the move depends on nothing
        that was done in this process before. Only a bot whose moves depend on the time in any case keeps what it has
        found in the same game.
        """
        bot = self.kept.bot(job.bot, position.game)
        if self.setup.stands_in and not can_stand_in(bot, position):
            if not job.is_hurried:
                raise Stopped
            bot = self.kept.bot(opponent(position.game, QUICK_LEVEL), position.game)
        is_same_room = job.room != "" and self._rooms.get(bot) == job.room
        if not (is_same_room and bot.any_seat and bot.is_timed(position, clock)):
            bot.sit_down(position.game, job.seat, combine(job.seed, position.ply))
        self._rooms[bot] = job.room
        return bot

    def _ask(self, bot: Bot, position: Position, clock: Clock, running: Running) -> Chosen:
        # A search that somebody watches deepens step by step, so it has a move when it is stopped.
        bot.thought, bot.watch = None, lambda thought: None
        running.begin(bot)
        begin = time.perf_counter()
        answer = guard(bot.choose, position, clock)
        seconds = time.perf_counter() - begin
        move = position_after(position, answer).played[-1]
        thought = None if bot.thought is None else thought_facts(bot.thought)
        return Chosen(move.text, seconds, thought)

    # -------------------------------------------------------------------------------------------------------- analysis

    def _think(self, job: Think, running: Running) -> jobs.Thoughts:
        position = self.kept.position(job.place)
        if position.is_over:
            return jobs.Thoughts([], is_done=True)
        bot = self._searching(job.bot, position.game)
        if job.nodes is not None:  # what was searched before must make no difference
            bot.sit_down(position.game, position.to_move)
        lines = Lines()
        running.begin(bot, lines)  # it ends with its time; a search for a move would end earlier
        thoughts = think_lines(bot, position, AnalysisClock(nodes=job.nodes), job.lines, lines)
        return jobs.Thoughts([thought_facts(thought) for thought in thoughts], is_done=True)

    def _review(self, job: Review, running: Running) -> jobs.Reviewed:
        positions = self.kept.positions(job.place)
        bot = self._searching(job.bot, positions[0].game)
        running.begin(bot)
        done, last = 0, 0.0

        def hear() -> None:
            nonlocal done, last
            done += 1
            if running.is_stopping:
                raise Stopped
            if time.monotonic() - last >= PAUSE:
                last = time.monotonic()
                running.report(jobs.Progress(done, len(positions) - 1))

        return jobs.Reviewed([reviewed_move(move) for move in review(positions, bot=bot, on_position=hear)])

    def _searching(self, spec: str | None, game: Game) -> SearchBot:
        """A bot that searches, ready to think; a `PalabreError` says which ones do."""
        if spec is not None and is_foreign(spec):
            raise PalabreError(say("thinking.no_guest", bot=spec))
        bot = self.kept.bot(spec or default_bot(game), game)
        return bot if isinstance(bot, SearchBot) else analysing_bot(spec, game)


def can_stand_in(bot: Bot, position: Position) -> bool:
    """Whether a bot plays as well as plain Python, where tables are smaller and all takes a hundred times longer."""
    values = dict(bot.options.values)
    has_small_table = "memory" not in values or int(values.get("level", STRONGEST)) <= QUICK_LEVEL
    return has_small_table and not bot.is_timed(position, Clock())
