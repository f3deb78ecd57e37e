"""The way to a worker is not the worker: no fault of it is an answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from cookmas.files.errors import InfrastructureError, LeaseLostError, StorageError
from cookmas.files.retrying import Patience
from cookmas.orchestrator.graph.underway import Jobs
from cookmas.workers import carrying_out
from cookmas.workers.protocol import Assigned, AwayError, Report
from cookmas.workers.remote import RemoteWorker, Reported
from tests.workers.elsewhere import Remote, Where, working
from tests.workers.incubator import Written, ends_of, play

LONG = Assigned("bake", "worker_2", 1, "bakery", timesteps=9)


class _Cut:
    """A worker to which the way is cut for some calls."""

    def __init__(self, calls: int, error: Exception) -> None:
        self.calls = calls
        self.error = error
        self.ids: list[str] = []

    async def act(self, timestep: int, worker: str, assignment: Assigned) -> Report:
        self.ids.append(assignment.id)
        if len(self.ids) <= self.calls:
            raise self.error
        return Report.done(result=7)


@pytest.mark.parametrize("error", [InfrastructureError("Redis does not answer"), AwayError("no")])
async def test_a_way_that_is_cut_is_no_failure_of_the_worker(error: Exception) -> None:
    jobs = Jobs({"worker_2": _Cut(1, error)})
    with pytest.raises(AwayError, match=str(error)):
        await jobs.report(1, "worker_2", LONG, 10)
    assert await jobs.report(2, "worker_2", LONG, 10) == Report.done(result=7)


STOPS = [LeaseLostError("another process plays"), StorageError("the disk is full")]


@pytest.mark.parametrize("error", STOPS)
async def test_what_stops_the_episode_is_neither(error: Exception) -> None:
    jobs = Jobs({"worker_2": _Cut(1, error)})
    with pytest.raises(type(error)):
        await jobs.report(1, "worker_2", LONG, 10)


class _Stopped(_Cut):
    async def stop(self, assignment: Assigned) -> None:
        raise self.error


@pytest.mark.parametrize("error", STOPS)
async def test_what_stops_the_episode_is_no_silence_of_a_worker(error: Exception) -> None:
    with pytest.raises(type(error)):
        await Jobs({"worker_2": _Stopped(0, error)}).stop("worker_2", LONG)


async def test_long_work_stays_under_way_while_the_way_is_cut() -> None:
    cut = _Cut(3, InfrastructureError("Redis does not answer"))
    trace = await play(Written({"left": "incubate"}, {}), workers={"left": cut})
    ((_, end),) = ends_of(trace)
    assert (end["status"], end["since"], end["result"]) == ("done", 0, 7)
    assert {each.partition("/")[2] for each in cut.ids} == {"0/left"}


class _Pausing:
    """A channel in whose first wait this process is paused, until after the deadline."""

    def __init__(self, clock: SimpleNamespace, reports: list[Reported]) -> None:
        self._clock = clock
        self._reports = reports
        self.waits: list[float] = []

    async def assign(self, timestep: int, assignment: str) -> str:
        return "1"

    async def ask(self) -> None:
        """Do nothing: nobody is there."""

    async def reports(self, seconds: float) -> list[Reported]:
        self.waits.append(seconds)
        if len(self.waits) == 1:
            self._clock.now += 100
            return []
        return [self._reports.pop(0)] if self._reports else []


def _said(report: Report, entry: str = "1") -> Reported:
    return {"assignment": entry, "report": json.dumps(report.data())}


async def test_what_was_reported_during_a_pause_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: clock.now)
    done = Report.done(result=3)
    channel = _Pausing(clock, [_said(Report.running()), _said(done)])
    assert await RemoteWorker(channel, 10).act(1, "worker_2", LONG) == done
    silent = _Pausing(clock, [_said(done, "0")])
    with pytest.raises(AwayError):
        await RemoteWorker(silent, 10).act(1, "worker_2", LONG)
    assert silent.waits == [10, 0, 0]


async def test_patience_that_a_pause_has_used_up_allows_another_attempt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr("tenacity.time", SimpleNamespace(monotonic=lambda: clock.now))
    begun: list[float] = []

    async def attempt() -> None:
        begun.append(clock.now)
        clock.now += 100 if len(begun) == 2 else 3
        raise InfrastructureError("nobody answers")

    async def attempt_with(
        patience: float, passing: type[Exception] = InfrastructureError
    ) -> list[float]:
        clock.now = 0.0
        begun.clear()
        told.clear()
        waiting = Patience(
            patience, lambda error: isinstance(error, passing), told.append, first=0, most=0
        )
        with pytest.raises(InfrastructureError):
            await waiting.attempt(attempt)
        return [*begun]

    told: list[Exception] = []
    assert await attempt_with(10) == [0, 3, 103]
    assert len(told) == 1
    assert await attempt_with(0) == await attempt_with(10, ValueError) == [0]
    assert told == []


class _Device:
    """A device that a worker process reaches only at times."""

    def __init__(self) -> None:
        self.there = asyncio.Event()
        self.asked: list[str] = []

    async def act(self, timestep: int, worker: str, assignment: Assigned) -> Report:
        self.asked.append(assignment.id)
        if not self.there.is_set():
            raise AwayError("the device cannot be reached")
        return Report.done(result=7)

    async def wait_until_back(self) -> None:
        await self.there.wait()


async def test_a_device_that_its_process_does_not_reach_has_not_failed(
    where: Where, remote: Remote
) -> None:
    device, worker = _Device(), remote(0.5)
    async with working(where, device):
        for timestep in (1, 2):
            with pytest.raises(AwayError, match="did not answer within"):
                await worker.act(timestep, "worker_2", LONG)
        back = asyncio.create_task(worker.wait_until_back())
        assert not (await asyncio.wait({back}, timeout=0.5))[0]
        device.there.set()
        await asyncio.wait_for(back, 60)
        assert await remote(60).act(3, "worker_2", LONG) == Report.done(result=7)
    assert set(device.asked) == {LONG.id}


class _Polled:
    """A device that says of its work that it still runs, whenever it is asked, until it is done."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    async def act(self, timestep: int, worker: str, assignment: Assigned) -> Report:
        self.asked.append(timestep)
        return Report.running() if len(self.asked) < 3 else Report.done(result=7)


