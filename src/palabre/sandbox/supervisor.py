"""Process 1 of a sandbox. It runs no code of the bot: it starts, measures, stops and kills the processes that do.

The referee outside sends orders on descriptor 0, in two lines: an order, with the seconds that the bot has, and the
question for the bot. It gets three: the numbers of the turn, which the judge judges, a report in JSON if there is more
to report, and the bot's answer. Question and answer pass through unread.
The bot's processes are stopped whenever the referee has not asked them anything. The first of them is the warm parent
(`warm.py`), which imports the bot once; each game is played by a process that the warm parent forks.
"""

import json
import os
import resource
import signal
import socket
import sys
import time
import traceback
from typing import Any, NoReturn

from palabre.core.plain import to_plain
from palabre.core.system import end_in_words, hide_memory
from palabre.core.words import Message, say
from palabre.play.failures import MEGABYTE, STACK_SIGNAL, Limits, Turn
from palabre.sandbox.apart import Apart
from palabre.sandbox.peer import CHUNK, CONTROL, Closed, Peer, PeerFailed
from palabre.sandbox.processes import Processes
from palabre.sandbox.rights import drop_bounding_set, drop_capabilities
from palabre.sandbox.scratch import Scratch

POLL = 0.02  # seconds between two looks at what a bot uses
STALL = 0.05  # seconds by which a wait of ours can be too long only if the machine does not let us run
CLEANUP = 10.0  # seconds to empty the scratch folder in
CLOSED_LINE = 0.5  # seconds to wait for the end of a process that has closed its line,
ENDING = 20.0  # and if it is ending: a busy machine may take so long to report how
NO_TURN = Turn()
ADDRESSES = 16384  # megabytes that a process may reserve; Java and compiled code reserve far more than they use


