"""Workers elsewhere: what happens when one does not answer, and when it is back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest

import cookmas
from cookmas.episodes.trace import PlanRecord, StepRecord, TriggerRecord
from cookmas.files.errors import InfrastructureError, InputError
from cookmas.orchestrator.graph.state import Acts
from cookmas.orchestrator.graph.workers import availability
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.workers import carrying_out
from cookmas.workers.carrying_out import work
from cookmas.workers.own import load_worker
from cookmas.workers.protocol import (
    MOST_ACTION,
    Assigned,
    AwayError,
    Report,
    ScriptedWorker,
)
from cookmas.workers.remote import Entry, RemoteWorker, Stream, WireChannel
from tests.workers.elsewhere import Remote, Robot, Where, working


async def test_an_assignment_goes_there_and_the_action_comes_back(
    remote: Remote, robot: Robot
) -> None:
    worker = remote(10)
    assert (await worker.act(1, "worker_2", "pick")).action == "pick"
    robot.instead = "wait"
    assert (await worker.act(2, "worker_2", "pick")).action == "wait"
    assert robot.done == ["pick", "pick"]


async def test_one_that_misses_its_deadline_is_away_until_it_says_that_it_is_there(
    remote: Remote, robot: Robot, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = remote()
    robot.works.clear()
    with pytest.raises(AwayError, match=r"worker_2 did not answer within 0\.5 s\."):
        await worker.act(1, "worker_2", "pick")
    monkeypatch.setattr(worker, "_deadline", 3600.0)
    async with asyncio.timeout(60):
        with pytest.raises(AwayError):
            await worker.act(2, "worker_2", "pick")
    robot.works.set()
    await asyncio.wait_for(worker.wait_until_back(), 60)
    assert (await worker.act(3, "worker_2", "place")).action == "place"


async def test_the_same_assignment_from_a_resumed_orchestrator_is_carried_out_once(
    remote: Remote, robot: Robot
) -> None:
    assert (await remote(10).act(1, "worker_2", "pick")).action == "pick"
    assert (await remote(10, fence=2).act(1, "worker_2", "pick")).action == "pick"
    assert robot.done == ["pick"]
    with pytest.raises(InfrastructureError, match="another process"):
        await remote(10).act(2, "worker_2", "place")


@pytest.mark.parametrize("said", ["x" * (MOST_ACTION + 1), ""])
async def test_what_is_no_action_is_a_failure(remote: Remote, robot: Robot, said: str) -> None:
    robot.instead = said or None
    if not said:
        robot.works = None  # type: ignore[assignment]
    report = await remote(10).act(1, "worker_2", "pick")
    assert (report.status, report.action) == ("failed", None)
    assert ("ValueError: action: expected text" if said else "AttributeError: ") in report.why


class Oven:
    """Bakes until it is told to stop, or for so many seconds."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.asked: list[str] = []
        self.stopped = False

    async def act(self, timestep: int, worker: str, assignment: Assigned) -> Report:
        self.asked.append(assignment.id)
        try:
            await asyncio.sleep(self.seconds)
        except asyncio.CancelledError:
            self.stopped = True
            raise
        return Report.done(result={"crust": 3})


LONG = Assigned("bake", "worker_2", 1, "bakery", timesteps=9)


async def test_a_remote_worker_is_told_to_stop_and_says_so(where: Where, remote: Remote) -> None:
    oven = Oven(99.0)
    async with working(where, oven):
        far = remote(10)
        acting = asyncio.create_task(far.act(1, "worker_2", LONG))
        while not oven.asked:
            await asyncio.sleep(0.01)
        acting.cancel()
        assert await far.stop(LONG) is None
        assert oven.stopped
    gone = remote(10)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(gone.stop(LONG), 0.3)
    with pytest.raises(AwayError, match="did not answer when it was told to stop"):
        await gone.act(2, "worker_2", "pick")


