"""The keeper: a process between a child and who started it, which ends all that the child starts.

It is the subreaper of the child: what the child starts becomes the keeper's when its own parent
ends, also where it has left the process group and the session.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import sys
import threading
import time
from typing import NoReturn

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
"""What `prctl` is asked for (linux/prctl.h)."""

BEAT = 0.5
"""Seconds between two looks at whether who started the keeper is still there."""


class _AskedToEnd(BaseException):
    """SIGTERM came."""


def keep(starter: int, channel: int) -> None:
    """Return in a new process, and stay behind as its keeper; `starter` is who started this one.

    The keeper ends when the new process does, when it is sent SIGTERM, or when the starter is gone.
    All that was started below it is killed first. It ends as the new process did. The `channel` is
    closed in it. Only Linux has subreapers: elsewhere nothing is done.
    """
    if sys.platform != "linux":
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _prctl(PR_SET_CHILD_SUBREAPER, 1)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    keeper = os.getpid()
    child = os.fork()
    if child == 0:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
        _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != keeper:
            os._exit(1)
        os.setsid()
        return
    os.close(channel)
    threading.Thread(target=_end_with, args=(starter,), daemon=True).start()
    _end_as(_status_of(child))


def _status_of(child: int) -> int:
    """Wait for a child, reaping whatever else ends, and kill what is left; its exit status."""
    status = 0
    with contextlib.suppress(_AskedToEnd):
        signal.signal(signal.SIGTERM, _ask_to_end)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
        ended = 0
        while ended != child:
            ended, status = os.waitpid(-1, 0)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with contextlib.suppress(ChildProcessError):
        while True:
            left = _children()
            for pid in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            os.waitpid(-1, 0 if left else os.WNOHANG)
    return status


def _children() -> list[int]:
    """Return the processes of which this one is the parent now."""
    with open("/proc/thread-self/children", encoding="ascii") as file:
        return [int(pid) for pid in file.read().split()]


def _end_as(status: int) -> NoReturn:
    """End with the exit code, or by the signal, with which another process has ended."""
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        with contextlib.suppress(OSError):
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


def _end_with(starter: int) -> None:
    """Ask this process to end as soon as who started it is gone."""
    while os.getppid() == starter:
        time.sleep(BEAT)
    os.kill(os.getpid(), signal.SIGTERM)


def _ask_to_end(*_: object) -> NoReturn:
    raise _AskedToEnd


def _prctl(option: int, value: int) -> None:
    """Set what the kernel does with this process. Raises OSError."""
    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl", sys.executable)
