"""What the page shows of an event, read from its file."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from palabre.arena.leaderboard import event_format, is_championship
from palabre.arena.rows import GameRow
from palabre.arena.store import Store, read_store
from palabre.core.errors import PalabreError
from palabre.core.record import result_text
from palabre.core.registry import is_path, split
from palabre.core.words import say
from palabre.play.finished import BY_THE_RULES
from palabre.web.events.facts import EventFacts, event_state, game_entry, read_ranking, shown
from palabre.web.events.plan import MATCH, EventPlan
from palabre.web.events.texts import EventTexts
from palabre.web.messages import EventEntry, EventGameEntry, GameOfEvent
from palabre.web.requests import Place

PLAN, FINISHED = "plan", "finished"  # facts that an event from the browser keeps of itself
MOST_GAMES = 200  # in a list

# The files of games that may be run; None for all. An event is not opened, and a record not read, if it has another.
Trusted = frozenset[str] | None


def is_trusted(spec: str, trusted: Trusted) -> bool:
    """Whether a game may be run."""
    name = split(spec)[0]
    return not is_path(name) or trusted is None or name in trusted


def read_entry(file: Path, trusted: Trusted) -> EventEntry:
    """An event in a list."""
    with _open(file, trusted) as store:
        settings = store.settings
        bots = [bot for bot in store.bots() if bot.state == "admitted"]
        return EventEntry(file.name, file.stem, settings.game, settings.format, len(bots), store.count_games(), False)


def read_facts(file: Path, trusted: Trusted, language: str) -> EventFacts:
    """An event, whole."""
    with _open(file, trusted) as store:
        kept = store.facts
        plan = None if PLAN not in kept else msgspec.convert(kept[PLAN], EventPlan)
        ranking, texts = read_ranking(store), _texts(store, language)
        latest = [_entry(number, row, texts) for number, row in store.latest(MOST_GAMES)]
        state = event_state(store, file.name, file.stem, ranking, latest, texts)
        notes = [*texts.rejected_notes(store.bots(), shown), *texts.ratings_notes(ranking.ratings, shown)]
        state = replace(state, planned=_planned(store, plan), notes=notes)
        return EventFacts(state, plan, bool(kept.get(FINISHED)))


def read_games(file: Path, trusted: Trusted, language: str, bots: Sequence[str]) -> list[EventGameEntry]:
    """The newest games of these bots."""
    with _open(file, trusted) as store:
        names, texts = {shown(bot.name): bot.name for bot in store.bots(all_versions=True)}, _texts(store, language)
        latest = store.latest(MOST_GAMES, [names.get(bot, bot) for bot in bots])
        return [_entry(number, row, texts) for number, row in latest]


def read_game(file: Path, trusted: Trusted, language: str, number: int) -> GameOfEvent:
    """A game by its number."""
    with _open(file, trusted) as store:
        row = store.numbered(number)
        place = Place(store.settings.game, row.start, list(row.moves))
        bots, ending = list(map(shown, row.bots)), _ending(row, _texts(store, language))
        return GameOfEvent(place, bots, result_text(row.shares), ending, list(row.seconds))


def _open(file: Path, trusted: Trusted) -> Store:
    store = read_store(file, trusted=True)  # what is not on offer is refused below
    try:
        game = store.settings.game
        if not is_trusted(game, trusted):
            name = Path(split(game)[0]).name
            raise PalabreError(say("event.foreign_game", name=name))
    except BaseException:
        store.close()
        raise
    return store


def _texts(store: Store, language: str) -> EventTexts:
    return EventTexts(store.game(), [shown(bot.name) for bot in store.bots(all_versions=True)], language)


def _entry(number: int, row: GameRow, texts: EventTexts) -> EventGameEntry:
    return game_entry(number, row, _ending(row, texts))


def _ending(row: GameRow, texts: EventTexts) -> str:
    """Why a game ended, if not by the rules."""
    if row.ending == BY_THE_RULES:
        return ""
    return texts.ending(row.why_ended(texts.game.words().home), list(map(shown, row.bots)))


def _planned(store: Store, plan: EventPlan | None) -> int | None:
    """How many games there will be at most; None for a match whose file does not say so."""
    admitted, players = [bot for bot in store.bots() if bot.state == "admitted"], store.game().players
    names = [bot.name for bot in admitted]
    if plan is not None and plan.format == MATCH:
        from palabre.arena.lineups import lineups

        return plan.games * len(lineups(names, players))
    if not is_championship(store):
        return None
    return event_format(store.settings.format, players, admitted).count_meetings(names)[1] * players
