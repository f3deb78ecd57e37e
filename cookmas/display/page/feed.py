"""The data of a page: a trace as a list of entries.

The entries are those of docs/reference/page-data.md. They are made from the records in order: the
same trace gives the same entries, and a page can follow a growing trace. States are those that a
spectator sees. The entries leave out the scenario, because it has future events.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from cookmas.display.page.changes import changes
from cookmas.display.watch.following import Following
from cookmas.display.watch.own import filter_record
from episodes.capabilities import characters
from episodes.trace import (
    AnyRecord,
    End,
    EventRecord,
    ForkRecord,
    Header,
    Lookup,
    MessageRecord,
    ModelCall,
    PlanRecord,
    StepRecord,
    Trace,
    TriggerRecord,
)
from files.errors import TraceError
from worlds.viewing import VisibleGoal, WorkerPlace

FORMAT = 2
"""Version of the format of the entries."""

Entry = dict[str, Any]
"""One entry, plain data."""


class Feed:
    """Makes entries of the records of one trace, the header first.

    `world` is the world from outside in which it was made; where there is a `worker`, or the
    orchestrator in its place, the entries tell no more than it may know. Raises TraceError where
    the trace is of another world or other rules, or does not replay.
    """

    def __init__(self, header: Header, world: str | None = None, worker: str | None = None) -> None:
        self._following = Following(header, world, worker)
        self.viewing = self._following.viewing
        self._seen = self._observation()
        self._told: dict[str, Any] = {}

    def opening(self) -> Entry:
        """Return the first entry: the scenario, the planner and the first state."""
        header, world = self._following.header, self._following.world
        return {
            "kind": "run",
            "format": FORMAT,
            "world": header.world,
            "scenario": header.scenario_name,
            "planner": header.planner,
            "planner_class": header.planner_class,
            "workers": header.workers,
            "idle": world.idle,
            "horizon": header.horizon,
            "terms": asdict(self.viewing.terms),
            "setup": self.viewing.setup(world),
            "forms": [each.form() for each in self._following.messages],
            "state": self._seen,
            **self._describe_change(),
        }

    def take(self, record: AnyRecord) -> Iterator[Entry]:
        """Return the entries of the next record: one, or none if nothing is visible."""
        known = filter_record(record, self._following)
        match known:
            case None:
                return
            case EventRecord():
                yield self._event(known)
            case StepRecord():
                yield self._step(record, known)
            case ForkRecord():
                yield self._fork(known)
            case TriggerRecord() | Lookup() | MessageRecord() | PlanRecord() | End():
                yield _entry_of(known)
            case ModelCall():
                yield _entry_of(known, "request", "schema_name", "answered_by")

    def _event(self, record: EventRecord) -> Entry:
        self._following.take(record)
        entry = _entry_of(record, "event", "made")
        return {
            **entry,
            "text": self.viewing.event(record.event),
            "change": self._change(),
            **self._describe_change(),
        }

    def _fork(self, record: ForkRecord) -> Entry:
        self._following.take(record)
        entry = _entry_of(record, "setup", "coming", "seats")
        world = self._following.world
        return entry | ({"setup": self.viewing.setup(world)} if record.setup else {})

    def _step(self, record: AnyRecord, known: StepRecord) -> Entry:
        """Return the entry of a step, with what the worker may know of it."""
        acts = [
            [act.worker, act.action]
            if act.words == act.action
            else [act.worker, act.action, act.words]
            for act in self._following.acts(known)
        ]
        if not self._following.take(record):
            raise TraceError(
                f"the trace does not replay at timestep {known.timestep}; 'cookmas replay' "
                "says more"
            )
        entry = _entry_of(known, "digest", "commands")
        return {**entry, "acts": acts, "change": self._change(), **self._describe_change()}

    def _describe_change(self) -> dict[str, Any]:
        """Return the world's words about the state, as far as they have changed. They are the
        agents that are not workers, and in a world without a drawing the workers' places, panels
        and goals.
        """
        following = self._following
        world, seen = following.world, following.seen
        told: dict[str, Any] = {}
        standing = self.viewing.place_workers(world, seen)
        if others := characters(world):
            told["characters"] = {name: _stands(standing.get(name)) for name in others}
        if not self.viewing.page:
            places = {name: standing[name] for name in world.workers if name in standing}
            told["places"] = {name: _stands(each) for name, each in places.items()}
            told["panels"] = [asdict(each) for each in self.viewing.panels(world, seen)]
            told["goals"] = [_goal(each) for each in self.viewing.goals(world, seen)]
        before, self._told = self._told, told
        return {name: x for name, x in told.items() if x and x != before.get(name)}

    def _observation(self) -> dict[str, Any]:
        return self._following.world.dump(self._following.seen)

    def _change(self) -> list[list[Any]]:
        before, self._seen = self._seen, self._observation()
        return changes(before, self._seen)


def _stands(standing: WorkerPlace | None) -> str:
    if standing is None:
        return ""
    at = f"at {standing.at}" if standing.at else ""
    out = "out of service" if standing.out else ""
    holds = f"holds {standing.holds}" if standing.holds else ""
    return ", ".join(filter(None, (at, out, holds)))


def _goal(goal: VisibleGoal) -> dict[str, Any]:
    return {**asdict(goal), "tone": goal.tone}


def _entry_of(record: AnyRecord, *without: str) -> Entry:
    """Return a record as an entry: its timestep is `t`, and fields without a value are left out."""
    data: Mapping[str, Any] = record.model_dump(mode="json", exclude_defaults=True)
    entry = {"kind": record.kind, "t": data.get("timestep")}
    return entry | {key: x for key, x in data.items() if key not in ("timestep", *without)}


def entries(trace: Trace, world: str | None = None) -> Iterator[Entry]:
    """Yield all entries of a trace. Raises TraceError."""
    feed = Feed(trace.header, world)
    yield feed.opening()
    for record in trace.records[1:]:
        yield from feed.take(record)
