"""Matches and championships in the browser: begun, watched, interrupted, gone on with, and opened from files.

Nothing is played or computed here. A process of its own plays an event (`run.py`), another one reads the files
(`read.py`). Whatever happens to them, what has been played is in the event's file, and the event can go on.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec.structs import replace

from palabre.core.errors import PalabreError
from palabre.core.registry import split
from palabre.core.words import DEFAULT
from palabre.web.events.facts import EventFacts
from palabre.web.events.files import EventFiles, Known
from palabre.web.events.plan import EventPlan, format_choices, make_plan
from palabre.web.events.read import EventReader, ReadEvent
from palabre.web.events.runs import Run
from palabre.web.events.texts import rules_of
from palabre.web.messages import (
    EventChanged,
    EventEntry,
    EventGameEntry,
    EventList,
    EventState,
    GameOfEvent,
    Opened,
    Push,
)
from palabre.web.reading import Reader
from palabre.web.refusal import Refused
from palabre.web.requests import StartEvent
from palabre.web.store import Browser

EVERY = 1.0  # seconds between two looks at an event that is watched
PART = 0.25  # of the time goes into reading an event, at most
MOST_LISTED = 200
MOST_WATCHED = 8  # events by one page; then the first is no longer shown


class Listener(Protocol):
    """A browser that is connected."""

    @property
    def browser(self) -> Browser: ...
    @property
    def language(self) -> str: ...
    def send(self, message: Push) -> None: ...


@dataclass
class CachedFacts:
    """What was last read of an event."""

    signature: tuple[int, ...]
    facts: EventFacts
    until: float  # on the monotonic clock; before that it is not read again


class EventManager:
    """All events that a server knows. Only its operator may begin, stop and resume them: the caller sees to that."""

    def __init__(
        self,
        folder: Path,
        specs: Reader,
        *,
        others: Sequence[Path] = (),
        most: int = 1,
        workers: int = 1,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Events from the browser are kept in `folder`; `others` are folders that are shown, and never written to.

        At most so many events are played at once, each by so many workers. `pause` waits for so many seconds.
        """
        self._files = EventFiles(folder, others)
        self._most, self._workers = most, workers
        self._pause = pause
        self._specs = specs
        self.reader = EventReader()
        self._runs: dict[str, Run] = {}  # the last one of each event
        self._entries: dict[tuple[Path, tuple[int, ...]], EventEntry | PalabreError] = {}
        self._listed: dict[str, Known] = {}  # by the last look into the folders
        self._cached: dict[tuple[str, str], CachedFacts] = {}  # by event and language
        self._following: dict[Listener, dict[str, asyncio.Task[None]]] = {}

    async def close(self) -> None:
        """Interrupt what is being played: it can go on when the server is there again."""
        for session in list(self._following):
            self.leave_all(session)
        await asyncio.gather(*(run.stop() for run in self._runs.values()))
        await self.reader.close()

    @property
    def under_way(self) -> int:
        """How many events are being played."""
        return sum(self._is_played(event) for event in self._runs)

    # ------------------------------------------------------------------------------------------------------ which

    async def entries(self, session: Listener) -> EventList:
        """All events, the newest first."""
        known = self._listed = self._known()
        newest = sorted(known, key=lambda event: known[event].signature()[:1], reverse=True)[:MOST_LISTED]
        entries = [await self._entry(event, known[event], session.language) for event in newest]
        return EventList(entries, format_choices(), session.browser.role == "operator")

    async def _entry(self, event: str, known: Known, language: str) -> EventEntry:
        entry = await self._read_entry(known)
        if isinstance(entry, PalabreError):
            entry = EventEntry(event, known.file.stem, "", "", 0, 0, False, message=entry.text(language))
        run = self._runs.get(event)
        if run is not None:  # its file may still lack all this
            message = "" if run.error is None else run.error.text(language)
            bots = len(run.plan.bots) + len(run.plan.staff)
            entry = replace(entry, game=run.shown_game, format=run.plan.format, bots=bots, message=message)
        return replace(entry, event=event, is_running=self._is_played(event))

    async def _read_entry(self, known: Known) -> EventEntry | PalabreError:
        """A file as an entry of a list, or why it cannot be read; it is read once, until it changes."""
        key = (known.file, known.signature())
        if key not in self._entries:
            entry: EventEntry | PalabreError
            try:
                entry = await self.reader.ask(self._order("entry", known), EventEntry)
            except PalabreError as error:
                entry = error
            self._entries = {kept: one for kept, one in self._entries.items() if kept[0] != known.file}
            self._entries[key] = entry
        return self._entries[key]

    def _known(self) -> dict[str, Known]:
        known = self._files.known()
        for event, run in self._runs.items():  # one that has just begun has no file yet
            known.setdefault(event, Known(run.file, True))
        return known

    def _find(self, event: str) -> Known:
        known = self._listed.get(event)
        if known is None or not known.file.exists():
            self._listed = self._known()
            known = self._listed.get(event)
        if known is None:
            raise Refused("no_event", event=event)
        return known

    def _order(self, what: str, known: Known, **more: object) -> ReadEvent:
        named = {str(place): name for name, place in self._offered().items()}
        order = {"what": what, "file": str(known.file), "files": named, "is_own": known.is_own}
        return msgspec.convert({**order, **more}, ReadEvent)

    def _offered(self) -> dict[str, Path]:
        return {**self._specs.folders.bot_files(), **self._specs.folders.game_files()}

    def _placed(self, spec: str) -> str:
        """The spec by which a process finds what a browser names."""
        name, items = split(spec)
        place = self._offered().get(name)
        return spec if place is None else f"{place}:{items}" if items else str(place)

    # ---------------------------------------------------------------------------------------------------- playing

    async def start(self, request: StartEvent, session: Listener) -> Opened:
        """Begin an event."""
        game = self._specs.game(request.game)
        bots = [self._specs.bot(bot, game) for bot in request.bots]
        seconds = None if request.seconds is None else min(request.seconds, self._specs.limits.seconds)
        plan = make_plan(game.spec, game.players, request.format, bots, request.games, seconds, request.seed)
        self._check_free()
        try:
            event = self._files.new_name(f"{game.facts.name}-{request.format}", self._runs)
        except OSError as error:
            raise Refused("event_not_started", reason=str(error.strerror)) from error
        await self._run(event, plan)
        return Opened(event)

    async def resume(self, event: str) -> None:
        """Go on with an event that was interrupted."""
        known = self._find(event)
        if self._is_played(event):
            return
        facts = await self._facts_or_plan(event, known, DEFAULT)
        if not known.is_own or facts.plan is None or facts.is_finished:
            raise Refused("cannot_resume", event=event)
        if self._is_played(event):  # another request was faster
            return
        self._check_free()
        await self._run(event, facts.plan)

    async def stop(self, event: str) -> None:
        """Interrupt an event."""
        self._find(event)
        if event in self._runs:
            await self._runs[event].stop()

    def _is_played(self, event: str) -> bool:
        return event in self._runs and self._runs[event].is_alive

    def _check_free(self) -> None:
        playing = [event for event, run in self._runs.items() if run.is_alive]
        if len(playing) >= self._most:
            raise Refused("event_busy", event=playing[0])

    async def _run(self, event: str, plan: EventPlan) -> None:
        placed = replace(
            plan,
            game=self._placed(plan.game),
            bots=[self._placed(bot) for bot in plan.bots],
            staff=[self._placed(bot) for bot in plan.staff],
        )
        named = {str(place): name for name, place in self._offered().items()}
        run = self._runs[event] = Run(self._files.folder / event, placed, plan.game, self._workers, named)
        run.start()

    # --------------------------------------------------------------------------------------------------- watching

    async def watch(self, event: str, session: Listener) -> EventState:
        """Show an event to a browser from now on."""
        state = await self._state(event, session)
        self.leave(event, session)
        following = self._following.setdefault(session, {})
        following[event] = asyncio.create_task(self._follow(event, session, state))
        if len(following) > MOST_WATCHED:
            self.leave(next(iter(following)), session)
        return state

    def leave(self, event: str, session: Listener) -> None:
        """No longer show it."""
        task = self._following.get(session, {}).pop(event, None)
        if task is not None:
            task.cancel()

    def leave_all(self, session: Listener) -> None:
        """A browser is gone."""
        for task in self._following.pop(session, {}).values():
            task.cancel()

    async def _follow(self, event: str, session: Listener, sent: EventState) -> None:
        while True:
            await self._pause(EVERY)
            try:
                state = await self._state(event, session)
            except PalabreError as error:  # the file is gone, or no longer what it was
                session.send(
                    EventChanged(replace(sent, is_running=False, can=[], message=error.text(session.language)))
                )
                return
            if state != sent:
                session.send(EventChanged(state))
                sent = state

    async def _state(self, event: str, session: Listener) -> EventState:
        """An event as a browser is shown it."""
        known, run = self._find(event), self._runs.get(event)
        is_running = self._is_played(event)  # before the file is read, so that its end is shown with all games
        facts = await self._facts_or_plan(event, known, session.language)
        state = replace(facts.state, event=event)
        if run is not None:
            report = run.report
            state = replace(
                state,
                is_running=is_running,
                played=max(state.played, report.done),  # the table may be read a moment later
                seconds_left=report.seconds_left if is_running else None,
                under_way=report.under_way if is_running else [],
                message="" if run.error is None else run.error.text(session.language),
            )
        can: list[str] = []
        if session.browser.role == "operator" and known.is_own and facts.plan is not None:
            can = ["stop"] if is_running else [] if facts.is_finished else ["resume"]
        return replace(state, can=can)

    async def _facts_or_plan(self, event: str, known: Known, language: str) -> EventFacts:
        """What is known of an event, of which there may be no file yet."""
        run = self._runs.get(event)
        if run is None:
            return await self._facts(event, known, language)
        try:
            facts = await self._facts(event, known, language)
        except PalabreError:
            rules = rules_of(self._specs.game(run.shown_game), language)
            return EventFacts(_not_begun(event, run, rules), run.plan)
        return replace(facts, plan=facts.plan or run.plan)

    async def _facts(self, event: str, known: Known, language: str) -> EventFacts:
        """An event as its file has it, or had it a moment ago: a large one is not read all the time."""
        signature, kept = known.signature(), self._cached.get((event, language))
        is_fresh = kept is not None and time.monotonic() < kept.until and self._is_played(event)
        if kept is not None and (kept.signature == signature or is_fresh):
            return kept.facts
        begin = time.monotonic()
        facts = await self.reader.ask(self._order("facts", known, language=language), EventFacts)
        now = time.monotonic()
        self._cached[event, language] = CachedFacts(signature, facts, begin + (now - begin) / PART)
        return facts

    # ------------------------------------------------------------------------------------------------------ games

    async def game(self, event: str, number: int, session: Listener) -> GameOfEvent:
        """A game by its number."""
        order = self._order("game", self._find(event), language=session.language, number=number)
        return await self.reader.ask(order, GameOfEvent)

    async def games(self, event: str, bots: Sequence[str], session: Listener) -> list[EventGameEntry]:
        """The newest games in which all these bots play."""
        order = self._order("games", self._find(event), language=session.language, bots=bots)
        return await self.reader.ask(order, list[EventGameEntry])


def _not_begun(event: str, run: Run, rules: str) -> EventState:
    """An event of which there is no file yet."""
    return EventState(
        event=event,
        title=Path(event).stem,
        game=run.shown_game,
        rules=rules,
        format=run.plan.format,
        is_running=run.is_alive,
        played=0,
        planned=None,
        seconds_left=None,
        table=[],
        cross=[],
        games=[],
    )
