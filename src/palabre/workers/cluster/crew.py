"""The cores of a Ray cluster as workers: nodes may join and die on the way, and nothing is lost.

A thread looks for nodes, and each is inspected before it gets any work. On each that can take part, as many hosts are
started as it has cores for. Another thread talks with them. Workers of a node that dies end like any other:
their jobs are requeued, and what still comes from them is ignored.
"""

import logging
import queue
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

import ray
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from palabre.core.errors import PalabreError
from palabre.core.words import say
from palabre.workers.cluster.connection import connect, in_one_line
from palabre.workers.cluster.node import GATHER, NEWS, Host, News, build, difference, inspect
from palabre.workers.job import Lane, Machine, OnLine, Recruiter
from palabre.workers.messages import Exit
from palabre.workers.pool import MOST_FAILED_STARTS
from palabre.workers.process import OnOutput

log = logging.getLogger(__name__)

LOOK = 1.0  # seconds between two looks for nodes
INSPECTION = 120.0  # seconds for a node to report what it runs
REST = 10.0  # seconds for which nothing is started on a node where something has ended; a dead one is then known
PATIENCE = 60.0  # seconds without any node that can work, after which we give up


@dataclass(eq=False)
class Node(Machine):
    """A machine of the cluster."""

    id: str = ""
    started: int = 0  # workers, those included that are not ready yet
    rests_until: float = 0.0  # none is started there before: it may be dying

    def rest(self) -> None:
        self.rests_until = time.monotonic() + REST


# What a thread of the crew does next; None is the last. All calls of Ray are made there: the caller would wait in
# them for an answer, and some of them swallow Ctrl-C.
Errands = queue.SimpleQueue[Callable[[], object] | None]


class RayWorker:
    """A worker on a node, as we see it."""

    pid = None

    def __init__(self, node: Node, errands: Errands, on_output: OnOutput | None) -> None:
        self.node = node
        self.host: Any = None  # until it has been started
        self._errands, self._on_output = errands, on_output
        self._on_line: OnLine
        self._report = "its node is gone"
        self._is_closed = False

    def connect(self, on_line: OnLine) -> "RayWorker":
        """From now on, pass on what the host reports."""
        self._on_line = on_line
        self._ask()
        return self

    def send(self, line: bytes) -> None:
        tasks = int(line.startswith(b'{"type":"Order"'))
        self._errands.put(lambda: self.host.send.remote(line, tasks))

    def end(self) -> None:
        """Let it go, at once; its process notices."""
        if not self._is_closed:
            self._is_closed = True
            self.node.started -= 1
            self._errands.put(lambda: ray.kill(self.host))

    kill = end

    def close(self, patience: float = 0.0) -> None:
        """Let it go, without waiting for it."""
        self.end()

    def exit_report(self) -> Exit:
        """How it ended."""
        return Exit(f"on {self.node.name}, {self._report}")

    def _ask(self) -> None:
        """Ask the host for its next report; Ray's own threads only put it into the queue."""

        def ask() -> None:
            news = self.host.news.remote().future()
            news.add_done_callback(lambda done: self._errands.put(lambda: self._on_news(done)))

        self._errands.put(ask)

    def _on_news(self, news: "Future[News]") -> None:
        """Pass on what the host reports, and ask it for more."""
        error = news.exception()
        if error is not None:
            self.node.rest()
        lines, printed, end = news.result() if error is None else ([], [], in_one_line(error))
        for line in lines:
            self._on_line(line)
        for line_ in printed if self._on_output is not None else ():
            assert self._on_output is not None
            self._on_output(line_)
        if end is None:
            self._ask()
        else:
            self._report = end
            self._on_line(None)


