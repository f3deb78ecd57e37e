"""Layouts of the answers of an agent, for tests that read answers."""

from __future__ import annotations

from typing import Any

from cookmas.orchestrator.dialogue.layouts import PlanLayout, RowsLayout
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.planner import Observation
from cookmas.worlds.corridor.world import CorridorLevel, CorridorWorld


def plan_layout(agent: str, *, lines: bool = False) -> PlanLayout:
    """Return the layout of the plans of an agent."""
    prompting = Prompting(form="text" if lines else "plan")
    return PlanLayout(
        observation=_observe(agent), prompting=prompting, listed=False, lettered=False, actions=()
    )


def rows_layout() -> RowsLayout:
    """Return the layout of the schedules of a central planner."""
    prompting = Prompting(form="rows")
    return RowsLayout(
        observation=_observe(None), prompting=prompting, listed=False, lettered=False, actions=()
    )


def _observe(agent: str | None) -> Observation[Any]:
    world = CorridorWorld(CorridorLevel())
    return Observation(
        timestep=0,
        triggers=(),
        world=world,
        state=world.start(),
        texts={},
        fails={},
        agent=agent,
    )
