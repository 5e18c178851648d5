"""What some tests of the arena need of the machine."""

import os
import shutil

import pytest

from palabre.arena.sandbox import bubblewrap

# With CI set, a missing sandbox is a failure and no reason to skip.
needs_sandbox = pytest.mark.skipif(
    bubblewrap.why_not() is not None and "CI" not in os.environ,
    reason=f"sandboxes do not work here: {bubblewrap.why_not()}",
)


def needs_program(name: str) -> pytest.MarkDecorator:
    """Skip a test where a program is missing."""
    return pytest.mark.skipif(shutil.which(name) is None, reason=f"{name} is missing")
