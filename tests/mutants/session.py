"""Try many mutants: each by the tests of its room, and then by all others."""

from __future__ import annotations

import json
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar

import yaml

from tests.folders import CODE
from tests.mutants.changes import Mutant
from tests.mutants.copies import Copy
from tests.mutants.drawing import find_beside, find_rooms, folder_beside, is_beside
from tests.mutants.reaching import measure
from tests.mutants.trying import Tried, try_mutant

Item = TypeVar("Item")

EQUIVALENTS = Path(__file__).with_name("equivalents.yaml")


def read_results(file: Path | None) -> dict[Mutant, Tried]:
    """Return what a file last said about each mutant."""
    if file is None or not file.exists():
        return {}
    lines = map(json.loads, file.read_text("utf-8").splitlines())
    return {Mutant(**each["mutant"]): Tried(**each["tried"]) for each in lines}


def keep_result(file: Path, mutant: Mutant, tried: Tried) -> None:
    """Add to a file what was found of a mutant."""
    with file.open("a", encoding="utf-8") as results:
        results.write(json.dumps({"mutant": asdict(mutant), "tried": asdict(tried)}) + "\n")


def is_equivalent(root: Path, mutant: Mutant) -> bool:
    """Return whether a mutant is declared to change nothing that can be observed."""
    declared = yaml.safe_load(EQUIVALENTS.read_text("utf-8"))
    what = (mutant.file, mutant.text, change_line(root, mutant))
    return any((each["file"], each["line"], each["becomes"]) == what for each in declared)


def change_line(root: Path, mutant: Mutant) -> str:
    """Return what the first line of a mutant becomes."""
    changed = mutant.apply((root / mutant.file).read_bytes()).decode()
    return changed.splitlines()[mutant.line - 1].strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A tree, the seconds of tests for each mutant, and the file that gets the results.

    `killers` names tests that have killed mutants earlier, and so are played first.
    """

    root: Path
    limit: float
    processes: int
    results: Path | None
    killers: Mapping[Mutant, str]
    tell: Callable[[Mutant, Tried], None]

    def try_all(self, mutants: Sequence[Mutant], *, suite: bool) -> dict[Mutant, Tried]:
        """Return how each mutant did, by all tests or those beside it; what is known is kept."""
        known = read_results(self.results)
        found = {mutant: known[mutant] for mutant in mutants if mutant in known}
        of_room = defaultdict[str, list[Mutant]](list)
        for mutant in mutants:
            if mutant not in found and is_equivalent(self.root, mutant):
                found[mutant] = self._keep(mutant, Tried(outcome="equivalent"))
            elif mutant not in found:
                of_room[folder_beside(self.root, mutant.file)].append(mutant)
        with self._copies() as copies:

            def play_room(room: str) -> None:
                with _taken(copies) as copy:
                    beside = _find_beside(copy, room)
                    found.update(self._try_beside(copy, beside, of_room[room]))

            self._in_turn(play_room, [*of_room])
            if suite:
                self._try_others(copies, found)
        return {mutant: found[mutant] for mutant in mutants}

    def _try_beside(
        self, copy: Copy, beside: Sequence[str], mutants: Sequence[Mutant]
    ) -> Iterator[tuple[Mutant, Tried]]:
        left = []
        for mutant in mutants:
            if is_beside(self.killers.get(mutant, ""), beside) and (
                tried := self._try_killer(copy, mutant)
            ):
                yield mutant, self._keep(mutant, replace(tried, beside=True))
            else:
                left.append(mutant)
        if left:
            measured = measure(copy, CODE, left, beside, processes=1)
            for mutant, tests in zip(left, measured.reached, strict=True):
                tried = try_mutant(copy, mutant, measured.seconds, tests, self.limit)
                yield mutant, self._keep(mutant, replace(tried, beside=tried.outcome == "killed"))

    def _try_others(self, copies: SimpleQueue[Copy], found: dict[Mutant, Tried]) -> None:
        """Try what the rooms' own tests have not killed by all other tests."""

        def play_killer(mutant: Mutant) -> None:
            with _taken(copies) as copy:
                if tried := self._try_killer(copy, mutant):
                    found[mutant] = self._keep(mutant, replace(tried, asked_all=True))

        self._in_turn(play_killer, _undecided(found))
        if not (left := _undecided(found)):
            return
        with _taken(copies) as copy:
            measured = measure(copy, CODE, left, ["tests"], self.processes)
        reached = dict(zip(left, measured.reached, strict=True))

        def play_others(mutant: Mutant) -> None:
            with _taken(copies) as copy:
                beside = _find_beside(copy, folder_beside(self.root, mutant.file))
                tests = [test for test in reached[mutant] if not is_beside(test, beside)]
                tried = try_mutant(copy, mutant, measured.seconds, tests, self.limit)
            if tried.outcome == "unreached":
                tried = found[mutant]
            found[mutant] = self._keep(mutant, replace(tried, asked_all=True))

        self._in_turn(play_others, left)

    def _try_killer(self, copy: Copy, mutant: Mutant) -> Tried | None:
        killer = self.killers.get(mutant, "")
        if not killer or not (copy.path / killer.partition("::")[0]).is_file():
            return None
        tried = try_mutant(copy, mutant, {}, [killer], self.limit)
        return tried if tried.outcome == "killed" else None

    def _keep(self, mutant: Mutant, tried: Tried) -> Tried:
        if self.results:
            keep_result(self.results, mutant, tried)
        self.tell(mutant, tried)
        return tried

    @contextmanager
    def _copies(self) -> Iterator[SimpleQueue[Copy]]:
        copies = SimpleQueue[Copy]()
        with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
            for number in range(self.processes):
                copies.put(Copy(self.root, Path(folder, str(number))))
            yield copies

    def _in_turn(self, play: Callable[[Item], None], items: Sequence[Item]) -> None:
        with ThreadPoolExecutor(self.processes) as pool:
            list(pool.map(play, items))


def _find_beside(copy: Copy, room: str) -> list[str]:
    """Return a room's own tests in a copy, as the tree may change meanwhile."""
    return find_beside(copy.path, room, find_rooms(copy.path, CODE))


@contextmanager
def _taken(copies: SimpleQueue[Copy]) -> Iterator[Copy]:
    copy = copies.get()
    try:
        yield copy
    finally:
        copies.put(copy)


def _undecided(found: Mapping[Mutant, Tried]) -> list[Mutant]:
    return [
        mutant
        for mutant, tried in found.items()
        if tried.outcome in {"survived", "unreached"} and not tried.asked_all
    ]
