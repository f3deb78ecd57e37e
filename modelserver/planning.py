"""The right answers, by the embedded planner: pure functions of plain data, run in processes."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Mapping
from functools import lru_cache
from multiprocessing import parent_process
from typing import NamedTuple

from episodes.world import Json, digest
from kitchen.world import Restaurant
from orchestrator.planner import Observation
from worlds.restaurant.planners.embedded import EmbeddedPlanner
from worlds.restaurant.planners.understanding import Understander


class Planned(NamedTuple):
    """The right schedule, what each line wants, remarks, and why there is no schedule."""

    schedule: list[dict[str, str]]
    lines: dict[str, list[str]]
    reasoning: str
    gave_up: str | None = None


def end_with_parent() -> None:
    """In a process of the pool: end when the server does, also when it is killed, not by Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


@lru_cache(maxsize=16)
def _planner(setup_digest: str) -> EmbeddedPlanner:
    """A planner for each kitchen, since it remembers what it has read."""
    return EmbeddedPlanner()


_worlds: dict[str, Restaurant] = {}


def _world(setup: Json) -> Restaurant:
    key = digest(setup)
    if key not in _worlds:
        _worlds[key] = Restaurant.from_setup(setup)
    return _worlds[key]


def plan(setup: Json, state: Json, recipes: Mapping[str, str]) -> Planned:
    """What the embedded planner answers in a situation."""
    world = _world(setup)
    loaded = world.load(state)
    observation = Observation(
        timestep=loaded.timestep, triggers=(), world=world, state=loaded, texts=recipes, fails={}
    )
    answer = asyncio.run(_planner(digest(setup)).plan(observation))
    understood = answer.understood or {}
    return Planned(
        schedule=[dict(entry) for entry in answer.schedule],
        lines={line: list(components) for line, components in understood.items()},
        reasoning=answer.reasoning,
        gave_up=answer.gave_up,
    )


def read(setup: Json, state: Json, recipes: Mapping[str, str]) -> Planned:
    """What the embedded planner reads, without a schedule."""
    world = _world(setup)
    lines = world.load(state).open_lines()
    understood = Understander(world.kitchen).understand(lines, recipes)
    return Planned([], understood.notation(), "; ".join(understood.doubts))
