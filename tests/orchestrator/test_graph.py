"""The graph as it runs: triggers, planner calls, workers, events, and how episodes end."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from episodes.errors import InfrastructureError, InputError
from episodes.replay import replay
from episodes.trace import (
    End,
    EventRecord,
    Lookup,
    PlanRecord,
    StepRecord,
    Superstep,
    Trace,
    TriggerRecord,
)
from orchestrator.planner import Plan

Toy = Any


def triggers(trace: Trace) -> list[tuple[int, str]]:
    return [(record.timestep, record.trigger) for record in trace.of(TriggerRecord)]


def calls(trace: Trace) -> list[int]:
    return [record.timestep for record in trace.of(PlanRecord)]


def termination(trace: Trace) -> str:
    assert trace.end
    return trace.end.termination


async def test_an_episode_in_another_world_runs_and_replays(toy: Toy) -> None:
    trace = await toy.corridor(toy.Walk(), (0, toy.goal("a", 3)), (2, toy.goal("b", 5))).run()
    assert termination(trace) == "finished"
    assert [record.key for record in trace.of(Lookup)] == ["a", "b"]
    frames = list(replay(trace, toy.World()))
    assert len(frames) == 5
    assert all(frame.equal for frame in frames)


async def test_the_planner_is_called_when_triggered_and_at_no_other_time(toy: Toy) -> None:
    trace = await toy.corridor(
        toy.Walk(), (0, toy.goal("a", 3)), (1, {"kind": "weather"}), (8, toy.goal("b", 1))
    ).run()
    assert triggers(trace) == [(0, "new_goal"), (8, "new_goal")]
    assert calls(trace) == [0, 8]
    causes = [record.cause for record in trace.of(TriggerRecord)]
    assert causes == ["goal a came in", "goal b came in"]


async def test_workers_idle_while_all_is_served_and_events_are_to_come(toy: Toy) -> None:
    trace = await toy.corridor(toy.Walk(), (0, toy.goal("a", 1)), (6, toy.goal("b", 2))).run()
    between = [record.commands for record in trace.of(StepRecord) if 1 <= record.timestep < 6]
    assert between == [[("walker_1", "stay"), ("walker_2", "stay")]] * 5


async def test_a_refused_event_is_recorded_and_triggers_nothing(toy: Toy) -> None:
    trace = await toy.corridor(toy.Walk(), (0, toy.goal("a", 3)), (1, toy.goal("b", 99))).run()
    refused = [record for record in trace.of(EventRecord) if record.refused]
    assert [(r.timestep, r.refused) for r in refused] == [(1, "beyond the corridor")]
    assert calls(trace) == [0]


async def test_several_triggers_at_one_timestep_make_one_call(toy: Toy) -> None:
    planner = toy.Walk()
    await toy.corridor(planner, (0, toy.goal("a", 3)), (0, toy.goal("b", 5))).run()
    assert [len(observation.triggers) for observation in planner.seen] == [2]


async def test_a_fail_triggers_the_next_timestep_with_its_cause(toy: Toy) -> None:
    planner = toy.Answers(
        [
            Plan(schedule=[{"walker_1": "left", "walker_2": "right"}, {"walker_1": "right"}]),
            Plan(schedule=[{"walker_2": "right"}] * 2),
        ]
    )
    trace = await toy.corridor(planner, (0, toy.goal("a", 3))).run()
    assert triggers(trace) == [(0, "new_goal"), (1, "failure")]
    assert list(trace.of(TriggerRecord))[1].cause == "walker_1, left: There is a wall."
    steps = list(trace.of(StepRecord))
    assert steps[0].fails["walker_1"].fail == "wall"
    second = [("walker_1", "stay"), ("walker_2", "right")]
    assert steps[1].commands == second, "the old queue is gone"
    assert termination(trace) == "finished"


async def test_the_planner_is_shown_the_fails_and_not_what_is_hidden(toy: Toy) -> None:
    class Clumsy(toy.Walk):  # type: ignore[misc]
        async def plan(self, observation: Any) -> Plan:
            plan: Plan = await super().plan(observation)
            return Plan(schedule=[{"walker_2": "left"}]) if len(self.seen) == 1 else plan

    planner = Clumsy()
    await toy.corridor(planner, (0, toy.goal("a", 1))).run()
    first, second = planner.seen
    assert first.state["secret"] is None
    assert first.texts == {"a": "about a"}
    assert (first.fails, list(second.fails)) == ({}, ["walker_2"])
    action, outcome = second.fails["walker_2"]
    assert (action, outcome.fail) == ("left", "wall")
    assert [trigger.kind for trigger in second.triggers] == ["failure", "exhausted"]


async def test_an_exhausted_schedule_triggers_while_something_is_unserved(toy: Toy) -> None:
    planner = toy.Answers(
        [Plan(schedule=[{"walker_1": "right"}]), Plan(schedule=[{"walker_1": "right"}] * 5)]
    )
    trace = await toy.corridor(planner, (0, toy.goal("a", 2))).run()
    assert triggers(trace) == [(0, "new_goal"), (1, "exhausted")]


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
    toy: Toy, schedule: Any, expected: str, written: list[dict[str, str]]
) -> None:
    planner = toy.Answers([Plan(schedule=schedule), Plan(schedule=[{"walker_1": "right"}])])
    trace = await toy.corridor(planner, (0, toy.goal("a", 1))).run()
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
async def test_a_worker_without_an_action_fails_and_triggers(toy: Toy, fault: str) -> None:
    workers = {"walker_1": Lazy(fault), "walker_2": Lazy("")}
    planner = toy.Walk()
    episode = toy.corridor(
        planner,
        (0, toy.goal("a", 3)),
        workers=workers,
        patience=0.05,
        world=toy.World(walkers=1),
    )
    trace = await episode.run()
    step = list(trace.of(StepRecord))[1]
    assert step.commands == []
    assert step.fails["walker_1"].fail == "no_action"
    assert triggers(trace) == [(0, "new_goal"), (2, "failure")]
    assert termination(trace) == "finished"
    assert all(frame.equal for frame in replay(trace, toy.World(walkers=1)))


async def test_injected_events_arrive_and_replay(toy: Toy) -> None:
    episode = toy.corridor(toy.Walk(), (0, toy.goal("a", 3)))
    with pytest.raises(InputError, match="expected a goal"):
        episode.inject({"kind": "earthquake"})
    event = toy.goal("b", 6)
    records = []
    async for record in episode.stream():
        records.append(record)
        if isinstance(record, StepRecord) and record.timestep == 1:
            episode.inject(event)
            event["place"] = 7
    trace = Trace(tuple(records))
    injected = [record for record in trace.of(EventRecord) if record.injected]
    assert [(r.number, r.event["place"]) for r in injected] == [(2, 6)]
    assert triggers(trace)[1] == (injected[0].timestep, "new_goal")
    assert termination(trace) == "finished"
    assert all(frame.equal for frame in replay(trace, toy.World()))


def test_a_scheduled_event_of_another_world_is_refused_at_once(toy: Toy) -> None:
    with pytest.raises(InputError, match="expected a goal"):
        toy.corridor(toy.Walk(), (0, {"kind": "earthquake"}))


async def test_the_horizon_ends_an_episode(toy: Toy) -> None:
    planner = toy.Answers([Plan(schedule=[{"walker_1": "stay"}] * 99)])
    trace = await toy.corridor(planner, (0, toy.goal("a", 3)), horizon=7).run()
    assert termination(trace) == "horizon"
    assert len(list(trace.of(StepRecord))) == 7


async def test_replans_without_progress_end_an_episode(toy: Toy) -> None:
    planner = toy.Answers([Plan(schedule=[])] * 30)
    trace = await toy.corridor(planner, (0, toy.goal("a", 3)), max_stalled=3).run()
    assert termination(trace) == "no_progress"
    assert len(calls(trace)) == 4


async def test_progress_resets_the_count_of_replans(toy: Toy) -> None:
    planner = toy.Answers([Plan(schedule=[{"walker_1": "right"}])] * 9)
    trace = await toy.corridor(planner, (0, toy.goal("a", 9)), max_stalled=1).run()
    assert termination(trace) == "finished"
    assert len(calls(trace)) == 9


async def test_a_planner_may_give_up(toy: Toy) -> None:
    planner = toy.Answers([Plan(schedule=(), gave_up="too hard")])
    trace = await toy.corridor(planner, (0, toy.goal("a", 3))).run()
    assert (trace.end and trace.end.why, termination(trace)) == ("too hard", "gave_up")


async def test_an_infrastructure_error_ends_an_episode_as_such(toy: Toy) -> None:
    planner = toy.Answers([InfrastructureError("the model does not answer")])
    trace = await toy.corridor(planner, (0, toy.goal("a", 3))).run()
    assert termination(trace) == "infrastructure_error"
    assert trace.end
    assert trace.end.why == "the model does not answer"


async def test_a_bug_in_a_planner_is_not_hidden(toy: Toy) -> None:
    with pytest.raises(ZeroDivisionError):
        await toy.corridor(toy.Answers([ZeroDivisionError()]), (0, toy.goal("a", 3))).run()


async def test_the_trace_names_every_superstep(toy: Toy) -> None:
    trace = await toy.corridor(toy.Walk(), (0, toy.goal("a", 2))).run()
    nodes = [(record.timestep, *record.nodes) for record in trace.of(Superstep)]
    assert nodes == [
        (0, "kitchen"),
        (0, "planner"),
        (0, "worker", "worker"),
        (0, "kitchen"),
        (1, "worker", "worker"),
        (1, "kitchen"),
    ]


async def test_the_same_episode_twice_gives_the_same_bytes(toy: Toy, tmp_path: Path) -> None:
    events = [(0, toy.goal("a", 3)), (2, toy.goal("b", 5))]
    for name in ("one", "two"):
        async with AsyncSqliteSaver.from_conn_string(str(tmp_path / f"{name}.sqlite")) as saver:
            episode = toy.corridor(
                toy.Walk(), *events, path=tmp_path / f"{name}.jsonl", checkpointer=saver
            )
            await episode.run()
    one = (tmp_path / "one.jsonl").read_bytes()
    assert one == (tmp_path / "two.jsonl").read_bytes()
    plain = await toy.corridor(toy.Walk(), *events).run()
    assert one.decode() == "".join(f"{line}\n" for line in plain.lines()), "same without a saver"


async def test_checkpoints_grow_linearly(toy: Toy, tmp_path: Path) -> None:
    async def bytes_per_timestep(timesteps: int) -> float:
        path = tmp_path / f"{timesteps}.sqlite"
        async with AsyncSqliteSaver.from_conn_string(str(path)) as saver:
            events = [(at, toy.goal(f"g{at}", at // 20 % 2 * 9)) for at in range(0, timesteps, 20)]
            trace = await toy.corridor(
                toy.Walk(),
                *events,
                horizon=2 * timesteps,
                path=tmp_path / "trace.jsonl",
                checkpointer=saver,
            ).run()
        database = sqlite3.connect(path)
        ((total,),) = database.execute(
            "select sum(length(checkpoint)) + (select sum(length(value)) from writes) "
            "from checkpoints"
        ).fetchall()
        database.close()
        return float(total) / len(list(trace.of(StepRecord)))

    assert await bytes_per_timestep(240) < 1.1 * await bytes_per_timestep(60)


async def test_a_finished_episode_is_not_played_again(toy: Toy, tmp_path: Path) -> None:
    planner = toy.Walk()
    async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "c.sqlite")) as saver:
        for _ in range(2):
            episode = toy.corridor(
                planner, (0, toy.goal("a", 3)), path=tmp_path / "t.jsonl", checkpointer=saver
            )
            trace = await episode.run()
            assert isinstance(trace.records[-1], End)
    assert len(planner.seen) == 1


def test_the_runner_knows_no_kitchen() -> None:
    others = ("kitchen", "scenarios", "evals", "worlds")
    loaded = f"[m for m in sys.modules if m.split('.')[0] in {others}]"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys, orchestrator.runner; print({loaded})"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"
