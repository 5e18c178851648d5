"""The server of a benchmark: the real one, in a process of its own.

    with serving(file) as server:
        …  # at server.port

`python -m benchmarks.serve FILE [--burst SECONDS] [--pauses FILE]` is that process. Its browsers may use so many
seconds of processor time at once. It writes how long its event loop has paused to a file.
"""

import argparse
import asyncio
import contextlib
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from starlette.types import ASGIApp, Receive, Scope, Send

from palabre.web import rates
from palabre.web.access import hashed
from palabre.web.run import LOOPBACK, Parts, ServerSettings, serve
from palabre.web.server import make_app
from palabre.web.store import Browser, open_store

ROOT = Path(__file__).parents[1]
TURN = 0.002  # seconds between two looks at the clock


@dataclass(frozen=True)
class Server:
    """A server on this machine: its port and the number of its process."""

    port: int
    process: int


@contextlib.contextmanager
def serving(file: Path, *options: str) -> Iterator[Server]:
    """A server with this file and these options."""
    command = [sys.executable, "-m", "benchmarks.serve", str(file), *options]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            yield Server(int(line.split(f"{LOOPBACK}:")[1].split(".")[0]), process.pid)
        finally:
            process.kill()


def add_browsers(file: Path, count: int) -> list[str]:
    """Let so many players in; returns their cookies."""
    cookies = [secrets.token_urlsafe() for _ in range(count)]
    with contextlib.closing(open_store(file)) as store:
        for number, cookie in enumerate(cookies):
            store.add_browser(Browser(f"browser{number}", "player"), hashed(cookie))
    return cookies


def watched(app: ASGIApp, pauses: Path) -> ASGIApp:
    """The same application, whose pauses are written to a file as long as it runs."""

    async def with_watch(scope: Scope, receive: Receive, send: Send) -> None:
        is_whole_life = scope["type"] == "lifespan"
        watching = asyncio.create_task(watch(pauses)) if is_whole_life else None
        await app(scope, receive, send)
        if watching is not None:
            watching.cancel()

    return with_watch


async def watch(file: Path) -> None:
    """Note the longest time between two turns of this task, by the clock and of processor time of the loop's thread."""
    wish = file.with_name("reset")
    longest = busiest = 0.0
    while True:
        clock, thread = time.perf_counter(), time.thread_time()
        await asyncio.sleep(0)
        await asyncio.sleep(TURN)
        longest = max(longest, time.perf_counter() - clock - TURN)
        busiest = max(busiest, time.thread_time() - thread)
        if wish.exists():
            wish.unlink()
            longest = busiest = 0.0
        file.write_text(f"{1000 * longest:.1f} {1000 * busiest:.1f} {1000 * time.thread_time():.1f}")


def main() -> None:
    """Serve until the process is ended."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--burst", type=float, default=rates.WORK_BURST)
    parser.add_argument("--pauses", type=Path)
    chosen = parser.parse_args()
    rates.WORK_BURST = chosen.burst

    def make(parts: Parts) -> ASGIApp:
        app = make_app(parts)
        return app if chosen.pauses is None else watched(app, chosen.pauses)

    settings = ServerSettings(data=chosen.file, port=0, opens_browser=False)
    serve(settings, make, lambda line: print(line, flush=True))


if __name__ == "__main__":
    main()
