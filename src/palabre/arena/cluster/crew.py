"""The cores of a Ray cluster as the crew of an event: nodes may join and die on the way, and nothing is lost.

A thread looks for nodes, and each is inspected before it gets any work. On each that can take part, as many hosts are
started as it has cores for. Another thread talks with them. Workers of a node that dies end like any other,
their meetings are given out again, and what still comes from them is not heard.
"""

import contextlib
import logging
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

import ray
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from palabre.arena.cluster.connection import connect, in_one_line
from palabre.arena.cluster.node import EARS, GATHER, Host, News, build, difference, inspect
from palabre.arena.cluster.parcels import Parcels
from palabre.arena.players import is_foreign
from palabre.arena.pool import MOST_FAILED_STARTS
from palabre.arena.worker import Job, Setup, setup_to_plain
from palabre.arena.workers import Machine, Messages, Said, Worker, jobs_to_line
from palabre.core.errors import PalabreError
from palabre.core.words import say

log = logging.getLogger(__name__)

LOOK = 1.0  # seconds between two looks for nodes
INSPECTION = 120.0  # seconds for a node to tell what it runs
REST = 10.0  # seconds for which nothing is started on a node where something has ended; a dead one is then known
PATIENCE = 60.0  # seconds without any node that can play, after which we give up


@dataclass(eq=False)
class Node(Machine):
    """A machine of the cluster."""

    id: str = ""
    started: int = 0  # workers, those included that are not ready yet
    rests_until: float = 0.0  # none is started there before: it may be dying

    def rest(self) -> None:
        self.rests_until = time.monotonic() + REST


# What a thread of the crew does next; None is the last. All calls of Ray are made there: the main thread would wait in
# them for an answer, and some of them swallow Ctrl-C.
Errands = queue.SimpleQueue[Callable[[], object] | None]


class RayWorker:
    """A worker on a node, as we see it."""

    def __init__(self, node: Node, errands: Errands) -> None:
        self.jobs: deque[Job] = deque()
        self.machine: Machine = node
        self.node = node
        self.has_played = False
        self.words = "its node is gone"
        self.host: Any = None  # until it has been started
        self._errands = errands

    def give(self, jobs: list[Job]) -> None:
        self.jobs.extend(jobs)
        line, games = jobs_to_line(jobs), sum(len(job.turns) for job in jobs)
        self._errands.put(lambda: self.host.send.remote(line, games))

    def hang_up(self) -> None:
        pass

    def close(self) -> None:
        """Let it go, at once; its process notices, and says farewell to its bots."""
        self.node.started -= 1
        self._errands.put(lambda: ray.kill(self.host))

    def last_words(self) -> str:
        return f"on {self.machine.name}, {self.words}"


