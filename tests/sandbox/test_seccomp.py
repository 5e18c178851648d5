"""The filter of system calls, run step by step: what the kernel would answer to each call."""

import errno
import struct

import pytest

from palabre.sandbox import seccomp
from palabre.sandbox.seccomp import (
    ALLOW,
    ANY_BIT,
    ARCHITECTURES,
    AT_LEAST,
    CLONE,
    DENIED,
    EQUAL,
    ERROR,
    FCNTL,
    FIRST_NEW,
    FLAGS,
    IGNORED,
    IOCTL,
    LOAD,
    LOCKS,
    MASK,
    MISSING,
    OWN,
    SIGCONT,
    SOCKET,
    SOCKETPAIR,
    UNSUPPORTED,
    WATCHES,
)

REFUSED, UNKNOWN, DONE, LACKING = (ERROR | number for number in (errno.EPERM, errno.ENOSYS, 0, errno.EOPNOTSUPP))
CLONE_VM, CLONE_NEWNET, CLONE_NEWUSER = 0x100, 0x40000000, 0x10000000
AF_UNIX, AF_INET, AF_INET6, AF_NETLINK = 1, 2, 10, 16
GETPID = (39, 172)
F_GETFL, TCGETS = 3, 0x5401


def answer(machine: str, call: int, *arguments: int, architecture: int | None = None) -> int:
    """What the filter for a machine answers to a call (linux/filter.h)."""
    program = seccomp.program(machine)
    assert program is not None
    facts = (call, ARCHITECTURES[machine][1] if architecture is None else architecture, 0)
    data = struct.pack("<IIQ6Q", *facts, *arguments, *[0] * (6 - len(arguments)))
    steps = list(struct.iter_unpack("HBBI", program))
    place = word = 0
    while True:
        operation, yes, no, operand = steps[place]
        place += 1
        if operation == LOAD:
            (word,) = struct.unpack_from("<I", data, operand)
        elif operation == MASK:
            word &= operand
        elif operation in (EQUAL, AT_LEAST, ANY_BIT):
            holds = {EQUAL: word == operand, AT_LEAST: word >= operand, ANY_BIT: bool(word & operand)}[operation]
            place += yes if holds else no
        else:
            return int(operand)


machines = pytest.mark.parametrize(
    ("machine", "column"), [(name, column) for name, (column, _) in ARCHITECTURES.items()]
)


@machines
def test_calls_that_are_denied_are_refused_and_others_are_not(machine: str, column: int) -> None:
    for calls, expected in ((DENIED, REFUSED), (MISSING, UNKNOWN), (IGNORED, DONE), (UNSUPPORTED, LACKING)):
        known = [number for numbers in calls.values() if (number := numbers[column]) is not None]
        assert {answer(machine, number) for number in known} == {expected}
    assert answer(machine, FIRST_NEW) == UNKNOWN
    assert answer(machine, GETPID[column]) == ALLOW


@machines
@pytest.mark.parametrize(
    ("flags", "expected"),
    [(0, ALLOW), (CLONE_VM, ALLOW), (CLONE_NEWNET, REFUSED), (CLONE_NEWUSER | CLONE_VM, REFUSED), (SIGCONT, REFUSED)],
)
def test_a_process_may_be_made_but_no_namespace(machine: str, column: int, flags: int, expected: int) -> None:
    assert answer(machine, CLONE[column], flags) == expected


@machines
def test_sockets_end_inside(machine: str, column: int) -> None:
    for call in (SOCKET, SOCKETPAIR):
        answers = [answer(machine, call[column], family) for family in (AF_UNIX, AF_INET, AF_INET6, AF_NETLINK)]
        assert answers == [ALLOW, REFUSED, REFUSED, REFUSED]


