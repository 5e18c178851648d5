"""A real Ray cluster on the loopback interface: each node is a `ray start` of its own, with an address of its own."""

import contextlib
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.command import environment, wait_until
from tests.sandbox.inmates import command_of, descendants

RAY = str(Path(sys.executable).with_name("ray"))
# A node that is killed is noticed after some three seconds, and not after fifteen.
HEALTH = '{"health_check_period_ms":1000,"health_check_timeout_ms":20000,"health_check_failure_threshold":3}'
FIRST = 2  # the head is at 127.0.0.2; Ray would give 127.0.0.1 the address of a network


class Cluster:
    """Nodes on this machine; `settings` are the environment of whoever wants to use it."""

    def __init__(self, cache: Path) -> None:
        self.cache, self._folder = cache, tempfile.mkdtemp(prefix="ray-")  # sockets have short names
        self.nodes: list[subprocess.Popen[bytes]] = []
        port, client = free_port(), free_port()
        self.settings = {
            "RAY_AUTH_MODE": "token",  # the ports are open to the network of this machine, whatever address is given
            "RAY_AUTH_TOKEN": secrets.token_hex(32),
            "RAY_ADDRESS": f"127.0.0.{FIRST}:{port}",
            "RAY_USAGE_STATS_ENABLED": "0",
        }
        self.address = f"ray://127.0.0.{FIRST}:{client}"
        self.head = self._start(
            *("--head", f"--port={port}", f"--ray-client-server-port={client}", "--include-dashboard=false"),
            *(f"--temp-dir={self._folder}", f"--system-config={HEALTH}"),
        )

    def join(self, **settings: str) -> "subprocess.Popen[bytes]":
        """Start one more node, with these settings."""
        return self._start(f"--address={self.settings['RAY_ADDRESS']}", **settings)

    def _start(self, *options: str, **settings: str) -> "subprocess.Popen[bytes]":
        number = FIRST + len(self.nodes)
        with self._log(number).open("wb") as log:
            node = subprocess.Popen(
                [
                    *(RAY, "start", "--block", f"--node-ip-address=127.0.0.{number}", "--num-cpus=1"),
                    *("--object-store-memory=80000000", "--include-log-monitor=false", *options),
                ],
                env={**environment(self.cache, **self.settings), **settings},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.nodes.append(node)
        wait_until(lambda: "Ray runtime started" in self._told(node))  # two at once get in each other's way
        return node

    def _log(self, number: int) -> Path:
        return Path(self._folder) / f"node-{number}.log"

    def _told(self, node: "subprocess.Popen[bytes]") -> str:
        told = self._log(self.nodes.index(node) + FIRST).read_text()
        assert node.poll() is None, told
        return told

    def close(self) -> None:
        """Kill what is left."""
        for node in reversed(self.nodes):
            kill(node)
        shutil.rmtree(self._folder, ignore_errors=True)


def kill(node: "subprocess.Popen[bytes]") -> None:
    """Kill a node with all its processes, as if its power had gone."""
    for pid in [*descendants(node.pid), node.pid]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    node.wait()


def players(node: "subprocess.Popen[bytes]") -> list[int]:
    """The processes of a node that play."""
    return [pid for pid in descendants(node.pid) if b"palabre.arena.playing" in command_of(pid)]


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
