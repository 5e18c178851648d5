"""Calls home."""

import socket

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        socket.create_connection(("127.0.0.1", 80), 1)
