"""Private folders: whatever the umask, only the owner can use a file that is created in one."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

OTHERS = stat.S_IRWXG | stat.S_IRWXO
"""The permissions of everybody but the owner."""


def permissions_in(folder: Path, usual: int = 0o666) -> int:
    """Return the permissions of a new file in a folder, before the umask is applied.

    They are the `usual` ones, in a private folder only those of the owner. Raise OSError.
    """
    return usual if folder.stat().st_mode & OTHERS else usual & ~OTHERS


def create_file(path: Path) -> None:
    """Create an empty file with the permissions of its folder.

    Raise FileExistsError if there is one, or another OSError.
    """
    path.touch(permissions_in(path.parent), exist_ok=False)


def opener(path: str, flags: int) -> int:
    """Open a file as `open` does, but create it with the permissions of its folder."""
    return os.open(path, flags, permissions_in(Path(path).parent))


def make_private(folder: Path) -> bool:
    """Withdraw the permissions of others on a folder and on everything in it.

    Links are not followed. Return whether others had any. Raise OSError.
    """
    was_private = True
    for path in _paths(folder):
        with suppress(FileNotFoundError):  # Another process has removed it meanwhile.
            mode = stat.S_IMODE(path.lstat().st_mode)
            if mode & OTHERS:
                was_private = False
                path.chmod(mode & ~OTHERS)
    return not was_private


def _paths(folder: Path) -> Iterator[Path]:
    """Yield a folder, then the files and folders in it, without links."""
    yield folder
    for within, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(within, name)
            if not path.is_symlink():
                yield path
