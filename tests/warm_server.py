"""A process that has imported CookMAS and forks itself for each requested script.

    python -m tests.warm_server SOCKET

A request is a line of JSON: a script, its arguments, folder and environment. With it come the three
streams of the script and a pipe. The pipe gets the process id, and then each status of `waitpid`
until the process has ended. A script runs as under `python -c`.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import importlib
import json
import os
import signal
import socket
import struct
import sys
import threading
import types
import warnings
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn, TextIO, cast

NUMBER = struct.Struct("i")
"""Format of a process id and a status on the pipe."""

PR_SET_PDEATHSIG = 1
"""The operation of `prctl` that names the signal at the end of the parent."""


def _asked(requests: socket.socket) -> tuple[Any, list[int]]:
    """Return the next request and its files; None after the last client."""
    said, files, _, _ = socket.recv_fds(requests, 1 << 16, 4)
    while said and not said.endswith(b"\n"):
        said += requests.recv(1 << 16)
    return (json.loads(said) if said else None), files


def _next(requests: socket.socket) -> tuple[Any, list[int]]:
    """Fork for each request. Return in each fork, and at the end."""
    while True:
        asked, files = _asked(requests)
        if asked is None:
            return None, []
        if os.fork() == 0:
            requests.close()
            _end_with_parent()
            if process := os.fork():
                _watch(process, *files)
            _end_with_parent()
            os.close(files.pop())
            return asked, files
        for file in files:
            os.close(file)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def _end_with_parent() -> None:
    """Let this process be killed when its parent ends, where the system can do that."""
    control = getattr(ctypes.CDLL(None), "prctl", None)
    if control:
        control(PR_SET_PDEATHSIG, signal.SIGKILL)


def _watch(process: int, stdin: int, stdout: int, stderr: int, told: int) -> NoReturn:
    """Report the statuses of a process."""
    for file in (stdin, stdout, stderr):
        os.close(file)
    with suppress(BrokenPipeError):
        os.write(told, NUMBER.pack(process))
        state = None
        while state is None or os.WIFSTOPPED(state):
            _, state = os.waitpid(process, os.WUNTRACED)
            os.write(told, NUMBER.pack(state))
    os._exit(0)


def _text(like: TextIO, file: int, mode: str, buffering: int) -> TextIO:
    stream = os.fdopen(file, mode, buffering, like.encoding, like.errors, closefd=False)
    return cast("TextIO", stream)


def _become(asked: Any, streams: Sequence[int]) -> None:
    """Run a script in this process as in a new one."""
    for number, file in enumerate(streams):
        os.dup2(file, number)
        os.close(file)
    sys.stdin = _text(sys.stdin, 0, "r", -1)
    sys.stdout = _text(sys.stdout, 1, "w", 1 if os.isatty(1) else -1)
    sys.stderr = _text(sys.stderr, 2, "w", 1)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(asked["cwd"])
    os.environ.clear()
    os.environ.update(asked["env"])
    sys.argv, sys.path[0] = ["-c", *asked["arguments"]], ""
    sys.modules["__main__"] = main = types.ModuleType("__main__")
    code: Any = None
    try:
        exec(compile(asked["script"], "<string>", "exec"), main.__dict__)
    except SystemExit as ended:
        code = ended.code
    _end(code)


def _end(code: Any) -> NoReturn:
    """End as Python does, but leave the modules, which are the server's too, as they are.

    To take them apart would copy most of the memory that the process shares with the server.
    """
    if code is not None and not isinstance(code, int):
        print(code, file=sys.stderr)
        code = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    vars(sys.modules["__main__"]).clear()
    gc.collect()
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        sys.exit(code)  # Python tells of it at its own end.
    os._exit((code or 0) & 0xFF)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        importlib.import_module("tests.warm_imports")
    gc.freeze()
    asked, streams = _next(socket.socket(fileno=int(sys.argv[1])))
    if asked:
        _become(asked, streams)
