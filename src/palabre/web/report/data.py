"""The data of a report's page: an event as the page of the server shows it, its games, and what a report adds."""

import math
import statistics
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from palabre.arena.league import Version
from palabre.arena.result import NORMAL_95
from palabre.arena.rows import MACHINE_LATE, GameRow, replays
from palabre.arena.store import Store
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.core.record import UNFINISHED, Record, result_text
from palabre.core.words import say, text_of
from palabre.play.finished import BY_THE_RULES
from palabre.web import page
from palabre.web.events import facts as events
from palabre.web.events.texts import EventTexts
from palabre.web.messages import EventGameEntry, EventState, GameOfEvent, Now, Ply, ShownGround
from palabre.web.refusal import in_language, page_words
from palabre.web.report.facts import Facts, kind_of_failure
from palabre.web.report.markup import shown
from palabre.web.requests import Place

LONGEST_TEXT = 400  # characters of a reason or a note
EVERYTHING = 10**9


class MoveTimes(Struct, frozen=True):
    """How long the moves of a bot took, in seconds."""

    bot: str
    moves: int
    median: float
    most: float  # of 95 %
    slowest: float


class RatedVersion(Struct, frozen=True):
    """A version of a bot that was handed in again."""

    bot: str  # what it is called
    title: str  # the same with the number of the version
    since: str  # the date
    games: int
    rating: float
    rating_error: float  # 95 %


class EventStatistics(Struct, frozen=True):
    """What a report shows of an event beside its standings and games."""

    superiority: list[list[float | None]]  # by rows of the table: the chance that one is better than the other
    times: list[MoveTimes]
    versions: list[RatedVersion]


class ReplayedGame(Struct, frozen=True):
    """A game and its positions."""

    game: GameOfEvent
    plies: list[Ply]
    now: Now


class ReportData(Struct, frozen=True):
    """What lies in the page: an event, whose games are in files beside it, or one game."""

    language: str
    words: dict[str, Any]  # the texts of the page by their ids
    ground: ShownGround
    title: str
    rules: str
    games_per_file: int
    state: EventState | None = None
    statistics: EventStatistics | None = None
    game: ReplayedGame | None = None