async def test_long_work_is_not_missed_while_it_reports_that_it_runs(
    where: Where, remote: Remote, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cookmas.workers.carrying_out.SEAT", 0.4)
    oven = Oven(2.0)
    async with working(where, oven):
        report = await remote(1.5).act(1, "worker_2", LONG)
        assert report == Report.done(result={"crust": 3})
        other = remote(1.5)
        assert await other.act(4, "worker_2", LONG) == report
    assert oven.asked == ["bakery/1/worker_2"]


async def test_a_worker_that_starts_anew_gets_its_assignment_again(
    where: Where, remote: Remote
) -> None:
    first, second = Oven(60.0), Oven(0.0)
    async with working(where, first):
        acting = asyncio.create_task(remote(30.0).act(1, "worker_2", LONG))
        while not first.asked:
            await asyncio.sleep(0.01)
    async with working(where, second), asyncio.timeout(60):
        assert await acting == Report.done(result={"crust": 3})
    assert second.asked == first.asked


async def test_a_worker_that_came_back_unheard_is_found_by_a_resumed_orchestrator(
    remote: Remote, robot: Robot
) -> None:
    async with asyncio.timeout(60):
        await remote().wait_until_back()


async def test_long_work_stops_when_it_is_withdrawn(where: Where, remote: Remote) -> None:
    oven = Oven(60.0)
    async with working(where, oven):
        worker = remote(10)
        acting = asyncio.create_task(worker.act(1, "worker_2", LONG))
        while not oven.asked:
            await asyncio.sleep(0.05)
        acting.cancel()
        await worker.withdraw()
        while not oven.stopped:
            await asyncio.sleep(0.05)


class Ledger:
    """A wire whose entries are written beforehand, and which notes when the seat was renewed."""

    def __init__(self, *assigned: Assigned) -> None:
        self.rows = [
            (str(n), {"timestep": str(each.since), "facts": json.dumps(each.data())})
            for n, each in enumerate(assigned, start=1)
        ]
        self.sat: list[float] = []

    async def newest(self, stream: Stream) -> str:
        return "0"

    async def wait(self, stream: Stream, seen: str, seconds: float) -> list[Entry]:
        if found := self.rows[int(seen) :]:
            return found
        await asyncio.sleep(seconds)
        return []

    async def assign(self, fence: int, fields: Mapping[str, str]) -> str:
        raise NotImplementedError

    async def report(self, fields: Mapping[str, str]) -> None:
        return

    async def sit(self, holder: str, seconds: float) -> bool:
        if seconds:
            assert seconds == carrying_out.SEAT
            self.sat.append(asyncio.get_running_loop().time())
        return True

    async def is_seated(self) -> bool:
        return True

    async def close(self) -> None:
        return


class Prompt(Ledger):
    """A wire whose worker reports at once that it is available."""

    async def newest(self, stream: Stream) -> str:
        return str(len(self.rows))

    async def assign(self, fence: int, fields: Mapping[str, str]) -> str:
        self.rows.append((str(len(self.rows) + 1), {"assignment": "", "action": "", "report": ""}))
        return "1"


async def test_a_worker_that_reports_at_once_is_heard() -> None:
    async with asyncio.timeout(60):
        await RemoteWorker(WireChannel(Prompt()), 10).wait_until_back()


async def test_of_several_entries_the_newest_is_carried_out_and_the_seat_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An entry that another one follows is withdrawn; a seat is renewed while it lasts."""
    robot, ledger = Robot(), Ledger(*(Assigned(f"bake {n}", "worker_2", n) for n in (1, 2, 3)))
    monkeypatch.setattr(carrying_out, "SEAT", 0.4)
    monkeypatch.setattr(carrying_out, "wire_at", lambda *_, **__: ledger)
    working = asyncio.create_task(work("anywhere", "worker_2", robot))
    async with asyncio.timeout(60):
        while not (robot.done and len(ledger.sat) > 4):
            await asyncio.sleep(0.01)
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)
    assert robot.done == ["bake 3"]
    renewed = min(later - sooner for sooner, later in pairwise(ledger.sat[1:]))
    assert renewed < carrying_out.SEAT / 2


async def test_one_process_at_a_time_stands_in_for_a_worker(
    where: Where, robot: Robot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The seat of the first one is taken for longer than the second one waits."""
    monkeypatch.setattr("cookmas.workers.carrying_out.SEAT", 0.8)
    with pytest.raises(InputError, match="another process stands in for this worker"):
        await asyncio.wait_for(work(where, "worker_2", Robot()), 60)


def test_one_that_is_away_fails_once_and_idles_then() -> None:
    why = "anna is away."
    idle: Acts = {"timestep": 3, "by": {"0": ("anna", "wait", why), "1": ("bert", "go", None)}}
    first = availability(idle, {}, "wait")
    assert first.commands == [("bert", "go")]
    assert first.away == {"anna": why}
    assert availability(idle, first.away, "wait").commands == [("anna", "wait"), ("bert", "go")]
    asked: Acts = {"timestep": 4, "by": {"0": ("anna", "go", why)}}
    assert availability(asked, first.away, "wait").commands == []


class Leaving:
    """Answers no assignment between two timesteps."""

    def __init__(self, since: int, until: float) -> None:
        self.since, self.until = since, until

    async def act(self, timestep: int, worker: str, assignment: str) -> str:
        if self.since <= timestep < self.until:
            raise AwayError(f"{worker} did not answer.")
        return assignment


class Watching:
    """The embedded planner, and whom it was told to be away."""

    def __init__(self) -> None:
        from cookmas.solving.restaurant.planners import EmbeddedPlanner

        self._planner = EmbeddedPlanner()
        self._planner.effort = 1
        self.name, self.planner_class = "watching", self._planner.planner_class
        self.away: dict[int, list[str]] = {}
        self.did: dict[int, list[str]] = {}

    async def plan(self, observation: Observation[Any]) -> Plan:
        self.away[observation.timestep] = list(observation.away)
        self.did[observation.timestep] = [command.worker for command in observation.did]
        return await self._planner.plan(observation)


async def test_the_planner_is_told_who_is_away_and_plans_without_it() -> None:
    scenario = cookmas.load_scenario("level2/03")
    planner = Watching()
    episode = cookmas.episode_of(
        scenario,
        planner,
        workers={"worker_2": Leaving(3, 20)},
        horizon=500,
    )
    trace = await episode.run()
    assert trace.end
    assert trace.end.termination == "finished"
    assert [frame.timestep for frame in cookmas.replay(trace) if not frame.equal] == []
    fails = {step.timestep: step.fails for step in trace.of(StepRecord) if step.fails}
    assert {t: {w: f.why for w, f in each.items()} for t, each in fails.items()} == {
        3: {"worker_2": "worker_2 did not answer."}
    }
    triggers = [(t.timestep, t.trigger) for t in trace.of(TriggerRecord)]
    assert triggers == [(0, "new_order"), (4, "failure"), (21, "back")]
    assert planner.away == {0: [], 4: ["worker_2"], 21: []}
    assert planner.did[4] == ["worker_1", "worker_3"]
    at_4 = next(plan for plan in trace.of(PlanRecord) if plan.timestep == 4)
    given = {c.action for entry in at_4.schedule for c in entry if c.worker == "worker_2"}
    assert given <= {"wait"}


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ("nowhere:Robot", "cannot be imported"),
        ("cookmas.workers.protocol:Robot", "has no Robot"),
        ("cookmas.workers.protocol", "expected package.module:Class"),
        ("cookmas.workers.remote:WireChannel", "cannot be made without arguments"),
        ("cookmas.files.errors:InfrastructureError", "has no method act"),
    ],
)
def test_what_is_no_worker_is_refused_in_one_line(spec: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        load_worker(spec)


def test_a_worker_of_ones_own_by_its_name() -> None:
    assert isinstance(load_worker("cookmas.workers.protocol:ScriptedWorker"), ScriptedWorker)
