"""The data of a page: a trace as a list of entries, with its verdict as the last one.

The entries are those of docs/reference/page-data.md. They are made from the records in order: the
same trace gives the same entries, and a page can follow a growing trace. States are those that a
spectator sees. The entries leave out the scenario, because it has future events.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from cookmas.display.watch.following import Continuations, Following, filter_record
from cookmas.episodes.reports import failure_in
from cookmas.episodes.trace import (
    AnyRecord,
    End,
    EventRecord,
    ForkRecord,
    Header,
    Lookup,
    MessageRecord,
    ModelCall,
    PartRecord,
    PlanRecord,
    StepRecord,
    Trace,
    TriggerRecord,
)
from cookmas.evals.verdict import Check, Judged
from cookmas.files.errors import TraceError
from cookmas.worlds.base.viewing import NOWHERE, VisibleGoal, WorkerPlace, describe_event

FORMAT = 2

Entry = dict[str, Any]


Change = list[Any]
"""A change: `[path, value]` sets the value at a path, `[path]` removes it. A path lists the keys
from the outermost mapping inwards. A list that has changed is given whole."""


class Feed:
    """Turns the records of one trace into entries, the header first.

    `world` names the world of the trace, and is needed only for a user-supplied world. `worker` is
    a worker's name, ORCHESTRATOR or None: if given, the entries tell only what that worker or the
    orchestrator may know. Raises TraceError if the trace belongs to another world or other rules,
    or does not replay.
    """

    def __init__(self, header: Header, world: str | None = None, worker: str | None = None) -> None:
        self._following = Following(header, world, worker)
        self.viewing = self._following.viewing
        self._start = self._seen = self._observation()
        self._told: dict[str, Any] = {}
        self._plans: dict[str | None, Entry] = {}
        self._continuations = Continuations()

    def _begin_part(self, record: PartRecord) -> Entry:
        """Return the entry with which a part begins.

        A page that gets only it and what follows shows the run from there on: it leads from the
        first state to the present one, and has the plans that reach beyond the timestep.
        """
        self._following.take(record)
        self._told, self._seen = {}, self._observation()
        plans = [
            plan
            for plan in self._plans.values()
            if plan["t"] + len(plan["schedule"]) > record.timestep
        ]
        change = changes(self._start, self._seen)
        return {
            **self.opening(),
            "part": record.number,
            "t": record.timestep,
            "change": change,
            "plans": plans,
        }

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
            **({"lasting": True} if world.lasting else {}),
            "horizon": header.horizon,
            "terms": asdict(self.viewing.terms),
            "setup": self.viewing.setup(world),
            "forms": [each.form() for each in self._following.messages],
            "state": self._start,
            **self._describe_change(),
        }

    def take(self, record: AnyRecord) -> Iterator[Entry]:
        """Yield the entry of the next record, unless nothing of it is visible."""
        shown = filter_record(record, self._following)
        match shown:
            case None:
                return
            case EventRecord():
                yield self._event(shown)
            case StepRecord():
                yield self._step(record, shown)
            case ForkRecord():
                yield self._fork(shown)
            case PartRecord():
                yield self._begin_part(shown)
            case PlanRecord() if self._continuations.has(shown):
                return
            case PlanRecord():
                entry = _entry_of(shown)
                self._plans[shown.agent] = entry
                yield entry
            case TriggerRecord() | Lookup() | MessageRecord() | End():
                yield _entry_of(shown)
            case ModelCall():
                entry = _entry_of(shown, "request", "schema_name", "answered_by")
                yield entry | {"model": shown.answerer}

    def _event(self, record: EventRecord) -> Entry:
        self._following.take(record)
        entry = _entry_of(record, "event", "made")
        if failed := failure_in(record.event):
            worker, _, outcome = failed
            entry["fails"] = {worker: {"fail": outcome.fail, "why": outcome.why}}
        return {
            **entry,
            "text": describe_event(self.viewing, record.event),
            "change": self._change(),
            **self._describe_change(),
        }

    def _fork(self, record: ForkRecord) -> Entry:
        self._following.take(record)
        entry = _entry_of(record, "setup", "coming", "seats")
        world = self._following.world
        return entry | ({"setup": self.viewing.setup(world)} if record.setup else {})

    def _step(self, record: AnyRecord, shown: StepRecord) -> Entry:
        """Return the entry of a step. `shown` is the part of `record` that may be shown."""
        acts = [
            [act.worker, act.action]
            if act.words == act.action
            else [act.worker, act.action, act.words]
            for act in self._following.acts(shown)
        ]
        if not self._following.take(record):
            raise TraceError(
                f"the trace does not replay at timestep {shown.timestep}; 'cookmas replay' "
                "says more"
            )
        entry = _entry_of(shown, "digest", "commands", "payloads")
        return {**entry, "acts": acts, "change": self._change(), **self._describe_change()}

    def _describe_change(self) -> dict[str, Any]:
        """Return the world's descriptions of the state that have changed since the last call.

        They describe the agents that are not workers. In a world without a drawing of its own, they
        also describe the workers' places, the panels and the goals.
        """
        following = self._following
        world, seen = following.world, following.seen
        described: dict[str, Any] = {}
        standing = self.viewing.place_workers(world, seen)
        if others := world.characters:
            described["characters"] = {name: _words_of(standing, name) for name in others}
        if not self.viewing.page:
            placed = [name for name in world.workers if name in standing]
            described["places"] = {name: _words_of(standing, name) for name in placed}
            described["panels"] = [asdict(each) for each in self.viewing.panels(world, seen)]
            described["goals"] = [_goal(each) for each in self.viewing.goals(world, seen)]
        before, self._told = self._told, described
        return {name: x for name, x in described.items() if x and x != before.get(name)}

    def _observation(self) -> dict[str, Any]:
        return self._following.world.dump(self._following.seen)

    def _change(self) -> list[list[Any]]:
        before, self._seen = self._seen, self._observation()
        return changes(before, self._seen)


def _words_of(standing: Mapping[str, WorkerPlace], name: str) -> str:
    return ", ".join(filter(None, standing.get(name, NOWHERE).phrases))


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


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """Return the changes from `before` to `after`, in a fixed order."""
    return list(_changes(before, after, []))


def _changes(
    before: Mapping[str, Any], after: Mapping[str, Any], path: list[str]
) -> Iterator[Change]:
    for key in before:
        if key not in after:
            yield [[*path, key]]
    for key, value in after.items():
        if key not in before:
            yield [[*path, key], value]
        elif (old := before[key]) is not value and old != value:
            if isinstance(old, Mapping) and isinstance(value, Mapping):
                yield from _changes(old, value, [*path, key])
            else:
                yield [[*path, key], value]


def verdict_entry(run: Judged) -> Entry:
    """Return the verdict of a run as an entry.

    In the entry, `at` is the timestep at which a goal or a check was decided. A goal is decided
    when it is reached, or else at the end of the episode. If the run has no verdict, the entry says
    why.
    """
    trace, verdict = run.trace, run.verdict and run.verdict.without_repeats()
    title = str(trace.header.scenario.get("title", ""))
    if verdict is None:
        return {"kind": "verdict", "title": title, "success": None, "why": run.unjudged}
    end = trace.end.timestep if trace.end else None
    decided = {goal.name: end if goal.when is None else goal.when for goal in verdict.goals}
    return {
        "kind": "verdict",
        "title": title,
        "group": verdict.group,
        "success": verdict.success,
        "score": verdict.score,
        "outcome": verdict.outcome,
        "why": verdict.why,
        "summary": verdict.summary,
        "goals": [{**goal.model_dump(), "at": decided[goal.name]} for goal in verdict.goals],
        "checks": [_check(check, decided) for check in verdict.checks],
        "measured": verdict.measured.model_dump() if verdict.measured else None,
    }


def _check(check: Check, decided: dict[str, int | None]) -> dict[str, Any]:
    return {
        **check.model_dump(exclude_defaults=True),
        "at": decided.get(check.subject.partition(":")[0]),
    }
