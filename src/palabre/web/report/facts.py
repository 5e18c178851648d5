"""What a report shows of an event, read once for all its pages; and what of it everyone may read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from palabre.arena.leaderboard import SAME_FILES, Leaderboard
from palabre.arena.league import Version, progress_of
from palabre.arena.likeness import SameMoves, same_moves
from palabre.arena.ratings import Ratings
from palabre.arena.rows import COMPETITOR, FORFEIT_REPLAYED, MACHINE_LATE, BotRow, GameRow
from palabre.arena.store import Store, machine_facts
from palabre.web.events.facts import Ranking, read_ranking
from palabre.web.messages import EventRow

# The kinds of failures that everyone may know, by the ids of the reasons. The rest of a reason may show a bot's source.
KINDS = {
    **dict.fromkeys(("forfeit.error", "forfeit.raised", "forfeit.raised_in", "forfeit.raised_at"), "error"),
    "forfeit.illegal": "illegal move",
    "forfeit.no_move": "no move",
    **dict.fromkeys(("forfeit.late", "forfeit.late_for_move"), "time"),
    **dict.fromkeys(("forfeit.no_answer", "forfeit.no_answer_in_time"), "time"),
    "forfeit.memory": "memory",
}


@dataclass(frozen=True)
class Facts:
    """An event, read once for all pages."""

    title: str
    spec: str
    format: str
    machine: Mapping[str, object]
    bots: list[BotRow]
    games: list[GameRow]
    replayed: list[GameRow]  # games that do not count, because the machine was late or a forfeit got a second chance
    ranking: Ranking
    seconds: Mapping[str, list[float]]  # of all moves of each bot
    progress: list[Version]  # of a league: all versions of its bots
    same_files: list[list[str]]  # groups of submissions that are copies of each other
    same_moves: list[SameMoves]
    is_anonymous: bool = False  # whether the authors are left out of the public pages

    @property
    def board(self) -> Leaderboard | None:
        """The table of a championship; None for a match, which has no places."""
        return self.ranking.board

    @property
    def ratings(self) -> Ratings:
        return self.ranking.ratings

    @cached_property
    def rows(self) -> dict[str, EventRow]:
        """What each bot did in the games that count for the standings; by place or score."""
        return {row.name: row for row in self.ranking.rows}

    @property
    def names(self) -> list[str]:
        """The bots that were admitted, by place or score."""
        return list(self.rows)

    def rank(self, name: str) -> int | str:
        """The place of a bot, or what it is if it does not compete."""
        row = self.rows.get(name)
        if row is not None and row.rank is not None:
            return row.rank
        return next(bot.role for bot in self.bots if bot.name == name)

    @property
    def ranked(self) -> int:
        """How many bots have a place."""
        return sum(isinstance(self.rank(name), int) for name in self.names)

    @property
    def counts_staff(self) -> bool:
        """Whether all games count for the standings, those against bots that do not compete included."""
        played = {name: sum(name in row.bots for row in self.games) for name in self.names}
        return all(played[name] == self.rows[name].games for name in self.names)


def read_facts(store: Store, title: str, *, anonymous: bool = False) -> Facts:
    """All that the pages show."""
    games = store.games()
    bots = [bot for bot in store.bots() if bot.state == "admitted"]
    ranking = read_ranking(store)
    machine = machine_facts()
    has_versions = any(bot.state == "superseded" for bot in store.bots(all_versions=True))
    return Facts(
        title,
        store.settings.game,
        store.settings.format,
        {key: value for key, value in store.facts.items() if key in machine},
        store.bots(),
        games,
        [row for row in store.games(superseded=True) if row.superseded in (MACHINE_LATE, FORFEIT_REPLAYED)],
        ranking,
        {bot.name: _seconds(bot.name, games) for bot in bots},
        progress_of(store) if ranking.board is not None and has_versions else [],
        list(store.facts.get(SAME_FILES, [])),
        same_moves(games, [bot.name for bot in bots if bot.role == COMPETITOR]),
        anonymous,
    )


def _seconds(name: str, games: Sequence[GameRow]) -> list[float]:
    """How long each move of a bot took."""
    seats = [(row, seat) for row in games for seat, bot in enumerate(row.bots) if bot == name]
    return [spent for row, seat in seats for spent in row.seconds_of(seat)]


def kind_of_failure(row: GameRow) -> str:
    """What kind of failure a bot forfeited a game by, in English; nothing if it is another one, or not known."""
    message = row.message
    while isinstance(message, dict) and "first" in message["params"]:  # several bots failed
        message = message["params"]["first"]
    reason = message["params"].get("reason") if isinstance(message, dict) else None
    return KINDS.get(reason["id"], "") if isinstance(reason, dict) else ""


def public_ending(row: GameRow) -> str:
    """How a game ended, for everyone: of a failure the kind, because the rest may show lines of the bot's source."""
    if row.forfeit is None:
        return row.ending
    kind = kind_of_failure(row)
    return f"player {row.forfeit + 1} loses" + (f": {kind}" if kind else "")
