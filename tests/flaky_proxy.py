"""A small TCP proxy in front of a server that cuts, delays, holds up and refuses connections."""

from __future__ import annotations

import contextlib
import random
import socket
import threading
import time
from pathlib import Path
from typing import Literal

Direction = Literal["requests", "answers"]


class FlakyProxy:
    """Proxy on a loopback port in front of a Unix socket.

    `cut` is the probability, for each chunk in either direction, that the proxy sends only half of
    it and cuts the connection. `delay` is the maximum delay of a chunk in seconds. `refuse` rejects
    all connections. `silent` has the directions in which nothing passes for the time being. New
    connections go to the present `target`.
    """

    def __init__(self, target: Path, seed: int) -> None:
        self.target = target
        self._chance = random.Random(seed)
        self.cut = 0.0
        self.delay = 0.0
        self.refuse = False
        self.silent: frozenset[Direction] = frozenset()
        self.cuts = 0
        self._open: set[socket.socket] = set()
        self._listening = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> str:
        """Host and port of the proxy."""
        return f"127.0.0.1:{self._listening.getsockname()[1]}"

    @property
    def url(self) -> str:
        """Redis address of the proxy."""
        return f"redis://{self.address}/0"

    def cut_all(self) -> None:
        """Cut all connections."""
        for each in list(self._open):
            self._end(each)

    def close(self) -> None:
        """Stop listening, and cut all connections."""
        self._end(self._listening)
        self.cut_all()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            far = socket.socket(socket.AF_UNIX)
            self._open |= {near, far}
            try:
                if self.refuse:
                    raise ConnectionRefusedError
                far.connect(str(self.target))
            except OSError:
                self._end(near)
                self._end(far)
                continue
            ways: tuple[tuple[socket.socket, socket.socket, Direction], ...]
            ways = ((near, far, "requests"), (far, near, "answers"))
            for way in ways:
                threading.Thread(target=self._pass, args=way, daemon=True).start()

    def _pass(self, one: socket.socket, other: socket.socket, direction: Direction) -> None:
        with contextlib.suppress(OSError):
            while piece := one.recv(65536):
                while direction in self.silent and one in self._open:
                    time.sleep(0.01)
                time.sleep(self._chance.random() * self.delay)
                if self._chance.random() < self.cut:
                    self.cuts += 1
                    other.sendall(piece[: len(piece) // 2])
                    break
                if not self._let_through(piece, one, other):
                    break
        self._end(one)
        self._end(other)

    def _let_through(self, piece: bytes, one: socket.socket, other: socket.socket) -> bool:
        """Send a chunk from one socket to the other; return False to cut the connection."""
        other.sendall(piece)
        return True

    def _end(self, each: socket.socket) -> None:
        self._open.discard(each)
        with contextlib.suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)
        each.close()
