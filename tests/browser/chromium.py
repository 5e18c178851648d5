"""The Chromium of this machine, without windows and without anything that it does in the background."""

import os

from playwright.sync_api import Browser, Playwright

from tests.command import PATIENCE

FLAGS = [
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def launch(playwright: Playwright, program: str) -> Browser:
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0  # for whom Chromium's own sandbox does not work
    arguments = [*FLAGS, *(["--no-sandbox"] if is_root else [])]
    return playwright.chromium.launch(executable_path=program, args=arguments, timeout=1000 * PATIENCE)
