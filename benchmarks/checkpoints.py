"""Measure the bytes that a timestep adds to the database of checkpoints.

    python -m benchmarks.checkpoints

A planner with schedules of a fixed length plays a kitchen with open dishes. The bytes are the size
of the database file. For comparison, the same is measured for a bare graph, whose state has only a
number. The bytes of a timestep should not depend on the length of the schedule, the number of
closed lines, the age of the run or the planner's memory.
"""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any, TypedDict

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import START, StateGraph
from langgraph.types import Send

from cookmas.api import KEPT_OPEN
from cookmas.episodes.trace import Header, PlannerClass, StepRecord
from cookmas.kitchen.foods import Food
from cookmas.kitchen.state import Content, KitchenState
from cookmas.kitchen.world import Restaurant
from cookmas.orchestrator.checkpoints.sqlite import SqliteCheckpoints, sqlite_checkpoints
from cookmas.orchestrator.dialogue.answers import ScheduleAnswer
from cookmas.orchestrator.dialogue.memory import Memory
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.episode import Episode, mailbox_for
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.scenarios.kitchens import build_kitchen, kitchen_path
from cookmas.scenarios.menu import load_menu
from cookmas.worlds.restaurant.voice.blocks import outline

OPEN = 12
"""Number of dishes that stay open during the whole episode."""


class _Busy(Restaurant):
    """A restaurant in which every station is full of processed food."""

    def start(self) -> KitchenState:
        """Return a state in which every slot holds different food."""
        state = super().start()
        foods = cycle(sorted(self.kitchen.larder))
        contents = {
            station.name: tuple(
                Content(slot, Food(next(foods)).apply("chop", slot).apply("grill", 3 + slot), slot)
                for slot in range(1, (station.slots or 0) + 1)
            )
            for station in self.kitchen.stations.values()
            if station.kind.role in ("tool", "appliance") and station.slots
        }
        return state._replace(contents=contents)


def _order_at(number: int, menu: Sequence[str]) -> dict[str, Any]:
    item = menu[number % len(menu)]
    note = f"No {item.split()[-1].lower()} number {number} for me, and well done please."
    return {"item": item, "note": note}


