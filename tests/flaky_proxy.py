"""A small TCP proxy in front of a server: it cuts connections, delays, and refuses."""

from __future__ import annotations

import contextlib
import random
import socket
import threading
import time
from pathlib import Path


class FlakyProxy:
    """Listens on a port of the loopback, and passes everything on to a socket in the file system.

    `cut` is the chance of each piece, either way, to be passed on by half, and the connection cut;
    `delay` the most seconds for which a piece is held; `refuse` lets nobody through.
    """

    def __init__(self, target: Path, seed: int) -> None:
        self._target = target
        self._chance = random.Random(seed)
        self.cut = 0.0
        self.delay = 0.0
        self.refuse = False
        self.cuts = 0
        self._open: set[socket.socket] = set()
        self._listening = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"127.0.0.1:{self._listening.getsockname()[1]}"

    @property
    def url(self) -> str:
        """Where it is, as the address of Redis."""
        return f"redis://{self.address}/0"

    def cut_all(self) -> None:
        """Cut whatever is connected."""
        for each in list(self._open):
            self._end(each)

    def close(self) -> None:
        """Stop listening, and cut whatever is connected."""
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
                far.connect(str(self._target))
            except OSError:
                self._end(near)
                self._end(far)
                continue
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._pass, args=(one, other), daemon=True).start()

    def _pass(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while piece := one.recv(65536):
                time.sleep(self._chance.random() * self.delay)
                if self._chance.random() < self.cut:
                    self.cuts += 1
                    other.sendall(piece[: len(piece) // 2])
                    break
                other.sendall(piece)
        self._end(one)
        self._end(other)

    def _end(self, each: socket.socket) -> None:
        self._open.discard(each)
        with contextlib.suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)
        each.close()
