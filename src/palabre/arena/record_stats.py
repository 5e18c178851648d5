"""What a collection of records shows: results by player, by seat, by opening, and how long the games were."""

import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any

from palabre.core.record import UNFINISHED, Record

TALLIES = ("players", "seats", "openings")
UNKNOWN = "?"  # the name of a player whom a record does not name


@dataclass
class RecordTally:
    """Results from the point of view of one player, one seat, or the first mover in an opening."""

    games: int = 0
    wins: int = 0
    draws: int = 0  # shared wins
    losses: int = 0
    points: float = 0.0  # the sum of the shares
    forfeits: int = 0  # lost by an error, an illegal move, too much time or resignation

    def add(self, share: float, is_forfeit: bool) -> None:
        """Count one game."""
        self.games += 1
        self.wins += share == 1
        self.draws += 0 < share < 1
        self.losses += share == 0
        self.points += share
        self.forfeits += is_forfeit and share == 0

    @property
    def score(self) -> float:
        """The share of the points, 0 to 1."""
        return self.points / self.games if self.games else 0.0


@dataclass
class RecordStats:
    """What records of one game, all in the same variant, show."""

    game: str  # its spec
    finished: int = 0
    unfinished: int = 0
    lengths: list[int] = field(default_factory=list)  # in plies, of the finished games
    players: dict[str, RecordTally] = field(default_factory=lambda: defaultdict(RecordTally))  # by name
    seats: dict[int, RecordTally] = field(default_factory=lambda: defaultdict(RecordTally))  # from 1
    openings: dict[str, RecordTally] = field(default_factory=lambda: defaultdict(RecordTally))  # player 1, first moves

    def add(self, record: Record, opening_plies: int) -> None:
        """Count one record."""
        if record.result == UNFINISHED:
            self.unfinished += 1
            return
        self.finished += 1
        self.lengths.append(len(record.moves))
        shares = [float(Fraction(share)) for share in record.result.split("-")]
        is_forfeit = "Termination" in record.tags
        for seat, share in enumerate(shares, start=1):
            self.players[record.tags.get(f"Player{seat}", UNKNOWN)].add(share, is_forfeit)
            self.seats[seat].add(share, is_forfeit)
        if opening_plies:
            begin = record.moves[:opening_plies]
            self.openings[" ".join(begin if record.start is None else (record.start, *begin))].add(shares[0], False)

    def length_quartiles(self) -> tuple[int, float, float, float, int] | None:
        """The shortest game, the quartiles and the longest, in plies; None without finished games."""
        if not self.lengths:
            return None
        if len(self.lengths) == 1:
            low = middle = high = float(self.lengths[0])
        else:
            low, middle, high = statistics.quantiles(self.lengths, n=4, method="inclusive")
        return min(self.lengths), low, middle, high, max(self.lengths)

    def document(self) -> dict[str, Any]:
        """All of it as JSON has it."""
        return {
            "game": self.game,
            "finished": self.finished,
            "unfinished": self.unfinished,
            "length_quartiles": self.length_quartiles(),
            **{name: {key: asdict(tally) for key, tally in getattr(self, name).items()} for name in TALLIES},
        }


def record_stats(records: Iterable[Record], opening_plies: int = 0) -> Sequence[RecordStats]:
    """What records show, one `RecordStats` for each variant of a game in them; openings are the first so many plies."""
    stats: dict[str, RecordStats] = {}
    for record in records:
        stats.setdefault(record.game.spec, RecordStats(record.game.spec)).add(record, opening_plies)
    return list(stats.values())
