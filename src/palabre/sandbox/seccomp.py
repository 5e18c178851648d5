"""A filter for system calls that a bot has no honest use for, as a program for the kernel (seccomp, classic BPF).

Namespaces of its own would let a bot mount memory that is not counted; so would memory files and shared segments
without a process that maps them. The other calls are doors into the kernel, into other processes, or around the
suspension. Bots of several sandboxes read the same libraries: whatever one of them could leave on these files and
another could see there, such as a lock or a watch, would be a message. So locks succeed without locking anything,
since programs that use them (SQLite, Numba, Java) must run, and the rest is refused.
The numbers are those of Linux's tables in arch/x86/entry/syscalls/syscall_64.tbl and
include/uapi/asm-generic/unistd.h.
"""

import errno
import platform
import struct
from collections.abc import Iterable

# name: the number on x86-64, on 64-bit ARM
DENIED: dict[str, tuple[int, int | None]] = {
    "acct": (163, 89),
    "add_key": (248, 217),
    "adjtimex": (159, 171),
    "bpf": (321, 280),
    "chroot": (161, 51),
    "clock_settime": (227, 112),
    "delete_module": (176, 106),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    "finit_module": (313, 273),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "init_module": (175, 105),
    "inotify_add_watch": (254, 27),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "ioprio_set": (251, 30),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "kcmp": (312, 272),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "memfd_secret": (447, 447),
    "mincore": (27, 232),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "mq_open": (240, 180),
    "msgget": (68, 186),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "perf_event_open": (298, 241),
    "personality": (135, 92),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41),
    "process_madvise": (440, 440),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "reboot": (169, 142),
    "request_key": (249, 218),
    "sched_setaffinity": (203, 122),
    "semget": (64, 190),
    "setns": (308, 268),
    "settimeofday": (164, 170),
    "shmget": (29, 194),
    "swapoff": (168, 225),
    "swapon": (167, 224),
    "syslog": (103, 116),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
}
# Programs ask whether the kernel has these and get along without. The last five hand pages of memory to pipes and
# sockets, where they count for no process, or show which pages of a file the machine has in memory.
MISSING = {
    "clone3": (435, 435),
    "memfd_create": (319, 279),
    "preadv2": (327, 286),
    "sendfile": (40, 71),
    "splice": (275, 76),
    "tee": (276, 77),
    "vmsplice": (278, 75),
}
FIRST_NEW = 450  # calls from here on, the same on all processors, are newer than this list: no program relies on them
# A process may call these for itself, and for no other: the limits and the priority of the warm parent, which its games
# inherit, would be notes from one to the next.
OWN = {"prlimit64": (302, 261)}
# These succeed without doing anything. A bot that lowered its own priority would seem to wait for the machine.
IGNORED = {
    "flock": (73, 32),
    "sched_setattr": (314, 274),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "setpriority": (141, 140),
}
# File systems without these exist, so that programs get along without: what is on a folder is seen by the next game.
UNSUPPORTED = {"fsetxattr": (190, 7), "lsetxattr": (189, 6), "setxattr": (188, 5)}
CLONE, FCNTL, IOCTL, PRCTL = (56, 220), (72, 25), (16, 29), (157, 167)
SETSOCKOPT, SOCKET, SOCKETPAIR = (54, 208), (41, 198), (53, 199)

LOCKS = (6, 7, 37, 38)  # F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW
# F_SETSIG, which could choose the signal that wakes a stopped process; F_SETLEASE, F_GETLEASE, F_NOTIFY, F_SETPIPE_SZ
WATCHES = (10, 1024, 1025, 1026, 1031)
# FS_IOC_SETFLAGS, FS_IOC32_SETFLAGS, FS_IOC_SETVERSION, FS_IOC32_SETVERSION, FS_IOC_FSSETXATTR, FS_IOC_SETFSLABEL
FLAGS = (0x40086602, 0x40046602, 0x40087602, 0x40047602, 0x401C5820, 0x41009432)
SOL_SOCKET = 1
BUFFERS = (7, 8, 32, 33)  # SO_SNDBUF, SO_RCVBUF, SO_SNDBUFFORCE, SO_RCVBUFFORCE
PR_SET_PDEATHSIG, CSIGNAL, SIGCONT = 1, 0xFF, 18  # CSIGNAL: which signal the end of a child sends, in flags of clone

ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # column above, AUDIT_ARCH_… of linux/audit.h
FIRST_X32 = 0x40000000  # the same calls by other numbers on x86-64
NEW_NAMESPACES = 0x7E020000  # CLONE_NEWNS, …CGROUP, …UTS, …IPC, …USER, …PID, …NET
AF_UNIX = 1  # sockets that end inside the sandbox; all others are doors to a network, or to the host of this machine

