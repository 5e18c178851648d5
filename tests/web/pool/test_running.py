"""A job under way, by a clock that the test sets: when lines are reported, and when a bot is stopped."""

import threading
from typing import Any

import palabre
from palabre.bots.analysis import Lines
from palabre.bots.bot import Bot
from palabre.core.position import Move, Position
from palabre.search.clock import AnalysisClock, Clock
from palabre.search.thought import Thought
from palabre.web.pool import jobs
from palabre.web.pool.jobs import Choose, Order, Setup, Think, Thoughts, Told
from palabre.web.pool.thinker import Running, Thinker
from tests.command import PATIENCE
from tests.web.pool.pools import PLACE


class Stoppable(Bot):
    """Counts how often it is stopped."""

    stops = 0

    def stop(self) -> None:
        self.stops += 1


class Desk:
    """A job with its clock, its bot, its lines, and what it has reported."""

    def __init__(self, seconds: float) -> None:
        self.now = 100.0
        self.sent: list[jobs.FromWorker] = []
        self.bot, self.lines = Stoppable(), Lines()
        order = Order(1, Think(PLACE), seconds)
        self.running = Running(order, self.sent.append, clock=lambda: self.now)

    @property
    def reports(self) -> list[Any]:
        return [message.report for message in self.sent if isinstance(message, Told)]

    def look(self, at: float) -> None:
        self.now = 100.0 + at
        self.running.look()


def thought() -> Thought:
    """What a search has found, to be reported."""
    game = palabre.game("awele")
    bot = palabre.bot("alphabeta:depth=1", game)
    assert isinstance(bot, palabre.SearchBot)
    bot.sit_down(game, 0)
    return bot.think(game.start(), Clock(depth=1))


def test_a_bot_is_stopped_when_its_time_is_over_and_asked_again_until_it_ends(plain_python: None) -> None:
    desk = Desk(seconds=5.0)
    desk.look(at=50.0)
    assert desk.bot.stops == 0  # it has not begun: what is prepared does not count
    desk.running.begin(desk.bot)
    for seconds, stops in ((50.0, 0), (54.9, 0), (55.0, 1), (55.1, 2)):
        desk.look(at=seconds)
        assert desk.bot.stops == stops
    assert desk.running.is_stopping


def test_a_bot_that_is_to_stop_is_stopped_as_soon_as_it_has_begun(plain_python: None) -> None:
    desk = Desk(seconds=5.0)
    desk.running.stop()
    desk.look(at=0.0)
    desk.running.begin(desk.bot)
    desk.look(at=0.1)
    assert desk.bot.stops == 1


def test_a_job_that_has_ended_stops_nothing_more(plain_python: None) -> None:
    """The next job may have the same bot."""
    desk = Desk(seconds=5.0)
    desk.running.begin(desk.bot, desk.lines)
    desk.lines.add(thought())
    desk.running.end()
    desk.look(at=1.0)
    desk.look(at=50.0)
    assert (desk.bot.stops, desk.reports) == (0, [])


def test_a_job_ends_after_the_stop_that_is_under_way(plain_python: None) -> None:
    order: list[str] = []
    entered, leave = threading.Event(), threading.Event()
    desk = Desk(seconds=5.0)

    def stop() -> None:
        entered.set()
        leave.wait(PATIENCE)
        order.append("stopped")

    def end() -> None:
        desk.running.end()
        order.append("ended")

    desk.bot.stop = stop  # type: ignore[method-assign]
    desk.running.begin(desk.bot)
    desk.running.stop()
    looking, ending = threading.Thread(target=desk.running.look), threading.Thread(target=end)
    looking.start()
    assert entered.wait(PATIENCE)
    ending.start()
    ending.join(0.2)  # It would have ended by now on most machines, if it did not wait.
    leave.set()
    looking.join(PATIENCE)
    ending.join(PATIENCE)
    assert order == ["stopped", "ended"]


def test_lines_are_reported_once_however_often_one_looks(plain_python: None) -> None:
    desk = Desk(seconds=5.0)
    desk.running.begin(desk.bot, desk.lines)
    found = thought()
    desk.look(at=0.1)
    assert desk.reports == []
    for _ in range(20):  # lines that are found between two looks are one report
        desk.lines.add(found)
    for seconds in (0.2, 0.3, 0.4):
        desk.look(at=seconds)
    [report] = desk.reports
    assert isinstance(report, Thoughts)
    assert [line.move for line in report.lines] == [found.move.text]


def test_no_clock_ends_an_analysis_but_that_of_its_job(plain_python: None) -> None:
    """A search for a move ends early, when there is nothing more to gain."""
    thinker = Thinker(Setup([], [], 5.0, 1))
    given: list[Clock] = []
    bot = thinker.kept.bot("alphabeta", palabre.game("awele"))
    assert isinstance(bot, palabre.SearchBot)
    found = bot.think(palabre.game("awele").start(), Clock(depth=1))

    def think(position: object, clock: Clock, watch: object, lines: int) -> Thought:
        given.append(clock)
        return found

    bot.think = think  # type: ignore[method-assign, assignment]
    thinker.do(Running(Order(1, Think(PLACE, "alphabeta", seconds=3.0), 3.0), lambda message: None))
    assert given == [AnalysisClock()]


def test_a_move_has_the_shortest_of_its_limits(plain_python: None) -> None:
    thinker = Thinker(Setup([], [], 5.0, 1))
    given: list[Clock] = []
    bot = thinker.kept.bot("greedy", palabre.game("awele"))
    choose = bot.choose

    def choose_and_note(position: Position, clock: Clock) -> Move | str:
        given.append(clock)
        return choose(position, clock)

    bot.choose = choose_and_note  # type: ignore[method-assign]
    for job in (
        Choose(PLACE, "greedy"),
        Choose(PLACE, "greedy", remaining=90.0),
        Choose(PLACE, "greedy", per_move=0.5),
    ):
        thinker.do(Running(Order(1, job, 5.0), lambda message: None))
    assert [clock.per_move for clock in given] == [None, 5.0, 0.5]
