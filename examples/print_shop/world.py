"""The rules of the print shop: what an order says, and the stages through which each job goes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any

from cookmas.worlds.base import MessageField, MessageForm, Ruling, Tally, Trigger, World

STAGES = MappingProxyType({"press": "print", "cutter": "cut", "packer": "pack"})
"""The action of each machine, in the order in which a job needs them."""

EXPECTED = 25
"""Expected duration of a stage in timesteps: five seconds at a pace of 200 ms."""

LONGEST = 600
"""Timesteps after which a machine is told to stop: two minutes at a pace of 200 ms."""

MOST_TRIES = 10
"""Stages of a job that may fail before the job is given up."""

MOST_CLOSED = 20
"""Closed jobs that the state keeps, for the page."""

MOST_COPIES = 500
"""Greatest number of copies that a job may have."""

INKS = ("black", "red", "green", "blue", "purple", "orange")

_COPIES = re.compile(r"(?<![\w.,-])(\d{1,6})(?![\w.,-]*\d)\b")
_SIZE = re.compile(r"\bA([3-6])\b", re.IGNORECASE)
_INK = re.compile(rf"\b({'|'.join(INKS)})\b", re.IGNORECASE)


class PrintShopWorld(World):
    """Each stage of a job is a long action of one machine, which ends with the machine's report."""

    name = "print_shop"
    workers: Sequence[str] = tuple(STAGES)
    about = (
        "Each job is printed, then cut, then packed. The press prints, the cutter cuts, the packer "
        "packs. A stage takes as long as it takes, and may fail; then it is to be done again."
    )
    aim = "all jobs are packed"
    actions: Mapping[str, str] = {
        "print(JOB)": "the press prints a job.",
        "cut(JOB)": "the cutter cuts a printed job.",
        "pack(JOB)": "the packer packs a cut job.",
        "wait": "do nothing.",
    }
    messages = (
        MessageForm(
            kind="order",
            fields=(MessageField(name="words", example="20 A5 flyers in red"),),
            subject="job",
            creates="job",
        ),
    )

    def opening(self) -> dict[str, Any]:
        """Return the state without jobs. Of closed jobs it keeps the counts and the last few."""
        return {"jobs": {}, "closed": {}, "packed": 0, "given_up": 0}

    def duration(self, action: str) -> int:
        """Return the expected duration of a stage."""
        return 1 if action == self.idle else EXPECTED

    def longest(self, action: str) -> int | None:
        """Return the timesteps after which a machine is told to stop."""
        return None if action == self.idle else LONGEST

    def claims(self, action: str) -> Sequence[str]:
        """Return the job, on which only one machine may work."""
        return () if action == self.idle else (job_of(action),)

    def payload(self, state: dict[str, Any], worker: str, action: str) -> Mapping[str, Any] | None:
        """Return what the machine needs: the order, and the file of the stage before."""
        if action == self.idle:
            return None
        job = state["jobs"][job_of(action)]
        return {name: job[name] for name in ("words", "copies", "size", "ink", "file")}

    def receive(self, state: dict[str, Any], event: Mapping[str, Any]) -> tuple[Any, Ruling]:
        """Return the state with a new job."""
        if event.get("kind") != "order":
            return state, Ruling(refused="a customer can only order")
        name, words = str(event.get("job")), str(event.get("words"))
        read = read_order(words)
        if isinstance(read, str):
            return state, Ruling(refused=read)
        begun = {"file": "", "stage": 0, "machine": "", "tries": 0, "note": "", "closed": ""}
        job = {"words": words, **read, **begun}
        cause = f"{name} is to be printed"
        return self._with(state, name, job), Ruling(trigger=Trigger(kind="order", cause=cause))

    def legal(self, state: dict[str, Any], worker: str) -> Sequence[str]:
        """Return the stage of this machine for each job that stands before it."""
        stage = list(STAGES).index(worker)
        jobs = state["jobs"].items()
        ready = (name for name, job in jobs if job["stage"] == stage and not job["machine"])
        return [self.idle, *(f"{STAGES[worker]}({name})" for name in ready)]

    def advance(
        self, state: dict[str, Any], actions: Mapping[str, str], draw: Random
    ) -> dict[str, Any]:
        """Return the state in which the machines work on the jobs that they begin."""
        for machine, action in actions.items():
            if action != self.idle:
                name = job_of(action)
                state = self._with(state, name, {**state["jobs"][name], "machine": machine})
        return state

    def take_report(
        self, state: dict[str, Any], report: Mapping[str, Any]
    ) -> tuple[dict[str, Any], Ruling]:
        """Return the state after a stage: the job goes on to the next one, or waits again."""
        if "action" not in report:
            return state, Ruling()
        name, machine = job_of(report["action"]), report["worker"]
        if name not in state["jobs"]:
            return state, Ruling()
        job = {**state["jobs"][name], "machine": ""}
        if report["status"] == "done":
            job |= {"stage": job["stage"] + 1, "file": report["result"]["file"]}
            job["note"] = f"{machine}: {job['file']}"
            closed = "packed" if job["stage"] == len(STAGES) else ""
        else:
            job |= {"tries": job["tries"] + 1, "note": f"{machine}: {report.get('why')}"}
            closed = "given up" if job["tries"] == MOST_TRIES else ""
        trigger = Trigger(kind="stage", cause=f"{name} is back from {machine}: {report['status']}")
        after = self._close(state, name, job, closed) if closed else self._with(state, name, job)
        return after, Ruling(trigger=trigger)

    def _with(self, state: dict[str, Any], name: str, job: Mapping[str, Any]) -> dict[str, Any]:
        return {**state, "jobs": {**state["jobs"], name: dict(job)}}

    def _close(
        self, state: dict[str, Any], name: str, job: Mapping[str, Any], how: str
    ) -> dict[str, Any]:
        jobs = {each: data for each, data in state["jobs"].items() if each != name}
        kept = [*state["closed"].items(), (name, {**job, "closed": how})][-MOST_CLOSED:]
        counted = how.replace(" ", "_")
        return {**state, "jobs": jobs, "closed": dict(kept), counted: state[counted] + 1}

    def count_open(self, state: dict[str, Any]) -> int:
        """Return the number of jobs that are not closed."""
        return len(state["jobs"])

    def is_finished(self, state: dict[str, Any]) -> bool:
        """Return whether all jobs are closed."""
        return not state["jobs"]

    def tally(self, state: dict[str, Any]) -> Tally:
        """Return the number of jobs that are packed, and of those that were given up."""
        return Tally(done=state["packed"], lost=state["given_up"])


def read_order(words: str) -> dict[str, Any] | str:
    """Return the copies, the size and the ink that an order asks for, or why it cannot be read."""
    copies, sizes, inks = (
        sorted(set(map(str.lower, pattern.findall(words)))) for pattern in (_COPIES, _SIZE, _INK)
    )
    if len(copies) != 1 or len(sizes) != 1 or len(inks) > 1:
        return "say one number of copies, one size from A3 to A6 and at most one ink"
    if not 1 <= int(copies[0]) <= MOST_COPIES:
        return f"a job has 1 to {MOST_COPIES} copies"
    return {"copies": int(copies[0]), "size": int(sizes[0]), "ink": inks[0] if inks else INKS[0]}


def job_of(action: str) -> str:
    """Return the job in an action such as `print(job1)`."""
    return action.partition("(")[2].removesuffix(")")
