"""What a process that searches does: moves, the best lines, reviews."""

import contextlib
import time
import weakref
from dataclasses import replace
from functools import partial

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
from palabre.play.failures import Forfeit
from palabre.play.guard import guard, position_after
from palabre.sandbox.players import is_foreign
from palabre.search.clock import AnalysisClock, Clock
from palabre.search.thought import Thought
from palabre.web.pool.facts import shown_reviewed_move, shown_thought
from palabre.web.pool.kept import SearchCache
from palabre.web.pool.tasks import (
    BestLines,
    Choose,
    Chosen,
    EndRoom,
    Prepare,
    Reviewed,
    ReviewGame,
    Reviewing,
    SearchSetup,
    Think,
)
from palabre.workers.messages import Stopped
from palabre.workers.service import PAUSE, Running, Service

QUICK_LEVEL = 3  # up to this level, plain Python takes less than a second for a move


class Thinker:
    """Does tasks, one after another."""

    def __init__(self, setup: SearchSetup) -> None:
        self.setup = setup
        self.kept = SearchCache(setup)
        self._rooms: weakref.WeakKeyDictionary[Bot, str] = weakref.WeakKeyDictionary()  # each bot's last one

    # ----------------------------------------------------------------------------------------------------------- moves

    def choose(self, task: Choose, running: Running) -> Chosen:
        """A bot's move."""
        position = self.kept.position(task.place)
        if position.is_over:
            raise PalabreError(say("thinking.game_over", bot=task.bot))
        limits = [seconds for seconds in (task.per_move, task.remaining) if seconds is not None]
        clock = Clock(min([self.setup.limits.seconds, *limits]) if limits else None, task.remaining, task.increment)
        if not is_foreign(task.bot):
            return self._ask(self._seated(task, position, clock), position, clock, running)
        key = (task.room, task.seat, task.bot)
        try:
            bot = self.kept.guest(key, position.game, task.seed)
            return self._ask(
                bot, position, replace(clock, per_move=clock.per_move or self.setup.limits.seconds), running
            )
        except (Forfeit, PalabreError) as error:
            self.kept.drop_guest(key)
            raise PalabreError(error.message) from error

    def _seated(self, task: Choose, position: Position, clock: Clock) -> Bot:
        """A bot of ours, ready to choose a move in this position.

        It sits down before every move with dice of this ply, as if the game began here: the move depends on nothing
        that was done in this process before. Only a bot whose moves depend on the time in any case keeps what it has
        found in the same game.
        """
        bot = self.kept.bot(task.bot, position.game)
        if self.setup.stands_in and not can_stand_in(bot, position):
            if not task.is_hurried:
                raise Stopped
            bot = self.kept.bot(opponent(position.game, QUICK_LEVEL), position.game)
        is_same_room = task.room != "" and self._rooms.get(bot) == task.room
        if not (is_same_room and bot.any_seat and bot.is_timed(position, clock)):
            bot.sit_down(position.game, task.seat, combine(task.seed, position.ply))
        self._rooms[bot] = task.room
        return bot

    def _ask(self, bot: Bot, position: Position, clock: Clock, running: Running) -> Chosen:
        # A search that is watched deepens step by step, so it has a move when it is stopped.
        bot.thought, bot.watch = None, lambda thought: None
        bot.stop_token = running.token
        running.begin()
        begin = time.perf_counter()
        try:
            with running.token.calling(partial(_stop, bot)):
                answer = guard(bot.choose, position, clock)
            seconds = time.perf_counter() - begin
            move = position_after(position, answer).played[-1]
        except Forfeit as error:
            raise PalabreError(error.message) from error
        finally:
            bot.stop_token = None
        if bot.thought is None:
            return Chosen(move.text, seconds)
        return Chosen(move.text, seconds, bot.thought.chance, bot.thought.proven_result)

    # -------------------------------------------------------------------------------------------------------- analysis

    def think(self, task: Think, running: Running) -> BestLines:
        """The best lines of a place."""
        position = self.kept.position(task.place)
        if position.is_over:
            return BestLines([], is_done=True)
        bot = self._searching(task.bot, position.game)
        if task.nodes is not None:  # what was searched before must make no difference
            bot.sit_down(position.game, position.to_move)
        lines = Lines()
        bot.stop_token = running.token
        running.begin(
            LineReports(task, lines, running).report
        )  # it ends with its time; one for a move would end earlier
        thoughts = think_lines(bot, position, AnalysisClock(nodes=task.nodes), task.lines, lines)
        return BestLines(task.with_earlier([shown_thought(thought) for thought in thoughts]), is_done=True)

    def review(self, task: ReviewGame, running: Running) -> Reviewed:
        """What each move of a game was worth."""
        positions = self.kept.positions(task.place)
        bot = self._searching(task.bot, positions[0].game)
        bot.stop_token = running.token
        running.begin()
        done, last = 0, 0.0

        def on_position() -> None:
            nonlocal done, last
            done += 1
            if running.token.is_set:
                raise Stopped
            if time.monotonic() - last >= PAUSE:
                last = time.monotonic()
                running.report(Reviewing(done, len(positions) - 1))

        return Reviewed([shown_reviewed_move(move) for move in review(positions, bot=bot, on_position=on_position)])

    def _searching(self, spec: str | None, game: Game) -> SearchBot:
        """A bot that searches, ready to think; a `PalabreError` says which ones do."""
        if spec is not None and is_foreign(spec):
            raise PalabreError(say("thinking.no_guest", bot=spec))
        bot = self.kept.bot(spec or default_bot(game), game)
        return bot if isinstance(bot, SearchBot) else analysing_bot(spec, game)

    # ---------------------------------------------------------------------------------------------------- what remains

    def prepare(self, task: Prepare, running: Running) -> None:
        """Have a bot ready."""
        self.kept.bot(task.bot, self.kept.position(task.place).game)

    def end_room(self, task: EndRoom, running: Running) -> None:
        """Let the bots of a room go."""
        self.kept.end_room(task.room, task.place)


class LineReports:
    """The lines of a search, each reported once, as soon as they are as deep as those of earlier slices."""

    def __init__(self, task: Think, lines: Lines, running: Running) -> None:
        self._task, self._lines, self._running = task, lines, running
        self._reported: tuple[Thought, ...] = ()

    def report(self) -> None:
        """Report the lines, if there are new ones."""
        if self._lines.thoughts is not self._reported:
            self._reported = self._lines.thoughts
            lines = [shown_thought(thought) for thought in self._reported]
            if self._task.is_as_deep(lines):
                self._running.report(BestLines(self._task.with_earlier(lines)))


def _stop(bot: Bot) -> None:
    """Stop a bot, whatever its code does then."""
    with contextlib.suppress(Forfeit):
        guard(bot.stop)


def can_stand_in(bot: Bot, position: Position) -> bool:
    """Whether a bot plays as well as plain Python, where tables are smaller and all takes a hundred times longer."""
    values = dict(bot.options.values)
    has_small_table = "memory" not in values or int(values.get("level", STRONGEST)) <= QUICK_LEVEL
    return has_small_table and not bot.is_timed(position, Clock())


SERVICE = Service(
    SearchSetup,
    Thinker,
    {
        Choose: Thinker.choose,
        Think: Thinker.think,
        ReviewGame: Thinker.review,
        Prepare: Thinker.prepare,
        EndRoom: Thinker.end_room,
    },
    on_idle=lambda thinker: thinker.kept.end_idle(),
)
