"""Try whether the tests of a room notice small changes of its code.

    python -m tests.mutants cookmas/worlds/hanabi
    python -m tests.mutants --all --draw 150 --seed 59 --suite --results results.jsonl
    python -m tests.mutants --all --again results.jsonl --results later.jsonl

Mutants are drawn by a seed. Each is tried in a copy of the tree by the tests in the room's own
folder that execute it, and with `--suite` by all others, until one fails. The command prints what
survived and what no test executes. With `--results` it goes on where it was stopped, and with
`--again` it tries the same mutants as another run. What `equivalents.yaml` names is not counted.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from tests.folders import CODE
from tests.mutants.changes import Mutant
from tests.mutants.drawing import Finder, draw, find_rooms, folder_beside
from tests.mutants.session import Session, read_results
from tests.mutants.trying import Tried
from tests.warm import ROOT


def main(arguments: Sequence[str] | None = None) -> int:
    """Try mutants; return 1 if one survived or was executed by no test."""
    given = _read_arguments(arguments)
    rooms = find_rooms(ROOT, given.rooms)
    killers = dict[Mutant, str]()
    if given.again:
        finder = Finder(ROOT, rooms)
        for before, tried in read_results(given.again).items():
            if mutant := finder.find(before):
                killers[mutant] = tried.by
            else:
                print(f"gone: {before.file}:{before.line} {before.text}")
    mutants = [*killers] if given.again else draw(ROOT, rooms, given.draw, given.seed)
    session = Session(
        root=ROOT,
        limit=given.limit,
        processes=given.processes,
        results=given.results,
        killers=killers,
        tell=_tell,
    )
    found = session.try_all(mutants, suite=given.suite)
    of_room = defaultdict[str, Counter[str]](Counter)
    for mutant, tried in found.items():
        of_room[folder_beside(ROOT, mutant.file)][_kind(tried)] += 1
    for room, kinds in sorted(of_room.items()):
        print(room, _describe(kinds))
    print(_describe(sum(of_room.values(), Counter())))
    return int(any(tried.outcome in {"survived", "unreached"} for tried in found.values()))


def _tell(mutant: Mutant, tried: Tried) -> None:
    """Print what the tests beside a mutant have not killed."""
    if _kind(tried) not in {"killed", "equivalent"}:
        left_out = f", {tried.left_out} left out for time" if tried.left_out else ""
        print(f"{_kind(tried)} ({tried.by or f'{tried.tests} tests'}{left_out})")
        print(mutant.describe((ROOT / mutant.file).read_bytes()), end="\n\n", flush=True)


def _kind(tried: Tried) -> str:
    return "killed by others" if tried.outcome == "killed" and not tried.beside else tried.outcome


def _describe(kinds: Counter[str]) -> str:
    return ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items()))


def _read_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutants",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help="a folder or file of the product")
    parser.add_argument("--all", action="store_true", help="draw from all rooms in turn")
    parser.add_argument("--draw", type=int, default=20, metavar="NUMBER")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--suite", action="store_true", help="ask the other tests too")
    parser.add_argument("--limit", type=float, default=120, metavar="SECONDS", help="of tests")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--results", type=Path, metavar="FILE")
    parser.add_argument("--again", type=Path, metavar="FILE", help="results of another run")
    given = parser.parse_args(arguments)
    if bool(given.rooms) == given.all:
        parser.error("name rooms, such as cookmas/workers, or draw from all of them with --all")
    for room in given.rooms:
        if not (ROOT / room).exists():
            parser.error(f"{room}: there is no such room; name a folder such as cookmas/workers")
    # `cookmas/workers` is a link to the folder at the top.
    rooms = [str((ROOT / room).resolve().relative_to(ROOT)) for room in given.rooms]
    given.rooms = rooms or [*CODE]
    return given


if __name__ == "__main__":
    sys.exit(main())
