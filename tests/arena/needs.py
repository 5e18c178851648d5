"""What some tests of the arena need of the machine."""

import shutil

import pytest

needs_sandbox = pytest.mark.usefixtures("sandboxes")


def needs_program(name: str) -> pytest.MarkDecorator:
    """Skip a test where a program is missing."""
    return pytest.mark.skipif(shutil.which(name) is None, reason=f"{name} is missing")
