"""The graph as it runs: triggers, planner calls, workers, events, and how episodes end."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from episodes.replay import replay
from episodes.trace import (
    End,
    EventRecord,
    Lookup,
    MemoryRecord,
    PlannerClass,
    PlanRecord,
    StepRecord,
    Superstep,
    Trace,
    TriggerRecord,
)
from episodes.world import Json, Ruling
from files.errors import InfrastructureError, InputError
from orchestrator.graph.graph import build_graph
from orchestrator.graph.state import Opened
from orchestrator.planner import Observation, Plan
from orchestrator.runner import Episode
from tests.loaded import loaded
from tests.orchestrator.watched import Watched
from worlds.corridor.planners.embedded import EmbeddedPlanner
from worlds.corridor.world import Corridor, CorridorWorld

Play = Callable[..., Episode]

RED, BLUE, GREEN = ({"kind": "bell", "name": name} for name in ("red", "blue", "green"))
"""Bells that are asked for; they hang at 3, 5 and 1."""


@dataclass
class Answers:
    """Gives the answers it was made with, one after the other; an exception is raised."""

    answers: list[Plan | Exception]
    name: str = "answers"
    planner_class: PlannerClass = "fixed"

    async def plan(self, observation: Observation[Any]) -> Plan:
        answer = self.answers.pop(0) if self.answers else InfrastructureError("no more answers")
        if isinstance(answer, Exception):
            raise answer
        return answer


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


def triggers(trace: Trace) -> list[tuple[int, str]]:
    return [(record.timestep, record.trigger) for record in trace.of(TriggerRecord)]


def calls(trace: Trace) -> list[int]:
    return [record.timestep for record in trace.of(PlanRecord)]


def termination(trace: Trace) -> str:
    assert trace.end
    return trace.end.termination


async def test_an_episode_in_another_world_runs_and_replays(corridor: Play) -> None:
    trace = await corridor(EmbeddedPlanner(), (0, RED), (2, BLUE)).run()
    assert termination(trace) == "finished"
    assert [record.key for record in trace.of(Lookup)] == ["red", "blue"]
    frames = list(replay(trace, CorridorWorld(2, 9)))
    assert len(frames) == 8
    assert all(frame.equal for frame in frames)


async def test_the_planner_is_called_when_triggered_and_at_no_other_time(corridor: Play) -> None:
    trace = await corridor(
        EmbeddedPlanner(), (0, RED), (1, LAMP), (8, GREEN), world=DarkeningCorridor(2, 9)
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

    planner, world = Clumsy(), DarkeningCorridor(2, 9)
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
    world = CorridorWorld(1, 9)
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
    assert all(frame.equal for frame in replay(trace, CorridorWorld(2, 9)))


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
    assert trace.end.why.startswith("planner failed: ZeroDivisionError: bug at test_graph.py:")
    assert "in plan" in caplog.text


class Willing:
    """Does as it is told, and wants to be told."""

    async def act(self, timestep: int, worker: str, assignment: str) -> str:
        return assignment


async def test_until_a_far_event_no_superstep_is_spent(corridor: Play) -> None:
    willing = {name: Willing() for name in ("walker_1", "walker_2")}
    asked = await corridor(
        EmbeddedPlanner(), (0, RED), (900, BLUE), horizon=999, workers=willing
    ).run()
    supersteps = []
    for at in (30, 900):
        trace = await corridor(EmbeddedPlanner(), (0, RED), (at, BLUE), horizon=999).run()
        supersteps.append(len(list(trace.of(Superstep))))
        assert termination(trace) == "finished"
        assert [
            frame.timestep for frame in replay(trace, CorridorWorld(2, 9)) if not frame.equal
        ] == []
    assert supersteps[0] == supersteps[1] < 60 < len(list(asked.of(Superstep)))
    assert list(trace.of(StepRecord)) == list(asked.of(StepRecord))
    assert triggers(trace) == triggers(asked)


async def test_an_event_behind_the_horizon_is_not_waited_for(corridor: Play) -> None:
    trace = await corridor(EmbeddedPlanner(), (0, RED), (900, BLUE), horizon=50).run()
    assert termination(trace) == "horizon"
    assert len(list(trace.of(StepRecord))) == 50


async def test_the_trace_names_every_superstep(corridor: Play) -> None:
    trace = await corridor(EmbeddedPlanner(), (0, GREEN)).run()
    nodes = [(record.timestep, *record.nodes) for record in trace.of(Superstep)]
    assert nodes == [
        (0, "world"),
        (0, "planner"),
        (0, "worker", "worker"),
        (0, "world"),
        (1, "worker", "worker"),
        (1, "world"),
    ]


async def test_the_same_episode_twice_gives_the_same_bytes(corridor: Play, tmp_path: Path) -> None:
    events = [(0, RED), (2, BLUE)]
    for name in ("one", "two"):
        async with AsyncSqliteSaver.from_conn_string(str(tmp_path / f"{name}.sqlite")) as saver:
            episode = corridor(
                EmbeddedPlanner(), *events, path=tmp_path / f"{name}.jsonl", checkpointer=saver
            )
            await episode.run()
    one = (tmp_path / "one.jsonl").read_bytes()
    assert one == (tmp_path / "two.jsonl").read_bytes()
    plain = await corridor(EmbeddedPlanner(), *events).run()
    assert one.decode() == "".join(f"{line}\n" for line in plain.lines()), "same without a saver"


async def test_checkpoints_grow_linearly(corridor: Play, tmp_path: Path) -> None:
    steps = [*["right"] * 5, *["left"] * 5]
    there_and_back = Plan(schedule=[{"walker_1": step} for step in steps])

    async def bytes_per_timestep(timesteps: int) -> float:
        path = tmp_path / f"{timesteps}.sqlite"
        async with AsyncSqliteSaver.from_conn_string(str(path)) as saver:
            trace = await corridor(
                Answers([there_and_back] * (timesteps // 10)),
                *[(at, RED) for at in range(0, timesteps, 20)],
                horizon=timesteps,
                path=tmp_path / f"{timesteps}.jsonl",
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


async def test_what_a_planner_remembers_is_in_the_trace_and_survives_a_kill(
    corridor: Play, tmp_path: Path
) -> None:
    class KilledError(BaseException):
        pass

    killed: list[bool] = []

    @dataclass
    class Counting(Answers):
        seen: list[Any] = field(default_factory=list)

        async def plan(self, observation: Observation[Any]) -> Plan:
            if observation.timestep == 2 and killed == []:
                killed.append(True)
                raise KilledError
            self.seen.append(observation.memory)
            kept = {"times": (observation.memory.get("times") or [0])[0] + 1}
            memory = {"times": (kept["times"],)} if observation.timestep != 1 else None
            return Plan(schedule=[{"walker_1": "right"}], memory=memory)

    async def attempt() -> tuple[Trace, Counting]:
        planner = Counting([])
        async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "c.sqlite")) as saver:
            path = tmp_path / "t.jsonl"
            episode = corridor(planner, (0, RED), horizon=4, path=path, checkpointer=saver)
            return await episode.run(), planner

    with pytest.raises(KilledError):
        await attempt()
    resumed, planner = await attempt()
    assert [seen.get("times") for seen in planner.seen] == [[1], [2]]
    assert [(each.timestep, each.kept) for each in resumed.of(MemoryRecord)] == [
        (0, {"times": [1]}),
        (2, {"times": [2]}),
        (3, {"times": [3]}),
    ]
    whole = await corridor(Counting([]), (0, RED), horizon=4).run()
    assert list(resumed.lines()) == list(whole.lines())


async def test_a_finished_episode_is_not_played_again(corridor: Play, tmp_path: Path) -> None:
    planner = Watched()
    async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "c.sqlite")) as saver:
        for _ in range(2):
            episode = corridor(planner, (0, RED), path=tmp_path / "t.jsonl", checkpointer=saver)
            trace = await episode.run()
            assert isinstance(trace.records[-1], End)
    assert len(planner.seen) == 1


def test_the_runner_knows_no_kitchen() -> None:
    others = ("kitchen", "scenarios", "evals", "worlds")
    assert loaded("import orchestrator.runner", *others) == []


@pytest.mark.parametrize("after", [{}, {"walker_1": Willing()}], ids=["scripted", "mixed"])
async def test_a_superstep_of_a_task_for_each_worker_is_gone_on_with(
    corridor: Play, tmp_path: Path, after: dict[str, Any]
) -> None:
    """Checkpoints of older versions have a task for each worker, scripted ones too."""

    class KilledError(BaseException):
        pass

    class Killed(Willing):
        async def act(self, timestep: int, worker: str, assignment: str) -> str:
            if timestep == 2:
                raise KilledError
            return assignment

    async def attempt(workers: dict[str, Any]) -> Trace:
        async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "c.sqlite")) as saver:
            path = tmp_path / "t.jsonl"
            more: dict[str, Any] = {"path": path, "checkpointer": saver, "workers": workers}
            return await corridor(EmbeddedPlanner(), (0, RED), **more).run()

    with pytest.raises(KilledError):
        await attempt({"walker_1": Willing(), "walker_2": Killed()})
    whole = await corridor(EmbeddedPlanner(), (0, RED)).run()
    assert list((await attempt(after)).lines()) == list(whole.lines())


async def test_scripted_workers_share_a_task(corridor: Play, tmp_path: Path) -> None:
    async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "c.sqlite")) as saver:
        more: dict[str, Any] = {"path": tmp_path / "t.jsonl", "checkpointer": saver}
        episode = corridor(
            EmbeddedPlanner(),
            (0, RED),
            world=CorridorWorld(3, 9),
            workers={"walker_2": Willing()},
            **more,
        )
        await episode.run()
        sends = [
            [write for write in found.pending_writes or () if write[1] == "acts"]
            async for found in saver.alist({"configurable": {"thread_id": "episode"}})
        ]
    assert {len(each) for each in sends} == {0, 2}


class CountingCorridor(CorridorWorld):
    """Counts how often a state is turned into plain data and back."""

    dumped = 0
    loaded = 0

    def dump(self, state: Corridor) -> dict[str, Any]:
        self.dumped += 1
        return super().dump(state)

    def load(self, data: Json) -> Corridor:
        self.loaded += 1
        return super().load(data)


async def test_a_timestep_in_the_graph_dumps_the_world_once_and_does_not_load_it(
    corridor: Play,
) -> None:
    world = CountingCorridor(2, 9)
    trace = await corridor(EmbeddedPlanner(), (0, BLUE), world=world, in_graph=True).run()
    steps, asked = len(list(trace.of(StepRecord))), len(calls(trace))
    assert steps > 3
    assert (world.dumped, world.loaded) == (steps + 2, asked)


def test_the_route_reads_no_more_of_the_state_than_it_depends_on() -> None:
    branches = build_graph().builder.branches
    schemas = {each.input_schema for node in branches.values() for each in node.values()}
    assert schemas == {Opened}
