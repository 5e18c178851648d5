"""Running an event to its end: the format says who meets, workers play, the store keeps each game as it ends.

Whatever stops an event, the same call goes on: the schedule is drawn again from the games that are kept, it comes out
the same, and only what is missing is played.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from palabre.arena.balance import Judge
from palabre.arena.games import GameQueue, OnMoves
from palabre.arena.openings import draw_openings, play_opening
from palabre.arena.parcels import NEEDS_SANDBOX, Parcels
from palabre.arena.playing import MODULE, PlayGame, Setup
from palabre.arena.rows import (
    FORFEIT_REPLAYED,
    MACHINE_LATE,
    GameRow,
    GivenOpenings,
    Meeting,
    Opening,
    Outcome,
    RandomOpenings,
    replays,
)
from palabre.arena.store import Store
from palabre.play.guard import Lesson, Now
from palabre.sandbox.players import is_foreign
from palabre.workers.cluster.connection import check_cluster
from palabre.workers.job import Crew
from palabre.workers.local import LocalCrew
from palabre.workers.process import OnOutput
from palabre.workers.service import encoded

NextRound = Callable[[Sequence[str], Sequence[Outcome]], list[Meeting]]
MOST_LATE = 3  # attempts at a game for which the machine was late; the next one counts, whatever happens
MOST_REPLAYS = 12  # games in an event that a bot may be late for and have played again; then it loses by time
BATCH = 16  # openings that are drawn at once


@dataclass
class EventProgress:
    """How far an event is. Watchers get the same object after each game, with the game that has just ended."""

    done: int = 0  # games that count
    scheduled: int = 0  # games of all rounds that are drawn, played or not
    round: int = 0
    playing: float = 0.0  # seconds since this run began
    seconds_left: float | None = None  # as far as the rounds are drawn; None while it is not known
    workers: int = 0


Watcher = Callable[[GameRow, EventProgress], None]


class Event:
    """An event and how it is run."""

    def __init__(
        self,
        store: Store,
        next_round: NextRound,
        *,
        names: Sequence[str] | None = None,
        places: Mapping[str, str] | None = None,
        workers: int = 0,
        on: str | None = None,
        begins_here: bool = False,
        until: float | None = None,
        replay_forfeits: bool = False,
        load_failures_lose: bool = False,
        untrusted: bool = False,
        in_process: bool = False,
        watcher: Watcher | None = None,
        on_output: OnOutput | None = None,
        on_moves: OnMoves | None = None,
        lesson: Lesson | None = None,
        now: Now = time.time,
    ) -> None:
        """All bots of the event meet, or only those of these names. `workers` processes play, or this one if it is 0;
        with `begins_here` this one tries what it can do alone. With `on` they play on a Ray cluster, "ray" or
        "ray://HOST:PORT", on so many of its cores or, if `workers` is 0, on all. `places` has specs of bots, by name,
        that differ from those on record, as where a copy of a bot lies.

        `until` is a time of the clock `now`: no meeting is begun that would hardly end by then. With
        `load_failures_lose` a bot that cannot be made or taught loses all its games, instead of ending the event. With
        `untrusted`, bots of others play in sandboxes or not at all; with `in_process`, in none. `on_output` is
        called with what bots print, `on_moves` with the moves so far of games that take long. Bots learn from `lesson`,
        which must be the one on record.
        """
        self.store = store
        self.is_finished = False
        self.next_round = next_round
        self.until = until
        self._now = now
        self.replay_forfeits = replay_forfeits
        self.watcher = watcher
        self.progress = EventProgress(workers=workers)
        settings = store.settings
        admitted = [bot for bot in store.bots() if bot.state == "admitted"]
        self._bots = {bot.name: bot for bot in admitted if names is None or bot.name in names}
        players = {name: ((places or {}).get(name, bot.spec), bot.clock) for name, bot in self._bots.items()}
        self._setup = Setup(
            settings.game,
            settings.seed,
            players,
            load_failures_lose,
            settings.grace,
            settings.strikes,
            max(1, workers),
            untrusted,
            on_moves is not None,
            [one.cells for one in lesson.observations] if lesson is not None else (),
            settings.learning,
            settings.forbids_engine,
            in_process,
        )
        threads = max((int(bot.options.get("threads", 1)) for bot in self._bots.values()), default=1)
        self.crew = hire(self._setup, on, workers, threads, on_output)
        self._begins_here, self._on_moves = begins_here and on is None, on_moves
        self._game = store.game()
        self._policy, self._seed = settings.openings, settings.seed
        self._openings = store.openings()
        # All attempts at each game, by meeting and rotation, in their order.
        self._attempts: defaultdict[tuple[Meeting, int], list[GameRow]] = defaultdict(list)
        for row in store.games(superseded=True):
            self._attempts[row.meeting, row.rotation].append(row)
        self._replays = replays(row for rows in self._attempts.values() for row in rows)

    def run(self) -> bool:
        """Play to the end; False if the time was over before."""
        for _ in self.play():
            pass
        return self.is_finished

    def play(self) -> Generator[GameRow, None, None]:
        """Play to the end, or as long as there is time, and yield each game as it is kept."""
        self._begin = time.monotonic()
        played: list[Outcome] = []
        with GameQueue(self._setup, self.crew, begins_here=self._begins_here, on_moves=self._on_moves) as games:
            try:
                while meetings := self.next_round(list(self._bots), played):
                    yield from self._play_round(games, meetings)
                    if any(self._missing(meeting) for meeting in meetings):
                        return  # the time is over
                    played += [row.outcome for meeting in meetings for row in self._counting(meeting)]
                    self.progress.round += 1
                self.is_finished = True
            finally:
                for row in games.ended():
                    self._keep(row, games)

    def _play_round(self, games: GameQueue, meetings: Sequence[Meeting]) -> Iterator[GameRow]:
        todo = [(meeting, turns) for meeting in meetings if (turns := self._missing(meeting))]
        scheduled = sum(len(meeting.bots) for meeting in meetings)
        missing = sum(len(turns) for _, turns in todo)
        self.progress.scheduled += scheduled
        self.progress.done += scheduled - missing
        # A later round is begun only if all of it can be played.
        if todo and self._is_too_late(games, missing if self.progress.round else len(todo[0][1])):
            return
        games.add((self._task(meeting, *turn) for meeting, turns in todo for turn in turns), missing)
        for row in games.games():
            yield self._keep(row, games)
            games.is_stopped = self._is_too_late(games, len(row.meeting.bots))

    def _keep(self, row: GameRow, games: GameQueue) -> GameRow:
        attempts = self._attempts[row.meeting, row.rotation]
        row = replace(row, digests=tuple(self._bots[name].digest for name in row.bots))
        reason = self._why_again(row, attempts)
        row = replace(row, superseded=reason)
        self.store.add_game(row)
        attempts.append(row)
        self._replays += replays([row])
        if reason is not None:
            games.add_first(self._task(row.meeting, row.rotation, row.attempt + 1))
        else:
            self.progress.done += 1
        if reason == MACHINE_LATE:
            games.ease()
        progress = self.progress
        progress.playing = time.monotonic() - self._begin
        progress.workers = games.workers
        if games.game_seconds is not None:
            progress.seconds_left = games.game_seconds * (progress.scheduled - progress.done) / max(1, games.workers)
        if self.watcher is not None:
            self.watcher(row, progress)
        return row

    def _why_again(self, row: GameRow, before: Sequence[GameRow]) -> str | None:
        """Why a game that has just ended does not count and is played again, or None."""
        late = sum(attempt.superseded == MACHINE_LATE for attempt in before)
        has_replays = row.forfeit is None or self._replays[row.bots[row.forfeit]] < MOST_REPLAYS
        if row.machine_late and late < MOST_LATE and has_replays:
            return MACHINE_LATE
        has_been_replayed = any(attempt.superseded == FORFEIT_REPLAYED for attempt in before)
        if self.replay_forfeits and row.forfeit is not None and not has_been_replayed:
            return FORFEIT_REPLAYED
        return None

    def _is_too_late(self, games: GameQueue, count: int) -> bool:
        """Whether so many games would end after the time is over."""
        if self.until is None:
            return False
        rounds = -(-count // max(1, games.workers)) if count > 1 else count
        return self._now() + rounds * (games.game_seconds or 0.0) > self.until

    def _counting(self, meeting: Meeting) -> list[GameRow]:
        """The games of a meeting that count, by rotation."""
        all_attempts = (self._attempts.get((meeting, rotation), ()) for rotation in range(len(meeting.bots)))
        return [row for attempts in all_attempts for row in attempts if row.superseded is None]

    def _missing(self, meeting: Meeting) -> tuple[tuple[int, int], ...]:
        """The rotations of a meeting that are to be played, and which attempt each is."""
        missing = []
        for rotation in range(len(meeting.bots)):
            attempts = self._attempts.get((meeting, rotation), [])
            counting = [row for row in attempts if row.superseded is None]
            again = [row for row in counting if self._why_again(row, attempts) is not None]
            for row in again:  # a forfeit of an earlier run
                self._supersede(row, FORFEIT_REPLAYED)
            if again or not counting:
                missing.append((rotation, max((row.attempt for row in attempts), default=0) + 1))
        return tuple(missing)

    def _supersede(self, row: GameRow, reason: str) -> None:
        self.store.supersede(row, reason)
        attempts = self._attempts[row.meeting, row.rotation]
        attempts[attempts.index(row)] = replace(row, superseded=reason)

    def _task(self, meeting: Meeting, rotation: int, attempt: int) -> PlayGame:
        return PlayGame(meeting, rotation, attempt, self._opening(meeting.repeat))

    @cached_property
    def _judge(self) -> Judge | None:
        """Who chooses balanced openings, if they are to be balanced."""
        return Judge(self._game) if isinstance(self._policy, RandomOpenings) and self._policy.balanced else None

    def _opening(self, number: int) -> Opening:
        """The opening with this number: drawn, and kept, when it is first needed."""
        policy = self._policy
        if isinstance(policy, GivenOpenings):
            return self._openings[number % len(self._openings)]  # where they are fewer than meetings, again and again
        while number >= len(self._openings):
            where = policy.after
            after = None if where is None else play_opening(self._game, Opening(0, where.start, where.moves))
            new = draw_openings(
                self._game, BATCH, policy.plies, self._seed, first=len(self._openings), after=after, judge=self._judge
            )
            self.store.add_openings(new)
            self._openings += new
        return self._openings[number]


def hire(
    setup: Setup, on: str | None, workers: int, threads: int = 1, on_output: OnOutput | None = None
) -> Crew | None:
    """Who plays an event: this process alone, processes of this machine, or cores of a cluster, so many for each."""
    if on is None:
        return LocalCrew(MODULE, encoded(setup), workers, on_output=on_output) if workers else None
    check_cluster(on)
    from palabre.workers.cluster.crew import RayCrew  # which needs Ray

    parcels = Parcels()
    sent = parcels.setup(setup)
    needs_sandbox = setup.untrusted and any(is_foreign(spec) for spec, _ in setup.bots.values())
    return RayCrew(
        on,
        MODULE,
        lambda workers: encoded(replace(sent, workers=workers)),
        parcels.archives,
        most=workers,
        threads=threads,
        requirement=NEEDS_SANDBOX if needs_sandbox else None,
        on_output=on_output,
    )
