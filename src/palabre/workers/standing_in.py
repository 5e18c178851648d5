"""Jobs that a compiler holds up are done in a second lane as well, and the first result is taken.

What such a job would have compiled is compiled all the same, for the next one. Everything here is called by the pool.
"""

from functools import partial
from typing import Any, Protocol, TypeVar

from palabre.workers.job import Job, Lane
from palabre.workers.messages import Task

Outcome = TypeVar("Outcome")


class Submitting(Protocol):
    """The pool."""

    is_open: bool

    def submit(self, lane: Lane, task: Task[Outcome], *, owner: str, seconds: float | None) -> Job[Outcome]: ...


def send_stand_ins(pool: Submitting, lane: Lane) -> None:
    """Have the jobs done elsewhere that a lane cannot do now: those that wait, too, if all of its workers compile."""
    if lane.stand_in is None or not pool.is_open:
        return
    preparing = lane.preparing
    for job in preparing + (lane.waiting if len(preparing) >= lane.crew.capacity else []):
        task, sent = job.task.stand_in(is_stopped=job.is_stopped), job.stand_in
        # One that is done without a result may find one if it is asked for something else.
        is_missing = sent is None or (sent.is_done and sent.task != task)
        if task is not None and is_missing and job.is_wanted and not job.is_done:
            job.stand_in = pool.submit(lane.stand_in, task, owner=job.owner, seconds=job.seconds)
            job.stand_in.when_done(partial(_take_result, pool, job))
            job.when_done(partial(_cancel, job.stand_in))


def _take_result(pool: Submitting, job: Job[Any], sent: Job[Any]) -> None:
    """A stand-in is done: so is the job, if there is a result; the worker of the job goes on compiling."""
    if sent.future.cancelled() or sent.future.exception() is not None:
        send_stand_ins(pool, job.lane)
    else:
        job.finish(sent.future.result())
        job.cancel()


def _cancel(sent: Job[Any], job: Job[Any]) -> None:
    sent.cancel()
