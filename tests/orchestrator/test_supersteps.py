"""What the graph runs, writes and keeps at each superstep."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from cookmas.episodes.replay import replay
from cookmas.episodes.trace import (
    End,
    MemoryRecord,
    StepRecord,
    Superstep,
    Trace,
)
from cookmas.episodes.world import Json
from cookmas.orchestrator.graph.graph import build_graph
from cookmas.orchestrator.graph.state import Opened
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.solving.corridor.planners import EmbeddedPlanner
from cookmas.worlds.corridor.world import Corridor, CorridorLevel, CorridorWorld
from tests.loaded import loaded
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


class Willing:
    """Does as it is told, and wants to be told."""

    async def act(self, timestep: int, worker: str, assignment: str) -> str:
        return assignment


async def test_until_a_far_event_no_superstep_is_spent(corridor: Play) -> None:
    willing = {name: Willing() for name in ("walker_1", "walker_2")}
    asked = await corridor(
        EmbeddedPlanner(), (0, RED), (300, BLUE), horizon=399, workers=willing
    ).run()
    supersteps = []
    for at in (30, 300):
        trace = await corridor(EmbeddedPlanner(), (0, RED), (at, BLUE), horizon=399).run()
        supersteps.append(len(list(trace.of(Superstep))))
        assert termination(trace) == "finished"
        frames = replay(trace, CorridorWorld(CorridorLevel()))
        assert [frame.timestep for frame in frames if not frame.equal] == []
    assert supersteps[0] == supersteps[1] < 60 < len(list(asked.of(Superstep)))
    assert list(trace.of(StepRecord)) == list(asked.of(StepRecord))
    assert triggers(trace) == triggers(asked)


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

    assert await bytes_per_timestep(120) < 1.1 * await bytes_per_timestep(40)


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


def test_an_episode_knows_no_kitchen() -> None:
    others = [f"cookmas.{room}" for room in ("kitchen", "scenarios", "evals", "worlds")]
    assert loaded("import cookmas.orchestrator.episode", *others) == []


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
            world=CorridorWorld(CorridorLevel(walkers=3)),
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

    def load(self, data: Json) -> Any:
        self.loaded += 1
        return super().load(data)


async def test_a_timestep_in_the_graph_dumps_the_world_once_and_does_not_load_it(
    corridor: Play,
) -> None:
    world = CountingCorridor(CorridorLevel())
    trace = await corridor(EmbeddedPlanner(), (0, BLUE), world=world, in_graph=True).run()
    steps, asked = len(list(trace.of(StepRecord))), len(calls(trace))
    assert steps > 3
    dumped = steps + 1 + asked
    why = "once more after the first event, and for the progress before each call"
    assert (world.dumped, world.loaded) == (dumped, asked), why


def test_the_route_reads_no_more_of_the_state_than_it_depends_on() -> None:
    branches = build_graph().builder.branches
    schemas = {each.input_schema for node in branches.values() for each in node.values()}
    assert schemas == {Opened}
