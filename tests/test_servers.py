"""The servers of the benchmarks `boards` and `flood` start, and answer."""

import asyncio
import random
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.typing import Origin

from benchmarks import boards, flood
from benchmarks.serve import add_browsers, serving

pytestmark = pytest.mark.processes


def test_the_server_of_boards_answers(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    [cookie] = add_browsers(file, 1)

    async def hello(port: int) -> None:
        headers, origin = {"Cookie": f"palabre-{port}={cookie}"}, Origin(f"http://127.0.0.1:{port}")
        async with connect(f"ws://127.0.0.1:{port}/socket", additional_headers=headers, origin=origin) as socket:
            board = boards.Board(socket, "awele", random.Random(1), boards.Measured())
            assert (await board.ask("Hello", language="en"))["role"] == "player"
            assert board.measured.failures == []

    with serving(file) as server:
        asyncio.run(hello(server.port))
        assert boards.memory(server.process) > 0


def test_the_server_of_flood_answers_and_notes_its_pauses() -> None:
    async def hello(server: flood.Server) -> None:
        async with server.socket(0) as socket:
            assert (await flood.ask(socket, "Hello", language="en"))["result"]["role"] == "player"

    with flood.serving(burst=5.0) as server:
        asyncio.run(hello(server))
        server.reset()
        assert min(server.pauses()) >= 0
        assert server.pauses()[2] > 0
