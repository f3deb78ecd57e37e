"""A machine that works on one request at a time: its optimum is the sum of what is left."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from cookmas.episodes.trace import EventRecord, PlanRecord
from cookmas.evals.disruptions import Continuation, Continuing, disruptions
from cookmas.evals.optimality import Optimum
from cookmas.evals.verdict import Check

Rest = Mapping[str, int]
"""The timesteps of work that each open request needs."""


def find_requests(state: Rest) -> Collection[str]:
    return state.keys()


def solve(evidence: Any, state: Rest, requests: Collection[str]) -> Continuation | None:
    work = sum(state[name] for name in requests)
    return Continuation(work - evidence.loose, work + evidence.slow, "a search")


def find_missed(evidence: Any) -> Collection[str]:
    missed: Collection[str] = evidence.missed
    return missed


def clairvoyant(evidence: Any) -> tuple[int, Optimum] | None:
    known: tuple[int, Optimum] | None = evidence.known
    return known


def work(arrivals: Mapping[int, int], busy: Sequence[bool], **how: Any) -> Any:
    """Return the evidence of an episode of the machine.

    Requests come in at timesteps, with their timesteps of work. The machine works at the busy
    timesteps on the oldest open request. `loose` and `slow` are what a bound and a search miss;
    `plans` are the records of a planner, and `missed` the requests that were not met as wanted.
    """
    frames, events, rest = list[Any](), list[EventRecord](), dict[str, int]()
    for timestep, works in enumerate(busy):
        if timestep in arrivals:
            rest = {**rest, f"r{timestep}": arrivals[timestep]}
            event = EventRecord(timestep=timestep, number=len(events) + 1, event={})
            events.append(event)
        before = rest
        if works and rest:
            first = next(iter(rest))
            rest = {**rest, first: rest[first] - 1}
            rest = {name: left for name, left in rest.items() if left}
        frames.append(SimpleNamespace(timestep=timestep, before=before, after=rest))
    about = {
        "loose": 0,
        "slow": 0,
        "known": None,
        "altered": None,
        "plans": [],
        "missed": [],
        **how,
    }
    records: Mapping[type, Sequence[Any]] = {EventRecord: events, PlanRecord: about["plans"]}
    trace = SimpleNamespace(header=SimpleNamespace(horizon=99), of=lambda kind: records[kind])
    return SimpleNamespace(trace=trace, frames=tuple(frames), final=rest, **about)


def price(evidence: Any) -> list[Check]:
    return list(disruptions(Continuing(find_requests, solve, find_missed, clairvoyant))(evidence))
