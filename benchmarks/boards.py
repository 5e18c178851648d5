"""Many boards at once: people at 200 boards against level-1 bots, a move each every two seconds, for five minutes.

    python -m benchmarks.boards [--boards 200] [--seconds 300]

The server and its worker processes are the real ones, on this machine; so are the sockets. It prints how long a person
waits for the answer to a move besides the thinking of the bot, how much memory all processes of the server have, and
whether every move that was answered is in the store. Goals: 200 ms for 95 % of the moves, 2 GB, nothing lost.
"""

import argparse
import asyncio
import json
import random
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from benchmarks.serve import add_browsers, serving
from palabre.core import registry
from palabre.web.store import open_store

EVERY = 2.0  # seconds between two moves at a board
BOARDS, BENCH_SECONDS = 200, 60.0
GOAL_MS, GOAL_MB = 200.0, 2_000.0
IN_TIME, MEMORY = "moves within 200 ms, %", "memory, % of 2 GB"
LOST, REFUSED = "games with a move lost, %", "requests refused, %"
WAIT_FOR_ANSWER = 60.0


@dataclass
class Measured:
    """What the boards have seen."""

    waits: list[float] = field(default_factory=list)  # seconds besides thinking
    acknowledged: dict[str, int] = field(default_factory=dict)  # plies of each room that a browser was notified of
    failures: list[str] = field(default_factory=list)


class Board:
    """A person at a board."""

    def __init__(self, socket: ClientConnection, game: str, dice: random.Random, measured: Measured) -> None:
        self.socket, self.game, self.dice, self.measured = socket, game, dice, measured
        self._asked = 0

    async def send(self, kind: str, **fields: Any) -> int:
        self._asked += 1
        await self.socket.send(json.dumps({"kind": kind, "ask": self._asked, **fields}))
        return self._asked

    async def receive(self) -> dict[str, Any]:
        async with asyncio.timeout(WAIT_FOR_ANSWER):
            message: dict[str, Any] = json.loads(await self.socket.recv())
        if message["kind"] == "Refusal":
            self.measured.failures.append(f"{message['id']}: {message['text']}")
        return message

    async def ask(self, kind: str, **fields: Any) -> Any:
        number = await self.send(kind, **fields)
        while True:
            message = await self.receive()
            if message.get("ask") == number:
                return message.get("result")

    async def play(self, until: float) -> None:
        """Play games against a bot, one after another."""
        await self.ask("Hello", language="en")
        await asyncio.sleep(self.dice.random() * EVERY)
        while time.monotonic() < until:
            seats = [{"who": "me"}, {"who": "bot", "bot": "palabre:level=1"}]
            room = (await self.ask("OpenRoom", place={"game": self.game}, seats=seats))["name"]
            state = await self.ask("Enter", room=room)
            plies, now = len(state["plies"]), state["now"]
            while not now["is_over"] and time.monotonic() < until:
                begin = time.monotonic()
                plies, now = await self.move(room, plies, self.dice.choice(now["paths"])["move"])
                self.measured.acknowledged[room] = plies - 1
                await asyncio.sleep(max(0.0, EVERY - (time.monotonic() - begin)))
            await self.ask("Leave", room=room)

    async def move(self, room: str, plies: int, move: str) -> tuple[int, dict[str, Any]]:
        """Move, and wait until it is our turn again or the game is over."""
        begin, thought = time.perf_counter(), 0.0
        await self.send("PlayMove", room=room, ply=plies - 1, move=move)
        while True:
            message = await self.receive()
            if message["kind"] != "RoomChanged" or message["since"] is None or not message["plies"]:
                continue
            plies = message["since"] + len(message["plies"])
            last = message["plies"][-1]
            thought += sum(ply.get("seconds") or 0.0 for ply in message["plies"] if ply["mover"] == 1)
            if message["now"]["is_over"] or last["to_move"] == 0:
                self.measured.waits.append(time.perf_counter() - begin - thought)
                return plies, message["now"]


def memory(process: int) -> float:
    """Megabytes of a process and all its children, shared pages counted once for each."""
    megabytes = 0.0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            status = (folder / "status").read_text()
        except OSError:
            continue
        fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
        if int(folder.name) == process or int(fields["PPid"]) == process:
            megabytes += int(fields.get("VmRSS", "0").split()[0]) / 1024
    return megabytes


