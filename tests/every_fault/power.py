"""A file system that loses its power, from a record of the calls on its files.

Three models say what is left of what was not synced. In each, a file holds at least what it held at
its last fsync, and a folder has at least the names that it had at its last fsync.

- `strict`: nothing else is left. A new name is lost until its folder is synced, as in POSIX.
- `names`: every change of a name is left, and no byte that was not synced. So a file that was
  renamed may be empty, as on XFS, and on ext4 without its special case for renaming.
- `mixed`: changes of names are left up to some moment, and of each file the writes up to some
  moment, the last of them perhaps cut. A seed decides, so a trial can be repeated.

The shared memory of SQLite is left out, since SQLite makes it anew.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from tests.every_fault.calls import Call

MODELS = ("strict", "names", "mixed")

SECTOR = 512
"""Bytes that a disk writes whole."""

CHANGES = frozenset({"write", "truncate", "empty", "create", "mkdir", "rename", "unlink", "rmdir"})


@dataclass(slots=True)
class _File:
    """A file: its content at its last sync, and the changes since."""

    synced: bytes = b""
    since: list[Call] = field(default_factory=list)

    def content(self, changes: list[Call]) -> bytes:
        """Return the content after some of the changes."""
        found = bytearray(self.synced)
        for change in changes:
            if change.kind == "write":
                found.extend(bytes(max(0, change.offset - len(found))))
                found[change.offset : change.offset + len(change.data)] = change.data
            else:
                size = change.offset if change.kind == "truncate" else 0
                found[size:] = bytes(max(0, size - len(found)))
        return bytes(found)

    def sync(self, _: int) -> None:
        self.synced, self.since = self.content(self.since), []


@dataclass(slots=True)
class _Folder:
    """A folder: its names at its last sync, and the changes since, each with its moment.

    A changed name has what stands there from then on, or None.
    """

    synced: dict[str, _Node] = field(default_factory=dict)
    since: list[tuple[int, str, _Node | None]] = field(default_factory=list)

    def names(self, until: int) -> dict[str, _Node]:
        """Return what stands in the folder if the changes up to a moment are left."""
        found = dict(self.synced)
        for moment, name, node in self.since:
            if moment <= until:
                found.pop(name, None)
                if node is not None:
                    found[name] = node
        return found

    def sync(self, moment: int) -> None:
        self.synced, self.since = self.names(moment), []


_Node = _File | _Folder


class Disk:
    """The files of a folder, before and while a command changes them."""

    def __init__(self, folder: Path) -> None:
        """Take what is in a folder as synced."""
        self._moment = 0
        self._root = _read(folder)

    def take(self, call: Call) -> None:
        """Take a call that a process has made."""
        self._moment += 1
        node = self._find(PurePosixPath(call.path))
        if call.kind in ("create", "mkdir"):
            self._name(call.path, _File() if call.kind == "create" else _Folder())
        elif call.kind in ("unlink", "rmdir"):
            self._name(call.path, None)
        elif call.kind == "rename":
            self._name(call.path, None)
            self._name(call.other, node)
        elif call.kind == "sync" and node is not None:
            node.sync(self._moment)
        elif call.kind in CHANGES and isinstance(node, _File):
            node.since.append(call)

    def write_left(self, folder: Path, model: str, seed: int = 0) -> None:
        """Write to a new folder what a loss of power leaves now."""
        chance = random.Random(seed)
        moments = {"strict": 0, "names": self._moment}
        until = moments.get(model, chance.randint(0, self._moment))
        _write(self._root, folder, until, chance if model == "mixed" else None)

    def _find(self, path: PurePosixPath) -> _Node | None:
        node: _Node | None = self._root
        for part in path.parts:
            node = node.names(self._moment).get(part) if isinstance(node, _Folder) else None
        return node

    def _name(self, path: str, node: _Node | None) -> None:
        at = PurePosixPath(path)
        folder = self._find(at.parent)
        assert isinstance(folder, _Folder), path
        folder.since.append((self._moment, at.name, node))


def _read(folder: Path) -> _Folder:
    found = _Folder()
    for path in folder.iterdir():
        if path.is_dir():
            found.synced[path.name] = _read(path)
        elif path.is_file():
            found.synced[path.name] = _File(path.read_bytes())
    return found


def _write(node: _Folder, to: Path, until: int, chance: random.Random | None) -> None:
    to.mkdir()
    for name, within in sorted(node.names(until).items()):
        if isinstance(within, _Folder):
            _write(within, to / name, until, chance)
        elif not name.endswith("-shm"):
            changes = list(_some(within.since, chance)) if chance else []
            (to / name).write_bytes(within.content(changes))


def _some(changes: list[Call], chance: random.Random) -> Iterator[Call]:
    """Yield the changes up to some moment; the last may be a write of which a part is left."""
    count = chance.randint(0, len(changes))
    yield from changes[:count]
    if changes[count:] and changes[count].kind == "write":
        last = changes[count]
        sectors = len(last.data) // SECTOR
        yield replace(last, data=last.data[: SECTOR * chance.randint(0, sectors)])
