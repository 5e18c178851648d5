"""A championship: bots are gathered and admitted, a format draws the meetings, and the same call goes on later."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from palabre.arena.entries import (
    Entry,
    bind_authors,
    gather,
    ignored,
    is_handed_in,
    refuse_reserved_names,
    rename,
)
from palabre.arena.estimate import ChampionshipEstimate, estimate
from palabre.arena.event import Event, NextRound, Watcher
from palabre.arena.formats.common import Format
from palabre.arena.games import OnMoves
from palabre.arena.leaderboard import MARKS, SAME_FILES, STANDARDS, Leaderboard, event_format, read_leaderboard
from palabre.arena.league import Version, progress_of
from palabre.arena.likeness import SameMoves, same_files, same_moves
from palabre.arena.marks import find_standards, read_marks
from palabre.arena.openings import OPENING_PLIES, opening_policy
from palabre.arena.result import MatchTable, match_table
from palabre.arena.rows import COMPETITOR, DEMO, STAFF, BotRow, GameRow, Meeting, Opening, Outcome, Settings
from palabre.arena.store import Store, open_store
from palabre.arena.trial import Verdict, after_trial, examine_all
from palabre.bots.specs import bot
from palabre.core.errors import PalabreError, listing
from palabre.core.game import Game
from palabre.core.words import say
from palabre.play.guard import Lesson, Now
from palabre.sandbox.players import check_protection, is_foreign
from palabre.search.clock import Clock
from palabre.workers.process import OnOutput

OWNERS = "owners"  # the fact of a league that says to which file each author is bound


@dataclass(frozen=True)
class Plan:
    """What a championship is to be: all that the games depend on."""

    game: Game
    format: str = "round-robin"
    clock: Clock = field(default_factory=Clock)
    seed: int = 0
    plies: int = OPENING_PLIES
    balanced: bool = True
    openings: tuple[Opening, ...] = ()
    grace: float = 0.0  # seconds by which a bot may be late,
    strikes: int = 0  # so often in a game
    league: bool = False  # whether an author's newest submission takes the place of the one before
    untrusted: bool = False  # whether to refuse to play bots of others without a sandbox
    forbids_engine: bool = False  # whether competitors do without Palabre's own searches
    lesson: Lesson = field(default_factory=Lesson)  # what the bots learn from before their first game

    @property
    def settings(self) -> Settings:
        """What the event keeps of it."""
        return Settings(
            self.game.spec,
            self.format,
            self.seed,
            opening_policy(self.plies, self.balanced, self.openings),
            self.grace,
            self.strikes,
            self.lesson.title,
            self.lesson.seconds,
            self.forbids_engine,
        )


class Championship:
    """The bots of a championship and its event. Use it in a `with` statement."""

    def __init__(
        self,
        plan: Plan,
        bots: Sequence[str],
        file: Path | None,
        *,
        staff: Sequence[str] = (),
        demo: Sequence[str] = (),
        marks: str | None = None,
    ) -> None:
        """Gather the bots; `bots` are folders of submissions, submissions, and specs. Nothing of them is run yet."""
        self.plan, self.game = plan, plan.game
        mark_by = None if marks is None else read_marks(marks)
        self.store: Store = open_store(file)
        try:
            if not self.store.is_new:
                self.store.begin(plan.settings)  # another event is refused before anything is read
            self._known = [] if self.store.is_new else self.store.bots()
            self._marks = marks
            self._form: Format | None = None  # with the bots that play, once they do
            self.verdicts: dict[str, Verdict] = {}
            self.to_examine = 0
            self.is_finished = False
            words = [word for word in (*bots, *staff, *demo) if is_handed_in(word, self.game) or is_foreign(word)]
            self._untrusted = check_protection(words, untrusted=plan.untrusted, forbids_engine=plan.forbids_engine)
            self._owners: dict[str, str] = {}
            self.entries = self._gather(bots, staff, demo)
            chosen = [entry.row for entry in self.entries if not entry.was_handed_in]
            self._standards = {} if mark_by is None else find_standards(mark_by, chosen)
            self.ignored = ignored((*bots, *staff, *demo), self.game)
        except BaseException:
            self.store.close()
            raise

    def __enter__(self) -> "Championship":
        return self

    def __exit__(self, *_: object) -> None:
        self.store.close()
        self.entries = []  # the copies of submissions go with them

    def _gather(self, bots: Sequence[str], staff: Sequence[str], demo: Sequence[str]) -> list[Entry]:
        entries: list[Entry] = []
        for given, role in ((bots, COMPETITOR), (staff, STAFF), (demo, DEMO)):
            entries += gather(
                given,
                self.game,
                self.plan.clock,
                role,
                untrusted=self._untrusted,
                forbids_engine=self.plan.forbids_engine,
            )
        if self.plan.forbids_engine:
            refuse_searches(entries, self.game)
        entries = refuse_reserved_names(entries, self.game)
        if self.plan.league:
            known = {} if self.store.is_new else self.store.facts.get(OWNERS, {})
            entries, self._owners = bind_authors(entries, known)
        if any(entry.row.role != COMPETITOR for entry in entries) and not self.format([]).takes_staff:
            raise PalabreError(say("event.all_compete", format=self.plan.format))
        return rename(entries, self._known)

    def format(self, bots: Sequence[BotRow]) -> Format:
        """The format, for these bots."""
        return event_format(self.plan.format, self.game.players, bots)

    # ------------------------------------------------------------------------------------------------------ admission

    def examine(self, again: Sequence[str] = (), *, at_once: int = 1, ours: bool = False) -> Iterator[Verdict]:
        """Examine the bots that have not been examined yet, or are to be examined again; then `admit` them.

        Our own bots are examined only if it is wanted, to know how long they think.
        """
        coming = [
            (entry.row, entry.place)
            for entry in self.entries
            if entry.row.state == "admitted"
            and (ours or entry.submission is not None or is_foreign(entry.row.spec))
            and (self._before(entry) is None or entry.row.name in again)
        ]
        self.to_examine = len(coming)
        for verdict in examine_all(
            coming,
            self.game,
            grace=self.plan.grace,
            strikes=self.plan.strikes,
            at_once=at_once,
            untrusted=self._untrusted,
            forbids_engine=self.plan.forbids_engine,
            lesson=self.plan.lesson,
        ):
            self.verdicts[verdict.bot.name] = verdict
            yield verdict

    def _before(self, entry: Entry) -> BotRow | None:
        """The same bot in the event, if it has not changed."""
        return next((bot for bot in self._known if (bot.name, bot.digest) == (entry.row.name, entry.row.digest)), None)

    @property
    def has_new(self) -> bool:
        """Whether there are bots that the event does not know, or not as they are now."""
        return any(self._before(entry) is None for entry in self.entries)

    @property
    def bots(self) -> list[BotRow]:
        """All bots, with what the admission test said of each."""
        rows = []
        for entry in self.entries:
            verdict, before = self.verdicts.get(entry.row.name), self._before(entry)
            if verdict is not None:
                rows.append(after_trial(entry.row, verdict, self.game))
            elif before is not None:
                rows.append(replace(before, role=entry.row.role))
            else:
                rows.append(entry.row)
        return rows

    def check(self, again: Sequence[str] = (), withdrawn: Sequence[str] = ()) -> None:
        """Refuse what can be refused before anybody is examined: a changed bot, a missing one, too few.

        Rejected bots count until the admission test is over, so that its verdicts come first.
        """
        rows = self.bots
        given, known = {row.name for row in rows}, {bot.name: bot for bot in self._known}
        for name in withdrawn:
            if name in given:
                raise PalabreError(say("event.still_given", bot=name))
            if name not in known:
                raise PalabreError(say("event.not_withdrawn", bot=name, file=self.store.file))
        lost = [name for name in known if name not in (*given, *withdrawn, *self._replaced())]
        if lost:
            raise PalabreError(say("event.lost", bot=lost[0], file=self.store.file))
        self.store.refuse_changed(rows, [*again, *self._renewed()])
        self.format(rows).check([row.name for row in rows])

    def check_admitted(self) -> None:
        """Refuse to play with too few bots, once it is known who is admitted."""
        rows = self.bots
        playing = [row for row in rows if row.state == "admitted"]
        try:
            self.format(playing).check([row.name for row in playing])
        except PalabreError as error:
            if len(playing) == len(rows):
                raise
            raise PalabreError(say("event.too_few_admitted", why=error.message)) from error

    def find(self, words: Sequence[str], option: str) -> list[str]:
        """The names of bots that are given by name, or by the file, folder or zip, with its ending or without."""
        rows = [*self._known, *(row for row in self.bots if row.name not in {bot.name for bot in self._known})]
        chosen = []
        for word in words:
            called = [row.name for row in rows if row.name == word]
            files = [row.name for row in rows if row.file and word in (row.spec, row.file, Path(row.file).stem)]
            names = called or files
            if not names:
                file = self.store.file or say("event.this")
                known = listing(row.name for row in rows)
                raise PalabreError(say("event.stranger", option=option, bot=word, file=file, bots=known))
            if len(names) > 1:
                raise PalabreError(say("event.ambiguous", option=option, bot=word, names=names))
            chosen += names
        return chosen

    def admit(self, again: Sequence[str] = (), withdrawn: Sequence[str] = ()) -> None:
        """Take the bots into the event, which begins now if it has not yet."""
        self.check(again, withdrawn)
        self.check_admitted()
        self.store.begin(self.plan.settings)
        if self.plan.openings and not self.store.openings():
            self.store.add_openings(self.plan.openings)
        replaced, renewed = self._replaced(), self._renewed()
        self.store.withdraw([*replaced, *withdrawn])
        self.store.admit(self.bots, [*again, *renewed])
        if self._marks is not None:
            self.store.keep_fact(MARKS, self._marks)
            self.store.keep_fact(STANDARDS, self._standards)
        if self.plan.league:
            gone = {bot.file for bot in self._known if bot.name in withdrawn}
            owners = {author: file for author, file in self._owners.items() if file not in gone}
            self.store.keep_fact(OWNERS, owners)
        self.store.keep_fact(SAME_FILES, self.same_files)

    def _replaced(self) -> list[str]:
        """Bots of the event that go without a word: rejected ones, and in a league those of authors of a newer one."""
        given = {row.name for row in self.bots}
        authors = {row.authors for row in self.bots if row.authors}
        return [
            bot.name
            for bot in self._known
            if bot.name not in given and (bot.state == "rejected" or (self.plan.league and bot.authors in authors))
        ]

    def _renewed(self) -> list[str]:
        """Bots of the event that may change: rejected ones, and all in a league."""
        digests = {row.name: row.digest for row in self.bots}
        return [
            bot.name
            for bot in self._known
            if digests.get(bot.name, bot.digest) != bot.digest and (bot.state == "rejected" or self.plan.league)
        ]

    @property
    def look_alikes(self) -> list[Entry]:
        """Submissions that are listed by another name than their own, because that looks like a name before it."""
        return [entry for entry in self.entries if entry.called and entry.submission is not None]

    @property
    def same_files(self) -> list[tuple[str, ...]]:
        """Groups of submissions that are the same but for what they say of names and authors."""
        return same_files({entry.row.name: entry.submission.fingerprint for entry in self.entries if entry.submission})

    # -------------------------------------------------------------------------------------------------------- playing

    def play(
        self,
        workers: int = 0,
        *,
        on: str | None = None,
        until: float | None = None,
        replay_forfeits: bool = False,
        watcher: Watcher | None = None,
        on_output: OnOutput | None = None,
        on_moves: OnMoves | None = None,
        now: Now = time.time,
    ) -> Iterator[GameRow]:
        """Play the games that are missing, in so many processes or on a Ray cluster, and yield each as it ends.

        `until` is a time of the clock `now`: rounds are then begun only if there is time for all of them.
        `on_moves` is called with the moves so far of games that take long.
        """
        self._form = form = self.format(self.admitted)
        event = Event(
            self.store,
            one_round(form) if until is not None else form.next_round,
            places={entry.row.name: entry.place for entry in self.entries},
            workers=workers,
            on=on,
            until=until,
            replay_forfeits=replay_forfeits,
            load_failures_lose=True,
            untrusted=self._untrusted,
            watcher=watcher,
            on_output=on_output,
            on_moves=on_moves,
            lesson=self.plan.lesson,
            now=now,
        )
        yield from event.play()
        self.is_finished = event.is_finished

    @property
    def admitted(self) -> list[BotRow]:
        """The bots that play."""
        return [bot for bot in self.store.bots() if bot.state == "admitted"]

    def rows(self, *, superseded: bool = False) -> list[GameRow]:
        """The games so far, in the order of the rounds."""
        return self.store.games(superseded=superseded)

    def title(self, row: GameRow) -> str:
        """What to call a game under way."""
        return f"{' – '.join(row.bots)}, repeat {row.meeting.repeat + 1}"

    def table(self, rows: Sequence[GameRow]) -> MatchTable:
        """What games under way show of each bot."""
        return match_table(self.game.spec, [replace(bot, spec=bot.name) for bot in self.admitted], rows)

    def leaderboard(self) -> Leaderboard:
        """The table so far."""
        return read_leaderboard(self.store, self._form)

    def versions(self) -> list[Version]:
        """All versions of the bots of a league, and how good each was; empty if it is no league."""
        return progress_of(self.store) if self.plan.league else []

    def estimate(self, workers: int) -> ChampionshipEstimate:
        """How many games there will be with the bots admitted so far, and how long they will take."""
        names = [bot.name for bot in self.bots if bot.state == "admitted"]
        form = self.format([bot for bot in self.bots if bot.state == "admitted"])
        form.check(names)
        played = [] if self.store.is_new else self.rows()
        return estimate(form, names, self.game, list(self.verdicts.values()), played, workers)

    def same_moves(self) -> list[SameMoves]:
        """Competitors that played the same moves throughout."""
        return same_moves(self.rows(), [bot.name for bot in self.admitted if bot.role == COMPETITOR])


def refuse_searches(entries: Sequence[Entry], game: Game) -> None:
    """Refuse our own bots that search as competitors; as staff and as demo bots they may play."""
    for entry in entries:
        is_ours = entry.submission is None and entry.row.state == "admitted" and not is_foreign(entry.row.spec)
        if entry.row.role == COMPETITOR and is_ours and bot(entry.row.spec, game).can_analyse:
            raise PalabreError(say("event.engine_forbidden", bot=entry.row.name))


def one_round(form: Format) -> NextRound:
    """The meetings of a format round by round, also where all could be played at once."""

    def next_round(names: Sequence[str], played: Sequence[Outcome]) -> list[Meeting]:
        meetings = form.next_round(names, played)
        first = min((meeting.round for meeting in meetings), default=0)
        return [meeting for meeting in meetings if meeting.round == first]

    return next_round