async def play_all(port: int, cookies: list[str], seconds: float) -> Measured:
    """Let all browsers play."""
    measured = Measured()
    games = registry.names()
    warm = [Measured() for _ in games]

    async def person(number: int, seen: Measured, until: float) -> None:
        headers = {"Cookie": f"palabre-{port}={cookies[number]}"}
        origin = Origin(f"http://127.0.0.1:{port}")
        async with connect(
            f"ws://127.0.0.1:{port}/socket", additional_headers=headers, origin=origin, max_size=None
        ) as socket:
            await Board(socket, games[number % len(games)], random.Random(number), seen).play(until)

    for number, seen in enumerate(warm):  # what has to be compiled is compiled once, and not measured
        await person(number, seen, time.monotonic() + EVERY)
    until = time.monotonic() + seconds
    await asyncio.gather(*(person(number, measured, until) for number in range(len(cookies))))
    return measured


@dataclass(frozen=True)
class Outcome:
    """What the boards have seen, what the server needed, and what its store has."""

    waits: list[float]  # milliseconds besides thinking, sorted
    games: int
    lost: int  # games in which a move that was acknowledged is not in the store
    failures: list[str]
    megabytes: float

    def within(self, milliseconds: float) -> float:
        """The share of the moves that waited no longer, in per cent."""
        return 100 * sum(wait <= milliseconds for wait in self.waits) / len(self.waits)


def run_boards(boards: int, seconds: float) -> Outcome:
    """Let so many people play for a while, on a server of their own."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "games.db"
        cookies = add_browsers(file, boards)
        with serving(file) as server:
            measured = asyncio.run(play_all(server.port, cookies, seconds))
            megabytes = memory(server.process)
        store = open_store(file)
        kept = {room: store.room(room) for room in measured.acknowledged}
        lost = [
            room for room, plies in measured.acknowledged.items() if (row := kept[room]) is None or row.plies < plies
        ]
        store.close()
    waits = sorted(1000 * wait for wait in measured.waits)
    return Outcome(waits, len(kept), len(lost), measured.failures, megabytes)


def measure() -> dict[str, float]:
    """The figures for `make bench`: as many boards, for a shorter time."""
    outcome = run_boards(BOARDS, BENCH_SECONDS)
    return {
        "moves": len(outcome.waits),
        IN_TIME: outcome.within(GOAL_MS),
        MEMORY: 100 * outcome.megabytes / GOAL_MB,
        LOST: 100 * outcome.lost / outcome.games,
        REFUSED: 100 * len(outcome.failures) / len(outcome.waits),
    }


def goals(figures: dict[str, float]) -> list[tuple[str, float, float, bool]]:
    """What is wanted: title, figure, goal, and whether it is met."""
    return [
        (f"{BOARDS} boards, {IN_TIME}, at least", figures[IN_TIME], 95.0, figures[IN_TIME] >= 95),
        (f"{BOARDS} boards, {MEMORY}, at most", figures[MEMORY], 100.0, figures[MEMORY] <= 100),
        (f"{BOARDS} boards, {LOST}", figures[LOST], 0.0, figures[LOST] == 0),
        (f"{BOARDS} boards, {REFUSED}", figures[REFUSED], 0.0, figures[REFUSED] == 0),
    ]


def markdown(figures: dict[str, float]) -> str:
    """The figures as a table."""
    lines = [f"| {BOARDS} boards | |", "|---|---|", *(f"| {name} | {value:,.4g} |" for name, value in figures.items())]
    return "\n".join([*lines, ""])


def main() -> None:
    """Measure, and print the result."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--boards", type=int, default=BOARDS)
    parser.add_argument("--seconds", type=float, default=300.0)
    chosen = parser.parse_args()
    outcome = run_boards(chosen.boards, chosen.seconds)
    cuts = statistics.quantiles(outcome.waits, n=100)
    print(f"{chosen.boards} boards, {chosen.seconds:.0f} s, {len(outcome.waits)} moves in {outcome.games} games")
    print(f"waited besides thinking: median {cuts[49]:.0f} ms, longest {outcome.waits[-1]:.0f} ms")
    print(f"95 % waited at most {cuts[94]:.0f} ms (goal {GOAL_MS:.0f})")
    print(f"memory of the server and its processes: {outcome.megabytes:.0f} MB (goal {GOAL_MB:.0f})")
    print(f"games with a move lost: {outcome.lost}; refusals: {len(outcome.failures)} {outcome.failures[:3]}")
    if cuts[94] > GOAL_MS or outcome.megabytes > GOAL_MB or outcome.lost or outcome.failures:
        sys.exit("a goal has been missed")


if __name__ == "__main__":
    main()
