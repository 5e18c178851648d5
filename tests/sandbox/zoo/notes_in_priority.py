"""Lowers the priority of the process that its games are forked from, in each way that there is."""

import contextlib
import os

from palabre import Bot

PARENT = os.getpid()


class Hostile(Bot):
    def choose(self, position, clock):
        has_note = os.getpriority(os.PRIO_PROCESS, 0) == 19 or os.sched_getscheduler(0) != os.SCHED_OTHER
        for which, who in ((os.PRIO_PROCESS, PARENT), (os.PRIO_PGRP, os.getpgid(PARENT)), (os.PRIO_USER, 0)):
            with contextlib.suppress(PermissionError):
                os.setpriority(which, who, 19)
        with contextlib.suppress(PermissionError):
            os.sched_setscheduler(PARENT, os.SCHED_BATCH, os.sched_param(0))
        return "noted" if has_note else position.moves()[0]
