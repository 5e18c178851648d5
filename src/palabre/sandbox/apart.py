"""Inside the sandbox: whether the games of a bot are kept apart from each other.

A game is a fork of the warm parent. What a bot has made there that a fork does not copy, such as shared memory, would
be the same in all its games, and a way to pass notes from one to the next. A bot that has something like that plays
each game in a new sandbox: it loses time, and nothing else, for it may have honest reasons.
"""

import os
import re
from collections.abc import Iterable, Sequence

STANDARD_SIGNALS = ~(3 << 31)  # all but the two that the C library keeps for itself
SHARED = re.compile(rb"^\S+ ...s \S+ \S+ \S+ *(.*)$", re.MULTILINE)  # in /proc/PID/maps: what is mapped
CAUGHT, BLOCKED, THREADS = b"SigCgt:", b"SigBlk:", b"Threads:"
MOST_COUNTED = (
    64  # processes, threads, files and names that a game may make if the next one is to see the same counters
)

Counters = tuple[int, int, int]  # of processes and threads, of files, of names in the scratch folder


class Apart:
    """What we know of a warm parent and of the games that were forked from it."""

    def __init__(self, links: Sequence[str], scratch: str, *, is_root: bool) -> None:
        """`links` are what the warm parent's descriptors lead to, in the order of `Peer.their_ends`.

        `is_root`: whether we are, and see what a process hides.
        """
        channel, output, stop, stack = links
        self._own = set(links)
        self._expected = dict(enumerate((os.devnull, output, output, channel, stop, stack)))
        self._scratch = os.fsencode(scratch) + b"/"
        self._is_root = is_root
        self._has_played = False
        self._counters = self._usual = (0, 0, 0)  # before the last game, and by how much a game moves them
        self._can_pass_notes = False

    def lets_fork(self, warm: int, counters: Counters) -> bool:
        """Whether one more game can be forked from a warm parent, which stands still, and know of no other.

        `counters` are the last numbers that were given to a process, to a file and to a name.
        """
        try:
            can_share = _listens(warm) or self._shares(warm)
        except PermissionError:
            # From the first game on it hides its memory from its games, and from us if we are not root.
            can_share = self._is_root or not self._has_played
        except (OSError, LookupError):  # it has just died, and /proc has nothing of it, or little
            return False
        self._can_pass_notes |= can_share or not self._counts_as_usual(counters)
        if self._can_pass_notes and self._has_played:
            return False
        self._has_played = True
        return True

    def _counts_as_usual(self, counters: Counters) -> bool:
        """Whether the last game has made as many processes, threads, files and names as each one before.

        The system numbers them on and on, so any other count would be a note to the next game.
        """
        process, file, name = (now - before for now, before in zip(counters, self._counters, strict=True))
        made = process, file, name
        self._counters = counters
        if not self._has_played:
            return True
        if self._usual == (0, 0, 0):
            self._usual = made
        return made == self._usual and max(made) <= MOST_COUNTED

    def look_at(self, game: Iterable[int]) -> None:
        """See whether a game has kept descriptors of the warm parent, all of which it should have closed."""
        for pid in game:
            try:
                has_kept = not self._own.isdisjoint(_descriptors(pid).values())
            except PermissionError:  # why else would it hide them?
                has_kept = True
            except OSError:  # it has died, and is found dead by others
                continue
            self._can_pass_notes |= has_kept

    def _shares(self, pid: int) -> bool:
        """Whether forks of a process share more than the descriptors that ours close."""
        if _descriptors(pid) != self._expected:
            return True
        with open(f"/proc/{pid}/maps", "rb") as file:  # noqa: PTH123 (a Path costs more)
            places = SHARED.findall(file.read())
        return not all(map(self._is_read_only, places))

    def _is_read_only(self, place: bytes) -> bool:
        """Whether what is mapped is a file that no bot can write to. Shared memory looks like a deleted file."""
        return place.startswith(b"/") and not place.endswith(b" (deleted)") and not place.startswith(self._scratch)


def _descriptors(pid: int) -> dict[int, str]:
    """The open descriptors of a process, and what each leads to."""
    folder = f"/proc/{pid}/fd"
    return {int(name): os.readlink(f"{folder}/{name}") for name in os.listdir(folder)}  # noqa: PTH115, PTH208


def _listens(pid: int) -> bool:
    """Whether a process would notice a game beside it: by a thread, or by a signal that does not just end it."""
    with open(f"/proc/{pid}/status", "rb") as file:  # noqa: PTH123
        status = dict(line.split(None, 1) for line in file if line.startswith((CAUGHT, BLOCKED, THREADS)))
    signals = int(status[CAUGHT], 16) | int(status[BLOCKED], 16)
    return int(status[THREADS]) != 1 or signals & STANDARD_SIGNALS != 0
