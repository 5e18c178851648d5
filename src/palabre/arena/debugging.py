"""A moment of a game in an event, again: for authors who want to see what their bot did there."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from palabre.arena.openings import start_of
from palabre.arena.playing import luck_of
from palabre.arena.rows import GameRow, Opening
from palabre.arena.store import Store, read_store
from palabre.bots.bot import Bot
from palabre.core.culprit import place_of
from palabre.core.errors import PalabreError, UnreadableText
from palabre.core.given import given_path
from palabre.core.observations import Observation, read_observations
from palabre.core.position import Move, Position
from palabre.core.words import say
from palabre.play.failures import Forfeit, Limits
from palabre.play.game import OngoingGame
from palabre.play.guard import PACKAGE, Lesson, ask, guard
from palabre.play.watched import WatchedBot
from palabre.sandbox.players import SUBMISSION, is_foreign, seat
from palabre.search.clock import Clock


@dataclass(frozen=True)
class Moment:
    """A position of a game in which it is a bot's turn."""

    row: GameRow
    ply: int
    seat: int
    position: Position
    clock: Clock  # as it was
    past: tuple[tuple[Position, Clock], ...]  # the earlier turns of the same player, the opening's left out
    luck: int  # the seed of the game

    @property
    def name(self) -> str:
        """Whose turn it is."""
        return self.row.bots[self.seat]

    @property
    def played(self) -> str | None:
        """The move that was played; None if the game ended here."""
        return self.row.moves[self.ply] if self.ply < self.row.plies else None


def find_moment(store: Store, number: int, ply: int) -> Moment:
    """The moment after so many plies of a game, which has the number that reports give it."""
    rows = store.games()
    if not 1 <= number <= len(rows):
        raise PalabreError(say("record.no_game", file=store.file, number=number, games=len(rows)))
    row = rows[number - 1]
    if not row.opening <= ply <= row.plies:
        raise PalabreError(say("debug.no_turn", ply=ply, number=number, least=row.opening, most=row.plies))
    game = store.game()
    clocks = {bot.name: bot.clock for bot in store.bots(all_versions=True)}
    ongoing = OngoingGame(start_of(game, Opening(0, row.start)), clock=[clocks.get(name, Clock()) for name in row.bots])
    past = []
    for turn, (move, seconds) in enumerate(zip(row.moves[:ply], row.seconds[:ply], strict=True)):
        if turn >= row.opening:
            past.append((ongoing.position.to_move, ongoing.position, ongoing.clocks[ongoing.position.to_move]))
        ongoing.accept(ongoing.position.play(move), seconds)
    position = ongoing.position
    if position.is_over:
        raise PalabreError(say("debug.over", number=number, ply=ply))
    mover = position.to_move
    return Moment(
        row,
        ply,
        mover,
        position,
        ongoing.clocks[mover],
        tuple((before, clock) for player, before, clock in past if player == mover),
        luck_of(store.settings.seed, row.meeting, row.rotation),
    )


def prepare(
    store: Store, moment: Moment, given: str, observations: Sequence[Observation] = (), *, trusted: bool = False
) -> Bot:
    """The bot, loaded, taught and seated as in the event, but in this process: what it prints or raises is seen.

    It is given by its name in the event, or by a path or spec, perhaps of another version. By its name, code that only
    the event names would be run: the event must be `trusted`. The observations must be those of the event. A `Forfeit`
    says how it fails.
    """
    lesson = Lesson(observations, store.settings.learning)
    if lesson.title != store.settings.data:
        learnt = {"before": store.settings.data, "now": lesson.title}
        raise PalabreError(say("debug.other_lesson", file=store.file, **learnt))
    bots = {bot.name: bot for bot in store.bots()}
    named = bots.get(given) or next((bot for bot in bots.values() if bot.spec == given), None)
    if named is not None and named.name != moment.name:
        raise PalabreError(say("debug.other_turn", ply=moment.ply, bot=moment.name, other=named.name))
    was_handed_in = moment.name in bots and bots[moment.name].authors
    spec = given if named is None else named.spec
    if spec != given and is_foreign(spec) and not trusted:
        raise UnreadableText(say("event.untrusted_bot", file=store.file, spec=spec))
    game = moment.position.game
    limits = Limits(grace=store.settings.grace)
    made = seat(f"{SUBMISSION}{spec}" if was_handed_in else spec, game, limits=limits, in_process=True)
    guard(made.learn, lesson.observations, lesson.seconds)
    guard(made.sit_down, game, moment.seat, moment.luck)
    return made


class CodePlace(NamedTuple):
    """A line of a bot's own code."""

    file: str
    line: int
    function: str


def place_of_failure(forfeit: Forfeit, bot: Bot | None) -> CodePlace | None:
    """Where a bot failed: the line that raised or was too slow, else the function that answered; None if unknown."""
    if forfeit.__cause__ is not None:
        frame = place_of(forfeit.__cause__)
        if frame is not None and not frame.filename.startswith(PACKAGE):
            return CodePlace(frame.filename, frame.lineno or 0, frame.name)
    played = bot.bot if isinstance(bot, WatchedBot) else bot
    for name in ("choose", "score_moves"):
        code = getattr(getattr(type(played), name, None), "__code__", None)
        if code is not None and not code.co_filename.startswith(PACKAGE):
            return CodePlace(code.co_filename, code.co_firstlineno, name)
    return None


@dataclass(frozen=True)
class DebugAnswer:
    """What a bot does when it is asked again for a move of an event."""

    moment: Moment
    move: Move | None  # None if it fails
    forfeit: Forfeit | None = None  # why it fails
    place: CodePlace | None = None  # where in its code, if that is known


def debug_bot(
    event: str | Path,
    bot: str,
    number: int,
    ply: int,
    *,
    data: str | Path | None = None,
    from_start: bool = False,
    trusted: bool = False,
    on_moment: Callable[[Moment], None] | None = None,
) -> DebugAnswer:
    """Ask a bot again for its move after so many plies of a game, which has the number that reports give it.

    It runs in this process without a sandbox: its prints are shown, and breakpoint() works. `data` are the observations
    of the event; with `from_start` the bot is first asked for all its earlier moves. `on_moment` is called before that.
    """
    with read_store(given_path("debug_bot", event), trusted=trusted) as store:
        moment = find_moment(store, number, ply)
        if on_moment is not None:
            on_moment(moment)
        observations = [] if data is None else read_observations(store.game(), given_path("debug_bot", data))
        player: Bot | None = None
        try:
            player = prepare(store, moment, bot, observations, trusted=trusted)
            for position, clock in moment.past if from_start else ():
                guard(player.choose, position, clock)
            after, _ = ask(player, moment.position, moment.clock, store.settings.grace)
        except Forfeit as forfeit:
            return DebugAnswer(moment, None, forfeit, place_of_failure(forfeit, player))
    return DebugAnswer(moment, after.played[-1])
