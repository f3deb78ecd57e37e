"""Workers report on what they do: failures with reasons, results, and long work."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

import pytest

from cookmas.episodes.base import NO_ACTION
from cookmas.episodes.level import Level
from cookmas.episodes.play import Play
from cookmas.episodes.trace import EventRecord, StepRecord, Trace, TriggerRecord, to_line
from cookmas.episodes.world import Command, Outcome, Ruling
from cookmas.evals.evidence import Act
from cookmas.evals.mistakes import is_mistake
from cookmas.orchestrator.pace import Pace
from cookmas.workers.protocol import MOST_RESULT, Assigned, Report
from cookmas.worlds.base.viewing import Viewing, describe_event
from tests.simulation.event_loop import SimulatedLoop
from tests.workers.incubator import Answering, Incubator, Written, assert_replays, ends_of, play


def triggers_of(trace: Trace) -> list[tuple[int, str]]:
    return [(each.timestep, each.trigger) for each in trace.of(TriggerRecord)]


def steps_of(trace: Trace, worker: str) -> list[str | None]:
    return [dict(step.commands).get(worker) for step in trace.of(StepRecord)]


async def test_a_long_action_begins_runs_and_ends_as_its_duration_says() -> None:
    trace = await play(Written({"left": "incubate", "right": "stir"}, *[{"right": "stir"}] * 9))
    end = {"kind": "report", "worker": "left", "action": "incubate", "since": 0, "status": "done"}
    assert ends_of(trace) == [(3, end)]
    assert steps_of(trace, "left") == ["incubate", "wait", "wait"]
    assert trace.end is not None
    assert trace.end.termination == "won"
    assert_replays(trace)


async def test_the_end_of_a_long_action_wakes_the_planner_as_the_world_says() -> None:
    planner = Written({"left": "incubate"}, *[{}] * 9)
    trace = await play(planner, _wanting(2), horizon=6)
    assert (3, "sample") in triggers_of(trace)
    told = "left is still at incubate, since timestep 0."
    assert [seen.away for seen in planner.seen] == [{}, {}]
    again = Written({"left": "incubate"})
    await play(again, _wanting(2), horizon=6)
    assert again.seen[1].away == {"left": told}


def _wanting(samples: int) -> Incubator:
    world = Incubator(Level())
    world.wanted = samples
    return world


async def test_a_worker_that_is_busy_gets_no_other_assignment() -> None:
    device = Answering(Report.running(), Report.running(), Report.done(result=7))
    rows = [{"left": "incubate"}, {"left": "stir"}, {}, {}]
    trace = await play(Written(*rows), workers={"left": device})
    assert device.asked == [(n, "incubate", "0/left") for n in range(3)]
    assert steps_of(trace, "left") == ["incubate", "wait"]
    skipped = [*trace.of(StepRecord)][1].reports
    assert skipped is not None
    assert skipped["left"].status == "running"
    assert ends_of(trace)[0][1]["result"] == 7
    assert_replays(trace)


async def test_a_failed_report_reaches_world_and_planner_with_its_reason() -> None:
    planner = Written({"left": "stir"}, {"left": "incubate"}, {})
    device = Answering(Report.failed("the arm is jammed"), Report.failed("too cold"))
    trace = await play(planner, workers={"left": device}, horizon=4)
    fail = next(iter(trace.of(StepRecord))).fails["left"]
    assert (fail.fail, fail.why) == ("no_action", "the arm is jammed")
    causes = [each.cause for each in trace.of(TriggerRecord)]
    assert "left, stir: the arm is jammed" in causes
    assert "left, incubate: too cold" in causes
    assert ends_of(trace)[0][1]["status"] == "failed"
    assert_replays(trace)


async def test_a_failure_is_a_fail_in_a_world_that_lets_silent_workers_idle() -> None:
    class Lenient(Incubator):
        def step(self, state: Any, commands: Any) -> Any:
            after, _outcomes, triggers = super().step(state, commands)
            return after, {}, triggers

    planner = Written({"left": "stir"}, {})
    trace = await play(
        planner, Lenient(Level()), workers={"left": Answering(ValueError("x"))}, horizon=2
    )
    assert next(iter(trace.of(StepRecord))).fails["left"].why.startswith("ValueError: x at ")


async def test_a_result_reaches_the_rules_and_the_trace() -> None:
    device = Answering(Report.done(result={"ph": 7.5}))
    trace = await play(Written({"left": "stir"}), workers={"left": device})
    reports = next(iter(trace.of(StepRecord))).reports
    assert reports is not None
    assert reports["left"].result == {"ph": 7.5}
    assert trace.end is not None
    assert trace.end.termination == "won"
    assert_replays(trace)


async def test_a_long_action_can_be_cancelled() -> None:
    ended: list[str] = []

    class Slow:
        async def act(self, timestep: int, worker: str, assignment: Assigned) -> Report:
            if assignment != "incubate":
                return Report.done()
            try:
                await asyncio.Event().wait()
            finally:
                ended.append(assignment.id)
            return Report.done()

    rows = [{"left": "incubate"}, {}, {"left": "stop"}, {}, {}]
    trace = await play(Written(*rows), workers={"left": Slow()}, horizon=5)
    ((timestep, end),) = ends_of(trace)
    assert (timestep, end["why"]) == (3, "It was cancelled at timestep 2.")
    assert len(ended) == 1
    assert_replays(trace)


async def test_an_asynchronous_worker_counts_in_the_timestep_in_which_it_ends() -> None:
    device = Answering(Report.running(), Report.running(), "stir", asynchronous=True)
    planner = Written({"left": "stir"}, *[{"right": "stir"}] * 5)
    trace = await play(planner, workers={"left": device}, horizon=4)
    assert steps_of(trace, "left") == ["wait", "wait", "stir", "wait"]
    assert {key for _, _, key in device.asked[:3]} == {"0/left"}
    assert (1, "running") in triggers_of(trace)
    assert (3, "report") in triggers_of(trace)
    assert planner.seen[1].away == {"left": "left is still at stir, since timestep 0."}
    assert_replays(trace)


async def test_only_long_or_asynchronous_work_may_outlast_its_timestep() -> None:
    trace = await play(
        Written({"left": "stir"}, {}), workers={"left": Answering(Report.running())}, horizon=2
    )
    assert next(iter(trace.of(StepRecord))).fails["left"].fail == "no_action"


def play_by_a_clock_of_its_own(
    planner: Written, world: Incubator, workers: dict[str, Any], pace: float
) -> tuple[Trace, float]:
    """Return an episode and its seconds, by a clock that stands still while the machine is busy."""
    loop, steps = SimulatedLoop(seed=0), len(planner.rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("time.monotonic", loop.time)
        playing = play(planner, world, workers=workers, horizon=steps, pace=Pace(pace))
        trace = loop.play(playing)
        seconds = loop.time()
    loop.bury()
    return trace, seconds


def test_nobody_waits_for_an_asynchronous_worker() -> None:
    class Slow:
        asynchronous = True

        async def act(self, timestep: int, worker: str, assignment: Assigned) -> str:
            await asyncio.sleep(0.5)
            return assignment

    planner = Written({"left": "stir", "right": "stir"}, *[{"right": "stir"}] * 19)
    trace, seconds = play_by_a_clock_of_its_own(
        planner, Incubator(Level()), {"left": Slow()}, pace=0.05
    )
    assert 0.9 < seconds < 1.1
    assert steps_of(trace, "right") == ["stir"] * 20
    assert "stir" in steps_of(trace, "left")


async def test_an_asynchronous_worker_that_idles_late_is_not_busy() -> None:
    device = Answering(*[Report.running()] * 9, asynchronous=True)
    planner = Written(*[{"right": "stir"}] * 4)
    trace = await play(planner, workers={"left": device}, horizon=4)
    assert steps_of(trace, "left") == ["wait"] * 4
    assert not {"running", "report"} & {kind for _, kind in triggers_of(trace)}
    assert all(not observed.away for observed in planner.seen)


class Trio(Incubator):
    """Two who stir, and a third one."""

    workers = ("left", "right", "third")


def test_a_worker_that_sleeps_hardly_slows_the_others() -> None:
    class Sleeper:
        asynchronous = True

        async def act(self, timestep: int, worker: str, assignment: Assigned) -> str:
            await asyncio.sleep(5)
            return assignment

    row = dict.fromkeys(Trio.workers, "stir")
    seconds: list[float] = []
    for workers in ({}, {"third": Sleeper()}):
        trace, played = play_by_a_clock_of_its_own(
            Written(*[row] * 40), Trio(Level()), workers, pace=0.1
        )
        seconds.append(played)
        assert steps_of(trace, "left") == steps_of(trace, "right") == ["stir"] * 40
    assert {*steps_of(trace, "third")} == {"wait"}
    alone, beside = seconds
    assert beside < 1.1 * alone


async def test_long_work_by_scripts_is_the_same_byte_for_byte() -> None:
    rows = [{"left": "incubate", "right": "stir"}, {"right": "incubate"}, {}, {}]
    traces = [await play(Written(*rows), _wanting(2)) for _ in range(2)]
    lines = [[to_line(record) for record in trace.records] for trace in traces]
    assert lines[0] == lines[1]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (7, "a report with a status"),
        ({"status": "perhaps"}, "a report with a status"),
        ({"status": "done", "action": 3}, "action: expected text"),
        ({"status": "failed", "why": 3}, "why: expected text"),
        ({"status": "done", "result": float("nan")}, "result: should have finite"),
        ({"status": "done", "result": {1, 2}}, "result: should be plain data"),
        ({"status": "done", "result": "x" * (MOST_RESULT - 1)}, "result: expected at most"),
    ],
)
def test_what_is_no_report_is_refused(data: Any, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        Report.of_data(data)


def test_a_report_is_the_same_after_a_journey() -> None:
    reports: Iterable[Report] = (
        Report.done(),
        Report.done("stir", result=[1, None]),
        Report.done(result="x" * (MOST_RESULT - 2)),
        Report.failed("no"),
        Report.running(),
    )
    assert all(Report.of_data(each.data()) == each for each in reports)


def test_an_episode_without_workers_ends_long_actions_too() -> None:
    world = Incubator(Level())
    records: list[Any] = []
    episode = Play(world, [(0, {"kind": "begin"})], 9, records.append)
    episode.step([Command("left", "incubate")])
    for _ in range(2):
        episode.step([Command("left", "stir")])
    assert episode.ended == "won"
    assert [each.event["kind"] for each in records if isinstance(each, EventRecord)][-1] == "report"


async def test_a_long_action_that_fails_by_the_rules_does_not_begin() -> None:
    class Full(Incubator):
        def legal(self, state: Any, worker: str) -> list[str]:
            return ["wait"]

    device = Answering()
    trace = await play(
        Written({"left": "incubate"}), Full(Level()), workers={"left": device}, horizon=4
    )
    assert next(iter(trace.of(StepRecord))).fails["left"].fail == "not_legal"
    assert not ends_of(trace)
    assert "incubate" not in {action for _, action, _ in device.asked}


async def test_the_failure_of_a_device_is_no_mistake_of_the_planner() -> None:
    acts = [
        Act(timestep=0, worker="left", action="stir", outcome=Outcome(NO_ACTION, "jammed")),
        Act(timestep=0, worker="right", action="stir", outcome=Outcome("not_legal", "no")),
    ]
    assert [is_mistake(act) for act in acts] == [False, True]


def test_the_end_of_a_long_action_is_told_in_words() -> None:
    end = {"kind": "report", "worker": "van_1", "action": "bake", "status": "done"}
    assert describe_event(Viewing(), end) == "van 1: bake is done"
    failed = {**end, "status": "failed", "why": "too cold"}
    assert describe_event(Viewing(), failed) == "van 1: bake has failed: too cold"


@pytest.mark.parametrize(
    "report",
    [Report.failed("no power"), Report.done(result=7), ValueError("no power")],
    ids=["failed", "result", "error"],
)
async def test_a_world_gets_no_report_on_idling(report: Report | Exception) -> None:
    class Strict(Incubator):
        def take_report(self, state: Any, report: Any) -> tuple[Any, Ruling]:
            minutes = {"stir": 1, "incubate": 20}[report["action"]]
            return {**state, "stirred": state["stirred"] + minutes}, Ruling()

    world = Strict(Level())
    trace = await play(Written({}, {}), world, workers={"left": Answering(report)}, horizon=2)
    assert trace.end is not None
    assert trace.end.termination == "horizon"
    (found,) = [step.reports["left"] for step in trace.of(StepRecord) if step.reports]
    assert found.result == 7 or "no power" in (found.why or "")
    assert_replays(trace, world)
