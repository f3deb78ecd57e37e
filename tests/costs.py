"""Print what the tests of each folder cost and what they guard, the most expensive folder first.

    python -m tests.costs [--files 60] [--mutants FILE] [ARGUMENT ...]
    python -m tests.costs --recorded FILE ... [--files 60] [--mutants FILE]

The command runs pytest with the arguments, by default all tests in one process; `--recorded` reads
the records of an earlier run, which COOKMAS_COSTS named, and runs nothing. CPU seconds include
those of the processes that a test started; `collection` is the start of each process until it knows
its tests. Lines are those of the code that a folder guards: the folder of the same name without the
parts that a folder of tests has for itself. `--mutants` names results of `tests.mutants`;
then the table shows how many were killed in that code.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.mutants.session import read_results

ROOT = Path(__file__).parents[1]

RECORD = "COOKMAS_COSTS"
"""The variable that names the file of records; each process adds its own name."""


STARTED = time.monotonic()


@dataclass(slots=True)
class Cost:
    """What some tests cost."""

    cpu: float = 0
    wall: float = 0
    tests: int = 0

    def add(self, cpu: float, wall: float, tests: int) -> None:
        self.cpu, self.wall, self.tests = self.cpu + cpu, self.wall + wall, self.tests + tests

    def cells(self) -> list[str]:
        return [f"{self.cpu:.1f}", f"{self.wall:.1f}", str(self.tests)]


def used(process: Path = Path("/proc/self")) -> float:
    """Return the CPU seconds of a process, of those it waited for, and of its running children."""
    try:
        ticks = (process / "stat").read_text().rpartition(")")[2].split()[11:15]
        children = [(task / "children").read_text() for task in (process / "task").iterdir()]
    except OSError:
        return 0
    running = sum(used(Path("/proc", child)) for each in children for child in each.split())
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK") + running


def record(name: str, cpu: float, wall: float) -> None:
    """Add what a test cost to the record of this process."""
    # A process whose parent has ended takes its seconds along.
    line = json.dumps([name, round(max(0, used() - cpu), 3), round(time.monotonic() - wall, 3)])
    with Path(os.environ[RECORD] + os.environ.get("PYTEST_XDIST_WORKER", "")).open("a") as file:
        file.write(line + "\n")


def pytest_collection_finish() -> None:
    record("collection/::", 0, STARTED)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    cpu, wall = used(), time.monotonic()
    done = yield
    record(item.nodeid, cpu, wall)
    return done


def add_up(recorded: Iterable[Path]) -> dict[str, Cost]:
    """Return what each file of tests cost."""
    costs: dict[str, Cost] = defaultdict(Cost)
    for path in recorded:
        for test, cpu, wall in map(json.loads, path.read_text().splitlines()):
            file, inside, _ = test.partition("::")
            if inside:
                costs[file].add(cpu, wall, 1)
    return costs


def room_of(folder: str) -> Path | None:
    """Return the folder of code that a folder of tests guards."""
    inside = folder.removeprefix("tests/")
    rooms = (ROOT / "cookmas" / inside, ROOT / inside)
    return next((room.resolve() for room in rooms if folder != "tests" and room.is_dir()), None)


def guarded(folders: Iterable[str]) -> dict[str, list[str]]:
    """Return the files of code that each folder guards; a file belongs to the deepest folder."""
    rooms = {room: folder for folder in folders if (room := room_of(folder))}
    files: dict[str, list[str]] = defaultdict(list)
    for room, folder in rooms.items():
        for path in room.rglob("*.py"):
            if next(each for each in path.parents if each in rooms) == room:
                files[folder].append(path.relative_to(ROOT).as_posix())
    return files


def list_rows(costs: Mapping[str, Cost], mutants: Path | None = None) -> list[list[str]]:
    """Return the table by folder, with its header and its sum."""
    folders: dict[str, Cost] = defaultdict(Cost)
    for file, cost in costs.items():
        for folder in (file.rpartition("/")[0], "all"):
            folders[folder].add(cost.cpu, cost.wall, cost.tests)
    code = guarded(folders)
    code["all"] = [file for files in code.values() for file in files]
    drawn = [
        (mutant.file, tried.outcome == "killed")
        for mutant, tried in read_results(mutants).items()
        if tried.outcome != "equivalent"
    ]
    rows = [["cpu s", "wall s", "tests", "lines", *(["killed"] if drawn else []), "folder"]]
    for folder, cost in sorted(folders.items(), key=lambda each: -each[1].cpu):
        lines = sum(len((ROOT / file).read_text().splitlines()) for file in code[folder])
        outcomes = [killed for file, killed in drawn if file in code[folder]]
        killed = [f"{sum(outcomes)}/{len(outcomes)}"] if drawn else []
        rows.append([*cost.cells(), str(lines), *killed, folder])
    return rows


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.costs", description=__doc__)
    parser.add_argument("--recorded", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--files", type=int, default=0, help="show this number of files too")
    parser.add_argument("--mutants", type=Path, metavar="FILE")
    chosen, rest = parser.parse_known_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        code, recorded = 0, chosen.recorded
        if not recorded:
            os.environ[RECORD] = f"{folder}/record"
            code = pytest.main(["-q", "-p", "tests.costs", *rest])
            recorded = [*Path(folder).iterdir()]
        costs = add_up(recorded)
    most = sorted(costs.items(), key=lambda each: -each[1].cpu)[: chosen.files]
    files = [[*cost.cells(), file] for file, cost in most]
    for *numbers, name in (*list_rows(costs, chosen.mutants), *files):
        print("".join(f"{number:>9}" for number in numbers) + f"  {name}")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
