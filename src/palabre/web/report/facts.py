"""What a report tells of an event, read once for all its pages; and what of it everybody may read."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from palabre.arena.leaderboard import SAME_FILES, Leaderboard, is_championship, read_leaderboard
from palabre.arena.league import Version, progress_of
from palabre.arena.likeness import SameMoves, same_moves
from palabre.arena.ratings import Ratings, rate
from palabre.arena.rows import COMPETITOR, FORFEIT_REPLAYED, MACHINE_LATE, BotRow, GameRow
from palabre.arena.store import Store, machine_facts

# What kind of failure ended a game: "error", "illegal move", "time", … What follows may show a bot's source.
_LOSES = re.compile(r"player [0-9]+ loses(?:: (?:error|illegal move|no move|time|memory)\b)?")


class Tally(NamedTuple):
    """What one bot did in the games that count for the standings."""

    games: int
    wins: int
    draws: int
    losses: int
    forfeits: int  # among the losses
    points: float


class Facts(NamedTuple):
    """An event, read once for all pages."""

    title: str
    spec: str
    format: str
    machine: Mapping[str, object]
    bots: list[BotRow]
    games: list[GameRow]
    replayed: list[GameRow]  # games that do not count, because the machine was late or a forfeit got a second chance
    ratings: Ratings
    tallies: Mapping[str, Tally]
    seconds: Mapping[str, list[float]]  # of all moves of each bot
    board: Leaderboard | None  # None for a match, which has no places
    progress: list[Version]  # of a league: all versions of its bots
    same_files: list[list[str]]  # groups of submissions that are copies of each other
    same_moves: list[SameMoves]
    is_anonymous: bool = False  # whether the authors are left out for everybody

    @property
    def names(self) -> list[str]:
        """The bots that played, by place; by rating where there are no places."""
        if self.board is None:
            return [rating.bot for rating in self.ratings.bots]
        return [line.bot.name for line in self.board.lines if line.standing is not None]

    def rank(self, name: str) -> int | str:
        """The place of a bot, or what it is if it does not compete."""
        if self.board is None:
            return self.names.index(name) + 1
        line = next(line for line in self.board.lines if line.bot.name == name)
        return line.bot.role if line.standing is None or line.standing.rank is None else line.standing.rank

    @property
    def ranked(self) -> int:
        """How many bots have a place."""
        return sum(isinstance(self.rank(name), int) for name in self.names)

    @property
    def counts_staff(self) -> bool:
        """Whether all games count for the standings, those against bots that do not compete included."""
        played = {name: sum(name in row.bots for row in self.games) for name in self.names}
        return all(played[name] == self.tallies[name].games for name in self.names)


def read_facts(store: Store, title: str, *, anonymous: bool = False) -> Facts:
    """All that the pages tell."""
    games = store.games()
    bots = [bot for bot in store.bots() if bot.state == "admitted"]
    board = read_leaderboard(store) if is_championship(store) else None
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
        rate(store.outcomes(), [bot.name for bot in bots]) if board is None else board.ratings,
        {bot.name: _tally(bot.name, games, board) for bot in bots},
        {bot.name: _seconds(bot.name, games) for bot in bots},
        board,
        progress_of(store) if board is not None and has_versions else [],
        list(store.facts.get(SAME_FILES, [])),
        same_moves(games, [bot.name for bot in bots if bot.role == COMPETITOR]),
        anonymous,
    )


def _tally(name: str, games: Sequence[GameRow], board: Leaderboard | None) -> Tally:
    """What a bot did, as the standings count it; in a match, in all games."""
    standings = [line.standing for line in board.lines if line.standing] if board is not None else []
    own = next((row for row in standings if row.bot == name), None)
    if own is not None:
        return Tally(own.games, own.wins, own.draws, own.losses, own.forfeits, own.points)
    seats = [(row, seat) for row in games for seat, bot in enumerate(row.bots) if bot == name]
    shares = [row.shares[seat] for row, seat in seats]
    wins, losses = shares.count(1.0), shares.count(0.0)
    forfeits = sum(row.forfeit == seat for row, seat in seats)
    return Tally(len(shares), wins, len(shares) - wins - losses, losses, forfeits, sum(shares))


def _seconds(name: str, games: Sequence[GameRow]) -> list[float]:
    """How long each move of a bot took."""
    seats = [(row, seat) for row in games for seat, bot in enumerate(row.bots) if bot == name]
    return [spent for row, seat in seats for spent in row.seconds_of(seat)]


def public_ending(row: GameRow) -> str:
    """How a game ended, for everybody: of a failure the kind, because the rest may show lines of the bot's source."""
    if row.forfeit is None:
        return row.ending
    found = _LOSES.match(row.ending)
    return found[0] if found else f"player {row.forfeit + 1} loses"
