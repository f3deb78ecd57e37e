"""Episodes in the corridor, with chosen events and the texts about the bells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cookmas.episodes.trace import Header
from cookmas.episodes.world import Json, digest
from cookmas.orchestrator.episode import Episode, mailbox_for
from cookmas.worlds.corridor.world import CorridorLevel, CorridorWorld

TEXTS = {
    "red": "The red bell hangs three steps from the left end.",
    "blue": "Count five steps from where you came in; there is the blue one.",
    "green": "One step in hangs the green bell.",
}
"""The text for each bell."""


async def _fetch(name: str) -> str:
    return TEXTS[name]


def _corridor(
    planner: Any,
    *events: tuple[int, Json],
    world: CorridorWorld | None = None,
    horizon: int = 40,
    **more: Any,
) -> Episode:
    """Return an episode in a corridor, by default with two walkers and nine cells."""
    world = world or CorridorWorld(CorridorLevel())
    header = Header(
        world=world.name,
        rules=world.rules,
        workers=list(world.workers),
        seed=0,
        horizon=horizon,
        planner=planner.name,
        planner_class=planner.planner_class,
        seats=getattr(planner, "seats", None),
        scenario_name="made of events",
        scenario_digest=digest({}),
        scenario={},
        setup=world.setup(),
    )
    return Episode(
        world=world,
        header=header,
        planner=planner,
        mailbox=mailbox_for(world, events),
        fetch=_fetch,
        **more,
    )


@pytest.fixture
def corridor() -> Callable[..., Episode]:
    """Return a function that makes an episode of a planner and events, each with its timestep."""
    return _corridor