class Supervisor:
    """The sandbox from within."""

    def __init__(self, limits: Limits, uid: int | None, *, is_program: bool = False) -> None:
        self.limits = limits
        self.uid = uid  # of the bot, if it is not our own
        self.is_program = is_program  # whether the bot may be a program that our process in there has started
        self.control = socket.socket(fileno=CONTROL)
        self.orders = b""
        self.processes = Processes()
        self.scratch = Scratch("/tmp")
        self.warm: Peer | None = None
        self.game: Peer | None = None
        self.apart: Apart | None = None  # whether games know of each other, once there is a warm parent
        self.cpu_at_stop = 0.0
        self.turn = Turn()
        self.stalled = 0.0  # seconds of this turn in which we could not run

    def run(self) -> NoReturn:
        """Obey the referee's orders; end, with all that we have started, when it is gone."""
        while True:
            order, seconds = self._line().split()
            if order != b"stop":  # which comes too late, the bot has answered
                self.control.sendall(self.obey(order, self._line(), float(seconds)))

    def obey(self, order: bytes, question: bytes, seconds: float) -> bytes:
        """Do one thing, and report on it; the bot's answer follows the report."""
        words: dict[str, Any] = {}
        answer = b""
        self.turn = NO_TURN
        peer: Peer | None = None
        try:
            if order == b"ask":
                peer = self.game
            elif order == b"load":
                peer = self.warm or self._fork_warm()
            else:
                self._end_game()
                if order == b"start":
                    peer = self._open_game()
            if peer is not None:
                answer = self._exchange(peer, question, seconds)
            if order == b"start" and self.apart is not None:
                self.apart.look_at(self.processes.of_game())
        except PeerFailed as failed:
            words = {"kind": failed.kind, "reason": to_plain(failed.reason)}
            if peer is not None:
                if failed.kind == "time":
                    words["stack"] = self._stack_of(peer).decode("utf-8", "replace")
                peer.read_output()
        if peer is not None and peer.reported != peer.printed:
            words["output"], peer.reported = peer.tail.decode("utf-8", "replace"), peer.printed
        report = json.dumps(words).encode() if words else b""
        return b"%f %f %f %f %f %f %d\n%b\n%b\n" % (*self.turn, report, answer)

    # -------------------------------------------------------------------------------------------- question and answer

    def _exchange(self, peer: Peer, question: bytes, seconds: float) -> bytes:
        """Let the bot run, ask it, wait for its answer, and stop it; a `PeerFailed` has the reason."""
        processes = self.processes
        cpu, has_stood = processes.begin_turn()
        self.stalled = 0.0
        begin = time.monotonic()
        try:
            peer.refuse_early()
            # Before the process goes on: it would be woken for each.
            rest = peer.send(question + b"\n")
            # The warm parent stands still while a game is played; it runs only to be asked, or to fork.
            self._let_go_on(is_game=peer is self.game and peer.pid is not None)
            if rest:
                peer.send_rest(rest)
            answer = self._wait(peer, begin, begin + seconds)
        except Closed:
            raise self._exit_reason(peer) from None
        finally:
            processes.stop()
            wall = time.monotonic() - begin
            between, self.cpu_at_stop = cpu - self.cpu_at_stop, processes.look()
            used = self.cpu_at_stop - cpu
            waited, others = processes.waited(peer.pid, used, is_program=self.is_program)
            # Others of the bot that were running may have kept us waiting, too.
            stalled = max(0.0, self.stalled - others)
            self.turn = Turn(wall, used, waited, processes.memory / MEGABYTE, stalled, between, not has_stood)
        if peer.pid is None:  # the one that has forked it may have been seen, too
            if len(processes.of_game()) > 1:
                processes.refresh(always=True)
            peer.pid = self._pid(peer)
            processes.waited(peer.pid, used, is_program=self.is_program)  # so far; its turns come now
        self._check(peer)
        return answer

    def _wait(self, peer: Peer, begin: float, deadline: float) -> bytes:
        """Wait for the answer, and look at what the bot uses meanwhile."""
        now, look = begin, begin + POLL
        if self.orders:  # to stop, which came together with the question
            self._line()
            peer.tell_to_stop()
        while now < deadline:
            until = min(look, deadline)
            ready = peer.wait(until - now)
            now = time.monotonic()
            spent = time.process_time() if now >= look else 0.0
            self._count_stall(now - until)
            if peer.output in ready:
                peer.read_output()
            if peer.number in ready:
                answer = peer.receive()
                if answer is not None:
                    return answer
            if CONTROL in ready:  # the only order that comes meanwhile
                self._line()
                peer.tell_to_stop()
            if now >= look:
                self.processes.refresh()
                self.processes.look()
                self._check(peer)
                begin_look, now = now, time.monotonic()
                self._count_stall(now - begin_look - (time.process_time() - spent))  # but for what we have done
                look = now + POLL
        raise PeerFailed("time", say("forfeit.no_answer", seconds=now - begin))

    def _count_stall(self, seconds: float) -> None:
        """Take note of a wait that was so much too long, if only the machine can be the reason."""
        if seconds > STALL:
            self.stalled += seconds

    def _stack_of(self, peer: Peer) -> bytes:
        """What a late process reports of its stack. It has lost already: nothing that it does here changes that.

        An honest process ends when it has reported. One that ignores the signal loses its own stack, and is stopped.
        """
        deadline = time.monotonic() + self.limits.stack
        processes = self.processes
        processes.refresh(always=True)
        pid = self._pid(peer)
        stack, is_complete = b"", pid is None
        try:
            if pid is not None:
                os.kill(pid, STACK_SIGNAL)
                self._let_go_on(is_game=peer is self.game)
            while not is_complete and (left := deadline - time.monotonic()) > 0:
                stack, is_complete = peer.read_stack(stack, min(left, POLL))
                processes.refresh()
                processes.look()
                self._check(peer)
        except (PeerFailed, ProcessLookupError):  # it has ended, or uses more than it may
            stack, _ = peer.read_stack(stack, 0)
        finally:
            processes.stop()
        return stack

    def _pid(self, peer: Peer) -> int | None:
        """The process that we ask: in a game that has not answered yet, the first of those that live."""
        return peer.pid or min(self.processes.of_game(), default=None)

    def _let_go_on(self, *, is_game: bool) -> None:
        if is_game:
            self.processes.let_game_go_on()
        else:
            self.processes.let_warm_go_on()

    def _check(self, peer: Peer) -> None:
        """Fail if the bot uses more than it may, or has died."""
        processes, limits = self.processes, self.limits
        processes.reap()
        if peer.pid in processes.ended or processes.warm in processes.ended:
            raise self._exit_reason(peer)
        if processes.most_memory > limits.memory * MEGABYTE:
            shared_out = processes.shared_memory() / MEGABYTE
            if shared_out > limits.memory:
                raise PeerFailed("memory", say("forfeit.memory", used=shared_out, most=limits.memory))
        if processes.count() > limits.processes:
            raise PeerFailed("processes", say("forfeit.processes", used=processes.count(), most=limits.processes))
        if peer.printed > limits.output * MEGABYTE:
            raise PeerFailed("output", say("forfeit.output", most=limits.output))
        if self.scratch.files() > limits.files:
            raise PeerFailed("files", say("forfeit.files", most=limits.files, folder=self.scratch.folder))

    def _exit_reason(self, peer: Peer) -> PeerFailed:
        """How the process that we asked has ended, or what it did if it lives."""
        processes, begin = self.processes, time.monotonic()
        while time.monotonic() - begin < (ENDING if self._is_ending(peer) else CLOSED_LINE):
            processes.reap()
            if peer.pid in processes.ended:
                return PeerFailed("died", say("forfeit.died", how=_in_words(processes.ended[peer.pid])))
            if processes.warm in processes.ended:
                return PeerFailed("died", say("forfeit.parent_died", how=_in_words(processes.ended[processes.warm])))
            if peer.pid is None and processes.ended:  # it died before its first answer
                return PeerFailed("died", say("forfeit.died", how=_in_words(next(iter(processes.ended.values())))))
            time.sleep(0.001)
        return PeerFailed("closed", say("forfeit.closed"))

    def _is_ending(self, peer: Peer) -> bool:
        """Whether the process that we talk to runs no more code of the bot; or any of the game, at first."""
        if peer.pid is not None:
            return self.processes.is_ending(peer.pid)
        self.processes.refresh()
        return any(map(self.processes.is_ending, self.processes.of_game()))

    # ---------------------------------------------------------------------------------------------- the bot's processes

    def _fork_warm(self) -> Peer:
        """Start the warm parent, as the bot's own user."""
        self.warm = peer = Peer()
        self.apart = Apart(peer.their_links, self.scratch.folder, is_root=self.uid is not None)
        peer.pid = self.processes.warm = os.fork()
        if peer.pid == 0:
            try:
                self._become_bot()
                ends = peer.their_ends
                self.control.detach()
                peer.channel.detach()
                from palabre.sandbox.warm import serve

                serve(*ends)
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(1)
        peer.keep_own_ends()
        self.processes.refresh(always=True)
        return peer

    def _open_game(self) -> Peer:
        """Have the warm parent fork a process for a game."""
        self.processes.reap()
        if self.warm is None or self.warm.pid is None or self.warm.pid in self.processes.ended:
            raise PeerFailed("stuck", say("forfeit.no_parent"))
        counters = int(self.processes.newest()), *self.scratch.newest()
        if self.apart is None or not self.apart.lets_fork(self.warm.pid, counters):
            raise PeerFailed("stuck", say("forfeit.not_apart"))
        self.game = peer = Peer()
        self.processes.ended.clear()
        try:
            socket.send_fds(self.warm.channel, [b"fork\n"], peer.their_ends)
        except OSError:
            raise self._exit_reason(self.warm) from None
        finally:
            peer.keep_own_ends()
        return peer

    def _end_game(self) -> None:
        """Kill all that belongs to the last game, and empty the scratch folder."""
        is_gone = self.processes.kill_game()
        if self.game is not None:
            self.game.close()
            self.game = None
        if not is_gone or not self._empty_scratch():
            raise PeerFailed("stuck", say("forfeit.left_behind"))
        self.scratch.reset()

    def _empty_scratch(self) -> bool:
        """Remove all files of the bot, as its own user; False if that fails."""
        if not self.scratch.has_litter():
            return True
        pid = os.fork()
        if pid == 0:
            try:
                self._become_bot()
                self.scratch.clear()
            finally:
                os._exit(0)
        deadline = time.monotonic() + CLEANUP
        while os.waitpid(pid, os.WNOHANG) == (0, 0):
            if time.monotonic() > deadline:
                os.kill(pid, signal.SIGKILL)
            time.sleep(0.0005)
        return not self.scratch.has_litter()

    def _become_bot(self) -> None:
        """Give up all rights, and take on the limits of a bot."""
        os.setsid()
        memory = self.limits.memory * MEGABYTE
        for limit, most in (
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_FSIZE, self.limits.scratch * MEGABYTE),
            (resource.RLIMIT_NOFILE, 256),
            (resource.RLIMIT_DATA, memory),
            (resource.RLIMIT_AS, memory + ADDRESSES * MEGABYTE),
            (resource.RLIMIT_NPROC, self.limits.processes),
        ):
            resource.setrlimit(limit, (most, most))
        if self.uid is not None:
            os.setgroups([])
            os.setresgid(self.uid, self.uid, self.uid)
            os.setresuid(self.uid, self.uid, self.uid)
        drop_capabilities()

    def _line(self) -> bytes:
        """The next line of the referee; end if it has closed the line."""
        while b"\n" not in self.orders:
            chunk = self.control.recv(CHUNK)
            if not chunk:
                os._exit(0)
            self.orders += chunk
        order, _, self.orders = self.orders.partition(b"\n")
        return order


def _in_words(status: int) -> Message:
    return end_in_words(os.waitstatus_to_exitcode(status))


def trust_no_bot() -> None:
    """Import what we need later now, and then nothing from where a bot can write to, or could make a folder."""
    str(say("forfeit.died", how=end_in_words(1)))  # reads the words from files
    sys.path[:] = [place for place in sys.path if os.path.exists(place) and not os.access(place, os.W_OK)]  # noqa: PTH110
    sys.path_importer_cache.clear()


def main() -> NoReturn:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # which does nothing to process 1
    hide_memory()
    trust_no_bot()
    settings = json.loads(sys.argv[1])
    settings["limits"]["processors"] = tuple(settings["limits"]["processors"])
    if settings["uid"] is not None:
        drop_bounding_set()
    Supervisor(Limits(**settings["limits"]), settings["uid"], is_program=settings["is_program"]).run()


if __name__ == "__main__":
    main()
