"""Protection of the memory and environment of other processes from a child, on Linux.

Each of the two functions alone prevents the child from reading the memory and the
`/proc/PID/environ` of its parent. `leave_others_alone` also protects all other processes, even if
the child runs as root.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from pathlib import Path

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
