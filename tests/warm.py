"""Processes that start quickly with CookMAS imported, and otherwise behave normally."""

from __future__ import annotations

import atexit
import functools
import json
import os
import select
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, AnyStr

from tests.warm_server import NUMBER

ROOT = Path(__file__).parents[1]

COOKMAS = "from cookmas.commands.start import main; main()"
"""The script of the command `cookmas`."""

QUICKLY = f"""
from cookmas.solving.restaurant.planners import EmbeddedPlanner
EmbeddedPlanner.effort = 1
{COOKMAS}
"""
"""`cookmas` with the least planning effort, where planning is not tested."""


def hurried(script: str, times: Mapping[str, float]) -> str:
    """Return a script in whose process some constants, as `module:NAME`, have other seconds."""
    return f"""
from pkgutil import resolve_name
for name, seconds in {dict(times)!r}.items():
    module, _, constant = name.partition(":")
    assert hasattr(resolve_name(module), constant), f"there is no {{name}}"
    setattr(resolve_name(module), constant, seconds)
{script}"""


@functools.cache
def _requests(preloaded: str) -> socket.socket:
    """Start a server, which ends with this process; return the socket for requests.

    The libraries that are preloaded (`LD_PRELOAD`) are those of the server, also in its processes.
    """
    ours, theirs = socket.socketpair()
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.warm_server", str(theirs.fileno())],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "LD_PRELOAD": preloaded},
        stdin=subprocess.DEVNULL,
        pass_fds=[theirs.fileno()],
    )
    theirs.close()

    def stop() -> None:
        ours.close()
        server.wait()

    atexit.register(stop)
    return ours


class Warm(subprocess.Popen[AnyStr]):
    """A script with its arguments, as for `python -c`, in a warm process.

    Only a folder, an environment and streams can be set. The process's parent is the server, so the
    server does what `Popen` does by `fork` and `waitpid`. It ends with the process of the tests,
    also if that is killed.
    """

    def _execute_child(
        self,
        args: tuple[str, ...],
        executable: Any,
        preexec_fn: Any,
        close_fds: Any,
        pass_fds: Any,
        cwd: Path | None,
        env: Mapping[str, str] | None,
        startupinfo: Any,
        creationflags: Any,
        shell: Any,
        *rest: Any,
    ) -> None:
        pipes = rest[:6]
        script, *arguments = args
        environment = dict(os.environ if env is None else env)
        asked = {
            "script": script,
            "arguments": arguments,
            "cwd": str(cwd or Path.cwd()),
            "env": environment,
        }
        streams = (pipes[0], pipes[3], pipes[5])
        files: list[int] = [number if file == -1 else file for number, file in enumerate(streams)]
        told, telling = os.pipe()
        self._told: int = told
        requests = _requests(environment.get("LD_PRELOAD", ""))
        socket.send_fds(requests, [json.dumps(asked).encode() + b"\n"], [*files, telling])
        os.close(telling)
        self._child_created = True
        self._close_pipe_fds(*pipes)  # type: ignore[attr-defined]
        self.pid = self._heard()
        _started.append(self)

    def _heard(self) -> int:
        told = os.read(self._told, NUMBER.size)
        assert told, "the server of warm processes has ended"
        return int(NUMBER.unpack(told)[0])

    def _try_wait(self, flags: int) -> tuple[int, int]:
        while not flags & os.WNOHANG or select.select([self._told], [], [], 0)[0]:
            if not os.WIFSTOPPED(state := self._heard()):
                os.close(self._told)
                return self.pid, state
        return 0, 0

    def _internal_poll(self, *_: Any, **__: Any) -> int | None:
        if self.returncode is None and (state := self._try_wait(os.WNOHANG))[0]:
            self._handle_exitstatus(state[1])  # type: ignore[attr-defined]
        return self.returncode

    def answered(self, lines: AnyStr | None = None, seconds: float = 120) -> tuple[AnyStr, AnyStr]:
        """Return the output on both streams at the end; kill the process after the timeout."""
        with self:
            try:
                return self.communicate(lines, seconds)
            except BaseException:
                self.kill()
                raise

    def wait_until_stopped(self) -> None:
        """Wait until all its threads have stopped, which takes some time after SIGSTOP."""
        if not os.WIFSTOPPED(state := self._heard()):
            os.close(self._told)
            self._handle_exitstatus(state)  # type: ignore[attr-defined]
        assert self.returncode is None, "it has ended instead"


_started: list[Warm[Any]] = []


def running() -> list[Warm[Any]]:
    """Return the processes that have not ended."""
    _started[:] = [each for each in _started if each.poll() is None]
    return [*_started]


def ran(
    script: str,
    *arguments: str,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    lines: str | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a script in a folder, with lines of input if there are any, and wait for its end."""
    pipe = subprocess.PIPE
    asked = subprocess.DEVNULL if lines is None else pipe
    command = (script, *arguments)
    process = Warm[str](command, cwd=cwd, env=env, stdin=asked, stdout=pipe, stderr=pipe, text=True)
    said, errors = process.answered(lines)
    return subprocess.CompletedProcess(command, process.returncode, said, errors)


def say(folder: Path, lines: str, *arguments: str) -> tuple[int, str]:
    """Run `cookmas` in a folder with lines of input; return its exit code and output lines."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "dumb", "COLUMNS": "100"}
    done = ran(COOKMAS, *arguments, cwd=folder, env=env, lines=lines)
    return done.returncode, done.stdout + done.stderr
