"""Bots that are late: strikes, grace, and machines that are to blame."""

import os
import signal
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from palabre.bots.specs import bot
from palabre.core.words import say
from palabre.play.failures import Forfeit, Turn
from palabre.play.game import OngoingGame
from palabre.play.judge import GRACE
from palabre.play.referee import play_game
from palabre.sandbox.players import close_bot, seat
from palabre.sandbox.processes import Processes
from palabre.sandbox.proxy import SandboxedBot
from palabre.sandbox.supervisor import POLL, Supervisor
from palabre.search.clock import Clock
from tests.arena.championships import FIRST, SMALL, hand_in, hold, verdicts
from tests.arena.clocks import HeldClock, Sleeper
from tests.arena.needs import needs_sandbox
from tests.command import PATIENCE, wait_until
from tests.messages import holds
from tests.sandbox.inmates import game_of, processor_seconds, supervisor_of
from tests.sentences import tells

pytestmark = pytest.mark.processes


def test_strikes_forgive_a_bot_that_is_late_and_not_too_late() -> None:
    over = 0.05 + GRACE + 0.02  # late by a little
    for strikes, seconds, moves in ((0, (over,), 0), (1, (over,), 5), (1, (over, over), 2), (1, (0.6,), 0)):
        now = HeldClock()
        bots = [Sleeper(now, *seconds), Sleeper(now)]
        game = OngoingGame(SMALL.start(), bots, clock=Clock(per_move=0.05), grace=0.3, strikes=strikes, now=now)
        game.sit_down()
        try:
            while len(game.moves) < 5:
                game.ask_bot()
        except Forfeit:
            assert game.loser == 0
        assert len(game.moves) == moves, (strikes, seconds)


def test_a_bank_that_is_overdrawn_by_a_forgiven_strike_is_empty() -> None:
    now = HeldClock()
    clock = Clock(remaining=0.05, increment=1.0)
    game = OngoingGame(SMALL.start(), [Sleeper(now, 0.08), Sleeper(now)], clock=clock, grace=0.5, strikes=1, now=now)
    game.sit_down()
    game.ask_bot()
    assert game.clocks[0].remaining == 1.0
    assert game.strikes == [0, 1]


@needs_sandbox
def test_grace_reaches_the_sandbox(tmp_path: Path) -> None:
    """Late bots sleep for longer than they may; with grace, no machine is so slow that they lose."""
    late = hand_in(tmp_path, "Late", "import time\n        time.sleep(0.2)\n        " + FIRST)
    clock = Clock(per_move=0.1)
    with hold([late, "greedy", "idiot"], clock=clock, play=False) as held:
        why = verdicts(held)["Late"]
        assert any(tells(why, id, allowed=0.1) for id in ("forfeit.late_for_move", "forfeit.no_answer_in_time")), why
    with hold([late, "greedy", "idiot"], clock=clock, strikes=1000, grace=PATIENCE, play=False) as held:
        assert verdicts(held)["Late"] == ""


@needs_sandbox
def test_a_supervisor_that_cannot_run_notices(tmp_path: Path) -> None:
    """It is stopped from outside while the bot thinks, as on a machine that has other things to do."""
    work = "import time\n        until = time.process_time() + 0.3\n        while time.process_time() < until: pass\n"
    player = seat(str(hand_in(tmp_path, "Anna", f"{work}        {FIRST}")), SMALL)
    assert isinstance(player, SandboxedBot)
    try:
        player.sit_down(SMALL, 0)
        supervisor = supervisor_of(player)
        game = game_of(player)
        before = processor_seconds(game)
        answer = threading.Thread(target=player.choose, args=[SMALL.start(), Clock(per_move=PATIENCE)])
        answer.start()
        wait_until(lambda: processor_seconds(game) > before + 0.05)
        begin = time.monotonic()
        os.kill(supervisor, signal.SIGSTOP)
        time.sleep(0.5)
        stopped = time.monotonic() - begin
        os.kill(supervisor, signal.SIGCONT)
        answer.join()
        assert player.last_turn.stalled >= stopped - 2 * POLL
    finally:
        close_bot(player)


