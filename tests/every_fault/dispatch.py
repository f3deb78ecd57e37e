"""Deliveries that last, by an asynchronous worker, for a planner whose answers take a timestep."""

from __future__ import annotations

import inspect
import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import cookmas
from cookmas.api import create
from cookmas.client import Client
from cookmas.episodes.reports import is_report
from cookmas.episodes.trace import EventRecord
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.workers.protocol import Assigned, Report
from examples.dispatch import DispatchDomain
from examples.dispatch.world import DispatchWorld

WORLD = f"{__name__}:DOMAIN"

VAN = "van_1"

DEVICE = "device"
"""The folder with a file for each delivery that the vans have begun, by the assignment's id."""

LASTS = 3
"""Duration of a delivery in timesteps."""


class OneVanWorld(DispatchWorld):
    """Dispatch with one van."""

    workers = (VAN,)


class OneVanDomain(DispatchDomain):
    """Dispatch with one van."""

    world_type = OneVanWorld

    @property
    def folder(self) -> Path:
        """The folder of the dispatch's own scenarios."""
        return Path(inspect.getfile(DispatchWorld)).parent / "levels"


DOMAIN = OneVanDomain()


class Van:
    """A device that remembers what it has begun, though its process is killed."""

    async def act(self, timestep: int, worker: str, assignment: Assigned) -> Report:
        """Begin a delivery once, and report its end after LASTS timesteps."""
        if assignment == "wait":
            return Report.done()
        known = Path(DEVICE, quote(assignment.id, safe=""))
        if not known.exists():
            known.write_text(assignment)
        if timestep < assignment.since + LASTS:
            return Report.running()
        return Report.done(result={"took": 1.0})


def make_dispatch(folder: Path, senders: Sequence[str]) -> None:
    """Create a closed dispatch in which a job of each sender waits."""
    (folder / DEVICE).mkdir()
    run = folder / "runs" / "open"
    request = RunRequest(
        world=WORLD,
        scenario="open",
        planner="embedded",
        pace=0.3,
        thinking="1 timesteps",
        worker=(f"{VAN}={__name__}:Van",),
        asynchronous=(VAN,),
        keep_checkpoints=1,
    )
    create(run, request)
    for sender in senders:
        with Client(run, sender, world=WORLD, patience=0) as house:
            house.say("order", address="here", seconds="1", id=sender)
    with Client(run, world=WORLD, patience=0) as house:
        house.close()


def verify_delivered(folder: Path, senders: Sequence[str]) -> None:
    """Assert that the job of each sender was answered, and was delivered once.

    A loss of power also loses what the device has begun before, since it is not in the recorded
    calls.
    """
    run = folder / "runs" / "open"
    with closing(sqlite3.connect(run / "mailbox.sqlite")) as database:
        query = "SELECT sender FROM messages WHERE number > 0 AND answer IS NOT NULL"
        assert sorted(sender for (sender,) in database.execute(query)) == sorted(senders)
    trace = cookmas.read_trace(run / "trace.jsonl")
    assert trace.end
    assert trace.end.termination == "closed"
    assert [frame.timestep for frame in cookmas.replay(trace, WORLD) if not frame.equal] == []
    events = [each.event for each in trace.of(EventRecord)]
    jobs = Counter(f"deliver({event['job']})" for event in events if event["kind"] == "order")
    ends = [event for event in events if is_report(event)]
    assert Counter(end["action"] for end in ends if end["status"] == "done") == jobs
    begun = Counter(path.read_text() for path in (folder / DEVICE).iterdir())
    assert begun <= jobs, "the device does nothing twice"
