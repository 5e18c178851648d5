"""A program that tries, inside a sandbox, what a bot must not be able to do, and prints what it could not as JSON."""

import ctypes
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path

NEW_USER = 0x10000000  # CLONE_NEWUSER
HOSTS = (("127.0.0.1", 22), ("1.1.1.1", 53))
SECRETS = ("/etc/passwd", "/etc/shadow", "/home", "/var", "/root/.ssh")


def has_no_network() -> bool:
    for address in HOSTS:
        try:
            socket.create_connection(address, 1).close()
        except PermissionError:
            continue
        except OSError:  # it may try, but reaches no one
            continue
        return False
    return True


def sees_no_files() -> bool:
    return not any(os.path.exists(place) for place in SECRETS)  # noqa: PTH110


def writes_nowhere() -> bool:
    places = ["/", "/dev", "/usr/lib", *sys.path, os.environ["PALABRE_SHARED_CACHE"]]
    return not any(Path(place).is_dir() and os.access(place, os.W_OK) for place in places if place)


def has_no_rights() -> bool:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    capabilities = [line.split()[1] for line in status.splitlines() if line.startswith(("CapEff", "CapPrm"))]
    return all(int(number, 16) == 0 for number in capabilities)


def makes_no_namespaces() -> bool:
    return bool(ctypes.CDLL(None).unshare(NEW_USER) == -1)


def is_refused_memory(most: int) -> bool:
    try:
        bytearray(2 * most)
    except MemoryError:
        return True
    return False


def is_refused_processes(most: int) -> bool:
    children: list[int] = []
    try:
        for _ in range(2 * most):
            child = os.fork()
            if child == 0:
                time.sleep(60)
                os._exit(0)
            children.append(child)
    except OSError:
        return True
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    return False


def main() -> None:
    memory, processes = int(sys.argv[1]), int(sys.argv[2])
    checks: dict[str, Callable[[], bool]] = {
        "network": has_no_network,
        "files": lambda: sees_no_files() and writes_nowhere(),
        "rights": has_no_rights,
        "namespaces": makes_no_namespaces,
        "memory": lambda: is_refused_memory(memory),
        "processes": lambda: is_refused_processes(processes),
    }
    print(json.dumps({name: check() for name, check in checks.items()}))


if __name__ == "__main__":
    main()
