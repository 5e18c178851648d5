"""The parts of a running server, which handlers of requests share."""

from palabre.web.answers import Answers
from palabre.web.events.events import EventManager
from palabre.web.fairness import Fairness
from palabre.web.limits import Folders, ServerLimits
from palabre.web.pool.thinking import SearchPool
from palabre.web.rates import BrowserLimits
from palabre.web.reading import Reader
from palabre.web.rooms import Rooms
from palabre.web.run import Parts
from palabre.web.session import Session
from palabre.web.slices import Slices


class Context:
    """All that a handler may need."""

    def __init__(self, parts: Parts) -> None:
        settings = parts.settings
        bots, games = (tuple(path.resolve() for path in paths) for paths in (settings.bots, settings.games))
        folders = Folders(bots, games, settings.broken)
        limits = ServerLimits(seconds=settings.seconds)
        self.access, self.on_quit = parts.access, parts.quit
        self.address = parts.address  # by which others reach the server; empty if only this machine does
        self.reader = Reader(limits, folders)
        self.limits = BrowserLimits()
        self.slices = Slices(self.limits.work)
        self.pool = SearchPool(settings.workers, limits=limits, folders=folders)
        self.answers = Answers(self.reader, self.limits.work)
        self.rooms = Rooms(parts.store, self.pool, self.reader, self.slices)
        self.fairness = Fairness(self.rooms)
        self.events = EventManager(parts.events, self.reader, others=settings.events)
        self.sessions: set[Session] = set()  # of all browsers that are connected
