"""The Chromium of this machine, without windows and without anything that it does in the background."""

import os
import shutil

from playwright.sync_api import Browser, Playwright

FLAGS = [
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
MISSING = "chromium is missing; install it: apt-get install chromium"


def find_chromium() -> str | None:
    """Where it is, if it is installed."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


def launch(playwright: Playwright, program: str) -> Browser:
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0  # for whom Chromium's own sandbox does not work
    return playwright.chromium.launch(executable_path=program, args=[*FLAGS, *(["--no-sandbox"] if is_root else [])])