ALLOW, ERROR = 0x7FFF0000, 0x00050000  # SECCOMP_RET_…
REFUSE, LACK, UNSUPPORT, IGNORE = (ERROR | number for number in (errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP, 0))
# Operations of classic BPF.
LOAD, EQUAL, AT_LEAST, ANY_BIT, MASK, RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
NUMBER, ARCHITECTURE = 0, 4  # offsets in struct seccomp_data
ARGUMENTS = (16, 24, 32)  # of the lower halves, which come first

Steps = list[tuple[int, int, int, int]]


def program(machine: str | None = None) -> bytes | None:
    """The filter for a kind of processor, by default this one; None where we do not know the numbers."""
    known = ARCHITECTURES.get(machine or platform.machine())
    if known is None:
        return None
    column, architecture = known
    steps: Steps = [(LOAD, 0, 0, ARCHITECTURE), (EQUAL, 1, 0, architecture), (RETURN, 0, 0, REFUSE)]
    steps += [(LOAD, 0, 0, NUMBER), (AT_LEAST, 0, 1, FIRST_X32), (RETURN, 0, 0, REFUSE)]
    steps += [(AT_LEAST, 0, 1, FIRST_NEW), (RETURN, 0, 0, LACK)]
    # First what the supervisor itself calls in each turn. For calls that are always allowed, the kernel skips all this.
    steps += _call(IOCTL[column], _if_any(1, FLAGS, REFUSE))
    for numbers in OWN.values():
        steps += _call(numbers[column], _unless_equal(0, 0, REFUSE))
    creates_namespace: Steps = [(LOAD, 0, 0, ARGUMENTS[0]), (ANY_BIT, 0, 1, NEW_NAMESPACES), (RETURN, 0, 0, REFUSE)]
    wakes_parent: Steps = [(MASK, 0, 0, CSIGNAL), (EQUAL, 0, 1, SIGCONT), (RETURN, 0, 0, REFUSE)]
    steps += _call(CLONE[column], [*creates_namespace, *wakes_parent])
    steps += _call(SOCKET[column], _unless_equal(0, AF_UNIX, REFUSE))
    steps += _call(SOCKETPAIR[column], _unless_equal(0, AF_UNIX, REFUSE))
    steps += _call(FCNTL[column], [*_if_any(1, LOCKS, IGNORE), *_if_any(1, WATCHES, REFUSE)])
    wakes_child = _if_any(1, (SIGCONT,), REFUSE)
    steps += _call(
        PRCTL[column], [(LOAD, 0, 0, ARGUMENTS[0]), (EQUAL, 0, len(wakes_child), PR_SET_PDEATHSIG), *wakes_child]
    )
    buffers = _if_any(2, BUFFERS, IGNORE)
    of_socket: Steps = [(LOAD, 0, 0, ARGUMENTS[1]), (EQUAL, 0, len(buffers), SOL_SOCKET)]
    steps += _call(SETSOCKOPT[column], [*of_socket, *buffers])
    for calls, answer in ((DENIED, REFUSE), (MISSING, LACK), (IGNORED, IGNORE), (UNSUPPORTED, UNSUPPORT)):
        for known_numbers in calls.values():
            if (number := known_numbers[column]) is not None:
                steps += [(EQUAL, 0, 1, number), (RETURN, 0, 0, answer)]
    steps.append((RETURN, 0, 0, ALLOW))
    return b"".join(struct.pack("HBBI", *step) for step in steps)


def _call(number: int, checks: Steps) -> Steps:
    """Steps that check the arguments of a call and allow it if none of them returns; other calls skip them."""
    return [(EQUAL, 0, len(checks) + 1, number), *checks, (RETURN, 0, 0, ALLOW)]


def _if_any(argument: int, values: Iterable[int], answer: int) -> Steps:
    """Answer a call for which an argument has one of these values."""
    steps: Steps = [(LOAD, 0, 0, ARGUMENTS[argument])]
    for value in values:
        steps += [(EQUAL, 0, 1, value), (RETURN, 0, 0, answer)]
    return steps


def _unless_equal(argument: int, value: int, answer: int) -> Steps:
    """Answer a call for which an argument does not have this value."""
    return [(LOAD, 0, 0, ARGUMENTS[argument]), (EQUAL, 1, 0, value), (RETURN, 0, 0, answer)]