@machines
def test_locks_succeed_and_lock_nothing_and_files_are_not_watched_or_flagged(machine: str, column: int) -> None:
    assert {answer(machine, FCNTL[column], 3, command) for command in LOCKS} == {DONE}
    assert {answer(machine, FCNTL[column], 3, command) for command in WATCHES} == {REFUSED}
    assert answer(machine, FCNTL[column], 3, F_GETFL) == ALLOW
    assert {answer(machine, IOCTL[column], 3, command) for command in FLAGS} == {REFUSED}
    assert answer(machine, IOCTL[column], 3, TCGETS) == ALLOW


# By their numbers in the kernel's tables, on x86-64 and on 64-bit ARM: whatever our own lists leave out is missed here.
CROSSING = {
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    "inotify_add_watch": (254, 27),
    "inotify_init1": (294, 26),
    "io_uring_setup": (425, 425),
    "mincore": (27, 232),
    "mount": (165, 40),
    "msgget": (68, 186),
    "pidfd_getfd": (438, 438),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "semget": (64, 190),
    "shmget": (29, 194),
    "unshare": (272, 97),
}
FLOCK, F_SETLEASE, F_GETLEASE, F_NOTIFY, F_SETSIG = (73, 32), 1024, 1025, 1026, 10
F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW = 6, 7, 37, 38
FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR = 0x40086602, 0x401C5820


@machines
def test_nothing_leads_from_one_sandbox_to_another(machine: str, column: int) -> None:
    assert {answer(machine, numbers[column]) for numbers in CROSSING.values()} == {REFUSED}
    watches = (F_SETLEASE, F_GETLEASE, F_NOTIFY, F_SETSIG)
    assert {answer(machine, FCNTL[column], 3, command) for command in watches} == {REFUSED}
    locks = (F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW)
    assert {answer(machine, FCNTL[column], 3, command) for command in locks} == {DONE}
    assert answer(machine, FLOCK[column], 3, 2) == DONE
    assert {answer(machine, IOCTL[column], 3, flags) for flags in (FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR)} == {REFUSED}


SETSOCKOPT, PRCTL = (54, 208), (157, 167)
SOL_SOCKET, SO_REUSEADDR, SO_SNDBUF, SO_RCVBUF = 1, 2, 7, 8
PR_SET_PDEATHSIG, PR_SET_NAME, SIGKILL = 1, 15, 9
PRIORITIES = {"setpriority": (141, 140), "sched_setattr": (314, 274), "sched_setscheduler": (144, 119)}
SCHED_SETAFFINITY = (203, 122)


@machines
def test_buffers_and_priorities_stay_as_they_are_and_nobody_says_so(machine: str, column: int) -> None:
    sizes = {answer(machine, SETSOCKOPT[column], 3, SOL_SOCKET, option) for option in (SO_SNDBUF, SO_RCVBUF)}
    assert sizes == {answer(machine, numbers[column]) for numbers in PRIORITIES.values()} == {DONE}
    assert answer(machine, SETSOCKOPT[column], 3, SOL_SOCKET, SO_REUSEADDR) == ALLOW
    assert answer(machine, SCHED_SETAFFINITY[column]) == REFUSED


@machines
def test_no_death_wakes_a_process(machine: str, column: int) -> None:
    assert answer(machine, PRCTL[column], PR_SET_PDEATHSIG, SIGCONT) == REFUSED
    assert answer(machine, PRCTL[column], PR_SET_PDEATHSIG, SIGKILL) == ALLOW
    assert answer(machine, PRCTL[column], PR_SET_NAME, SIGCONT) == ALLOW


@machines
def test_limits_are_a_process_s_own(machine: str, column: int) -> None:
    for numbers in OWN.values():
        assert [answer(machine, numbers[column], process) for process in (0, 1, 2**32 - 1)] == [ALLOW, REFUSED, REFUSED]


@machines
def test_calls_by_the_numbers_of_another_architecture_are_refused(machine: str, column: int) -> None:
    assert answer(machine, GETPID[column], architecture=0x40000003) == REFUSED
    assert answer(machine, GETPID[column] + seccomp.FIRST_X32) == REFUSED
