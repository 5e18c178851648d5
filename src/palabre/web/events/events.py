"""Matches and championships in the browser: begun, watched, interrupted, gone on with, and opened from files.

Nothing is played or computed here. A process of its own plays an event (`run.py`), another one reads the files
(`read.py`). Whatever happens to them, what has been played is in the event's file, and the event can go on.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec.structs import replace

from palabre.core.errors import PalabreError
from palabre.core.registry import split
from palabre.core.words import text_of
from palabre.web.bot_titles import bot_titles
from palabre.web.events.facts import EventFacts, EventGameFacts, ListedGames, StoredMessage
from palabre.web.events.files import EventFiles, Known
from palabre.web.events.plan import EventPlan, format_choices, make_plan
from palabre.web.events.read import EventReader, ReadEvent
from palabre.web.events.runs import Run
from palabre.web.messages import (
    EventChanged,
    EventEntry,
    EventGameEntry,
    EventGameUnderWay,
    EventList,
    EventState,
    GameOfEvent,
    Opened,
    Push,
)
from palabre.web.page import rules_in_words
from palabre.web.reading import Reader
from palabre.web.refusal import Refused, in_language, why_ended
from palabre.web.requests import Place, StartEvent
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
class Reading:
    """What was last read of an event."""

    signature: tuple[int, ...]
    facts: EventFacts
    until: float  # on the monotonic clock; before that it is not read again


class Events:
    """All events that a server knows. Only its operator may begin, stop and resume them: whoever calls sees to that."""

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
        self._found: dict[str, Known] = {}  # by the last look into the folders
        self._readings: dict[str, Reading] = {}
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
        known = self._found = self._known()
        newest = sorted(known, key=lambda event: known[event].signature()[:1], reverse=True)[:MOST_LISTED]
        entries = [await self._entry(event, known[event], session.language) for event in newest]
        return EventList(entries, format_choices(), session.browser.role == "operator")

    async def _entry(self, event: str, known: Known, language: str) -> EventEntry:
        found = await self._read_entry(known)
        if isinstance(found, EventEntry):
            entry = found
        else:
            entry = EventEntry(event, known.file.stem, "", "", 0, 0, False, message=found.text(language))
        run = self._runs.get(event)
        if run is not None:  # its file may still lack all that is told of it
            message = "" if run.error is None else run.error.text(language)
            bots = len(run.plan.bots) + len(run.plan.staff)
            entry = replace(entry, game=run.shown_game, format=run.plan.format, bots=bots, message=message)
        return replace(entry, event=event, is_running=self._is_played(event))

    async def _read_entry(self, known: Known) -> EventEntry | PalabreError:
        """What a file says of itself in a list, or why it says nothing; it is read once, until it changes."""
        key = (known.file, known.signature())
        if key not in self._entries:
            found: EventEntry | PalabreError
            try:
                found = await self.reader.ask(self._order("entry", known), EventEntry)
            except PalabreError as error:
                found = error
            self._entries = {kept: one for kept, one in self._entries.items() if kept[0] != known.file}
            self._entries[key] = found
        return self._entries[key]

    def _known(self) -> dict[str, Known]:
        known = self._files.known()
        for event, run in self._runs.items():  # one that has just begun has no file yet
            known.setdefault(event, Known(run.file, True))
        return known

    def _find(self, event: str) -> Known:
        found = self._found.get(event)
        if found is None or not found.file.exists():
            self._found = self._known()
            found = self._found.get(event)
        if found is None:
            raise Refused("no_event", event=event)
        return found

    def _order(self, what: str, known: Known, *, bots: Sequence[str] = (), number: int = 0) -> ReadEvent:
        named = {str(place): name for name, place in self._offered().items()}
        order = {"what": what, "file": str(known.file), "files": named, "is_own": known.is_own}
        return msgspec.convert({**order, "bots": bots, "number": number}, ReadEvent)

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
        facts = await self._facts_or_plan(event, known)
        if not known.is_own or facts.plan is None or facts.is_finished:
            raise Refused("cannot_resume", event=event)
        if self._is_played(event):  # somebody else was faster
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

    def pid(self, event: str) -> int | None:
        """The number of the process that plays an event, if it has been started."""
        return self._runs[event].pid if event in self._runs else None

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

    async def _follow(self, event: str, session: Listener, told: EventState) -> None:
        while True:
            await self._pause(EVERY)
            try:
                state = await self._state(event, session)
            except PalabreError as error:  # the file is gone, or no longer what it was
                session.send(
                    EventChanged(replace(told, is_running=False, can=[], message=error.text(session.language)))
                )
                return
            if state != told:
                session.send(EventChanged(state))
                told = state

    async def _state(self, event: str, session: Listener) -> EventState:
        """An event as a browser is shown it."""
        known, run = self._find(event), self._runs.get(event)
        is_running = self._is_played(event)  # before the file is read, so that its end is told with all games
        facts = await self._facts_or_plan(event, known)
        state = replace(facts.state, event=event)
        if run is not None:
            report, spec = run.report, state.game
            state = replace(
                state,
                is_running=is_running,
                played=max(state.played, report.done),  # the table may be read a moment later
                seconds_left=report.seconds_left if is_running else None,
                under_way=[
                    EventGameUnderWay(Place(spec, game.start, game.moves), game.players)
                    for game in (report.under_way if is_running else ())
                ],
                message="" if run.error is None else run.error.text(session.language),
            )
        can: list[str] = []
        if session.browser.role == "operator" and known.is_own and facts.plan is not None:
            can = ["stop"] if is_running else [] if facts.is_finished else ["resume"]
        titles = self._titles(state, session.language)
        notes = _notes(facts, titles, self._home(state.game), session.language)
        rules = self._rules(state.game, session.language)
        games = self._with_endings(ListedGames(state.games, facts.endings), state.game, titles, session.language)
        return replace(state, can=can, rules=rules, notes=notes, titles=titles, games=games)

    async def _facts_or_plan(self, event: str, known: Known) -> EventFacts:
        """What is known of an event, of which there may be no file yet."""
        run = self._runs.get(event)
        if run is None:
            return await self._facts(event, known)
        try:
            facts = await self._facts(event, known)
        except PalabreError:
            return EventFacts(_not_begun(event, run), plan=run.plan)
        return replace(facts, plan=facts.plan or run.plan)

    async def _facts(self, event: str, known: Known) -> EventFacts:
        """What the file of an event says now, or said a moment ago: a large one is not read all the time."""
        signature, kept = known.signature(), self._readings.get(event)
        is_fresh = kept is not None and time.monotonic() < kept.until and self._is_played(event)
        if kept is not None and (kept.signature == signature or is_fresh):
            return kept.facts
        begin = time.monotonic()
        facts = await self.reader.ask(self._order("facts", known), EventFacts)
        now = time.monotonic()
        self._readings[event] = Reading(signature, facts, begin + (now - begin) / PART)
        return facts

    def _rules(self, spec: str, language: str) -> str:
        """A game and its rules, in words."""
        try:
            game = self._specs.game(spec)
        except PalabreError:
            return spec  # a game that is no longer offered
        return f"{game.words(language).title}, {rules_in_words(game, language)}"

    def _titles(self, state: EventState, language: str) -> dict[str, str]:
        """What to call the bots of an event."""
        names = [row.name for row in state.table]
        names += [name for game in state.games for name in game.players]
        names += [name for game in state.under_way for name in game.players]
        try:
            return bot_titles(names, self._specs.game(state.game), language)
        except PalabreError:
            return {}  # a game that is no longer offered

    # ------------------------------------------------------------------------------------------------------ games

    async def game(self, event: str, number: int, session: Listener) -> GameOfEvent:
        """A game by its number."""
        known = self._find(event)
        found = await self.reader.ask(self._order("game", known, number=number), EventGameFacts)
        titles = self._titles((await self._facts_or_plan(event, known)).state, session.language)
        game = found.game
        ending = self._ending(found.ending, game.players, self._home(game.place.game), titles, session.language)
        return replace(game, ending=ending)

    async def games(self, event: str, bots: Sequence[str], session: Listener) -> list[EventGameEntry]:
        """The newest games in which all these bots play."""
        known = self._find(event)
        found = await self.reader.ask(self._order("games", known, bots=bots), ListedGames)
        state = (await self._facts_or_plan(event, known)).state
        titles = self._titles(state, session.language)
        return self._with_endings(found, state.game, titles, session.language)

    def _with_endings(
        self, found: ListedGames, spec: str, titles: Mapping[str, str], language: str
    ) -> list[EventGameEntry]:
        """Games that say in the language of a reader why they have ended."""
        home = self._home(spec)
        return [
            replace(game, ending=self._ending(found.endings[game.number], game.players, home, titles, language))
            for game in found.games
        ]

    def _ending(
        self, ending: StoredMessage, players: Sequence[str], home: str | None, titles: Mapping[str, str], language: str
    ) -> str:
        """Why a game has ended, with its bots as the page calls them."""
        return why_ended(ending.readable(home), [titles.get(name, name) for name in players], language)

    def _home(self, spec: str) -> str | None:
        """Where the words of a game are."""
        try:
            return self._specs.game(spec).words().home
        except PalabreError:
            return None  # it is no longer offered


def _notes(facts: EventFacts, titles: Mapping[str, str], home: str | None, language: str) -> list[str]:
    """What a reader of the table should know: who is not in it, and what to think of the ratings."""
    told = [
        in_language("arena.rejected", language, bot=bot, reason=text_of(reason.readable(home), language))
        for bot, reason in facts.rejected
    ]
    for note in facts.notes:
        groups = [", ".join(titles.get(name, name) for name in group) for group in note.groups]
        told.append(in_language(note.id, language, bots="; ".join(groups)))
    return told


def _not_begun(event: str, run: Run) -> EventState:
    """An event of which there is no file yet."""
    return EventState(
        event=event,
        title=Path(event).stem,
        game=run.shown_game,
        rules="",
        format=run.plan.format,
        is_running=run.is_alive,
        played=0,
        planned=None,
        seconds_left=None,
        table=[],
        cross=[],
        games=[],
    )
