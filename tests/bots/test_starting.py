"""Starting a program is on nobody's clock: the first question comes when the program waits for it."""

import os
import sys
import threading
from pathlib import Path

import pytest

import palabre
from palabre.bots import pipe
from palabre.bots.bot import Bot
from palabre.bots.specs import bot
from palabre.core.system import waits_for_input
from palabre.play.guard import dismiss
from palabre.sandbox.players import close_bot, seat
from palabre.sandbox.proxy import SandboxedBot
from palabre.search.clock import Clock
from tests.arena.needs import needs_sandbox
from tests.command import PATIENCE, wait_until

GAME = palabre.game("awele")
CLOCK = Clock(per_move=PATIENCE)
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="no other system says what a program waits for")
SLOW = """
import os, sys
open({begun!r}, "w").close()
os.close(os.open({gate!r}, os.O_RDONLY))  # until the test opens it
input()
print("A", flush=True)
input()
"""
# It never waits, but looks again and again whether there is something to read.
POLLING = """
import os
os.set_blocking(0, False)
while True:
    try:
        if os.read(0, 9): break
    except BlockingIOError:
        pass
print("A", flush=True)
"""
# It needs a second of processor time before it reads.
HEAVY = """
import time
while time.process_time() < 1.0: pass
input()
print("A", flush=True)
input()
"""
HEAVY_JAVA = """
import java.lang.management.ManagementFactory;
import java.util.Scanner;

public class Bot {
    public static void main(String[] arguments) {
        while (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() < 1_000_000_000L) {}
        new Scanner(System.in).nextLine();
        System.out.println("A");
    }
}
"""


@on_linux
@pytest.mark.parametrize("is_wrapped", [False, True])
def test_a_game_begins_when_the_program_waits_for_its_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_wrapped: bool
) -> None:
    monkeypatch.setattr(pipe, "STARTING", PATIENCE)
    begun, gate, file = tmp_path / "begun", tmp_path / "gate", tmp_path / "player.py"
    os.mkfifo(gate)
    file.write_text(SLOW.format(begun=str(begun), gate=str(gate)))
    command = f"{sys.executable} {file}"
    if is_wrapped:  # a shell that starts the program, and waits for it
        script = tmp_path / "player.sh"
        script.write_text(f"{command}\nexit 3\n")
        command = f"/bin/sh {script}"
    player = bot(f"pipe:{command}", GAME)
    events: list[str] = []

    def begin() -> None:
        player.sit_down(GAME, 0)
        events.append("the game has begun")

    thread = threading.Thread(target=begin)
    thread.start()
    wait_until(begun.exists)
    events.append("the program gets ready")
    os.close(os.open(gate, os.O_WRONLY))
    thread.join(PATIENCE)
    assert events == ["the program gets ready", "the game has begun"]
    assert str(player.choose(GAME.start(), CLOCK)) == "A"
    close_bot(player)
    player.end_game(GAME.start())


@on_linux
def test_a_program_that_never_waits_is_asked_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipe, "STARTING", 0.1)
    file = tmp_path / "player.py"
    file.write_text(POLLING)
    player = bot(f"pipe:{sys.executable} {file}", GAME)
    player.sit_down(GAME, 0)
    assert str(player.choose(GAME.start(), CLOCK)) == "A"
    dismiss(player, GAME.start())


def test_where_the_system_does_not_say_nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert waits_for_input(os.getpid()) is None


def first_turn(spec: str) -> float:
    """The processor seconds of the first turn of a bot in its sandbox."""
    player: Bot = seat(spec, GAME)
    assert isinstance(player, SandboxedBot)
    try:
        player.sit_down(GAME, 0)
        assert str(player.choose(GAME.start(), CLOCK)) == "A"
        return player.last_turn.cpu
    finally:
        close_bot(player)


@needs_sandbox
def test_what_a_program_needs_to_start_is_no_part_of_its_first_turn(tmp_path: Path) -> None:
    (tmp_path / "player.py").write_text(HEAVY)
    assert first_turn(f"pipe:{sys.executable} {tmp_path / 'player.py'}") < 0.5


@needs_sandbox
@pytest.mark.needs("javac")
def test_what_java_needs_to_start_is_no_part_of_its_first_turn(tmp_path: Path) -> None:
    (tmp_path / "Bot.java").write_text(HEAVY_JAVA)
    (tmp_path / "bot.toml").write_text('name = "heavy"\nauthors = "me"\n')
    assert first_turn(str(tmp_path)) < 0.9
