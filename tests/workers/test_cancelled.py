"""Work that is cancelled: its worker is told to stop, over HTTP and each other way."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cookmas.episodes.level import Level
from cookmas.episodes.trace import StepRecord, Trace
from cookmas.episodes.world import Commands
from cookmas.orchestrator.graph import underway
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.workers.http_worker import HttpWorker
from cookmas.workers.protocol import Assigned, AwayError, Report, Worker
from tests.workers.device import Device
from tests.workers.incubator import Incubator, Written, assert_replays, ends_of, play

ROWS = [{"left": "incubate"}, {}, {"left": "stop"}, {}, {}]


class Elsewhere:
    """A device that works until it is told to stop, and then gives an answer."""

    def __init__(self, answer: Report | Exception | None) -> None:
        self.answer = answer
        self.told: list[str] = []

    async def act(self, timestep: int, worker: str, assignment: Assigned) -> Report:
        await asyncio.sleep(0 if assignment == "wait" else 60)
        return Report.done()

    async def stop(self, assignment: Assigned) -> Report | None:
        self.told.append(assignment.id.partition("/")[2])
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


async def cancel_with(device: Worker, **more: Any) -> tuple[Trace, dict[str, Any], Written]:
    """Return an episode, the event with which the work ended, and the planner."""
    planner = Written(*ROWS)
    trace = await play(planner, workers={"left": device}, horizon=5, **more)
    ((timestep, end),) = ends_of(trace)
    assert timestep == 3
    assert_replays(trace)
    return trace, end, planner


async def test_a_device_behind_http_is_told_to_stop_what_was_cancelled(device: Device) -> None:
    device.answer = (200, {"status": "running"})
    _, end, _ = await cancel_with(HttpWorker(device.url))
    assert (end["cancelled"], end["why"]) == (2, "It was cancelled at timestep 2.")
    (stop,) = [each for each in device.asked if each.get("stop")]
    began = next(each for each in device.asked if each["action"] == "incubate")
    assert stop["id"] == began["id"]


@pytest.mark.parametrize("answer", [None, Report.running(), Report.failed("I have stopped")])
async def test_what_a_device_says_of_its_stopping_is_no_failure(answer: Report | None) -> None:
    _, end, planner = await cancel_with(device := Elsewhere(answer))
    assert device.told == ["0/left"]
    assert (end["status"], end["cancelled"], end.get("uncertain")) == ("failed", 2, None)
    assert [seen.fails for seen in planner.seen if seen.fails] == []


async def test_what_was_done_before_it_was_cancelled_is_done() -> None:
    _, end, _ = await cancel_with(Elsewhere(Report.done(result=3)))
    assert (end["status"], end["result"], end.get("cancelled")) == ("done", 3, None)


async def test_what_was_cancelled_at_a_device_out_of_reach_may_have_been_done() -> None:
    _, end, planner = await cancel_with(Elsewhere(AwayError("left is away")))
    assert (end["cancelled"], end["uncertain"]) == (2, True)
    assert end["why"].endswith("left did not answer, so it may have been done.")
    (told,) = [seen.away for seen in planner.seen if seen.timestep == 3]
    assert [*told] == ["left"]


async def test_an_action_of_an_asynchronous_device_is_stopped_too() -> None:
    class Asynchronous(Elsewhere):
        asynchronous = True

    device = Asynchronous(None)
    rows = [{"left": "stir"}, {"left": "stop"}, {}]
    trace = await play(Written(*rows), workers={"left": device}, horizon=3)
    assert device.told == ["0/left"]
    reports = [(s.reports or {}).get("left") for s in trace.of(StepRecord)]
    whys = [each.why for each in reports if each and each.why]
    assert whys == ["It was cancelled at timestep 1."]


@pytest.mark.parametrize("told", [True, False])
async def test_what_is_done_although_its_cancellation_fails_is_done(*, told: bool) -> None:
    done = asyncio.Event()

    class Stopped(Incubator):
        def step(self, state: Any, commands: Commands) -> Any:
            if dict(commands).get("left") == "stop":
                done.set()
            return super().step(state, commands)

    class Stirring:
        asynchronous = True
        calls = 0

        async def act(self, timestep: int, worker: str, assignment: Assigned) -> Report:
            if assignment != "stir":
                return Report.done()
            self.calls += 1
            await done.wait()
            return Report.done(result=7)

    class Told(Stirring):
        async def stop(self, assignment: Assigned) -> None: ...

    device = Told() if told else Stirring()
    rows = [{"left": "stir"}, {"left": "stop"}, {}]
    trace = await play(Written(*rows), Stopped(Level()), workers={"left": device}, horizon=3)
    _, stopped, after = trace.of(StepRecord)
    assert stopped.fails["left"].why == "left cannot stop now."
    assert after.reports is not None
    assert (after.reports["left"].status, after.reports["left"].result) == ("done", 7)
    assert device.calls == 1


class Slow(Elsewhere):
    """A device that is slow at any action."""

    async def act(self, timestep: int, worker: str, assignment: Assigned) -> Report:
        await asyncio.sleep(60)
        return Report.done()


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (None, "left gave no action within 0.1 s."),
        (
            AwayError("left is away"),
            "left gave no action within 0.1 s. left did not answer, so it may have been done.",
        ),
        (Report.done(), None),
    ],
)
async def test_a_device_that_is_too_slow_for_a_short_action_is_told_to_stop(
    answer: Report | Exception | None, why: str | None
) -> None:
    device = Slow(answer)
    rows = [{"left": "stir"}]
    trace = await play(Written(*rows), workers={"left": device}, horizon=1, patience=0.1)
    assert device.told == ["0/left"]
    (step,) = trace.of(StepRecord)
    assert (step.fails["left"].why if step.fails else None) == why


@pytest.mark.parametrize("asynchronous", [False, True])
async def test_a_device_is_told_to_stop_when_the_episode_ends_before_its_work(
    asynchronous: bool,
) -> None:
    device = Elsewhere(None)
    planner = Written({"left": "stir" if asynchronous else "incubate"})
    named = ["left"] if asynchronous else []
    await play(planner, workers={"left": device}, horizon=2, asynchronous=named)
    assert device.told == ["0/left"]


async def test_a_device_that_does_not_answer_does_not_hold_the_end_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Hanging(Elsewhere):
        async def stop(self, assignment: Assigned) -> Report | None:
            await super().stop(assignment)
            return await self.act(0, "left", assignment)

    monkeypatch.setattr(underway, "STOP", 0.1)
    device = Hanging(None)
    async with asyncio.timeout(20):
        await play(Written({"left": "incubate"}), workers={"left": device}, horizon=2)
    assert device.told == ["0/left"]


async def test_a_device_that_has_ended_is_not_told_to_stop(device: Device) -> None:
    heard = asyncio.Event()

    class Heard(HttpWorker):
        async def act(self, timestep: int, name: str, assignment: Assigned) -> Report:
            try:
                return await super().act(timestep, name, assignment)
            finally:
                heard.set()

    class Waiting(Written):
        async def plan(self, observation: Observation[Any]) -> Plan:
            if observation.timestep:
                await heard.wait()
            return await super().plan(observation)

    planner = Waiting({"left": "incubate"})
    async with asyncio.timeout(20):
        await play(planner, workers={"left": Heard(device.url)}, horizon=9)
    assert [each for each in device.asked if each.get("stop")] == []