async def test_a_device_that_answers_that_it_still_runs_is_asked_again(
    where: Where, remote: Remote
) -> None:
    device, jobs = _Polled(), Jobs({"worker_2": remote(60)})
    async with working(where, device):
        timestep = 1
        while (await jobs.report(timestep, "worker_2", LONG, 60)).status == "running":
            timestep += 1
            assert timestep < 20
    assert device.asked == [1, 2, 3]


class _Ledger:
    """A wire with what others have written, which says who is there."""

    def __init__(self, *entries: Mapping[str, str]) -> None:
        self._entries = [(str(n), dict(each)) for n, each in enumerate(entries, start=1)]
        self.reported: list[Mapping[str, str]] = []

    async def newest(self, stream: str) -> str:
        return "0"

    async def wait(self, stream: str, seen: str, seconds: float) -> list[Any]:
        await asyncio.sleep(0 if self._entries else 60)
        return [self._entries.pop(0)]

    async def report(self, fields: Mapping[str, str]) -> None:
        self.reported.append(fields)


@pytest.mark.parametrize(
    "junk",
    [
        *({}, {"timestep": "soon"}, {"timestep": "1", "assignment": "x", "facts": "{junk"}),
        {"timestep": "1", "assignment": "x", "facts": "[" * 100_000},
        {"timestep": "1", "assignment": "x", "facts": "[]"},
    ],
)
async def test_what_is_no_assignment_is_passed_over(junk: Mapping[str, str]) -> None:
    device = _Device()
    device.there.set()
    good = {"timestep": "1", "assignment": "bake", "facts": ""}
    ledger: Any = _Ledger(junk, good)
    working = asyncio.create_task(carrying_out._carry_out(ledger, "worker_2", device))
    while not (ledger.reported and ledger.reported[-1]["report"]):
        await asyncio.sleep(0.01)
        assert not working.done()
    assert ledger.reported[-1]["assignment"] == "2"
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)
