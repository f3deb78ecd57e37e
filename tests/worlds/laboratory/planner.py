"""A planner by rules: it reads the protocols, and simulates a greedy dispatch ahead."""

from __future__ import annotations

import re
from typing import Any

from cookmas.episodes.trace import PlannerClass
from cookmas.episodes.world import Command
from cookmas.orchestrator.planner import Observation, Plan
from tests.worlds.laboratory.world import ABLE, ATTENDED, open_jobs

_WORDS = {
    "pipett": "bench",
    "incubat": "incubator",
    "centrifug": "centrifuge",
    "spin": "centrifuge",
    "read": "reader",
}
_SPAN = re.compile(r"(\d+)(?:\s*(?:to|-)\s*\d+)?\s*minutes?")


def read(text: str) -> list[tuple[str, int]]:
    """Return the steps of a protocol: the kind of instrument, and the least minutes."""
    steps = []
    for clause in re.split(r"[.;]|\bthen\b", text):
        kind = next((kind for word, kind in _WORDS.items() if word in clause.lower()), None)
        span = _SPAN.search(clause)
        if kind:
            steps.append((kind, int(span[1]) if span else 1))
    return steps


class EmbeddedPlanner:
    """Dispatches the next action of each job, the urgent ones first."""

    name = "embedded"
    planner_class: PlannerClass = "embedded"

    async def plan(self, observation: Observation[Any]) -> Plan:
        world, state = observation.world, observation.state
        steps = {name: read(text) for name, text in observation.texts.items()}
        schedule: list[dict[str, str]] = []
        while open_jobs(state) and (len(schedule) < 40 or any(schedule[-40:])):
            entry = _dispatch(world, state, steps, set(observation.away))
            schedule.append(entry)
            state, _, _ = world.step(state, [Command(*each) for each in entry.items()])
        jobs = open_jobs(observation.state).items()
        return Plan(
            schedule=schedule,
            understood={n: [f"{k} {m}" for k, m in steps.get(j["protocol"], ())] for n, j in jobs},
        )


def _dispatch(world: Any, state: Any, steps: Any, out: set[str]) -> dict[str, str]:
    free = [worker for worker in reversed(world.workers) if worker not in out]
    taken = {name for name, each in state["instruments"].items() if each["job"] or each["broken"]}
    entry: dict[str, str] = {}

    def assign(action: str, *kinds: str) -> bool:
        worker = next((w for w in free if w.partition("_")[0] in kinds), None)
        if worker:
            entry[worker] = action
            free.remove(worker)
        return worker is not None

    for name, machine in state["instruments"].items():
        if machine["broken"]:
            assign(f"repair({name})", "tech")
    jobs = open_jobs(state)
    cold = sum(
        kind == "incubator"
        for job in jobs.values()
        if job["done"] or job["at"]
        for kind, _ in steps.get(job["protocol"], [])[len(job["done"]) :]
    )
    order = sorted(
        jobs.items(),
        key=lambda x: (x[1]["at"] is None, not x[1]["urgent"], not x[1]["done"], x[1]["due"]),
    )
    for name, job in order:
        plan = steps.get(job["protocol"], [])
        if len(job["done"]) >= len(plan):
            assign(f"report({name})", "tech")
            continue
        kind, least = plan[len(job["done"])]
        able = [who for who, kinds in ABLE.items() if kind in kinds]
        if job["at"]:
            attended = kind in ATTENDED
            ran = job["count"] if attended else state["timestep"] - job["since"]
            if ran >= least:
                assign(f"take({name})", "robot", "tech")
            elif attended:
                assign(f"run({name}, {job['at']})", *able)
            continue
        cools = not job["done"] and any(kind == "incubator" for kind, _ in plan)
        if cools and cold:
            continue  # It would spoil while it waits for the incubator.
        machines = world.level.instruments.items()
        where = next((n for n, k in machines if k == kind and n not in taken), None)
        verb = "run" if kind in ATTENDED else "load"
        if where and assign(f"{verb}({name}, {where})", *able):
            taken.add(where)
            cold += cools
    return entry
