"""How another thread ends a task that is under way."""

import contextlib
import threading
from collections.abc import Callable, Iterator


class StopToken:
    """Whether a task is to end. Each task carries its own, which is never reset, so that no stop is lost."""

    def __init__(self) -> None:
        self.is_set = False
        self._stops: list[Callable[[], object]] = []
        self._lock = threading.Lock()

    def set(self) -> None:
        """Have the task end soon, with what is known by then."""
        with self._lock:
            is_new, self.is_set = not self.is_set, True
            for stop in self._stops if is_new else ():
                stop()

    @contextlib.contextmanager
    def calling(self, stop: Callable[[], object]) -> Iterator[None]:
        """Meanwhile, call `stop` once the task is to end: at once if it already is, and never after the block."""
        with self._lock:
            self._stops.append(stop)
            if self.is_set:
                stop()
        try:
            yield
        finally:
            with self._lock:
                self._stops.remove(stop)


def is_set(token: StopToken | None) -> bool:
    """Whether there is a token and it is set."""
    return token is not None and token.is_set
