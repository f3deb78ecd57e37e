"""Draw mutants of the rooms of a tree by a seed, and find drawn ones again in a later tree."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from tests.mutants.changes import Mutant, mutants_of

LOOSE = "tests/cookmas"
"""The folder with the tests of the loose modules of `cookmas`."""


def folder_beside(root: Path, file: str) -> str:
    """Return the folder with the tests of a file: that of its room.

    A room is a folder at the top of the product, or a folder of one, that has a folder of tests.
    """
    parts = [part for part in Path(file).parent.parts if part != "cookmas"]
    for depth in (2, 1):
        for base in ("tests", LOOSE):
            folder = Path(base, *parts[:depth])
            if len(parts) >= depth and (root / folder).is_dir():
                return str(folder)
    return LOOSE


def find_rooms(root: Path, code: Iterable[str]) -> dict[str, list[str]]:
    """Return the files of each room, which is named by the folder of its tests."""
    rooms = defaultdict[str, list[str]](list)
    for folder in code:
        paths = [root / folder] if folder.endswith(".py") else (root / folder).rglob("*.py")
        for path in sorted(paths):
            file = str(path.relative_to(root))
            rooms[folder_beside(root, file)].append(file)
    return dict(sorted(rooms.items()))


def find_beside(root: Path, room: str, rooms: Iterable[str]) -> list[str]:
    """Return the files and folders with a room's own tests.

    The folder of a group, such as `tests/worlds`, has other rooms, which are left out.
    """
    is_group = room == LOOSE or "/" not in room.removeprefix("tests/")
    return [
        path
        for each in sorted((root / room).iterdir())
        if (path := str(each.relative_to(root))) not in (rooms if is_group else ())
        and (each.match("test_*.py") or (each.is_dir() and any(each.rglob("test_*.py"))))
    ]


def is_beside(test: str, paths: Iterable[str]) -> bool:
    """Return whether a test is in some files and folders."""
    return any(test.startswith((f"{path}::", f"{path}/")) for path in paths)


def draw(root: Path, rooms: Mapping[str, Sequence[str]], number: int, seed: int) -> list[Mutant]:
    """Draw from all rooms in turn, so that small rooms have their say and any beginning is fair.

    In a room a line is drawn, and then one of its changes: long expressions count once.
    """
    chance = random.Random(seed)
    decks = [list(_shuffle(root, files, chance)) for files in rooms.values()]
    return list(islice(_deal(decks, chance), number))


def _shuffle(root: Path, files: Sequence[str], chance: random.Random) -> Iterator[Mutant]:
    lines = defaultdict[tuple[str, int], list[Mutant]](list)
    for file in files:
        for mutant in mutants_of(root, file):
            lines[mutant.file, mutant.line].append(mutant)
    for line in chance.sample(sorted(lines), len(lines)):
        yield chance.choice(lines[line])


def _deal(decks: Sequence[list[Mutant]], chance: random.Random) -> Iterator[Mutant]:
    left = [deck for deck in decks if deck]
    while left:
        for deck in chance.sample(left, len(left)):
            yield deck.pop(0)
        left = [deck for deck in left if deck]


class Finder:
    """The mutants of a tree, among which those of an earlier tree are searched."""

    def __init__(self, root: Path, rooms: Mapping[str, Sequence[str]]) -> None:
        self._found = defaultdict[tuple[str, str, str], list[Mutant]](list)
        for file in (file for files in rooms.values() for file in files):
            for mutant in mutants_of(root, file):
                self._found[mutant.text, mutant.old, mutant.new].append(mutant)

    def find(self, before: Mutant) -> Mutant | None:
        """Return the same change of the same line, also in another file, as files move."""
        return min(
            self._found.get((before.text, before.old, before.new), []),
            key=lambda each: (each.file != before.file, abs(each.line - before.line)),
            default=None,
        )
