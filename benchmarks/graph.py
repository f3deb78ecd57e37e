"""What the graph costs beside a bare one, and the plain loop beside the graph, in the same run.

    python -m benchmarks.graph

The bare graph has the channels and the supersteps of an episode's graph, one task in each, and its
nodes do nothing: each answers what the episode's node answered at its place. What the workers did
in an episode of the first level is played in both, with checkpoints in SQLite and without. Then
every scenario of that level is played by the naive planner, in the graph and in the plain loop;
loading and judging are not counted. Costs are CPU seconds, the smallest of the rounds.
"""

from __future__ import annotations

import asyncio
import gc
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

from cookmas.api import load_planner
from episodes.memory_mailbox import MemoryMailbox
from episodes.scenario import Scenario
from episodes.trace import StepRecord, Trace
from orchestrator.checkpoints.sqlite import sqlite_checkpoints
from orchestrator.episode import episode_of, header_of
from orchestrator.graph.graph import build_graph
from orchestrator.graph.recorder import Recorder
from orchestrator.graph.state import Assignment, Context, State
from orchestrator.library import Library
from orchestrator.planner import Planner
from orchestrator.planners.fixed import FixedPlanner
from scenarios.scenario import load_scenario, scenario_names
from workers.scripted import ScriptedWorker

ROUNDS = 15
HORIZON = 400
LEVEL = "level1"
CONFIG = RunnableConfig(configurable={"thread_id": "episode"}, recursion_limit=10**6)

Update = tuple[str, dict[str, Any]]
"""A node, and what it answered in a superstep."""

Play = Callable[[BaseCheckpointSaver[Any] | None, Path], Awaitable[object]]
"""Plays an episode; its checkpoints go to a saver, its trace to a folder where there is one."""


async def answers(scenario: Scenario, planner: Planner) -> list[Update]:
    """What the nodes of an episode's graph answer, in order."""
    world = scenario.world()
    recorder = Recorder()
    recorder.append(header_of(scenario, world, "bare", "fixed", HORIZON))
    context = Context(
        world=world,
        planner=planner,
        workers={name: ScriptedWorker() for name in world.workers},
        library=Library(scenario.look_up),
        mailbox=MemoryMailbox(scenario.events()),
        recorder=recorder,
        horizon=HORIZON,
    )
    updates = build_graph().astream(State(records=1), CONFIG, context=context)
    return [item async for update in updates for item in update.items()]


def bare(updates: Sequence[Update]) -> Callable[[BaseCheckpointSaver[Any] | None], Any]:
    """Return what compiles a graph whose nodes answer this, one after the other."""
    to_come: Iterator[Update] = iter(())

    async def node(state: Any) -> dict[str, Any]:
        return next(to_come)[1]

    async def begin(state: Any) -> dict[str, Any]:
        nonlocal to_come
        if "timestep" not in state:
            to_come = iter(updates)
        return next(to_come)[1]

    async def after(state: State) -> Any:
        if state["ended"]:
            return END
        return "planner" if state["triggers"] else [Send("worker", {"commands": state["commands"]})]

    graph: StateGraph[Any, Any, Any, Any] = StateGraph(State)
    graph.add_node("kitchen", begin)
    graph.add_node("planner", node)
    graph.add_node("worker", node, input_schema=Assignment)
    graph.add_edge(START, "kitchen")
    graph.add_conditional_edges("kitchen", after, ["planner", "worker", END])
    graph.add_conditional_edges("planner", after, ["worker", END])
    graph.add_edge("worker", "kitchen")
    compiled = graph.compile()
    return lambda saver: compiled.copy({"checkpointer": saver})


async def seconds(play: Play, *, kept: bool) -> float:
    """CPU seconds of an episode, with checkpoints in SQLite where they are `kept`."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if not kept:
            return await _timed(play, None, folder)
        async with sqlite_checkpoints(folder / "checkpoints.sqlite") as saver:
            return await _timed(play, saver, folder)


async def _timed(play: Play, saver: BaseCheckpointSaver[Any] | None, folder: Path) -> float:
    gc.collect()
    begun = time.process_time()
    await play(saver, folder)
    return time.process_time() - begun


async def least(plays: Sequence[Play], rounds: int, *, kept: bool = False) -> list[float]:
    """The CPU seconds of each, the smallest of so many rounds in turns."""
    taken = [[await seconds(play, kept=kept) for play in plays] for _ in range(rounds)]
    return [min(each) for each in zip(*taken, strict=True)]


async def beside_bare(rounds: int = ROUNDS) -> dict[str, float]:
    """How many times as much as the bare graph an episode in the graph costs."""
    scenario = load_scenario(f"{LEVEL}/01")
    trace = await episode_of(scenario, load_planner("naive", scenario), horizon=HORIZON).run()
    planner = FixedPlanner([step.commands for step in trace.of(StepRecord)])
    updates = await answers(scenario, planner)
    compiled = bare(updates)

    async def skeleton(saver: BaseCheckpointSaver[Any] | None, folder: Path) -> None:
        durability = "sync" if saver else None
        stream = compiled(saver).astream(State(records=1), CONFIG, durability=durability)
        assert sum([1 async for _ in stream]) == len(updates)

    async def ours(saver: BaseCheckpointSaver[Any] | None, folder: Path) -> Trace:
        path = folder / "trace.jsonl" if saver else None
        episode = episode_of(
            scenario, planner, horizon=HORIZON, in_graph=True, checkpointer=saver, path=path
        )
        return await episode.run()

    ratios = {}
    for name, kept in (("without checkpoints", False), ("with SQLite", True)):
        graph, alone = await least([ours, skeleton], rounds, kept=kept)
        print(
            f"{name}: {len(updates)} supersteps, {1000 * graph:.1f} ms in the graph, "
            f"{1000 * alone:.1f} ms in a bare one: {graph / alone:.2f} times as much"
        )
        ratios[name] = graph / alone
    return ratios


async def beside_graph(rounds: int = ROUNDS) -> float:
    """The share of the graph's cost that the plain loop has."""
    cast = [
        (scenario, load_planner("naive", scenario))
        for scenario in map(load_scenario, scenario_names(1))
    ]

    def playing(*, in_graph: bool) -> Play:
        async def play(saver: BaseCheckpointSaver[Any] | None, folder: Path) -> None:
            for scenario, planner in cast:
                await episode_of(scenario, planner, horizon=HORIZON, in_graph=in_graph).run()

        return play

    graph, loop = await least([playing(in_graph=True), playing(in_graph=False)], rounds)
    print(
        f"naive on {LEVEL}: {1000 * graph / len(cast):.1f} ms an episode in the graph, "
        f"{1000 * loop / len(cast):.1f} ms in the loop: {loop / graph:.3f} of it"
    )
    return loop / graph


async def main() -> None:
    """Print the three ratios."""
    await beside_bare()
    await beside_graph()


if __name__ == "__main__":
    asyncio.run(main())
