"""A league: the same event over weeks. Each version of a bot is rated as a player of its own, all of them together."""

from collections import Counter
from dataclasses import dataclass

from palabre.arena.ratings import rate
from palabre.arena.rows import BOT_CHANGED, WITHDRAWN, Outcome
from palabre.arena.store import Store


@dataclass(frozen=True)
class Version:
    """One version of a bot, and how good it was."""

    bot: str
    number: int  # from 1
    since: str  # date and time of its first game, UTC
    games: int
    elo: float
    error: float  # standard error

    @property
    def title(self) -> str:
        return self.bot if self.number == 1 else f"{self.bot}, version {self.number}"


def progress_of(store: Store) -> list[Version]:
    """All versions of all bots that have played, by bot and by date.

    Games that no longer count because a bot has changed are used as well: they show how good it was before.
    """
    rows = [row for row in store.games(superseded=True) if row.superseded in (None, BOT_CHANGED, WITHDRAWN)]
    since: dict[tuple[str, str], str] = {}
    for row in sorted(rows, key=lambda row: row.started):
        for player in zip(row.bots, row.digests, strict=True):
            since.setdefault(player, row.started)
    numbers: Counter[str] = Counter()
    titles: dict[tuple[str, str], tuple[str, int]] = {}
    for name, digest in since:  # the earliest first
        numbers[name] += 1
        titles[name, digest] = (name, numbers[name])
    outcomes = []
    complete = Counter((row.meeting, frozenset(zip(row.bots, row.digests, strict=True))) for row in rows)
    for row in rows:
        players = tuple(zip(row.bots, row.digests, strict=True))
        if complete[row.meeting, frozenset(players)] >= len(row.bots):
            outcomes.append(_outcome(row.outcome, [_key(*titles[player]) for player in players]))
    if not outcomes:
        return []
    ratings = rate(outcomes)
    versions = []
    for player, (name, number) in titles.items():
        key = _key(name, number)
        if any(key in outcome.bots for outcome in outcomes):
            rating = ratings.of(key)
            versions.append(Version(name, number, since[player], rating.games, rating.elo, rating.error))
    return sorted(versions, key=lambda version: (version.bot, version.number))


def _key(name: str, number: int) -> str:
    return f"{name}\n{number}"


def _outcome(outcome: Outcome, keys: list[str]) -> Outcome:
    """The same game between versions. Its meeting is another one for other versions, so that errors are right."""
    meeting = outcome.meeting._replace(bots=tuple(sorted(keys)))
    return outcome._replace(bots=tuple(keys), meeting=meeting)
