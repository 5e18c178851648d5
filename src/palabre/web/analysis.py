"""Engine help for browsers: hints, live analysis, reviews. Each ends when it is done, stopped, or nobody listens."""

import msgspec

from palabre.core.position import Position
from palabre.web import page
from palabre.web.messages import Hinted, ReviewGrew, ThoughtFacts, Thoughts
from palabre.web.pool import tasks
from palabre.web.pool.tasks import Reviewing
from palabre.web.pool.thinking import Pool
from palabre.web.refusal import Refused
from palabre.web.requests import Analyse, Review
from palabre.web.session import Session
from palabre.workers.messages import Preparing

HINT_SECONDS = 1.0
LONGEST_ANALYSIS = 120.0  # seconds, if a browser does not say how long


class Analysts:
    """Those who think for browsers."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool

    async def hint(self, position: Position, session: Session) -> Hinted:
        """A good move."""
        if position.is_over:
            raise Refused("game_over")
        task = tasks.Think(page.place_of(position), None, 1, HINT_SECONDS)
        found = await self.pool.submit(task, owner=session.browser.id).result()
        return Hinted(with_clicks(position, found.lines[0]))

    async def analyse(self, request: Analyse, position: Position, bot: str | None, session: Session) -> None:
        """Tell the best lines of a position as they are found, by a bot or by the usual one."""
        seconds = min(request.seconds or LONGEST_ANALYSIS, LONGEST_ANALYSIS)
        known: list[ThoughtFacts] = []

        def on_progress(report: tasks.Thoughts | Preparing) -> None:
            if isinstance(report, Preparing):
                session.send(Thoughts(request.ask, known, False, report.fraction, report.seconds))
            elif isinstance(report, tasks.Thoughts):
                known[:] = [with_clicks(position, line) for line in report.lines]
                session.send(Thoughts(request.ask, known, False))

        task = tasks.Think(page.place_of(position), bot, request.lines, seconds)
        found = await self.pool.submit(task, owner=session.browser.id, on_progress=on_progress).result()
        session.send(Thoughts(request.ask, [with_clicks(position, line) for line in found.lines], True))

    async def review(self, request: Review, positions: list[Position], session: Session) -> None:
        """Go through a game and tell what each move cost."""
        total = len(positions) - 1

        def on_progress(report: Reviewing | Preparing) -> None:
            if isinstance(report, Preparing):
                session.send(ReviewGrew(request.ask, 0, total, preparing=report.fraction))
            elif isinstance(report, Reviewing):
                session.send(ReviewGrew(request.ask, report.done, report.total))

        task = tasks.Review(page.place_of(positions[-1]))
        found = await self.pool.submit(task, owner=session.browser.id, on_progress=on_progress).result()
        session.send(ReviewGrew(request.ask, total, total, found.moves))


def with_clicks(position: Position, thought: ThoughtFacts) -> ThoughtFacts:
    """A thought with the cells of its move, for an arrow."""
    return msgspec.structs.replace(thought, clicks=page.cells_of_move(position, thought.move))
