"""Workers of this machine."""

from collections.abc import Mapping

from palabre.core.errors import PalabreError
from palabre.core.words import say
from palabre.workers.job import Connect, Lane, Machine, Recruiter
from palabre.workers.messages import Exit
from palabre.workers.process import OnOutput, Process


class LocalCrew:
    """Processes of this machine that run the service of a module."""

    def __init__(
        self,
        module: str,
        setup: bytes,
        workers: int,
        *,
        nice: int = 0,
        environment: Mapping[str, str] | None = None,
        on_output: OnOutput | None = None,
    ) -> None:
        self.machine = Machine("this machine", workers)
        self._connect: Connect = lambda on_line: Process(
            module, setup, on_line, nice=nice, environment=environment, on_output=on_output
        )

    @property
    def capacity(self) -> int:
        return self.machine.capacity

    def open(self, pool: Recruiter, lane: Lane) -> None:
        self._pool, self._lane = pool, lane

    def start(self, count: int) -> None:
        for _ in range(count):
            self._pool.add(self._lane, self.machine, self._connect)

    def give_up(self, machine: Machine, exit: Exit) -> None:
        raise PalabreError(say("event.no_process", error=str(exit)))

    def close(self) -> None:
        pass
