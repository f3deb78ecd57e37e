"""The rules of dispatch: what may be ordered, and what the reports of deliveries mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from cookmas.worlds.base import MessageField, MessageForm, Ruling, Tally, Trigger, World

EXPECTED = 50
"""Expected duration of a delivery in timesteps: ten seconds at a pace of 200 ms."""

LONGEST = 3000
"""Duration of a delivery in timesteps after which it is stopped."""

ENDED = ("done", "given up")
"""The statuses of jobs that nothing more is done for."""

MOST_TRIES = 5
"""Deliveries that may fail before a job is given up."""


class DispatchWorld(World):
    """A delivery is a long action: it begins, runs at the depot, and ends with a report."""

    name = "dispatch"
    workers: Sequence[str] = ("van_1", "van_2", "van_3")
    about = "Vans deliver jobs. A delivery takes as long as it takes, and may fail."
    aim = "all jobs are delivered"
    actions: Mapping[str, str] = {"deliver(JOB)": "deliver a job.", "wait": "do nothing."}
    messages = (
        MessageForm(
            kind="order",
            fields=(MessageField(name="address"), MessageField(name="seconds", kind=int)),
            subject="job",
            creates="job",
        ),
    )

    def opening(self) -> dict[str, Any]:
        """Return the state without jobs."""
        return {"jobs": {}}

    def duration(self, action: str) -> int:
        """Return the expected duration of a delivery."""
        return 1 if action == self.idle else EXPECTED

    def longest(self, action: str) -> int | None:
        """Return the timesteps after which a delivery is given up: ten minutes at 200 ms."""
        return None if action == self.idle else LONGEST

    def claims(self, action: str) -> Sequence[str]:
        """Return the job of a delivery, which only one van delivers at a time."""
        return () if action == self.idle else (job_of(action),)

    def payload(self, state: dict[str, Any], worker: str, action: str) -> Any:
        """Return what the depot needs for a delivery: the address, and the seconds."""
        if action == self.idle:
            return None
        job = state["jobs"].get(job_of(action), {})
        return {name: job.get(name) for name in ("address", "seconds")}

    def receive(self, state: dict[str, Any], event: Mapping[str, Any]) -> tuple[Any, Ruling]:
        """Return the state with a new job."""
        name, seconds = str(event.get("job")), event.get("seconds")
        if event.get("kind") != "order" or not isinstance(seconds, int) or seconds < 0:
            return state, Ruling(refused="a job needs an address and its seconds")
        job = {"address": str(event.get("address")), "seconds": seconds, "tries": 0}
        state = self._with(state, name, {**job, "status": "open", "note": ""})
        return state, Ruling(trigger=Trigger(kind="order", cause=f"{name} is to be delivered"))

    def _with(self, state: dict[str, Any], name: str, job: Mapping[str, Any]) -> dict[str, Any]:
        return {**state, "jobs": {**state["jobs"], name: dict(job)}}

    def legal(self, state: dict[str, Any], worker: str) -> Sequence[str]:
        """Return a delivery of each open job."""
        return [self.idle, *(f"deliver({name})" for name in self.find_open(state))]

    def find_open(self, state: dict[str, Any]) -> list[str]:
        """Return the jobs that no van has, in the order in which they came."""
        return [name for name, job in state["jobs"].items() if job["status"] == "open"]

    def advance(
        self, state: dict[str, Any], actions: Mapping[str, str], draw: Random
    ) -> dict[str, Any]:
        """Return the state in which the vans have the jobs that they begin to deliver."""
        for van, action in actions.items():
            if action != self.idle:
                name = job_of(action)
                job = {**state["jobs"][name], "status": "on the way", "note": van}
                state = self._with(state, name, job)
        return state

    def take_report(
        self, state: dict[str, Any], report: Mapping[str, Any]
    ) -> tuple[dict[str, Any], Ruling]:
        """Return the state after a delivery; a job whose delivery failed is open again."""
        if report.get("action") in (None, self.idle):
            return state, Ruling()
        name, van = job_of(report["action"]), report["worker"]
        job = dict(state["jobs"][name])
        if report["status"] == "done":
            after = {**job, "status": "done", "note": f"{van}, {report['result']['took']} s"}
            cause = f"{van} has delivered {name}"
        else:
            tries = job["tries"] + 1
            status = "open" if tries < MOST_TRIES else "given up"
            after = {**job, "tries": tries, "status": status, "note": report.get("why", "")}
            cause = f"{van} has not delivered {name}: {report.get('why')}"
        trigger = Trigger(kind="delivery", cause=cause)
        return self._with(state, name, after), Ruling(trigger=trigger)

    def count_open(self, state: dict[str, Any]) -> int:
        """Return the number of jobs that are open or on the way."""
        return sum(job["status"] not in ENDED for job in state["jobs"].values())

    def is_finished(self, state: dict[str, Any]) -> bool:
        """Return whether no job is open or on the way."""
        return self.count_open(state) == 0

    def tally(self, state: dict[str, Any]) -> Tally:
        """Return the number of jobs that are delivered, and of those that were given up."""
        ends = [job["status"] for job in state["jobs"].values()]
        return Tally(done=ends.count("done"), lost=ends.count("given up"))


def job_of(action: str) -> str:
    """Return the job in an action such as `deliver(job1)`."""
    return action.removeprefix("deliver(").removesuffix(")")
