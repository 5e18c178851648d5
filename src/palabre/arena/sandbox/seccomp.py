"""A filter for system calls that a bot has no honest use for, as a program for the kernel (seccomp, classic BPF).

Namespaces of its own would let a bot mount memory that nobody counts; so would memory files and shared segments without
a process that maps them. The other calls are doors into the kernel, into other processes, or around the suspension.
The numbers are those of Linux's tables in arch/x86/entry/syscalls/syscall_64.tbl and
include/uapi/asm-generic/unistd.h.
"""

import errno
import platform
import struct

# name: the number on x86-64, on 64-bit ARM
DENIED = {
    "acct": (163, 89),
    "add_key": (248, 217),
    "adjtimex": (159, 171),
    "bpf": (321, 280),
    "chroot": (161, 51),
    "clock_settime": (227, 112),
    "delete_module": (176, 106),
    "finit_module": (313, 273),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "init_module": (175, 105),
    "ioprio_set": (251, 30),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "kcmp": (312, 272),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "memfd_secret": (447, 447),
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
# Programs ask whether the kernel has these and get along without.
MISSING = {"clone3": (435, 435), "memfd_create": (319, 279)}
# A process may call these for itself, and for no other: the limits and the priority of the warm parent, which its games
# inherit, would be notes from one to the next.
OWN = {
    "prlimit64": (302, 261),
    "sched_setattr": (314, 274),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
}
CLONE, SETPRIORITY, SOCKET = (56, 220), (141, 140), (41, 198)

ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # column above, AUDIT_ARCH_… of linux/audit.h
FIRST_X32 = 0x40000000  # the same calls by other numbers on x86-64
NEW_NAMESPACES = 0x7E020000  # CLONE_NEWNS, …CGROUP, …UTS, …IPC, …USER, …PID, …NET
AF_UNIX = 1  # sockets that end inside the sandbox; all others are doors to a network, or to the host of this machine

ALLOW, ERROR = 0x7FFF0000, 0x00050000  # SECCOMP_RET_…
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06  # operations of classic BPF
NUMBER, ARCHITECTURE, FIRST_ARGUMENT, SECOND_ARGUMENT = (
    0,
    4,
    16,
    24,
)  # offsets in struct seccomp_data; arguments are little-endian


def program(machine: str | None = None) -> bytes | None:
    """The filter for a kind of processor, by default this one; None where we do not know the numbers."""
    known = ARCHITECTURES.get(machine or platform.machine())
    if known is None:
        return None
    column, architecture = known
    refuse, missing = ERROR | errno.EPERM, ERROR | errno.ENOSYS
    steps = [(LOAD, 0, 0, ARCHITECTURE), (EQUAL, 1, 0, architecture), (RETURN, 0, 0, refuse), (LOAD, 0, 0, NUMBER)]
    steps += [(AT_LEAST, 0, 1, FIRST_X32), (RETURN, 0, 0, refuse)]
    for numbers, answer in [(call, refuse) for call in DENIED.values()] + [
        (call, missing) for call in MISSING.values()
    ]:
        steps += [(EQUAL, 0, 1, numbers[column]), (RETURN, 0, 0, answer)]
    for numbers in OWN.values():
        steps += [(EQUAL, 0, 4, numbers[column]), (LOAD, 0, 0, FIRST_ARGUMENT), (EQUAL, 1, 0, 0)]
        steps += [(RETURN, 0, 0, refuse), (RETURN, 0, 0, ALLOW)]
    steps += [
        (EQUAL, 0, 6, SETPRIORITY[column]),  # if it is another call, go on with clone
        (LOAD, 0, 0, FIRST_ARGUMENT),
        (EQUAL, 0, 2, 0),  # PRIO_PROCESS, not a group or all processes of the user
        (LOAD, 0, 0, SECOND_ARGUMENT),
        (EQUAL, 1, 0, 0),
        (RETURN, 0, 0, refuse),
        (RETURN, 0, 0, ALLOW),
        (EQUAL, 0, 3, CLONE[column]),  # if it is another call, go on with the socket
        (LOAD, 0, 0, FIRST_ARGUMENT),
        (ANY_BIT, 0, 5, NEW_NAMESPACES),
        (RETURN, 0, 0, refuse),
        (EQUAL, 0, 3, SOCKET[column]),  # if it is another call, allow it
        (LOAD, 0, 0, FIRST_ARGUMENT),
        (EQUAL, 1, 0, AF_UNIX),
        (RETURN, 0, 0, refuse),
        (RETURN, 0, 0, ALLOW),
    ]
    return b"".join(struct.pack("HBBI", *step) for step in steps)