class Repeating:
    """A planner whose schedules have a fixed number of timesteps.

    The workers walk to and fro. The planner remembers its last decisions with their states, as a
    planner that calls a model does.
    """

    name = "repeating"
    planner_class: PlannerClass = "fixed"

    def __init__(self, length: int, decisions: int) -> None:
        self._length = length
        self._ways = Prompting(memory=decisions)

    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return a schedule in which the workers walk from the fridge to the pantry and back."""
        workers = observation.world.workers
        walks = [dict.fromkeys(workers, f"navigate({place})") for place in ("fridge", "pantry")]
        schedule = (walks * self._length)[: self._length]
        seen = outline(observation.world, observation.state)
        memory = Memory.of(observation, self._ways)
        meant = "to and fro" * 150
        answer = ScheduleAnswer(reasoning=meant, schedule=[])
        memory_after = memory.update(observation, self._ways, answer, schedule, outline=seen)
        return Plan(schedule=schedule, memory=memory_after)


async def measure_episode(
    folder: Path, length: int, closed: int, decisions: int, timesteps: int
) -> int:
    """Return the size of the database in bytes after an episode of `timesteps` timesteps.

    `length` is the number of timesteps of a schedule. `closed` is the number of order lines that
    were closed at the start, `decisions` the number of decisions that the planner remembers. If the
    folder has the database already, the episode is not played again.
    """
    path = folder / f"{length}-{closed}-{decisions}-{timesteps}.sqlite"
    if path.exists():
        return size(path)
    async with sqlite_checkpoints(path) as saver:
        await _build_episode(path, saver, length, closed, decisions, timesteps).run()
    return size(path)


async def measure_growth(folder: Path, keep: int | None, timesteps: int, every: int) -> list[int]:
    """Return the sizes of the database in bytes, one for each `every` timesteps of an episode.

    The database keeps the last `keep` checkpoints, or all checkpoints if `keep` is None. The
    planner is called every 50 timesteps.
    """
    path = folder / f"growth-{keep}.sqlite"
    sizes = []
    async with sqlite_checkpoints(path, keep) as saver:
        async for record in _build_episode(path, saver, 50, 0, 0, timesteps).stream():
            if isinstance(record, StepRecord) and (record.timestep + 1) % every == 0:
                sizes.append(size(path))
    return sizes


def _build_episode(
    path: Path, saver: SqliteCheckpoints, length: int, closed: int, decisions: int, timesteps: int
) -> Episode:
    world = _Busy(build_kitchen(kitchen_path("standard"), load_menu()))
    menu = world.kitchen.menu
    events: list[tuple[int, dict[str, Any]]] = []
    for number in range(closed):
        line = _order_at(number, menu)
        events.append((0, {"kind": "new_order", "order": f"c{number}", "lines": [line]}))
        events.append((0, {"kind": "cancel_order", "order": f"c{number}"}))
    for number in range(OPEN):
        line = _order_at(number, menu)
        events.append((0, {"kind": "new_order", "order": f"o{number}", "lines": [line]}))
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

    return Episode(
        world=world,
        header=header,
        planner=Repeating(length, decisions),
        mailbox=mailbox_for(world, events),
        fetch=look_up,
        max_stalled=timesteps + 1,
        path=path.with_suffix(".jsonl"),
        checkpointer=saver,
    )


def size(path: Path) -> int:
    """Write the log of a database into its file; return the size of the file in bytes.

    The size includes indices and unused space.
    """
    database = sqlite3.connect(path)
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    return path.stat().st_size


class _Bare(TypedDict):
    number: int


async def measure_bare_graph(folder: Path, timesteps: int) -> int:
    """Return the size of the database in bytes after `timesteps` timesteps of a bare graph.

    The graph has two nodes; the second one runs three times in each superstep.
    """
    graph: StateGraph[Any, Any, Any, Any] = StateGraph(_Bare)
    graph.add_node("world", lambda state: {"number": state["number"] + 1})
    graph.add_node("worker", lambda state: {})
    graph.add_edge(START, "world")
    graph.add_conditional_edges(
        "world",
        lambda state: (
            [Send("worker", {"number": each}) for each in range(3)]
            if state["number"] < timesteps
            else "__end__"
        ),
        ["worker", "__end__"],
    )
    graph.add_edge("worker", "world")
    path = folder / f"bare-{timesteps}.sqlite"
    async with AsyncSqliteSaver.from_conn_string(str(path)) as saver:
        config = RunnableConfig(configurable={"thread_id": "bare"}, recursion_limit=10**6)
        await graph.compile(checkpointer=saver).ainvoke({"number": 0}, config, durability="sync")
    return size(path)


async def per_timestep(write: Callable[[int], Awaitable[int]], timesteps: int = 100) -> float:
    """Return the bytes that a timestep adds, from a run and another run of twice the length.

    `write` plays a run of the given number of timesteps, and returns the size of its database.
    """
    return (await write(2 * timesteps) - await write(timesteps)) / timesteps


CASES = (
    (50, 0, 0, 40),
    (1000, 0, 0, 40),
    (50, 200, 0, 40),
    (50, 0, 0, 80),
    (1, 0, 0, 30),
    (1, 0, 5, 30),
)
"""The measured cases.

Each is the length of a schedule, the number of lines closed at the start, the number of remembered
decisions, and the number of timesteps of the shorter run.
"""


async def measure_cases(folder: Path, shorter: int = 1) -> list[float]:
    """Return the bytes per timestep of each case, in runs that are `shorter` times shorter."""
    return [
        await per_timestep(partial(measure_episode, folder, *case), timesteps // shorter)
        for *case, timesteps in CASES
    ]


async def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        least = await per_timestep(partial(measure_bare_graph, Path(name)))
        found = await measure_cases(Path(name))
        grown = {
            keep: await measure_growth(Path(name), keep, 5000, 1000) for keep in (None, KEPT_OPEN)
        }
    print(f"a bare graph: {least:.0f} bytes a timestep")
    for (length, closed, decisions, timesteps), each in zip(CASES, found, strict=True):
        print(
            f"{OPEN} dishes open, schedules of {length} timesteps, {closed} lines closed before, "
            f"{decisions} decisions remembered, after {timesteps} timesteps: "
            f"{each:.0f} bytes a timestep"
        )
    for keep, sizes in grown.items():
        print(
            f"{'all' if keep is None else keep} checkpoints kept, after each 1,000 timesteps: "
            + ", ".join(f"{each / 1e6:.1f} MB" for each in sizes)
        )


if __name__ == "__main__":
    asyncio.run(main())
