"""The rules of a laboratory: robots and technicians carry samples through protocols in prose.

A timestep is a minute. The rules know instruments and samples, and record what was done to each
sample; what a protocol asks for is a text, which a planner looks up and the judge knows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field

from cookmas.episodes.world import DONE, Commands, Json, Outcome, Ruling, Tally, Trigger
from cookmas.files.errors import InputError
from cookmas.worlds.base import Level, MessageField, MessageForm, World

State = dict[str, Any]

DOES = {"bench": "pipette", "incubator": "incubate", "centrifuge": "centrifuge", "reader": "read"}
"""What is done to a sample in each kind of instrument."""

ATTENDED = ("bench", "reader")
"""Kinds of instruments at which a worker is busy for each minute."""

ABLE = {
    "robot": ("bench", "incubator", "centrifuge"),
    "tech": ("incubator", "centrifuge", "reader"),
}
"""Kinds of instruments that each kind of worker operates."""

SHELF = 8
"""Minutes that a begun sample may stand in the rack."""

REPAIR = 3
"""Minutes of repair."""

STAFF = ("robot_1", "robot_2", "tech_1", "tech_2")
"""The staff of most days."""

INSTRUMENTS: Mapping[str, str] = {
    "bench_1": "bench",
    "bench_2": "bench",
    "incubator": "incubator",
    "centrifuge": "centrifuge",
    "reader": "reader",
}
"""The instruments of most days, with their kinds."""

_ACTION = re.compile(r"(run|load|take|report|repair)\(([^(),]+)(?:, ?([^(),]+))?\)")

JOB = MessageField(name="job", example="sample1")
DUE = MessageField(name="due", label="Due in minutes", example="60", kind=int)
URGENT = MessageField(name="urgent", choices=("no", "yes"), optional=True)
PROTOCOL = MessageField(name="protocol", choices=lambda world: list(world.level.texts))
INSTRUMENT = MessageField(name="instrument", choices=lambda world: list(world.level.instruments))


class Day(Level):
    """The staff, and the instruments with their kinds."""

    staff: list[str] = Field(default_factory=lambda: [*STAFF])
    instruments: dict[str, str] = Field(default_factory=lambda: {**INSTRUMENTS})


class LabWorld(World):
    """Workers of two kinds, instruments for one sample each, samples that spoil."""

    name = "lab"
    level: Day
    level_type = Day
    about = (
        "A timestep is a minute. Each job is a sample with a protocol; the text of that name says "
        "its steps. Robots pipette at a bench, technicians read at the reader, both use incubator "
        f"and centrifuge. An instrument holds one sample. Begun samples spoil after {SHELF} "
        "minutes in the rack. Only technicians report results and repair instruments."
    )
    aim = "all jobs are reported as their protocols say and before they are due"
    actions: Mapping[str, str] = {
        "run(JOB, INSTRUMENT)": "a minute of work on a sample at a bench or at the reader.",
        "load(JOB, INSTRUMENT)": "put a sample into an instrument that runs by itself.",
        "take(JOB)": "take a sample out of its instrument.",
        "report(JOB)": "report a finished job.",
        "repair(INSTRUMENT)": f"a minute of repair; {REPAIR} are needed.",
        "wait": "do nothing.",
    }
    most_open = 12
    messages = (
        MessageForm(
            kind="order",
            event="new_job",
            title="Send a sample",
            fields=(PROTOCOL, DUE, URGENT),
            subject="job",
            creates="sample",
        ),
        MessageForm(kind="change", event="change_job", fields=(JOB, DUE, URGENT), subject="job"),
        MessageForm(kind="cancel", event="cancel_job", fields=(JOB,), subject="job"),
        MessageForm(kind="fault", fields=(INSTRUMENT,), subject="instrument"),
    )

    def __init__(self, level: Day) -> None:
        super().__init__(level)
        self.workers = tuple(level.staff)

    def opening(self) -> State:
        machines = {name: {"job": None, "broken": 0} for name in self.level.instruments}
        return {"instruments": machines, "jobs": {}, "out": []}

    def receive(self, state: State, event: Json) -> tuple[State, Ruling]:
        now, job = state["timestep"], state["jobs"].get(event.get("job"))
        kind = str(event.get("kind"))
        match event:
            case {"kind": "new_job", "job": str(name), "protocol": str(protocol), "due": int(due)}:
                if job is not None or protocol not in self.level.texts:
                    return state, Ruling(refused=f"there is job {name}, or no protocol {protocol}")
                urgent = event.get("urgent") == "yes"
                at = {"at": None, "since": now, "done": [], "count": 0, "closed": None}
                asked = {"protocol": protocol, "due": now + due, "urgent": urgent, "status": "open"}
                after = _with_job(state, name, {**asked, **at})
                cause = f"{'urgent ' if urgent else ''}job {name}: {protocol}, due at {now + due}"
            case {"kind": "change_job" | "cancel_job"} if job is None or job["status"] != "open":
                return state, Ruling(refused=f"job {event.get('job')} is not open")
            case {"kind": "change_job", "job": str(name), "due": int(due)}:
                urgent = event.get("urgent", "yes" if job["urgent"] else "no") == "yes"
                after = _with_job(state, name, {**job, "due": now + due, "urgent": urgent})
                cause = f"job {name} is due at {now + due} now"
            case {"kind": "cancel_job", "job": str(name)}:
                gone = {**job, "status": "cancelled", "at": None, "closed": now}
                after = _with_job(_with_machine(state, job["at"], job=None), name, gone)
                cause = f"job {name} is cancelled"
            case {"kind": "fault", "instrument": str(name)} if name in state["instruments"]:
                after, cause = _with_machine(state, name, broken=REPAIR), f"{name} has failed"
            case _:
                raise InputError("event", "expected new_job, change_job, cancel_job or fault")
        return after, Ruling(trigger=Trigger(kind=kind, cause=cause))

    def step(
        self, state: State, commands: Commands
    ) -> tuple[State, Mapping[str, Outcome], Sequence[Trigger]]:
        """Let one worker act after the other: the first one gets the instrument."""
        given, outcomes, after = dict(commands), {}, state
        for worker in self.workers:
            after, outcomes[worker] = self._act(after, worker, given.get(worker, ""))
        now, triggers = state["timestep"] + 1, []
        for name, job in after["jobs"].items():
            stands = job["status"] == "open" and job["done"] and job["at"] is None
            if stands and now - job["since"] > SHELF:
                after = _with_job(after, name, {**job, "status": "spoiled", "closed": now})
                triggers.append(Trigger(kind="spoiled", cause=f"sample {name} stood too long"))
        return {**after, "timestep": now}, outcomes, triggers

    def _act(self, state: State, worker: str, action: str) -> tuple[State, Outcome]:
        if action == self.idle:
            return state, DONE
        match = _ACTION.fullmatch(action)
        if match is None:
            return state, Outcome("no_action", f"{worker} gave no action.")
        after = None
        if worker not in state["out"]:
            verb, name, where = match.groups()
            after = self._repair(state, worker, name) if verb == "repair" else None
            job = state["jobs"].get(name)
            if job is not None and job["status"] == "open":
                after = self._handle(state, worker, verb, name, job, where)
        if after is None:
            return state, Outcome("not_now", f"{worker} cannot {action} now.")
        return after, DONE

    def _repair(self, state: State, worker: str, name: str) -> State | None:
        broken = state["instruments"].get(name, {}).get("broken")
        able = broken and worker.startswith("tech")
        return _with_machine(state, name, broken=broken - 1) if able else None

    def _handle(
        self, state: State, worker: str, verb: str, name: str, job: Json, where: str | None
    ) -> State | None:
        now = state["timestep"]
        if verb == "report":
            if not worker.startswith("tech") or job["at"] or not job["done"]:
                return None
            return _with_job(state, name, {**job, "status": "reported", "closed": now + 1})
        if verb == "take":
            if job["at"] is None:
                return None
            kind = self.level.instruments[job["at"]]
            minutes = job["count"] if kind in ATTENDED else now - job["since"]
            done = [*job["done"], [DOES[kind], minutes]]
            back = {**job, "at": None, "since": now + 1, "done": done, "count": 0}
            return _with_job(_with_machine(state, job["at"], job=None), name, back)
        machine, kind = state["instruments"].get(where), self.level.instruments.get(where or "", "")
        able = kind in ABLE[worker.partition("_")[0]] and (verb == "run") == (kind in ATTENDED)
        if machine is None or not able or machine["broken"]:
            return None
        if machine["job"] == name and verb == "run":
            return _with_job(state, name, {**job, "count": job["count"] + 1})
        if machine["job"] is not None or job["at"] is not None:
            return None
        there = {**job, "at": where, "since": now + 1, "count": int(verb == "run")}
        return _with_job(_with_machine(state, where, job=name), name, there)

    def legal(self, state: State, worker: str) -> Sequence[str]:
        tried = [self.idle, *(f"repair({name})" for name in state["instruments"])]
        for job in open_jobs(state):
            tried += [f"take({job})", f"report({job})"]
            tried += [f"{v}({job}, {n})" for n in state["instruments"] for v in ("run", "load")]
        return [each for each in tried if self._act(state, worker, each)[1].done]

    def count_open(self, state: State) -> int:
        return len(open_jobs(state))

    def is_finished(self, state: State) -> bool:
        return not open_jobs(state)

    def tally(self, state: State) -> Tally:
        how = [job["status"] for job in state["jobs"].values()]
        return Tally(done=how.count("reported"), lost=how.count("spoiled"))

    def lookups(self, state: State) -> Sequence[str]:
        return list(dict.fromkeys(job["protocol"] for job in open_jobs(state).values()))

    def simulable(self, observed: State, worker: str | None) -> State:
        return observed

    def remove_workers(self, state: State, workers: Sequence[str]) -> State:
        return {**state, "out": [*workers]}


def open_jobs(state: State) -> dict[str, Any]:
    return {name: job for name, job in state["jobs"].items() if job["status"] == "open"}


def _with_job(state: State, name: str, job: Json) -> State:
    return {**state, "jobs": {**state["jobs"], name: job}}


def _with_machine(state: State, name: str | None, **changes: Any) -> State:
    if name is None:
        return state
    machines = state["instruments"]
    return {**state, "instruments": {**machines, name: {**machines[name], **changes}}}
