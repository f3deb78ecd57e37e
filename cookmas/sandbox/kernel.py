"""Duties of the kernel for a sandbox: it ends a child with all descendants, and hides processes.

The keeper is a process between a child and its starter that kills all descendants of the child. It
is the child's subreaper: an orphaned descendant becomes a child of the keeper, even if it has left
the process group and the session.

`hide_this_process` and `leave_others_alone` each prevent, on Linux, that the child reads the memory
and the `/proc/PID/environ` of its parent. `leave_others_alone` also protects all other processes,
even if the child runs as root.
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
from pathlib import Path
from typing import NoReturn

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
"""Options of `prctl` (linux/prctl.h)."""

BEAT = 0.5
"""Seconds between two checks that the starter is still alive."""


class _AskedToEnd(BaseException):
    """The process has received SIGTERM."""


def keep(starter: int, channel: int) -> None:
    """Fork: return in the new process, and stay in this one as its keeper.

    `starter` is the process that started this one. The keeper closes its copy of the `channel`. It
    ends when the new process ends, when it receives SIGTERM, or when the starter dies. Before that
    it kills all its descendants. Its exit status is that of the new process. Only Linux has
    subreapers; on other systems do nothing.
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
    """Wait until a child ends or this process receives SIGTERM; return the child's exit status.

    Reap other children that end earlier. At the end kill all children that are left.
    """
    status = 0
    awaited = [child]

    def ask_to_end(*_: object) -> None:
        if awaited:
            awaited.clear()
            raise _AskedToEnd

    with contextlib.suppress(_AskedToEnd):
        signal.signal(signal.SIGTERM, ask_to_end)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
        ended = 0
        while ended != child:
            ended, status = os.waitpid(-1, 0)
        awaited.clear()
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
    with open("/proc/thread-self/children", encoding="ascii") as file:
        return [int(pid) for pid in file.read().split()]


def _end_as(status: int) -> NoReturn:
    """End this process with the given exit status: the same exit code or the same signal."""
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        with contextlib.suppress(OSError):
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


def _end_with(starter: int) -> None:
    """Wait until the starter has died, then send SIGTERM to this process."""
    while os.getppid() == starter:
        time.sleep(BEAT)
    os.kill(os.getpid(), signal.SIGTERM)


def _prctl(option: int, value: int) -> None:
    """Set an option of this process in the kernel. Raise OSError if the kernel rejects it."""
    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl", sys.executable)


_CLONE_NEWUSER = 0x10000000
_PR_SET_DUMPABLE = 4


def hide_this_process() -> None:
    """Prevent other processes of this user from reading this one, unless the user is root."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def leave_others_alone() -> None:
    """Enter a new user namespace, in which this process cannot read processes outside it.

    The user and the group stay the same. If the system allows no user namespace, do nothing. The
    process must have a single thread.
    """
    if sys.platform != "linux":
        return
    maps = {"uid_map": os.getuid(), "gid_map": os.getgid()}
    if ctypes.CDLL(None).unshare(_CLONE_NEWUSER) != 0:
        return
    with contextlib.suppress(OSError):
        Path("/proc/self/setgroups").write_text("deny")
        for name, number in maps.items():
            Path("/proc/self", name).write_text(f"{number} {number} 1")
