"""How much the page loads, how soon it is painted, and how fast it reacts, in the Chromium of this machine.

    python -m benchmarks.page [--rounds 20]

The server is the real one, on this machine. Goals: 300 kB for the page and a game, 1 s to the first paint, 50 ms from a
click to what is seen of it. Figures are medians; the slowest of all is beside them.
"""

import argparse
import contextlib
import random
import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser.chromium import launch
from tests.browser.visitor import DESKTOP, FAST, Visitor, settings_script
from tests.programs import find
from tests.web.browsing import Server, serving

GOAL_BYTES, GOAL_PAINT_MS, GOAL_REACTION_MS = 300_000, 1000.0, 50.0

PAINTED = """() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null"""

# Milliseconds from a click on a cell until the frame with what follows has been drawn: `changed` is the class of the
# element in which something must have changed by then.
REACTION = """(changed) => new Promise((done) => {
  const start = performance.now();
  const drawn = () => requestAnimationFrame(() => setTimeout(() => done(performance.now() - start), 0));
  const watcher = new MutationObserver(() => (watcher.disconnect(), drawn()));
  watcher.observe(document.querySelector(changed), { attributes: true, childList: true, subtree: true });
  document.querySelector(".cell.lit").dispatchEvent(new MouseEvent("click", { bubbles: true }));
})"""


class Meter:
    """Counts the bytes that come over the wire without a cache: answers as they are sent, messages uncompressed."""

    def __init__(self, visitor: Visitor) -> None:
        self.bytes = 0
        session = visitor.context.new_cdp_session(visitor.page)
        session.send("Network.enable")
        session.send("Network.setCacheDisabled", {"cacheDisabled": True})
        session.on("Network.loadingFinished", lambda event: self._add(int(event["encodedDataLength"])))
        session.on("Network.webSocketFrameReceived", lambda event: self._add(len(event["response"]["payloadData"])))

    def _add(self, count: int) -> None:
        self.bytes += count


def transferred(visitor: Visitor) -> int:
    """Bytes for the page, the form of a game, and some of its moves."""
    meter = Meter(visitor)
    visitor.begin("penguins", "me", "other")
    visitor.play(10, random.Random(1))
    return meter.bytes


def paint_times(visitor: Visitor, rounds: int) -> list[float]:
    """Milliseconds to the first paint of the page."""
    times = []
    for _ in range(rounds):
        visitor.page.reload()
        times.append(float(visitor.page.wait_for_function(PAINTED).json_value()))
    return times


def choice_times(visitor: Visitor, rounds: int) -> list[float]:
    """Milliseconds from a click until the marble is seen to be chosen, which the page does by itself."""
    visitor.begin("abalone", "me", "other")
    times = []
    for _ in range(rounds):
        visitor.next_clicks()
        times.append(float(visitor.page.evaluate(REACTION, ".board")))
        visitor.page.keyboard.press("Escape")
    return times


def move_times(visitor: Visitor, rounds: int) -> list[float]:
    """Milliseconds from a click until the move is in the list, by way of the server."""
    visitor.begin("awele", "me", "other")
    times = []
    for _ in range(rounds):
        visitor.next_clicks()
        times.append(float(visitor.page.evaluate(REACTION, ".moves")))
    return times


def main() -> None:
    """Measure, and print a line for each figure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    rounds = parser.parse_args().rounds
    program = find("chromium")
    if program is None:
        raise SystemExit("chromium is missing; install it: apt-get install chromium")
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder), RATES="off") as server,
        sync_playwright() as playwright,
        contextlib.closing(launch(playwright, program)) as browser,
    ):
        visitor = _enter(browser, server)
        print(f"transferred        {transferred(visitor) / 1000:6.0f} kB   (goal {GOAL_BYTES // 1000})")
        _print_times("first paint", paint_times(visitor, rounds), GOAL_PAINT_MS)
        _print_times("click to choice", choice_times(visitor, rounds), GOAL_REACTION_MS)
        _print_times("click to move", move_times(visitor, rounds), GOAL_REACTION_MS)


def _enter(browser: Browser, server: Server) -> Visitor:
    """The operator, in a browser that has nothing of the page yet."""
    context = browser.new_context(viewport=DESKTOP)
    context.add_init_script(settings_script(FAST))
    first = Visitor(context, server)
    first.enter()
    first.page.close()
    return Visitor(context, server)


def _print_times(name: str, times: list[float], goal: float) -> None:
    slowest = f"slowest of {len(times)}: {max(times):.0f}"
    print(f"{name:18} {statistics.median(times):6.0f} ms   (goal {goal:.0f}, {slowest})")


if __name__ == "__main__":
    main()
