"""Compare the cost of the graph with that of a bare graph and of the plain loop.

    python -m benchmarks.graph

The plain loop plays an episode without LangGraph.
A bare graph has the channels and the supersteps of an episode's graph, but its nodes do no work:
each node returns the recorded update of the episode's node in that superstep. In one bare graph
each worker is a task; in the other all workers share one task, as scripted workers do in CookMAS.
All three graphs play the same episode of the first level, with checkpoints in SQLite and without.

Then the naive planner plays every scenario of that level, in the graph and in the plain loop. They
are played again with a planner that repeats the same schedules without planning. Loading and
judging are not counted. Costs are CPU seconds of the process, as the median of rounds in which all
variants take turns. The command writes the table into a page of the docs.
"""

from __future__ import annotations

import asyncio
import gc
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

from benchmarks.page import DOCS, fill, table
from cookmas.api import load_planner
from cookmas.episodes.scenario import Scenario
from cookmas.episodes.trace import StepRecord, Trace
from cookmas.mailboxes.memory import MemoryMailbox
from cookmas.orchestrator.checkpoints.sqlite import sqlite_checkpoints
from cookmas.orchestrator.episode import episode_of, header_of
from cookmas.orchestrator.graph.context import Context
from cookmas.orchestrator.graph.graph import build_graph
from cookmas.orchestrator.graph.recorder import Recorder
from cookmas.orchestrator.graph.state import Assignment, State
from cookmas.orchestrator.member import Team
from cookmas.orchestrator.planner import Planner
from cookmas.orchestrator.planners.naming import FixedPlanner
from cookmas.scenarios.scenario import load_scenario, scenario_names

ROUNDS = 15
HORIZON = 400
LEVEL = "level1"
CONFIG = RunnableConfig(configurable={"thread_id": "episode"}, recursion_limit=10**6)

Update = tuple[str, dict[str, Any]]
"""The name of a node, and the update that it returned in a superstep."""

Play = Callable[[BaseCheckpointSaver[Any] | None, Path], Awaitable[object]]
"""Function that plays an episode, with an optional saver for checkpoints and a folder."""


async def answers(scenario: Scenario, planner: Planner) -> list[Update]:
    """Play an episode in the graph; return the updates of the graph's nodes, in order."""
    world = scenario.world()
    recorder = Recorder()
    recorder.append(header_of(scenario, world, "bare", "fixed", HORIZON))
    context = Context(
        world=world,
        planner=planner,
        fetch=scenario.look_up,
        mailbox=MemoryMailbox(scenario.events()),
        recorder=recorder,
        horizon=HORIZON,
    )
    updates = build_graph().astream(State(records=1), CONFIG, context=context)
    return [item async for update in updates for item in update.items()]


def build_bare(
    updates: Sequence[Update], *, shared: bool
) -> Callable[[BaseCheckpointSaver[Any] | None], Any]:
    """Return a function that makes a bare graph for a saver.

    The nodes of the graph return these updates in order. If `shared`, all workers are one task,
    otherwise each worker is a task.
    """
    to_come: Iterator[Update] = iter(())
    alone = [update for update in updates if shared or update[0] != "worker"]

    async def node(state: Any) -> dict[str, Any]:
        return next(to_come)[1]

    async def begin(state: Any) -> dict[str, Any]:
        nonlocal to_come
        if "timestep" not in state:
            to_come = iter(alone)
        return next(to_come)[1]

    async def one_worker(state: Any) -> dict[str, Any]:
        acted = {state["place"]: (state["worker"], state["action"], None)}
        return {"acts": {"timestep": state["timestep"], "by": acted}}

    async def choose_next(state: State) -> Any:
        if state["ended"]:
            return END
        if state["triggers"]:
            return "planner"
        if shared:
            return [Send("worker", {"commands": state["commands"]})]
        now = state["timestep"]
        return [
            Send("worker", Assignment(timestep=now, place=str(n), worker=worker, action=action))
            for n, (worker, action) in enumerate(state["commands"])
        ]

    graph: StateGraph[Any, Any, Any, Any] = StateGraph(State)
    graph.add_node("world", begin)
    graph.add_node("planner", node)
    graph.add_node("worker", node if shared else one_worker, input_schema=Assignment)
    graph.add_edge(START, "world")
    graph.add_conditional_edges("world", choose_next, ["planner", "worker", END])
    graph.add_conditional_edges("planner", choose_next, ["worker", END])
    graph.add_edge("worker", "world")
    compiled = graph.compile()
    return lambda saver: compiled.copy({"checkpointer": saver})


