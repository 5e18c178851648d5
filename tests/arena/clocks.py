"""A clock that stands still until a test moves it: what bots lose by time then depends on no machine."""

from palabre.bots.bot import Bot
from palabre.core.position import Move, Position
from palabre.search.clock import Clock


class HeldClock:
    """Seconds that pass only when somebody sleeps."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds

    def sleep(self, seconds: float) -> None:
        self.seconds += seconds


class Sleeper(Bot):
    """Takes so long for its moves, one after another, and no time when the list is at its end."""

    def __init__(self, now: HeldClock, *seconds: float) -> None:
        self._now, self._seconds = now, list(seconds)

    def choose(self, position: Position, clock: Clock) -> Move:
        self._now.sleep(self._seconds.pop(0) if self._seconds else 0.0)
        return position.moves()[0]