class EventShown:
    """An event in a language, with the names of its bots and files as everyone may read them."""

    def __init__(self, facts: Facts, game: Game, language: str) -> None:
        self.facts, self.game, self.language = facts, game, language
        self.texts = EventTexts(game, [public_name(bot.name) for bot in facts.bots], language)

    def data(self, store: Store, games_per_file: int) -> ReportData:
        """All that lies in the page itself."""
        facts, language = self.facts, self.language
        games = [self._entry(number, row) for number, row in enumerate(facts.games, start=1)]
        state = events.event_state(
            store, "", shown(facts.title), facts.ranking, games, self.texts, name=public_name, most_crossed=EVERYTHING
        )
        authors = {bot.name: bot.authors for bot in facts.bots if not facts.is_anonymous}
        again = replays(facts.replayed)
        table = [
            msgspec.structs.replace(shown_row, authors=shown(authors.get(name, "")), replayed=again[name])
            for shown_row, name in zip(state.table, facts.names, strict=True)
        ]
        state = msgspec.structs.replace(state, table=table, game=public_name(state.game), notes=self._notes())
        return ReportData(
            language,
            page_words(language),
            page.ground_of(self.game),
            state.title,
            state.rules,
            games_per_file,
            state,
            self._statistics(),
        )

    def replayed(self, number: int, row: GameRow) -> ReplayedGame:
        """A game with its positions."""
        try:
            positions = row.record(self.game).positions()
        except PalabreError as error:
            raise PalabreError(say("event.no_replay", number=number, error=error.message)) from error
        names, result = self._names(row), result_text(row.shares)
        called = self.texts.called(names)
        return replayed_game(positions, names, called, result, self._why(row), row.seconds, self.language)

    def _names(self, row: GameRow) -> list[str]:
        return [public_name(bot) for bot in row.bots]

    def _why(self, row: GameRow) -> str:
        """Why a game ended, if not by the rules."""
        if row.ending == BY_THE_RULES:
            return ""
        names = self._names(row)
        if row.forfeit is None:
            return shown(self.texts.ending(row.why_ended(self.game.words().home), names), LONGEST_TEXT)
        kind = kind_of_failure(row).replace(" ", "_") or "other"
        return in_language(f"report.lost.{kind}", self.language, bot=self.texts.called(names)[row.forfeit])

    def _entry(self, number: int, row: GameRow) -> EventGameEntry:
        return events.game_entry(number, row, self._why(row), public_name)

    def _notes(self) -> list[str]:
        """What a reader of the tables should know."""
        facts, language = self.facts, self.language
        notes = [in_language("report.forfeits", language)]
        if not facts.counts_staff:
            notes.append(say("report.competitors_only").text(language))
        late = sum(row.superseded == MACHINE_LATE for row in facts.replayed)
        if late:
            notes.append(say("report.late", count=late).text(language))
        if facts.ratings.seats:
            seats = [
                in_language("report.seat", language, number=seat.seat + 1, elo=seat.elo, error=NORMAL_95 * seat.error)
                for seat in facts.ratings.seats
            ]
            notes.append(in_language("report.seats", language, seats=", ".join(seats)))
        notes += [shown(note, LONGEST_TEXT) for note in self.texts.ratings_notes(facts.ratings, public_name)]
        if facts.board is not None:
            own = [note for note in facts.board.notes if note not in facts.ratings.warnings]
            notes += [shown(text_of(note, language), LONGEST_TEXT) for note in own]
        return [*notes, *self._rejected()]

    def _rejected(self) -> list[str]:
        """Which bots were not admitted, but not why: that is between the authors and the organiser.

        Of an anonymous event only their number, because a file without a readable name may be named after a person.
        """
        rejected = [shown(bot.name) for bot in self.facts.bots if bot.state == "rejected"]
        if not rejected:
            return []
        id = "report.rejected_count" if self.facts.is_anonymous else "report.rejected"
        counts = {"rejected": len(rejected), "all": len(self.facts.bots)}
        return [in_language(id, self.language, **counts, bots=", ".join(rejected))]

    def _statistics(self) -> EventStatistics:
        facts, names = self.facts, self.facts.names
        chances = [[facts.ratings.los(name, other) for other in names] for name in names]
        superiority = [[None if math.isnan(chance) else round(chance, 4) for chance in row] for row in chances]
        times = [_times(public_name(name), facts.seconds[name]) for name in names if facts.seconds[name]]
        has_progress = any(one.number > 1 for one in facts.progress)
        return EventStatistics(superiority, times, [self._version(one) for one in facts.progress if has_progress])

    def _version(self, version: Version) -> RatedVersion:
        bot = public_name(version.bot)
        [name] = self.texts.called([bot])
        title = in_language("report.version", self.language, bot=name, number=version.number)
        error = NORMAL_95 * version.error
        return RatedVersion(
            name, title if version.number > 1 else name, version.since[:10], version.games, version.elo, error
        )


def public_name(name: str) -> str:
    """The name of a bot or a file as everyone may read it, on one line."""
    return shown(events.shown(name))


def replayed_game(
    positions: Sequence[Position],
    players: list[str],
    titles: Sequence[str],
    result: str,
    ending: str,
    seconds: Sequence[float | None],
    language: str,
) -> ReplayedGame:
    """A game by all its positions; `titles` say what its players are called."""
    line = page.line_shown(positions, 0, language, titles)
    place = Place(public_name(line.place.game), line.place.start, line.place.moves)
    return ReplayedGame(GameOfEvent(place, players, result, ending, list(seconds)), line.plies, line.now)


def game_data(record: Record, language: str) -> ReportData:
    """The data of a page with nothing but one game."""
    game, positions = record.game, record.positions()
    words = game.words(language)
    names = [shown(record.tags.get(f"Player{seat + 1}", words.player(seat))) for seat in range(game.players)]
    result = "" if record.result == UNFINISHED else record.result
    ending = shown(record.tags.get("Termination", ""), LONGEST_TEXT)
    seconds = [None] * len(record.moves)
    return ReportData(
        language,
        page_words(language),
        page.ground_of(game),
        words.title,
        page.rules_in_words(game, language),
        1,
        game=replayed_game(positions, names, names, result, ending, seconds, language),
    )


def _times(bot: str, seconds: Sequence[float]) -> MoveTimes:
    ordered = sorted(seconds)
    most = ordered[math.ceil(0.95 * len(ordered)) - 1]
    return MoveTimes(bot, len(ordered), statistics.median(ordered), most, ordered[-1])
