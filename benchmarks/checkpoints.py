"""What a timestep leaves in the database of checkpoints: python -m benchmarks.checkpoints

A kitchen with open dishes is played by a planner that always answers with the same kind of
schedule; bytes are those of the rows in the database. Beside it a graph of the same shape with
nothing in its state but a number. What is kept should depend neither on the length of the schedule,
nor on how many lines have been closed, nor on the age of the run.
"""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypedDict

from langchain_core.runnables import RunnableConfig
from langgraph.graph import START, StateGraph
from langgraph.types import Send

from episodes.trace import Header, PlannerClass
from kitchen.world import Restaurant
from orchestrator.checkpoints import SqliteCheckpoints
from orchestrator.planner import Observation, Plan
from orchestrator.runner import Episode
from scenarios.kitchens import build_kitchen, kitchen_path
from scenarios.menu import load_menu

OPEN = 12
"""Dishes that are open all the time."""

WORDS = "no onion, well done please"


class Repeating:
    """Answers with a schedule of so many timesteps, in which the workers walk to and fro."""

    name = "repeating"
    planner_class: PlannerClass = "fixed"

    def __init__(self, length: int) -> None:
        self._length = length

    async def plan(self, observation: Observation[Any]) -> Plan:
        workers = observation.world.workers
        walks = ({w: f"navigate({place})" for w in workers} for place in ("fridge", "pantry"))
        return Plan(schedule=(list(walks) * self._length)[: self._length])


async def kept(folder: Path, length: int, closed: int, timesteps: int) -> list[int]:
    """Bytes in the database for each timestep, with so many lines closed before."""
    world = Restaurant(build_kitchen(kitchen_path("standard"), load_menu()))
    item = {"item": "Classic Burger", "note": WORDS}
    events: list[tuple[int, dict[str, Any]]] = []
    for number in range(closed):
        events.append((0, {"kind": "new_order", "order": f"c{number}", "lines": [item]}))
        events.append((0, {"kind": "cancel_order", "order": f"c{number}"}))
    for number in range(OPEN):
        events.append((0, {"kind": "new_order", "order": f"o{number}", "lines": [item]}))
    header = Header(
        world=world.name,
        rules=world.rules,
        workers=list(world.workers),
        seed=0,
        horizon=timesteps,
        planner="repeating",
        planner_class="fixed",
        scenario_name="checkpoints",
        scenario_digest="",
        scenario={},
        setup={},
    )

    async def look_up(key: str) -> str:
        return key

    path = folder / f"{length}-{closed}-{timesteps}.sqlite"
    async with SqliteCheckpoints.from_conn_string(str(path)) as saver:
        assert isinstance(saver, SqliteCheckpoints)
        await saver.prepare()
        episode = Episode(
            world=world,
            header=header,
            events=events,
            planner=Repeating(length),
            fetch=look_up,
            path=path.with_suffix(".jsonl"),
            checkpointer=saver,
        )
        await episode.run()
    return _rows(path)


def _rows(path: Path) -> list[int]:
    """The bytes of the rows of each step of the graph, two of which are a timestep."""
    database = sqlite3.connect(path)
    sizes = database.execute(
        "SELECT length(thread_id) + length(checkpoint_id) + coalesce(length(parent_checkpoint_id), 0)"
        " + length(checkpoint) + length(metadata) + coalesce((SELECT sum(length(w.thread_id) +"
        " length(w.checkpoint_id) + length(w.task_id) + length(task_path) + length(channel) +"
        " length(value)) FROM writes w WHERE w.checkpoint_id = c.checkpoint_id), 0)"
        " FROM checkpoints c ORDER BY checkpoint_id"
    ).fetchall()
    database.close()
    return [size for (size,) in sizes]


class _Bare(TypedDict):
    number: int


async def bare(folder: Path, timesteps: int) -> list[int]:
    """The same of a graph with two nodes, the second three times at once, and one number."""
    graph: StateGraph[Any, Any, Any, Any] = StateGraph(_Bare)
    graph.add_node("kitchen", lambda state: {"number": state["number"] + 1})
    graph.add_node("worker", lambda state: {})
    graph.add_edge(START, "kitchen")
    graph.add_conditional_edges(
        "kitchen",
        lambda state: (
            [Send("worker", {"number": each}) for each in range(3)]
            if state["number"] < timesteps
            else "__end__"
        ),
        ["worker", "__end__"],
    )
    graph.add_edge("worker", "kitchen")
    path = folder / f"bare-{timesteps}.sqlite"
    async with SqliteCheckpoints.from_conn_string(str(path)) as saver:
        config = RunnableConfig(configurable={"thread_id": "bare"}, recursion_limit=10**6)
        await graph.compile(checkpointer=saver).ainvoke({"number": 0}, config, durability="sync")
    return _rows(path)


def per_timestep(rows: Sequence[int]) -> float:
    """Bytes of a timestep, from the second half of a run."""
    later = rows[len(rows) // 2 :]
    return 2 * sum(later) / len(later)


async def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print(f"a bare graph: {per_timestep(await bare(folder, 100)):.0f} bytes a timestep")
        for length, closed, timesteps in (
            (50, 0, 100),
            (1000, 0, 100),
            (50, 200, 100),
            (50, 0, 1000),
        ):
            bytes_ = per_timestep(await kept(folder, length, closed, timesteps))
            print(
                f"schedule of {length:4} timesteps, {closed:3} lines closed, "
                f"{timesteps:4} timesteps played: {bytes_:.0f} bytes a timestep"
            )


if __name__ == "__main__":
    asyncio.run(main())
