"""Episodes of the restaurant: a scenario made into a world, its events and its recipe store."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver

from episodes.trace import Header
from orchestrator.planner import Planner
from orchestrator.runner import Episode
from scenarios.scenario import Scenario
from scenarios.store import MenuStore, RecipeStore
from workers.protocol import Worker

DEFAULT_HORIZON = 1000
"""Timesteps after which an episode ends where nothing else is said."""


def restaurant_episode(
    scenario: Scenario,
    planner: Planner,
    *,
    horizon: int | None = None,
    store: RecipeStore | None = None,
    workers: Mapping[str, Worker] | None = None,
    path: Path | None = None,
    checkpointer: BaseCheckpointSaver[Any] | None = None,
) -> Episode:
    """An episode of a scenario, as `Episode` takes it.

    `horizon` is used where the scenario has none of its own; `store` takes the place of the
    recipes beside the menu.
    """
    world = scenario.world()
    store = store or MenuStore(scenario.menu)
    header = Header(
        world=world.name,
        rules=world.rules,
        workers=list(world.workers),
        seed=scenario.file.seed,
        horizon=scenario.file.horizon or horizon or DEFAULT_HORIZON,
        planner=planner.name,
        planner_class=planner.planner_class,
        scenario_name=scenario.name,
        scenario_digest=scenario.digest,
        scenario=scenario.data(),
        setup=world.setup(),
    )
    return Episode(
        world=world,
        header=header,
        events=scenario.events(),
        planner=planner,
        fetch=store.recipe,
        workers=workers,
        path=path,
        checkpointer=checkpointer,
    )
