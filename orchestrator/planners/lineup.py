"""Line-ups: a text such as `alice=llm,bob=greedy`, with which a user assigns planners to seats."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeVar

from cookmas.episodes.world import digest
from cookmas.files.errors import InputError
from cookmas.files.wording import suggest_name
from cookmas.orchestrator.planners.person import PersonPlanner

PERSON = PersonPlanner.name
"""Name of the planner for a seat that a person plays without suggestions."""

MAX_SEED = 2**31

Each = TypeVar("Each")

_SEAT = re.compile(r"\s*([\w .-]*\w)\s*=(.*)", re.DOTALL)


def is_lineup(spec: str) -> bool:
    """Return whether a text assigns planners to seats, rather than naming one planner."""
    return _SEAT.fullmatch(spec) is not None


def parts_of(spec: str, where: str) -> dict[str, str]:
    """Return the planner of each seat that a line-up names.

    `where` names the line-up in errors. Raise InputError if the line-up names a seat twice, or a
    planner without a seat.
    """
    seats: dict[str, str] = {}
    for part in spec.split(","):
        found = _SEAT.fullmatch(part)
        if found is None or not found[2].strip():
            raise InputError(where, f"{part.strip()!r}: expected SEAT=PLANNER for each seat")
        if found[1] in seats:
            raise InputError(where, f"seat {found[1]!r} has two planners; give it one")
        seats[found[1]] = found[2].strip()
    return seats


def text_of(seats: Mapping[str, str]) -> str:
    """Return the text of a line-up, as a user would write it."""
    return ",".join(f"{seat}={planner}" for seat, planner in seats.items())


def planners_in(spec: str) -> list[str]:
    """Return the planners that a text names: those of a line-up, or the text as one planner."""
    return list(parts_of(spec, "planner").values()) if is_lineup(spec) else [spec]


def lineup(spec: str, workers: Sequence[str], people: Sequence[str] = ()) -> dict[str, str]:
    """Return the planner of each seat, in the order of the workers.

    The line-up may omit the seats of `people`: a person plays such a seat without suggestions.
    Raise InputError if any other seat is missing, or a seat is unknown.
    """
    where = f"planner {spec!r}"
    return in_order({**dict.fromkeys(people, PERSON), **parts_of(spec, where)}, workers, where)


def in_order(seats: Mapping[str, Each], workers: Sequence[str], where: str) -> dict[str, Each]:
    """Return the seats in the order of the workers.

    Raise InputError if a seat is missing or unknown.
    """
    for seat in seats:
        refuse_unknown(seat, workers, where)
    if missing := [worker for worker in workers if worker not in seats]:
        all_of_them = ",".join(f"{worker}=..." for worker in workers)
        raise InputError(where, f"seat {missing[0]!r} has no planner; expected {all_of_them}")
    return {worker: seats[worker] for worker in workers}


def seed_of(seed: int, seat: str) -> int:
    """Return the seed of one seat, which differs from the seeds of the other seats."""
    return int(digest([seed, seat]), 16) % MAX_SEED


def refuse_unknown(seat: str, workers: Sequence[str], where: str) -> None:
    """Raise InputError if no worker has this name."""
    if seat not in workers:
        expected = f"expected {', '.join(workers)}{suggest_name(seat, workers)}"
        raise InputError(where, f"there is no seat {seat!r}; {expected}")
