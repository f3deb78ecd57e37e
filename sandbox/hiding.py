"""Hiding of other processes' memory and environment from a child, as far as Linux lets us.

Either call is enough to keep the parent's `/proc/PID/environ` and memory from its child. The user
namespace also keeps those of all other processes, and holds against root.
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
    """Let no other process of this user, but root's, read this one's environment and memory."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def leave_others_alone() -> None:
    """Enter a user namespace, from which no process outside can be read.

    The user and the group stay the same. Where the system allows no such namespace, nothing
    changes. The process must have one thread.
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