class RayCrew:
    """Workers on the nodes of a cluster."""

    def __init__(
        self,
        on: str,
        module: str,
        setup: Callable[[int], bytes],
        archives: Mapping[str, bytes],
        *,
        most: int = 0,
        threads: int = 1,
        requirement: str | None = None,
        on_output: OnOutput | None = None,
    ) -> None:
        """At most so many workers, or as many as fit if it is 0, each with cores for so many threads. They run the
        service of a module, with the setup for a node that has so many of them, and need these files. A node takes
        part if the function `requirement` has no reason against it."""
        self._on, self._module, self._setup, self._archives = on, module, setup, archives
        self._most, self._cores, self._requirement, self._on_output = most, threads, requirement, on_output
        self._nodes: dict[str, Node] = {}  # those that can take part, by id
        self._refused: dict[str, str] = {}  # why others cannot, by id
        self._errands: Errands = queue.SimpleQueue()
        self._is_over = threading.Event()
        self._pending = 0  # workers that have been started and have not begun
        self._last_hope = time.monotonic()  # when there was a node, and a worker had begun
        self._is_looking = True  # which nodes can take part is not known yet
        self._has_had_nodes = self._has_begun = self._has_warned = False

    @property
    def capacity(self) -> int:
        cores = sum(node.capacity for node in list(self._nodes.values()))
        return min(cores, self._most) if self._most else cores

    def open(self, pool: Recruiter, lane: Lane) -> None:
        self._pool, self._lane = pool, lane
        connect(self._on)
        self._setups: dict[int, Any] = {}  # by the number of workers of a node: it may be large, and goes there once
        self._sent = {digest: ray.put(archive) for digest, archive in self._archives.items()}
        self._host = ray.remote(num_cpus=self._cores, max_restarts=0, concurrency_groups={NEWS: 1})(Host)
        self._services = [threading.Thread(target=work, daemon=True) for work in (self._watch, self._run)]
        for thread in self._services:
            thread.start()

    def start(self, count: int) -> None:
        nodes = list(self._nodes.values())
        started = sum(node.started for node in nodes)
        now = time.monotonic()
        for _ in range(count - self._pending):
            room = [node for node in nodes if node.started < node.capacity and node.rests_until <= now]
            if not room or (self._most and started >= self._most):
                break
            self._start(max(room, key=lambda node: node.capacity - node.started))
            started += 1

    def give_up(self, machine: Machine, exit: Exit) -> None:
        assert isinstance(machine, Node)
        self._refuse(machine.id, machine.name, f"no worker gets ready there: {exit}")
        self._nodes.pop(machine.id, None)

    def close(self) -> None:
        self._is_over.set()
        self._errands.put(None)
        for thread in self._services:
            thread.join(LOOK)
        ray.shutdown()  # which ends all that is ours on the cluster

    # --------------------------------------------------------------------------------------------------------- workers

    def _start(self, node: Node) -> None:
        node.started += 1
        self._pending += 1
        worker = RayWorker(node, self._errands, self._on_output)

        def start() -> None:
            if node.capacity not in self._setups:
                self._setups[node.capacity] = ray.put(self._setup(node.capacity))
            worker.host = self._host.options(scheduling_strategy=_at(node.id)).remote()
            begun = worker.host.begin.remote(self._module, self._setups[node.capacity], self._sent).future()
            begun.add_done_callback(lambda done: self._errands.put(lambda: self._begun(worker, done.exception())))

        self._errands.put(start)

    def _begun(self, worker: RayWorker, error: BaseException | None) -> None:
        """A worker has begun, or could not."""
        self._pending -= 1
        if error is None:
            self._has_begun = True
            self._pool.add(self._lane, worker.node, worker.connect)
        else:
            self._failed(worker, in_one_line(error))

    def _run(self) -> None:
        """Do errands, until there is nothing more to do."""
        try:
            while (errand := self._errands.get()) is not None:
                errand()
        except Exception as error:
            self._fail(error)

    def _failed(self, worker: RayWorker, why: str) -> None:
        worker.close()
        node = worker.node
        node.failed_starts += 1
        node.rest()
        if node.failed_starts >= MOST_FAILED_STARTS and not node.is_gone:
            self.give_up(node, Exit(why))

    # ----------------------------------------------------------------------------------------------------------- nodes

    def _watch(self) -> None:
        try:
            while not self._is_over.is_set():
                self._look()
                self._check_hope()
                self._pool.staff(self._lane)
                self._is_over.wait(LOOK)
        except PalabreError as error:
            self._pool.fail(self._lane, error)
        except Exception as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        """Ray raises what its libraries raise. Whatever it is, nothing can be done any more."""
        if not self._is_over.is_set():
            self._pool.fail(self._lane, PalabreError(say("cluster.gone", error=in_one_line(error))))

    def _look(self) -> None:
        """Notice nodes that have come, and those that are gone."""
        self._is_looking, coming = not self._nodes, []
        for facts in ray.nodes():
            id_, name = facts["NodeID"], f"node {facts['NodeManagerAddress']}"
            if not facts["Alive"]:
                self._refused.pop(id_, None)
                if (gone := self._nodes.pop(id_, None)) is not None:
                    gone.is_gone = True
                    log.warning("%s is gone; its work is done elsewhere", gone.name)
                continue
            places = int(facts["Resources"].get("CPU", 0) // self._cores)
            if places and id_ not in self._nodes and id_ not in self._refused:
                coming.append((id_, name, places, self._inspected(id_)))
        for id_, name, places, answer in coming:
            refusal = self._refusal(answer)
            if refusal is None:
                self._nodes[id_] = Node(name, places, lag=GATHER, id=id_)
                self._has_had_nodes = True
            else:
                self._refuse(id_, name, refusal)
        if coming or (self._nodes and self._has_begun):
            self._last_hope = time.monotonic()
        self._is_looking = False

    def _inspected(self, node: str) -> Any:
        ask = ray.remote(num_cpus=0, max_retries=0)(inspect)
        return ask.options(scheduling_strategy=_at(node)).remote(self._requirement)

    def _refusal(self, answer: Any) -> str | None:
        """Why a node cannot take part, or None."""
        try:
            theirs, lack = ray.get(answer, timeout=INSPECTION)
        except ConnectionError:
            raise  # it is ours that has failed, and not the node
        except Exception as error:  # whatever goes wrong there
            return in_one_line(error)
        return difference(build(), theirs) if lack is None else str(lack)

    def _refuse(self, id_: str, name: str, why: str) -> None:
        self._refused[id_] = f"{name}: {why}"
        log.warning("%s does not take part: %s", name, why)

    def _check_hope(self) -> None:
        """Give up if there is no node to work on: at once if all are refused, and else after a while."""
        if self._is_looking:
            return
        is_late = time.monotonic() - self._last_hope > PATIENCE
        if not self._nodes and (is_late or (self._refused and not self._has_had_nodes)):
            reasons = " / ".join(self._refused.values()) or say("cluster.small")
            raise PalabreError(say("cluster.no_node", on=self._on, reasons=reasons))
        if is_late and not self._has_warned:
            self._has_warned = True
            log.warning("all cores of the cluster are in use; waiting for a free one")


def _at(node: str) -> Any:
    """There and nowhere else."""
    return NodeAffinitySchedulingStrategy(node, soft=False)