@pytest.mark.parametrize("stalls_in", ["wait", "look"])
def test_a_supervisor_notices_wherever_it_was_stopped(stalls_in: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a turn of which 2 seconds pass while it should look at what the bot uses."""
    now = HeldClock()
    monkeypatch.setattr("palabre.sandbox.supervisor.time", SimpleNamespace(monotonic=now, process_time=lambda: 0))

    class Peer:
        output, number = 1, 2
        receive = staticmethod(lambda: b"answer")
        waits = 0

        def wait(self, seconds: float) -> dict[int, int]:
            self.waits += 1
            now.sleep(2.0 + seconds if self.waits == 1 and stalls_in == "wait" else seconds)
            return {self.number: 1} if self.waits == 3 else {}

    peer = Peer()
    supervisor = Supervisor.__new__(Supervisor)
    supervisor.stalled, supervisor.orders = 0.0, b""
    looks = SimpleNamespace(
        refresh=lambda: None, look=lambda: now.sleep(2.0 if peer.waits == 1 and stalls_in == "look" else 0.0)
    )
    monkeypatch.setattr(supervisor, "processes", looks, raising=False)
    monkeypatch.setattr(supervisor, "_check", lambda peer: None)
    assert supervisor._wait(peer, 0.0, 60.0) == b"answer"  # type: ignore[arg-type]
    assert supervisor.stalled == pytest.approx(2.0)


class Scheduled:
    """A process whose threads have had a processor and waited for one as long as a test says."""

    def __init__(self, first: int, *threads: tuple[float, float]) -> None:
        self.threads = dict(enumerate(threads, start=first))

    def schedule(self, thread: int) -> tuple[float, float]:
        return self.threads[thread]


@pytest.mark.parametrize(
    ("threads", "other", "used", "is_program", "waited", "others"),
    [
        ([(0.1, 0.7)], None, 0.1, False, 0.7, 0.0),  # nobody else was there
        ([(0.1, 0.7)], (0.0, 0.0), 0.1, False, 0.7, 0.0),  # its other process was idle
        ([(0.1, 0.7)], (0.5, 0.0), 0.6, False, 0.2, 0.5),  # what its other process has used, it may have waited for
        ([(0.1, 0.0)], (0.0, 0.7), 0.1, False, 0.0, 0.0),  # the other has waited
        ([(0.0, 0.0), (0.1, 0.7)], None, 0.1, False, 0.0, 0.1),  # one of its threads has waited, and does not answer
        ([(0.0, 0.0), (0.1, 0.7)], None, 0.1, True, 0.7, 0.0),  # in a program, any thread may
    ],
)
def test_a_bot_is_excused_for_what_its_answer_has_waited(
    threads: list[tuple[float, float]],
    other: tuple[float, float] | None,
    used: float,
    is_program: bool,
    waited: float,
    others: float,
) -> None:
    processes = Processes()
    processes._seen = {70: Scheduled(70, *threads)} | ({80: Scheduled(80, other)} if other else {})  # type: ignore[assignment]
    assert processes.waited(70, used, is_program=is_program) == pytest.approx((waited, others))
    processes._changes += 1
    assert processes.waited(70, used, is_program=is_program) == (0.0, float("inf"))  # a process has ended meanwhile


@pytest.mark.parametrize(
    ("turn", "is_to_blame"),
    [
        (Turn(wall=0.9, cpu=0.1, stalled=0.7), False),  # the supervisor could not look
        (Turn(wall=0.9, cpu=0.1, waited=0.7), False),  # the bot could not run
        (Turn(wall=0.9, cpu=0.8, waited=0.7), True),  # threads of a bot that wait for each other
        (Turn(wall=0.9, cpu=0.1, waited=0.3, stalled=0.3), True),  # it may have been the same time
        (Turn(wall=0.9), True),  # it slept
    ],
)
def test_the_machine_was_late_or_the_bot(
    turn: Turn, is_to_blame: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the supervisor has measured decides."""
    player = seat(str(hand_in(tmp_path, "Anna")), SMALL)
    assert isinstance(player, SandboxedBot)
    words = {"kind": "time", "reason": str(say("forfeit.no_answer", seconds=turn.wall))}

    class Measured:
        is_open = True

        def expect_stop(self) -> None:
            pass

        def ask(self, order: bytes, *_: object, timed: bool = False) -> tuple[Turn, dict[str, str], str]:
            return (turn, words, "") if timed else (Turn(), {}, "{}")

        def close(self) -> None:
            pass

    monkeypatch.setattr("palabre.sandbox.proxy.Sandbox", lambda *_: Measured())
    try:
        played = play_game([player, bot("idiot", SMALL)], SMALL.start(), clock=Clock(per_move=0.3))
    finally:
        close_bot(player)
    assert (played.forfeit, played.machine_late) == (0, not is_to_blame)


@needs_sandbox
def test_a_bot_that_sleeps_is_late(tmp_path: Path) -> None:
    player = seat(str(hand_in(tmp_path, "Anna", "import time\n        time.sleep(999)")), SMALL)
    try:
        played = play_game([player, bot("idiot", SMALL)], SMALL.start(), clock=Clock(per_move=0.2))
    finally:
        close_bot(player)
    assert played.forfeit == 0
    holds(played.why_ended(), "forfeit.no_answer_in_time", allowed=0.2)
