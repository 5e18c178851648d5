"""Bots that are late: strikes, grace, and machines that are to blame."""

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import palabre
from palabre.arena.game import OngoingGame
from palabre.arena.guard import GRACE, Forfeit
from palabre.arena.players import close_bot, seat
from palabre.arena.referee import play_game
from palabre.arena.sandbox.proxy import SandboxedBot
from palabre.bots.bot import Bot
from palabre.bots.specs import bot
from palabre.search.clock import Clock
from tests.arena.championships import FIRST, SMALL, hand_in, hold, verdicts
from tests.arena.needs import needs_sandbox


class Late(Bot):
    """Takes so long for its moves, one after another."""

    def __init__(self, *seconds: float) -> None:
        self.seconds = list(seconds)

    def choose(self, position: palabre.Position, clock: Clock) -> palabre.Move:
        time.sleep(self.seconds.pop(0) if self.seconds else 0)
        return position.moves()[0]


def test_strikes_forgive_a_bot_that_is_late_and_not_too_late() -> None:
    over = 0.05 + GRACE + 0.02  # late by a little
    for strikes, seconds, moves in ((0, (over,), 0), (1, (over,), 5), (1, (over, over), 2), (1, (0.6,), 0)):
        late = Late(*seconds)
        game = OngoingGame(SMALL.start(), [late, Late()], clock=Clock(per_move=0.05), grace=0.3, strikes=strikes)
        game.sit_down()
        try:
            while len(game.moves) < 5:
                game.ask_bot()
        except Forfeit:
            assert game.loser == 0
        assert len(game.moves) == moves, (strikes, seconds)


def test_a_bank_that_is_overdrawn_by_a_forgiven_strike_is_empty() -> None:
    game = OngoingGame(
        SMALL.start(), [Late(0.08), Late()], clock=Clock(remaining=0.05, increment=1.0), grace=0.5, strikes=1
    )
    game.sit_down()
    game.ask_bot()
    assert game.clocks[0].remaining == 1.0
    assert game.strikes == [0, 1]


@needs_sandbox
def test_grace_reaches_the_sandbox(tmp_path: Path) -> None:
    late = hand_in(
        tmp_path, "Late", "import time\n        time.sleep(0.2 if len(position.played) < 2 else 0)\n        " + FIRST
    )
    clock = Clock(per_move=0.1)
    with hold([late, "greedy", "idiot"], clock=clock, play=False) as held:
        assert verdicts(held)["Late"].startswith("time: no answer in 0.1")
    with hold([late, "greedy", "idiot"], clock=clock, strikes=1, grace=2.0, play=False) as held:
        assert verdicts(held)["Late"] == ""


def supervisor_of(player: SandboxedBot) -> int:
    """The process 1 of a sandbox, as seen from outside."""
    assert player._sandbox is not None
    pid = player._sandbox._process.pid
    while b"bwrap" in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[0]:
        pid = int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])
    return pid


@needs_sandbox
def test_the_machine_was_late_and_not_the_bot(tmp_path: Path) -> None:
    """The sandbox is stopped from outside while the bot thinks."""
    nap = "import time\n        time.sleep(0.1)\n        " + FIRST
    path = hand_in(tmp_path, "Anna", nap)
    player = seat(str(path), SMALL)
    assert isinstance(player, SandboxedBot)
    try:
        player.learn((), 10.0)
        supervisor = supervisor_of(player)
        stop = threading.Timer(0.03, os.kill, (supervisor, signal.SIGSTOP))
        go_on = threading.Timer(0.8, os.kill, (supervisor, signal.SIGCONT))
        player.choose = _after(player.choose, stop, go_on)  # type: ignore[method-assign]
        played = play_game([player, bot("idiot", SMALL)], SMALL.start(), clock=Clock(per_move=0.3))
        go_on.join()
        assert (played.loser, played.machine_late) == (0, True), (played.reason, player.last_turn)
        assert player.last_turn.stalled > 0.3
    finally:
        close_bot(player)


def _after(choose: Any, *timers: threading.Timer) -> Any:
    """A method that starts timers at its first call."""

    def started(*arguments: Any) -> Any:
        for timer in timers:
            if not timer.is_alive() and not timer.finished.is_set():
                timer.start()
        return choose(*arguments)

    return started


@needs_sandbox
def test_a_bot_that_sleeps_is_late_itself(tmp_path: Path) -> None:
    path = hand_in(tmp_path, "Anna", "import time\n        time.sleep(5)")
    player = seat(str(path), SMALL)
    try:
        played = play_game([player, bot("idiot", SMALL)], SMALL.start(), clock=Clock(per_move=0.2))
    finally:
        close_bot(player)
    assert (played.loser, played.machine_late) == (0, False)
