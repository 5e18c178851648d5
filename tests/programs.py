"""Programs of the system that some tests run, and what becomes of those tests where one is missing."""

import os
import shutil
from typing import NoReturn

import pytest

# The names that a program may have, and its Debian package. `make test` installs the packages.
NAMES = {"chromium": ("chromium", "chromium-browser")}
PACKAGES = {
    "bwrap": "bubblewrap",
    "chromium": "chromium",
    "g++": "g++",
    "javac": "default-jdk-headless",
    "openssl": "openssl",
    "rsvg-convert": "librsvg2-bin",
}


def find(program: str) -> str | None:
    """Where a program is, if it is installed."""
    return next(filter(None, map(shutil.which, NAMES.get(program, (program,)))), None)


def require(program: str) -> str:
    """Where a program is; without it, the test ends here."""
    return find(program) or cannot_run(f"{program} is missing; install it: apt-get install {PACKAGES[program]}")


def cannot_run(reason: str) -> NoReturn:
    """Skip this test. With CI set it fails: otherwise no one would notice that it does not run."""
    (pytest.fail if "CI" in os.environ else pytest.skip)(reason)