async def seconds(play: Play, *, kept: bool) -> float:
    """Return the CPU seconds of an episode; if `kept`, with checkpoints in SQLite."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if not kept:
            return await _time(play, None, folder)
        async with sqlite_checkpoints(folder / "checkpoints.sqlite") as saver:
            return await _time(play, saver, folder)


async def _time(play: Play, saver: BaseCheckpointSaver[Any] | None, folder: Path) -> float:
    gc.collect()
    begun = time.process_time()
    await play(saver, folder)
    return time.process_time() - begun


async def medians(plays: Sequence[Play], rounds: int, *, kept: bool = False) -> list[float]:
    """Return the CPU seconds of each variant, as the median of rounds in which all take turns."""
    taken = [[await seconds(play, kept=kept) for play in plays] for _ in range(rounds)]
    return [median(each) for each in zip(*taken, strict=True)]


async def beside_bare(rounds: int = ROUNDS) -> list[str]:
    """Return the table rows that compare an episode in the graph with bare graphs."""
    scenario = load_scenario(f"{LEVEL}/01")
    planner = await fix_schedule(scenario)
    updates = await answers(scenario, planner)

    def skeleton(*, shared: bool) -> Play:
        made = build_bare(updates, shared=shared)

        async def play(saver: BaseCheckpointSaver[Any] | None, folder: Path) -> None:
            durability = "sync" if saver else None
            stream = made(saver).astream(State(records=1), CONFIG, durability=durability)
            assert sum([1 async for _ in stream]) >= len(updates)

        return play

    async def play_ours(saver: BaseCheckpointSaver[Any] | None, folder: Path) -> Trace:
        episode = episode_of(
            scenario,
            planner,
            horizon=HORIZON,
            path=folder / "trace.jsonl" if saver else None,
            checkpointer=saver,
            in_graph=True,
        )
        return await episode.run()

    rows = []
    for name, kept in (("without checkpoints", False), ("with SQLite", True)):
        plays = [play_ours, skeleton(shared=False), skeleton(shared=True)]
        graph, each, shared = await medians(plays, rounds, kept=kept)
        rows.append(row(f"graph, {name}", graph, "a bare graph, a task for each worker", each))
        rows.append(row(f"graph, {name}", graph, "a bare graph, one task for all", shared))
    return rows


async def fix_schedule(scenario: Scenario) -> FixedPlanner:
    """Return a planner that repeats the schedule of the naive planner in a scenario."""
    trace = await episode_of(scenario, load_planner("naive", scenario), horizon=HORIZON).run()
    return FixedPlanner([step.commands for step in trace.of(StepRecord)])


async def beside_graph(rounds: int = ROUNDS) -> list[str]:
    """Return the table rows that compare episodes in the plain loop with the graph."""
    scenarios = [load_scenario(name) for name in scenario_names(1)]
    planners: dict[str, list[Planner | Team]] = {
        "planned by naive": [load_planner("naive", each) for each in scenarios],
        "planned before": [await fix_schedule(each) for each in scenarios],
    }

    def make_play(cast: Sequence[Planner | Team], *, in_graph: bool) -> Play:
        async def play(saver: BaseCheckpointSaver[Any] | None, folder: Path) -> None:
            for scenario, planner in zip(scenarios, cast, strict=True):
                await episode_of(scenario, planner, horizon=HORIZON, in_graph=in_graph).run()

        return play

    rows = []
    for name, cast in planners.items():
        plays = [make_play(cast, in_graph=False), make_play(cast, in_graph=True)]
        loop, graph = (each / len(scenarios) for each in await medians(plays, rounds))
        rows.append(row(f"loop, {name}", loop, "the graph", graph))
    return rows


def row(what: str, taken: float, beside: str, other: float) -> str:
    """Return a table row with two costs, given in CPU seconds, and their ratio.

    `what` names the cost `taken`, `beside` names the cost `other`.
    """
    ratio = f"{taken / other:.2f}"
    return f"| {what} | {1000 * taken:.1f} | {beside} | {1000 * other:.1f} | {ratio} |"


async def main() -> None:
    """Measure everything, print the table and write it into the page."""
    rows = [*await beside_bare(), *await beside_graph()]
    text = table("| episode | CPU ms | beside | CPU ms | ratio |", rows)
    print(text)
    fill(DOCS / "reference/benchmarks.md", "graph", text)


if __name__ == "__main__":
    asyncio.run(main())
