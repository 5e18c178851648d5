"""Tasks of a process that searches: what is reported, and what limits a search has."""

import msgspec

import palabre
from palabre.bots.analysis import Lines
from palabre.core.position import Move, Position
from palabre.search.clock import AnalysisClock, Clock
from palabre.search.thought import Thought
from palabre.web.limits import ServerLimits
from palabre.web.pool.tasks import BestLines, Choose, SearchSetup, Think
from palabre.web.pool.thinker import LineReports, Thinker
from palabre.workers.messages import FromWorker, Order, Progress, decoder
from palabre.workers.service import Running
from tests.web.pool.pools import PLACE


def running() -> Running:
    """A task that nobody hears of."""
    return Running(Order(1, msgspec.Raw(b""), 5.0), lambda message: None)


def test_lines_are_reported_once_however_often_one_looks(plain_python: None) -> None:
    game = palabre.game("awele")
    bot = palabre.bot("alphabeta:depth=1", game)
    assert isinstance(bot, palabre.SearchBot)
    bot.sit_down(game, 0)
    found, lines = bot.think(game.start(), Clock(depth=1)), Lines()
    sent: list[FromWorker] = []
    reporter = LineReports(Think(PLACE), lines, Running(Order(1, msgspec.Raw(b"")), sent.append))
    reporter.report()
    assert sent == []
    for _ in range(20):  # lines that are found between two looks are one report
        lines.add(found)
    for _ in range(3):
        reporter.report()
    [message] = sent
    assert isinstance(message, Progress)
    assert [line.move for line in decoder(BestLines).decode(message.report).lines] == [found.move.text]


def test_no_clock_ends_an_analysis_but_that_of_its_job(plain_python: None) -> None:
    """A search for a move ends early, when there is nothing more to gain."""
    thinker = Thinker(SearchSetup(ServerLimits(memory=1)))
    given: list[Clock] = []
    bot = thinker.kept.bot("alphabeta", palabre.game("awele"))
    assert isinstance(bot, palabre.SearchBot)
    found = bot.think(palabre.game("awele").start(), Clock(depth=1))

    def think(position: object, clock: Clock, watch: object, lines: int) -> Thought:
        given.append(clock)
        return found

    bot.think = think  # type: ignore[method-assign, assignment]
    thinker.think(Think(PLACE, "alphabeta", seconds=3.0), running())
    assert given == [AnalysisClock()]


def test_a_move_has_the_shortest_of_its_limits(plain_python: None) -> None:
    thinker = Thinker(SearchSetup(ServerLimits(memory=1)))
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
        thinker.choose(job, running())
    assert [clock.per_move for clock in given] == [None, 5.0, 0.5]
