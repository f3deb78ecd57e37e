"""Deliveries that last, by an asynchronous worker here or by one that another process plays.

The planner's answers take a timestep.
"""

from __future__ import annotations

import inspect
import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from urllib.parse import quote, unquote

import cookmas
from cookmas.api import create
from cookmas.client import Client
from cookmas.episodes.reports import is_report
from cookmas.episodes.trace import EventRecord
from cookmas.orchestrator.runs.request import RedisPlace, RunRequest
from cookmas.workers.protocol import Assigned, Report
from examples.dispatch import DispatchDomain
from examples.dispatch.world import DispatchWorld

WORLD = f"{__name__}:DOMAIN"

VAN = "van_1"

DEVICE = "device"
"""The folder with an empty file for each delivery that the van has begun.

Its name has the assignment's id and the action, so that no loss of power leaves a part of it.
"""

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
        Path(DEVICE, f"{quote(assignment.id, safe='')}={quote(assignment, safe='')}").touch()
        if timestep < assignment.since + LASTS:
            return Report.running()
        return Report.done(result={"took": 1.0})


WORKER = """
import asyncio, sys, time
from cookmas.files.errors import CookMASError
from cookmas.workers import carrying_out
from tests.every_fault.dispatch import VAN, Van

carrying_out.SEAT = 1.0
while True:
    try:
        asyncio.run(carrying_out.work(sys.argv[1], VAN, Van(), lambda line: None))
    except CookMASError:
        time.sleep(0.05)
"""
"""A process that plays the van of a dispatch as soon as there is one."""


def make_dispatch(
    folder: Path, senders: Sequence[str], *, remote: bool = False, redis: RedisPlace | None = None
) -> None:
    """Create a closed dispatch in which a job of each sender waits.

    If `remote`, another process plays the van. The dispatch may be in Redis.
    """
    (folder / DEVICE).mkdir()
    run = folder / "runs" / "open"
    request = RunRequest(
        world=WORLD,
        scenario="open",
        planner="embedded",
        pace=0.05 if remote else 0.3,
        thinking="1 timesteps",
        worker=() if remote else (f"{VAN}={__name__}:Van",),
        asynchronous=() if remote else (VAN,),
        remote=(VAN,) if remote else (),
        worker_deadline=2.0,
        keep_checkpoints=1,
        redis=redis,
    )
    create(run, request)
    if redis is None:
        send_jobs(run, senders)


def send_jobs(where: str | Path, senders: Sequence[str]) -> None:
    """Order a job for each sender, and close the dispatch."""
    for sender in senders:
        with Client(where, sender, world=WORLD, patience=0) as house:
            house.say("order", address="here", seconds="1", id=sender)
    with Client(where, world=WORLD, patience=0) as house:
        house.close()


def verify_delivered(folder: Path, senders: Sequence[str]) -> None:
    """Assert that the job of each sender was answered, and was delivered once."""
    run = folder / "runs" / "open"
    with closing(sqlite3.connect(run / "mailbox.sqlite")) as database:
        query = "SELECT sender FROM messages WHERE number > 0 AND answer IS NOT NULL"
        assert sorted(sender for (sender,) in database.execute(query)) == sorted(senders)
    verify_played(folder, len(senders))


def verify_played(folder: Path, number: int) -> None:
    """Assert that there were so many jobs, and that each was delivered once.

    A loss of power may also lose what the device has begun before.
    """
    run = folder / "runs" / "open"
    trace = cookmas.read_trace(run / "trace.jsonl")
    assert trace.end
    assert trace.end.termination == "closed"
    assert [frame.timestep for frame in cookmas.replay(trace, WORLD) if not frame.equal] == []
    events = [each.event for each in trace.of(EventRecord)]
    jobs = Counter(f"deliver({event['job']})" for event in events if event["kind"] == "order")
    assert jobs.total() == number
    ends = [event for event in events if is_report(event)]
    assert Counter(end["action"] for end in ends if end["status"] == "done") == jobs
    names = [path.name.partition("=")[2] for path in (folder / DEVICE).iterdir()]
    begun = Counter(map(unquote, names))
    assert begun <= jobs, "the device does nothing twice"
