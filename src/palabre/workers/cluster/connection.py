"""The connection to a Ray cluster. The other modules here import Ray, and are imported only where it is installed."""

import contextlib
import importlib.util
import logging
import os
import re
import warnings

from palabre.core.errors import PalabreError
from palabre.core.words import say

LONGEST = 300  # characters of an error of Ray
BUSY = "Starting Ray client server failed"  # the error of a busy head, which may manage later
INSTALL = 'pip install "palabre[ray]"'
# Ray sends no statistics and prints nothing, and when a connection breaks, it does not go on with a cluster of its own.
# It reads some of these when it is imported.
SETTINGS = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_IGNORE_UNHANDLED_ERRORS": "1", "RAY_ENABLE_AUTO_CONNECT": "0"}


def check_cluster(on: str) -> None:
    """Check the word after `--on`, and that Ray is installed, which may then be imported; or say what to do."""
    if on != "ray" and re.fullmatch(r"ray://[^/\s]+:[0-9]+", on) is None:
        raise PalabreError(say("cluster.unknown", word=on))
    if importlib.util.find_spec("ray") is None:
        raise PalabreError(say("cluster.no_ray", word=on, command=INSTALL))
    os.environ.update(SETTINGS)


def connect(on: str) -> None:
    """Connect Ray to a cluster: the one that this machine belongs to, or the one at an address."""
    check_cluster(on)
    try:
        try:
            _connect("auto" if on == "ray" else on)
        except RuntimeError as error:
            if BUSY not in str(error):
                raise
            _connect(on)
    except Exception as error:  # Ray raises what its libraries raise
        last = (str(error).strip().splitlines() or [type(error).__name__])[-1]  # after the tracebacks
        raise PalabreError(say("cluster.no_answer", on=on, error=last.strip()[:LONGEST])) from error
    _silence()


def _connect(address: str) -> None:
    import ray

    # Nodes search the current folder for modules, and there might be bots in ours: a bot must not be imported there in
    # the place of a module. So we are somewhere else meanwhile.
    with warnings.catch_warnings(action="ignore"), contextlib.chdir(os.sep):
        ray.init(address=address, log_to_driver=False, configure_logging=False, logging_level=logging.CRITICAL)


def _silence() -> None:
    """Keep Ray from printing to standard output, where the result goes, what its daemons complain of.

    A node that is gone, for example, which our log reports. There is no setting for it, so a test checks that this
    still works.
    """
    from ray._private import worker

    vars(worker)["print_to_stdstream"] = lambda *_, **__: None


def in_one_line(error: BaseException) -> str:
    """The message of an error that was raised on a node, without the traceback."""
    cause = getattr(error, "cause", None)
    text = str(cause if isinstance(cause, BaseException) else error).strip()
    return " ".join((text.splitlines() or [type(error).__name__])[0].split())[:LONGEST]
