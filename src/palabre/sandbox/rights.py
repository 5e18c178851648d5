"""Inside the sandbox: how process 1 and the bot give up capabilities, by system calls that Python lacks."""

import ctypes

PR_CAPBSET_DROP = 24  # of linux/prctl.h
VERSION = 0x20080522  # _LINUX_CAPABILITY_VERSION_3 of linux/capability.h
MOST = 64  # capabilities there can be

_libc = ctypes.CDLL(None, use_errno=True)


def drop_bounding_set() -> None:
    """No program that is started from here on gets a capability, whatever its file says. Only root can do that."""
    for number in range(MOST):
        if _libc.prctl(PR_CAPBSET_DROP, number, 0, 0, 0) != 0:
            break  # there is no such capability


def drop_capabilities() -> None:
    """Give up all capabilities of this process, also those that it could pass on."""
    header, none = (ctypes.c_uint32 * 2)(VERSION, 0), (ctypes.c_uint32 * 6)()
    if _libc.capset(ctypes.byref(header), ctypes.byref(none)) != 0:
        raise OSError(ctypes.get_errno(), "capabilities cannot be dropped")