class RayCrew:
    """Workers on the nodes of a cluster."""

    def __init__(self, on: str, most: int = 0, threads: int = 1) -> None:
        """At most so many workers, or as many as fit if it is 0, each with cores for so many threads."""
        self._on, self._most, self._cores = on, most, threads
        self._nodes: dict[str, Node] = {}  # those that can take part, by id
        self._refused: dict[str, str] = {}  # why others cannot, by id
        self._begun: queue.SimpleQueue[tuple[RayWorker, BaseException | None]] = queue.SimpleQueue()
        self._errands: Errands = queue.SimpleQueue()
        self._is_over = threading.Event()
        self._pending = 0  # workers that have been started and have not begun
        self._last_hope = time.monotonic()  # when there was a node, and somebody had begun to play
        self._is_looking = True  # so that nobody knows yet who can take part
        self._has_had_nodes = self._has_begun = self._has_told = False

    @property
    def workers(self) -> int:
        found = sum(node.workers for node in list(self._nodes.values()))
        return min(found, self._most) if self._most else found

    def open(self, setup: Setup, messages: Messages, said: Said) -> None:
        self._messages, self._said = messages, said
        parcels = Parcels()
        self._is_untrusted = setup.untrusted and any(is_foreign(spec) for spec, _ in setup.bots.values())
        plain = setup_to_plain(parcels.setup(setup))
        connect(self._on)
        self._setup = ray.put(plain)  # with all that bots learn from, it may be large, and goes to each node once
        self._parcels = {digest: ray.put(archive) for digest, archive in parcels.archives.items()}
        self._host = ray.remote(num_cpus=self._cores, max_restarts=0, concurrency_groups={EARS: 1})(Host)
        self._services = [threading.Thread(target=work, daemon=True) for work in (self._watch, self._run)]
        for thread in self._services:
            thread.start()

    def more(self, count: int) -> list[Worker]:
        found: list[Worker] = list(self._ready())
        nodes = list(self._nodes.values())
        started = sum(node.started for node in nodes)
        now = time.monotonic()
        for _ in range(count - len(found) - self._pending):
            room = [node for node in nodes if node.started < node.workers and node.rests_until <= now]
            if not room or (self._most and started >= self._most):
                break
            self._start(max(room, key=lambda node: node.workers - node.started))
            started += 1
        self._check_hope()
        return found

    def give_up(self, machine: Machine, why: str) -> None:
        assert isinstance(machine, Node)
        self._refuse(machine.id, machine.name, f"no worker gets far enough to play there: {why}")
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
        worker = RayWorker(node, self._errands)

        def start() -> None:
            worker.host = self._host.options(scheduling_strategy=_at(node.id)).remote()
            begun = worker.host.begin.remote(self._setup, self._parcels, node.workers).future()
            begun.add_done_callback(lambda done: self._begun.put((worker, done.exception())))

        self._errands.put(start)

    def _ready(self) -> Iterator[RayWorker]:
        """The workers that have begun since the last look."""
        with contextlib.suppress(queue.Empty):
            while True:
                worker, error = self._begun.get_nowait()
                self._pending -= 1
                if error is None:
                    self._has_begun = True
                    self._ask(worker)
                    yield worker
                else:
                    self._failed(worker, in_one_line(error))

    def _run(self) -> None:
        """Do errands, until the event is over."""
        try:
            while (errand := self._errands.get()) is not None:
                errand()
        except Exception as error:
            self._lament(error)

    def _ask(self, worker: RayWorker) -> None:
        """Have a host tell what happens; Ray's own threads only put it into the queue."""

        def ask() -> None:
            news = worker.host.hear.remote().future()
            news.add_done_callback(lambda done: self._errands.put(lambda: self._hear(worker, done)))

        self._errands.put(ask)

    def _hear(self, worker: RayWorker, news: "Future[News]") -> None:
        """Pass on what a host tells, and ask it for more."""
        error = news.exception()
        told: News = news.result() if error is None else ([], [], in_one_line(error))
        if error is not None:
            worker.node.rest()
        lines, said, end = told
        for line in lines:
            self._messages.put((worker, line))
        for words in said:
            self._said(words)
        if end is None:
            self._ask(worker)
        else:
            worker.words = end
            self._messages.put((worker, None))

    def _failed(self, worker: RayWorker, why: str) -> None:
        worker.close()
        node = worker.node
        node.failed_starts += 1
        node.rest()
        if node.failed_starts >= MOST_FAILED_STARTS and not node.is_gone:
            self.give_up(node, why)

    # ----------------------------------------------------------------------------------------------------------- nodes

    def _watch(self) -> None:
        try:
            while not self._is_over.is_set():
                self._look()
                self._is_over.wait(LOOK)
        except Exception as error:
            self._lament(error)

    def _lament(self, error: Exception) -> None:
        """Ray raises what its libraries raise. Whatever it is, nothing can be played any more."""
        if not self._is_over.is_set():
            self._messages.put((None, PalabreError(say("cluster.gone", error=in_one_line(error)))))

    def _look(self) -> None:
        """Notice nodes that have come, and those that are gone."""
        self._is_looking, coming = not self._nodes, []
        for found in ray.nodes():
            id_, name = found["NodeID"], f"node {found['NodeManagerAddress']}"
            if not found["Alive"]:
                self._refused.pop(id_, None)
                if (gone := self._nodes.pop(id_, None)) is not None:
                    gone.is_gone = True
                    log.warning("%s is gone; its games are played elsewhere", gone.name)
                continue
            places = int(found["Resources"].get("CPU", 0) // self._cores)
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
        return ask.options(scheduling_strategy=_at(node)).remote(self._is_untrusted)

    def _refusal(self, answer: Any) -> str | None:
        """Why a node cannot take part, or None."""
        try:
            theirs, no_sandbox = ray.get(answer, timeout=INSPECTION)
        except ConnectionError:
            raise  # it is ours that has failed, and not the node
        except Exception as error:  # whatever goes wrong there
            return in_one_line(error)
        if no_sandbox is not None:
            return f"it has no sandbox for other people's bots: {no_sandbox}"
        return difference(build(), theirs)

    def _refuse(self, id_: str, name: str, why: str) -> None:
        self._refused[id_] = f"{name}: {why}"
        log.warning("%s does not take part: %s", name, why)

    def _check_hope(self) -> None:
        """Give up if there is no node to play on: at once if all are refused, and else after a while."""
        if self._is_looking:
            return
        is_late = time.monotonic() - self._last_hope > PATIENCE
        if not self._nodes and (is_late or (self._refused and not self._has_had_nodes)):
            reasons = " / ".join(self._refused.values()) or say("cluster.small")
            raise PalabreError(say("cluster.no_node", on=self._on, reasons=reasons))
        if is_late and not self._has_told:
            self._has_told = True
            log.warning("all cores of the cluster are in use; waiting for a free one")


def _at(node: str) -> Any:
    """There and nowhere else."""
    return NodeAffinitySchedulingStrategy(node, soft=False)
