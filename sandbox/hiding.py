"""Protection of other processes' memory and environment from a child, as far as Linux allows it.

Each of the two calls alone keeps the child from its parent's `/proc/PID/environ` and memory. The
user namespace also protects all other processes, even if the child runs as root.
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
    """Keep other processes of this user, except root's, from reading this process."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def leave_others_alone() -> None:
    """Enter a new user namespace, from which no outside process can be read.

    User and group stay the same. If the system allows no namespace, nothing changes. The process
    must have a single thread.
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
