"""The tasks: levels of the restaurant, CuisineWorld, and scenarios of any world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai import Task, task

from cookmas.inspect_ai.samples import samples_of
from cookmas.inspect_ai.scorer import verdict
from cookmas.inspect_ai.solver import check_planner, orchestrator
from cookmas.inspect_ai.told import told
from orchestrator.dialogue.options import AskingOptions


@task
def level1(planner: str = "llm", **asking: Any) -> Task:
    """The restaurant: one order with one menu item."""
    return scenarios("level1", planner=planner, **asking)


@task
def level2(planner: str = "llm", **asking: Any) -> Task:
    """The restaurant: one order with several menu items."""
    return scenarios("level2", planner=planner, **asking)


@task
def level3(planner: str = "llm", **asking: Any) -> Task:
    """The restaurant: several orders, which are changed and cancelled meanwhile."""
    return scenarios("level3", planner=planner, **asking)


@task
def cuisineworld(planner: str = "llm", agents: int = 2, tau: float = 1.0, **asking: Any) -> Task:
    """All levels of CuisineWorld, with so many agents and at this interval of orders."""
    settings = {"agents": agents, "tau": tau}
    return scenarios("cuisineworld", planner=planner, settings=settings, **asking)


@task
def scenarios(
    names: str | Sequence[str],
    planner: str = "llm",
    world: str | None = None,
    settings: Mapping[str, Any] | None = None,
    **asking: Any,
) -> Task:
    """Scenarios and groups of them, by name or file, with commas between.

    `world` and `settings` are as in `cookmas.load_scenario`, `planner` and `asking` as in
    `cookmas run`.
    """
    several = names.split(",") if isinstance(names, str) else names
    with told():
        dataset = samples_of(several, world, settings)
        check_planner(planner, AskingOptions(**asking), dataset[0].metadata or {})
        return Task(dataset=dataset, solver=orchestrator(planner, **asking), scorer=verdict())
