"""Which limits of a sandbox really bind on this machine: one sandbox is started, and everything is tried inside."""

import json
import time

from palabre.core.words import say
from palabre.play.failures import MEGABYTE, Limits, SandboxBroken
from palabre.play.judge import SPARE
from palabre.sandbox.box import Sandbox
from palabre.sandbox.bubblewrap import Files, is_root, python

LIMITS = Limits(memory=256, scratch=8, processes=24, strikes=0)
SECONDS = 20.0
PAUSE = 0.2  # seconds in which a suspended process must not run
SPINNER = "import os\nif os.fork() == 0:\n    while True: pass"
# Four processes that are each allowed what they take.
CROWD = "import os, time\nos.fork(); os.fork()\nx = b'x' * (90 << 20)\ntime.sleep(600)"

WORDS = {
    "network": "no network",
    "files": "sees and changes only its own files",
    "rights": "has no capabilities",
    "namespaces": "cannot create namespaces",
    "memory": "memory of a process is limited",
    "processes": "processes are limited",
    "suspension": "is paused during the opponent's turn",
    "total memory": "memory of all its processes is limited",
}


def probe() -> dict[str, bool]:
    """What a bot in a sandbox cannot do, by name (see `WORDS`); a `SandboxBroken` if there are no sandboxes here."""
    box = Sandbox(LIMITS, Files())
    try:
        inmate = ["-m", "palabre.sandbox.inmate", str(LIMITS.memory * MEGABYTE), str(LIMITS.processes)]
        code, output = box.run([python(), "-P", *inmate], SECONDS)
        if code != 0:
            raise SandboxBroken(say("sandbox.probe", words=output.strip()[-300:]))
        found: dict[str, bool] = json.loads(output.strip().splitlines()[-1])
        box.run([python(), "-c", SPINNER], SECONDS)
        time.sleep(PAUSE)
        nothing = json.dumps({"do": "run", "words": [python(), "-c", ""]})
        turn, *_ = box.ask(b"load", nothing, SECONDS, timed=True)
        found["suspension"] = turn.between <= SPARE and not turn.has_stirred
    finally:
        box.close()
    box = Sandbox(LIMITS, Files())
    try:
        crowd = json.dumps({"do": "run", "words": [python(), "-c", CROWD]})
        _, words, _ = box.ask(b"load", crowd, SECONDS)
        found["total memory"] = words.get("kind") == "memory"
    finally:
        box.close()
    return found


def way() -> str:
    """How sandboxes are made here."""
    return "bubblewrap, a user id for each sandbox" if is_root() else "bubblewrap in a user namespace"
