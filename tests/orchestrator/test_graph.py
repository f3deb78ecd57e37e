"""The graph as it runs: triggers, planner calls, workers, events, and how episodes end."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cookmas.episodes.replay import replay
from cookmas.episodes.trace import (
    EventRecord,
    Lookup,
    PlanRecord,
    StepRecord,
    Trace,
    TriggerRecord,
)
from cookmas.episodes.world import Json, Ruling
from cookmas.files.errors import InfrastructureError, InputError
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.solving.corridor.planners import EmbeddedPlanner
from cookmas.worlds.corridor.world import Corridor, CorridorLevel, CorridorWorld
from tests.orchestrator.answering import (
    BLUE,
    GREEN,
    RED,
    Answers,
    Play,
    calls,
    termination,
    triggers,
)
from tests.orchestrator.watched import Watched


class DarkeningCorridor(CorridorWorld):
    """Lamps go out here, which calls for nobody, and no planner is told."""

    def apply(self, state: Corridor, event: Json) -> tuple[Corridor, Ruling]:
        if event == LAMP:
            return {**state, "dark": state.get("dark", 0) + 1}, Ruling()
        return super().apply(state, event)

    def observe(self, state: Corridor, worker: str | None = None) -> Corridor:
        seen = super().observe(state, worker)
        return {name: value for name, value in seen.items() if name != "dark"}


LAMP = {"kind": "lamp"}


async def test_an_episode_in_another_world_runs_and_replays(corridor: Play) -> None:
    trace = await corridor(EmbeddedPlanner(), (0, RED), (2, BLUE)).run()
    assert termination(trace) == "finished"
    assert [record.key for record in trace.of(Lookup)] == ["red", "blue"]
    frames = list(replay(trace, CorridorWorld(CorridorLevel())))
    assert len(frames) == 8
    assert all(frame.equal for frame in frames)


async def test_the_planner_is_called_when_triggered_and_at_no_other_time(corridor: Play) -> None:
    trace = await corridor(
        EmbeddedPlanner(), (0, RED), (1, LAMP), (8, GREEN), world=DarkeningCorridor(CorridorLevel())
    ).run()
    _, lamp, _ = trace.of(EventRecord)
    assert (lamp.timestep, lamp.event, lamp.refused) == (1, LAMP, None)
    assert triggers(trace) == [(0, "new_bell"), (8, "new_bell")]
    assert calls(trace) == [0, 8]
    causes = [record.cause for record in trace.of(TriggerRecord)]
    assert causes == ["bell red is asked for", "bell green is asked for"]


async def test_workers_idle_while_all_is_served_and_events_are_to_come(corridor: Play) -> None:
    trace = await corridor(EmbeddedPlanner(), (0, GREEN), (6, RED)).run()
    between = [record.commands for record in trace.of(StepRecord) if 2 <= record.timestep < 6]
    assert between == [[("walker_1", "stay"), ("walker_2", "stay")]] * 4


async def test_a_refused_event_is_recorded_and_triggers_nothing(corridor: Play) -> None:
    trace = await corridor(EmbeddedPlanner(), (0, RED), (1, RED)).run()
    refused = [record for record in trace.of(EventRecord) if record.refused]
    assert [(r.timestep, r.refused) for r in refused] == [(1, "bell red is asked for already")]
    assert calls(trace) == [0]


async def test_several_triggers_at_one_timestep_make_one_call(corridor: Play) -> None:
    planner = Watched()
    await corridor(planner, (0, RED), (0, BLUE)).run()
    assert [len(observation.triggers) for observation in planner.seen] == [2]


async def test_a_fail_triggers_the_next_timestep_with_its_cause(corridor: Play) -> None:
    planner = Answers(
        [
            Plan(schedule=[{"walker_1": "left", "walker_2": "right"}, {"walker_1": "right"}]),
            Plan(schedule=[*[{"walker_2": "right"}] * 2, {"walker_2": "ring(red)"}]),
        ]
    )
    trace = await corridor(planner, (0, RED)).run()
    assert triggers(trace) == [(0, "new_bell"), (1, "failure")]
    assert list(trace.of(TriggerRecord))[1].cause == "walker_1, left: walker_1 stands at the wall."
    steps = list(trace.of(StepRecord))
    assert steps[0].fails["walker_1"].fail == "wall"
    second = [("walker_1", "stay"), ("walker_2", "right")]
    assert steps[1].commands == second, "the old queue is gone"
    assert termination(trace) == "finished"


async def test_the_planner_is_shown_the_fails_and_not_what_is_hidden(corridor: Play) -> None:
    class Clumsy(Watched):
        async def plan(self, observation: Observation[Any]) -> Plan:
            plan = await super().plan(observation)
            return Plan(schedule=[{"walker_2": "left"}]) if len(self.seen) == 1 else plan

    planner, world = Clumsy(), DarkeningCorridor(CorridorLevel())
    trace = await corridor(planner, (0, GREEN), (0, LAMP), world=world).run()
    first, second = planner.seen
    assert next(replay(trace, world)).before["dark"] == 1
    assert first.state == {
        "timestep": 0,
        "places": {"walker_1": 0, "walker_2": 0},
        "bells": {"green": {"ringer": None, "knower": None, "rung": None}},
    }
    assert first.texts == {"green": "One step in hangs the green bell."}
    assert (first.fails, list(second.fails)) == ({}, ["walker_2"])
    action, outcome = second.fails["walker_2"]
    assert (action, outcome.fail) == ("left", "wall")
    assert [trigger.kind for trigger in second.triggers] == ["failure", "exhausted"]


async def test_an_exhausted_schedule_triggers_while_something_is_unserved(corridor: Play) -> None:
    planner = Answers(
        [
            Plan(schedule=[{"walker_1": "right"}]),
            Plan(schedule=[{"walker_1": "ring(red)"}, {"walker_1": "right"}]),
        ]
    )
    trace = await corridor(planner, (0, RED)).run()
    assert triggers(trace) == [(0, "new_bell"), (1, "exhausted")]


@pytest.mark.parametrize(
    ("schedule", "expected", "written"),
    [
        (
            [{"walker_1": "right"}, {"walker_9": "right"}],
            "Timestep 1: there is no worker",
            [{"walker_1": "right"}, {"walker_9": "right"}],
        ),
        (
            [{"walker_1": "hop"}],
            "Timestep 0, walker_1: 'hop' is no action",
            [{"walker_1": "hop"}],
        ),
        (
            [{"walker_1": 7, "walker_2": "right"}],
            "Timestep 0, walker_1: an action should be text, not 7",
            [{"walker_2": "right"}],
        ),
        (["right"], "Timestep 0 of the schedule should map workers to actions", [{}]),
        ("right", "The schedule should be a list of timesteps", []),
    ],
)
async def test_a_malformed_schedule_is_refused_whole(
    corridor: Play, schedule: Any, expected: str, written: list[dict[str, str]]
) -> None:
    planner = Answers([Plan(schedule=schedule), Plan(schedule=[{"walker_1": "ring(red)"}])])
    trace = await corridor(planner, (0, RED)).run()
    first, _ = trace.of(PlanRecord)
    assert first.refused
    assert first.refused.startswith(expected)
    assert list(map(dict, first.schedule)) == written
    idle = [("walker_1", "stay"), ("walker_2", "stay")]
    assert next(trace.of(StepRecord)).commands == idle
    assert triggers(trace)[1] == (1, "exhausted")


class Lazy:
    """Raises or dawdles at timestep 1."""

    def __init__(self, fault: str) -> None:
        self.fault = fault

    async def act(self, timestep: int, worker: str, assignment: str) -> Any:
        if timestep == 1 and self.fault == "raises":
            raise ConnectionError("no answer")
        if timestep == 1 and self.fault == "dawdles":
            await asyncio.sleep(30)
        return None if timestep == 1 else assignment


@pytest.mark.parametrize("fault", ["raises", "dawdles", "says nothing"])
async def test_a_worker_without_an_action_fails_and_triggers(corridor: Play, fault: str) -> None:
    workers = {"walker_1": Lazy(fault)}
    world = CorridorWorld(CorridorLevel(walkers=1))
    episode = corridor(EmbeddedPlanner(), (0, RED), workers=workers, patience=0.05, world=world)
    trace = await episode.run()
    step = list(trace.of(StepRecord))[1]
    assert step.commands == []
    assert step.fails["walker_1"].fail == "no_action"
    assert triggers(trace) == [(0, "new_bell"), (2, "failure")]
    assert termination(trace) == "finished"
    assert all(frame.equal for frame in replay(trace, world))


async def test_injected_events_arrive_and_replay(corridor: Play) -> None:
    episode = corridor(EmbeddedPlanner(), (0, RED))
    with pytest.raises(InputError, match="expected a bell"):
        episode.inject({"kind": "earthquake"})
    event = dict(BLUE)
    records = []
    async for record in episode.stream():
        records.append(record)
        if isinstance(record, StepRecord) and record.timestep == 1:
            episode.inject(event)
            event["name"] = "green"
    trace = Trace(tuple(records))
    injected = [record for record in trace.of(EventRecord) if record.injected]
    assert [(r.number, r.event["name"]) for r in injected] == [(2, "blue")]
    assert triggers(trace)[1] == (injected[0].timestep, "new_bell")
    assert termination(trace) == "finished"
    assert all(frame.equal for frame in replay(trace, CorridorWorld(CorridorLevel())))


def test_a_scheduled_event_of_another_world_is_refused_at_once(corridor: Play) -> None:
    with pytest.raises(InputError, match="expected a bell"):
        corridor(EmbeddedPlanner(), (0, {"kind": "earthquake"}))


async def test_the_horizon_ends_an_episode(corridor: Play) -> None:
    planner = Answers([Plan(schedule=[{"walker_1": "stay"}] * 99)])
    trace = await corridor(planner, (0, RED), horizon=7).run()
    assert termination(trace) == "horizon"
    assert len(list(trace.of(StepRecord))) == 7


async def test_replans_without_progress_end_an_episode(corridor: Play) -> None:
    planner = Answers([Plan(schedule=[])] * 30)
    trace = await corridor(planner, (0, RED), max_stalled=3).run()
    assert termination(trace) == "no_progress"
    assert len(calls(trace)) == 4


async def test_progress_resets_the_count_of_replans(corridor: Play) -> None:
    actions = [*["right"] * 9, "ring(red)"]
    planner = Answers([Plan(schedule=[{"walker_1": action}]) for action in actions])
    trace = await corridor(planner, (0, RED), max_stalled=1).run()
    assert termination(trace) == "finished"
    assert len(calls(trace)) == 10


async def test_going_in_circles_is_no_progress(corridor: Play) -> None:
    steps = ["right", "right", "left", "left"] * 9
    planner = Answers([Plan(schedule=[{"walker_1": step}]) for step in steps])
    trace = await corridor(planner, (0, RED), max_stalled=3).run()
    assert termination(trace) == "no_progress"
    assert len(calls(trace)) == 3 + 3
    assert trace.end
    assert trace.end.why.endswith(
        "4 times in a row without progress; 3 are allowed (--max-stalled)."
    )


async def test_a_planner_may_give_up(corridor: Play) -> None:
    planner = Answers([Plan(schedule=(), gave_up="too hard")])
    trace = await corridor(planner, (0, RED)).run()
    assert (trace.end and trace.end.why, termination(trace)) == ("too hard", "gave_up")


async def test_an_infrastructure_error_ends_an_episode_as_such(corridor: Play) -> None:
    planner = Answers([InfrastructureError("the model does not answer")])
    trace = await corridor(planner, (0, RED)).run()
    assert termination(trace) == "infrastructure_error"
    assert trace.end
    assert trace.end.why == "the model does not answer"


async def test_a_bug_in_a_planner_is_not_hidden(corridor: Play, caplog: Any) -> None:
    trace = await corridor(Answers([ZeroDivisionError("bug")]), (0, RED)).run()
    assert termination(trace) == "planner_failed"
    assert trace.end
    assert trace.end.why.startswith("planner failed: ZeroDivisionError: bug at answering.py:")
    assert "in plan" in caplog.text


async def test_an_event_behind_the_horizon_is_not_waited_for(corridor: Play) -> None:
    trace = await corridor(EmbeddedPlanner(), (0, RED), (900, BLUE), horizon=50).run()
    assert termination(trace) == "horizon"
    assert len(list(trace.of(StepRecord))) == 50
