"""Try a fault at every point of every command, and a loss of power after every change.

    python -m tests.every_fault [--minutes 60] [--seed 1] [--commands NAME ...]
    python -m tests.every_fault --only COMMAND KIND PATTERN NUMBER ACTION

Two processes try the points in an order that the seed decides, until the time is over; the first
two fifths of it are for commands to Redis and statements to PostgreSQL, by more processes. Then the
command prints what fell, and for each command and action how many points were tried and left out.
It tries the point after `--only` alone.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from cookmas.solving.restaurant.planners import EmbeddedPlanner
from tests.every_fault.calls import COMPILER, MISSING, Call, library
from tests.every_fault.commands import COMMANDS
from tests.every_fault.cutting import SERVERS
from tests.every_fault.losing import Loss, losses_of, try_loss
from tests.every_fault.points import Point, points_of
from tests.every_fault.servers import Cut
from tests.every_fault.trying import calls_of, prepare, try_point

PROCESSES = 2

TRYING_EACH = 2
"""Number of processes that try the commands to one server; they wait most of the time."""

SHARE_OF_SERVERS = 0.4
"""The part of the time for Redis and PostgreSQL."""

Fault = Point | Loss | Cut


class Tried(NamedTuple):
    """What came of a fault."""

    kind: str
    """The command and the action, for the counts."""
    fell: str | None = None
    """Why a promise does not hold; None if all hold."""
    refused: str | None = None
    """The line with which a folder was refused after a loss of power."""


def kind_of(fault: Fault) -> str:
    """Return the command and the action of a fault."""
    what = f"loss ({fault.model})" if isinstance(fault, Loss) else fault.action
    return f"{fault.command:12} {what:16}"


def attempt(fault: Fault, attempts: Callable[[], str | None]) -> Tried:
    """Try a fault, and print what fell."""
    kind = kind_of(fault)
    try:
        return Tried(kind, refused=attempts())
    except Exception as error:
        print(f"fell: {fault}\n{error}\n{traceback.format_exc(limit=-2)}", flush=True)
        return Tried(kind, fell=str(fault))


def try_files(within: Path, recorded: dict[str, list[Call]], fault: Point | Loss) -> Tried:
    """Try a fault of a call, or a loss of power."""
    own = within / multiprocessing.current_process().name
    kept = within / f"{fault.command}.kept"
    if isinstance(fault, Point):
        return attempt(fault, lambda: try_point(fault, kept, own))
    return attempt(fault, lambda: try_loss(fault, kept, recorded[fault.command], own))


def try_server(
    within: Path, until: float, seed: int, part: tuple[str, int]
) -> tuple[list[Tried], Counter[str]]:
    """Try a part of the faults of a server's commands.

    Return what came of them, and what there is in all parts, which is counted with the first.
    """
    tried: list[Tried] = []
    name, number = part
    with SERVERS[name](within / f"{name}-{number}") as kitchens:
        cuts = kitchens.cuts()
        random.Random(seed).shuffle(cuts)
        for cut in cuts[number::TRYING_EACH]:
            if time.monotonic() > until:
                break
            tried.append(attempt(cut, partial(kitchens.attempt, cut)))
    there_are = Counter(f"{name}: {kind_of(cut)}" for cut in cuts if number == 0)
    return [each._replace(kind=f"{name}: {each.kind}") for each in tried], there_are


def main() -> int:
    """Try the faults, and return 1 if a promise fell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--commands", nargs="*", default=[*SERVERS, *COMMANDS])
    parser.add_argument("--only", nargs=5)
    asked = parser.parse_args()
    if not COMPILER:
        print(MISSING)
        return 2
    library()
    EmbeddedPlanner.effort = 1
    began, seconds = time.monotonic(), 60 * asked.minutes
    with tempfile.TemporaryDirectory(prefix="every-fault-") as folder:
        within = Path(folder)
        if asked.only:
            command, kind, pattern, number, action = asked.only
            prepare(command, within)
            point = Point(command, kind, pattern, int(number), action)
            return report([try_files(within, {}, point)], Counter([kind_of(point)]))
        servers = [name for name in SERVERS if name in asked.commands]
        until = began + SHARE_OF_SERVERS * seconds
        tried, there_are = try_servers(within, until, asked.seed, servers)
        faults: list[Point | Loss] = []
        recorded: dict[str, list[Call]] = {}
        for name in asked.commands:
            if name in COMMANDS:
                recorded[name] = calls_of(name, prepare(name, within), within / "recorded")
                faults += points_of(name, recorded[name])
                faults += losses_of(name, recorded[name])
        random.Random(asked.seed).shuffle(faults)
        on_files = try_until(began + seconds, faults, partial(try_files, within, recorded))
    return report([*tried, *on_files], there_are + Counter(map(kind_of, faults)))


def try_servers(
    within: Path, until: float, seed: int, names: Sequence[str]
) -> tuple[list[Tried], Counter[str]]:
    """Try the faults of several servers side by side."""
    tried: list[Tried] = []
    there_are: Counter[str] = Counter()
    parts = [(name, number) for name in names for number in range(TRYING_EACH)]
    with multiprocessing.get_context("fork").Pool(len(parts) or 1) as pool:
        for some, all_of_it in pool.imap_unordered(partial(try_server, within, until, seed), parts):
            tried += some
            there_are += all_of_it
    return tried, there_are


def try_until(
    until: float, faults: Sequence[Point | Loss], attempts: Callable[[Point | Loss], Tried]
) -> list[Tried]:
    """Try faults in several processes until a moment."""
    tried: list[Tried] = []
    with multiprocessing.get_context("fork").Pool(PROCESSES) as pool:
        for each in pool.imap_unordered(attempts, faults):
            tried.append(each)
            if time.monotonic() > until:
                break
    return tried


def report(tried: Sequence[Tried], there_are: Counter[str]) -> int:
    """Print the counts; return 1 if a promise fell."""
    fell = Counter(each.kind for each in tried if each.fell)
    done = Counter(each.kind for each in tried)
    for kind, count in sorted(there_are.items()):
        left_out = count - done[kind]
        print(f"{kind} tried {done[kind]:5}, fell {fell[kind]:3}, left out {left_out:5}")
    for line, count in Counter(each.refused for each in tried if each.refused).items():
        print(f"refused {count} times after a loss of power: {line.strip()}")
    left_out = there_are.total() - len(tried)
    print(f"faults: {len(tried)} tried, {fell.total()} fell, {left_out} left out for lack of time")
    return min(1, fell.total())


if __name__ == "__main__":
    sys.exit(main())
