"""A match: two or more bots, many games, each opening once in every rotation of the seats."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

from palabre.arena.admission import admit
from palabre.arena.event import Event, NextRound, Watcher
from palabre.arena.games import OnMoves
from palabre.arena.lineups import fixed_list, lineups
from palabre.arena.openings import OPENING_PLIES, opening_policy, read_openings
from palabre.arena.result import MatchResult, MatchTable, match_result, match_table
from palabre.arena.rows import GameRow, Meeting, Opening, Settings
from palabre.arena.store import open_store
from palabre.bots.submission import submission_of
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.given import described, given_count, given_integer, given_path
from palabre.core.position import Position
from palabre.core.record import Record
from palabre.core.words import say
from palabre.laws.first_use import given_game
from palabre.play.guard import Lesson
from palabre.sandbox.players import check_protection, is_foreign, may_end_us, place_of
from palabre.search.clock import Clock, given_clock
from palabre.workers.process import OnOutput


class Match:
    """Bots and the games they are to play; the same seed gives the same match. Use it in a `with` statement.

    With an event file the games are kept there, and a match that was stopped goes on.
    """

    def __init__(
        self,
        bots: Sequence[str],
        game: Game,
        games: int,
        *,
        clocks: Clock | Sequence[Clock] | None = None,
        seed: int = 0,
        plies: int = OPENING_PLIES,
        balanced: bool = True,
        after: Position | None = None,
        openings: Sequence[Opening] = (),
        file: Path | None = None,
        again: Sequence[str] = (),
        untrusted: bool = False,
        forbids_engine: bool = False,
        in_process: bool = False,
        title: str = "match",
        lesson: Lesson | None = None,
        next_round: NextRound | None = None,
    ) -> None:
        """`games` is how many each line-up plays: a multiple of the players, for every opening is played in turn.

        Openings are so many random plies from the start, balanced unless that is not wanted; or so many after a given
        position; or they are the given ones. With `untrusted`, bots of others are refused where sandboxes do not work;
        with `in_process`, no bot is put into a sandbox. With `forbids_engine`, bots of others do without Palabre's
        searches. All bots learn from `lesson` before their first game.
        """
        if len(bots) < 2:
            raise PalabreError(say("event.two_bots"))
        if games < game.players or games % game.players:
            better = max(1, -(-games // game.players)) * game.players
            if game.players == 2:
                raise PalabreError(say("match.no_pairs", games=games, better=better))
            raise PalabreError(say("match.no_rounds", games=games, players=game.players, better=better))
        self.game = game
        self._lesson = lesson = lesson or Lesson()
        each = [clocks or Clock()] * len(bots) if clocks is None or isinstance(clocks, Clock) else list(clocks)
        self._in_process = in_process
        self._untrusted = not in_process and check_protection(
            filter(is_foreign, bots), untrusted=untrusted, forbids_engine=forbids_engine
        )
        # What was read is what plays, whatever happens to the files meanwhile.
        submissions = {bot: submission for bot in dict.fromkeys(bots) if (submission := submission_of(bot)) is not None}
        self.bots = admit(
            bots,
            game,
            each,
            submissions=submissions,
            with_digests=file is not None,
            untrusted=self._untrusted,
            forbids_engine=forbids_engine,
            in_process=in_process,
        )
        self._submissions = {
            row.name: submissions[bot] for row, bot in zip(self.bots, bots, strict=True) if bot in submissions
        }
        self.seed = seed
        self.repeats = games // game.players
        self._next_round = next_round or fixed_list(game.players, self.repeats)
        if after is not None and after.is_over:
            raise PalabreError(say("match.is_over", position=after.text))
        self.store = open_store(file)
        try:
            settings = Settings(
                game.spec,
                title,
                seed,
                opening_policy(plies, balanced, openings, after),
                data=lesson.title,
                learning=lesson.seconds,
                forbids_engine=forbids_engine,
            )
            self.store.begin(settings)
            if openings and not self.store.openings():
                self.store.add_openings(openings)
            self.store.admit(self.bots, again)
            given = {bot.name for bot in self.bots}
            # In the order in which they came to the event, so that it does not matter in which they are given now.
            self._names = [bot.name for bot in self.store.bots() if bot.name in given]
        except BaseException:
            self.store.close()
            raise

    def __enter__(self) -> "Match":
        return self

    def __exit__(self, *_: object) -> None:
        self.store.close()
        self._submissions.clear()  # the copies go with them

    @cached_property
    def lineups(self) -> dict[tuple[str, ...], int]:
        """Who sits at a board together, and the number of each line-up."""
        return {lineup: number for number, lineup in enumerate(lineups(self._names, self.game.players))}

    @property
    def games(self) -> int:
        """How many games there are in all."""
        return self.repeats * len(self.lineups) * self.game.players

    def play(
        self,
        workers: int = 0,
        *,
        on: str | None = None,
        in_thread: bool = False,
        replay_forfeits: bool = False,
        watcher: Watcher | None = None,
        on_output: OnOutput | None = None,
        on_moves: OnMoves | None = None,
    ) -> Iterator[GameRow]:
        """Play the games that are missing and yield each as it ends.

        `workers` processes play, or this one; or, with `on`, the cores of a Ray cluster. With `in_thread` this process
        begins in a thread of its own, so that Ctrl-C works and a short match needs no other process. Bots whose time is
        limited do not: its game would go on beside those of the workers, and take a processor from them. `on_moves` is
        called with the moves so far of games that take long.
        """
        needs_worker = any(bot.clock.is_timed or may_end_us(bot.spec) for bot in self.bots)
        begins_here = in_thread and (workers == 0 or not needs_worker)
        return Event(
            self.store,
            self._next_round,
            names=self._names,
            places={name: place_of(submission) for name, submission in self._submissions.items()},
            workers=workers,
            on=on,
            begins_here=begins_here,
            replay_forfeits=replay_forfeits,
            untrusted=self._untrusted,
            in_process=self._in_process,
            watcher=watcher,
            on_output=on_output,
            on_moves=on_moves,
            lesson=self._lesson,
        ).play()

    def rows(self, *, superseded: bool = False) -> list[GameRow]:
        """The games so far of this match, in their order."""
        return [
            row
            for row in self.store.games(superseded=superseded)
            if row.meeting.bots in self.lineups and row.meeting.repeat < self.repeats
        ]

    def number(self, row: GameRow) -> int:
        """The number of a game in the match, from 1."""
        place = row.meeting.repeat * len(self.lineups) + self.lineups[row.meeting.bots]
        return place * self.game.players + row.rotation + 1

    def title(self, row: GameRow) -> str:
        """What to call a game."""
        return f"game {self.number(row)}"

    def meetings(self) -> list[Meeting]:
        """All that are to be played, in their order."""
        return fixed_list(self.game.players, self.repeats)(self._names, ())

    def record(self, row: GameRow) -> Record:
        """The record of a game."""
        tags = {"Round": str(self.number(row))}
        if row.superseded is not None:
            tags["Superseded"] = row.superseded
        return row.record(self.game, {bot.name: bot.spec for bot in self.bots}, tags)

    def result(self, rows: Sequence[GameRow] | None = None) -> MatchResult:
        """What the games so far, at least one, show; for two bots at a board of two."""
        return match_result(self.game.spec, (self.bots[0], self.bots[1]), self.rows() if rows is None else rows)

    def table(self, rows: Sequence[GameRow] | None = None) -> MatchTable:
        """What the games so far show of each bot, for any number of bots and players."""
        return match_table(self.game.spec, self.bots, self.rows() if rows is None else rows)


def play_match(
    first: str,
    second: str,
    game: Game | str | Path,
    games: int,
    *,
    clock: Clock | None = None,
    seed: int = 0,
    balanced: bool = True,
    openings: str | Path | None = None,
    workers: int = 0,
    file: str | Path | None = None,
) -> MatchResult:
    """Play a match between two bots, named by their specs, to its end.

    The games come in pairs: both games of a pair begin with the same random moves, and each bot has each seat once, so
    `games` must be even. Every player has this clock in every game. The same seed gives the same openings and the same
    dice. With `balanced`, openings that are nearly decided are drawn again. `openings` is a file of records, or of
    positions, one per line, that replaces the random moves. `workers` is the number of processes that play; 0 plays in
    this process. With a `file` the match is an event, which `read_store` reads: its games are kept there, and a match
    that was stopped resumes.
    """
    checked = check_pairing("play_match", (first, second), game)
    given_count("play_match", "games", games)
    given_match("play_match", clock, seed, workers)
    path = None if file is None else given_path("play_match", file)
    book = () if openings is None else read_openings(checked, given_path("play_match", openings))
    with Match(
        (first, second), checked, games, clocks=clock, seed=seed, balanced=balanced, openings=book, file=path
    ) as match:
        for _ in match.play(workers):
            pass
        return match.result()


def given_match(asker: str, clock: object, seed: object, workers: object) -> None:
    """Refuse settings of a match that are none."""
    if clock is not None:
        given_clock(asker, clock)
    given_integer(asker, "seed", seed)
    given_count(asker, "workers", workers, 0)


def check_pairing(asker: str, bots: Sequence[object], game: Game | str | Path) -> Game:
    """The game of two in which a program wants two bots to meet; what cannot be is refused."""
    checked = given_game(game)
    for bot in bots:
        if not isinstance(bot, str):
            spec = getattr(bot, "spec", "")
            remedy = say("given.has_spec", spec=spec) if spec else say("given.own_bot")
            raise PalabreError(say("given.bots", asker=asker, given=described(bot), remedy=remedy))
    if checked.players != 2:
        raise PalabreError(say("pairing.not_for_two", asker=asker, game=checked.spec, players=checked.players))
    return checked
