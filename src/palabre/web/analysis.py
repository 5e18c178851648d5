"""Engine help for browsers: hints, live analysis, reviews. Each ends when it is done or stopped."""

import msgspec

from palabre.core.position import Position
from palabre.web import page, requests
from palabre.web.access import require
from palabre.web.context import Context
from palabre.web.handling import Handlers
from palabre.web.messages import Answer, Hinted, ReviewGrew, ThoughtFacts, Thoughts
from palabre.web.pool import tasks
from palabre.web.refusal import Refused
from palabre.web.session import Session
from palabre.workers.messages import Preparing

HINT_SECONDS = 1.0
LONGEST_ANALYSIS = 120.0  # seconds, if a browser does not say how long

HANDLERS = Handlers()


@HANDLERS.handles(requests.Hint)
async def hint(context: Context, request: requests.Hint, session: Session) -> Hinted:
    """A good move."""
    browser = session.browser.id
    if request.room is not None:
        async with context.rooms.using(request.room, browser) as live:
            live.check("hint", session)
            position = live.room.position
            await context.fairness.check([position], browser)
            return await _hint(context, position, browser)
    if request.place is None:
        raise Refused("where")
    require(session.browser, "player")
    return await _hint(context, (await _positions(context, request.place, session))[-1], browser)


async def _hint(context: Context, position: Position, browser: str) -> Hinted:
    with context.limits.analyses.hold(browser):
        if position.is_over:
            raise Refused("game_over")
        task = tasks.Think(page.place_of(position), None, 1, HINT_SECONDS)
        thoughts = await context.pool.submit(task, owner=browser).outcome()
        return Hinted(with_clicks(position, thoughts.lines[0]))


@HANDLERS.handles(requests.Analyse, role="player", goes_on=True)
async def analyse(context: Context, request: requests.Analyse, session: Session) -> None:
    """Send the best lines of a position as they are found, by a bot or by the usual one."""
    position = (await _positions(context, request.place, session))[-1]
    if position.is_over:
        raise Refused("game_over")
    bot = None if request.bot is None else context.reader.bot(request.bot, position.game)
    lines: list[ThoughtFacts] = []

    def on_progress(report: tasks.BestLines | Preparing) -> None:
        if isinstance(report, Preparing):
            session.send(Thoughts(request.ask, lines, False, report.fraction, report.seconds))
        elif isinstance(report, tasks.BestLines):
            lines[:] = [with_clicks(position, line) for line in report.lines]
            session.send(Thoughts(request.ask, lines, False))

    with context.limits.analyses.hold(session.browser.id):
        session.send(Answer(request.ask))
        seconds = min(request.seconds or LONGEST_ANALYSIS, LONGEST_ANALYSIS)
        task = tasks.Think(page.place_of(position), bot, request.lines, seconds)
        thoughts = await context.pool.submit(task, owner=session.browser.id, on_progress=on_progress).outcome()
        session.send(Thoughts(request.ask, [with_clicks(position, line) for line in thoughts.lines], True))


@HANDLERS.handles(requests.ReviewRequest, role="player", goes_on=True)
async def review(context: Context, request: requests.ReviewRequest, session: Session) -> None:
    """Go through a game and send what each move cost."""
    positions = await _positions(context, request.place, session)
    total = len(positions) - 1

    def on_progress(report: tasks.Reviewing | Preparing) -> None:
        if isinstance(report, Preparing):
            session.send(ReviewGrew(request.ask, 0, total, preparing=report.fraction))
        elif isinstance(report, tasks.Reviewing):
            session.send(ReviewGrew(request.ask, report.done, report.total))

    with context.limits.analyses.hold(session.browser.id):
        session.send(Answer(request.ask))
        task = tasks.ReviewGame(page.place_of(positions[-1]))
        reviewed = await context.pool.submit(task, owner=session.browser.id, on_progress=on_progress).outcome()
        session.send(ReviewGrew(request.ask, total, total, reviewed.moves))


@HANDLERS.handles(requests.StopAnalysis)
def stop_analysis(context: Context, request: requests.StopAnalysis, session: Session) -> None:
    """End an analysis, a review or a hint."""
    session.stop(request.asked)


async def _positions(context: Context, place: requests.Place, session: Session) -> list[Position]:
    """The positions of a place, none of which is of a game in which an engine must not help this browser."""
    positions = await context.slices.take(context.reader.line(place), session.browser.id)
    await context.fairness.check(positions, session.browser.id)
    return positions


def with_clicks(position: Position, thought: ThoughtFacts) -> ThoughtFacts:
    """A thought with the cells of its move, for an arrow."""
    return msgspec.structs.replace(thought, clicks=page.cells_of_move(position, thought.move))
