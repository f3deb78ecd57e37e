"""The tasks: levels of the restaurant, CuisineWorld, and scenarios of any world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset

from cookmas.bridges.inspect_ai.samples import domains_of, samples_of, version_of
from cookmas.bridges.inspect_ai.scorer import figures, verdict
from cookmas.bridges.inspect_ai.solver import check_planner, orchestrator
from cookmas.bridges.inspect_ai.told import told
from orchestrator.dialogue.options import AskingOptions


@task
def level1(planner: str | Sequence[str] = "llm", **asking: Any) -> Task:
    """The restaurant: one order with one menu item."""
    return scenarios("level1", planner=planner, **asking)


@task
def level2(planner: str | Sequence[str] = "llm", **asking: Any) -> Task:
    """The restaurant: one order with several menu items."""
    return scenarios("level2", planner=planner, **asking)


@task
def level3(planner: str | Sequence[str] = "llm", **asking: Any) -> Task:
    """The restaurant: several orders, which are changed and cancelled meanwhile."""
    return scenarios("level3", planner=planner, **asking)


@task
def cuisineworld(
    planner: str | Sequence[str] = "llm", agents: int = 2, tau: float = 1.0, **asking: Any
) -> Task:
    """All levels of CuisineWorld, with so many agents and at this interval of orders."""
    settings = {"agents": agents, "tau": tau}
    return scenarios("cuisineworld", planner=planner, settings=settings, **asking)


@task
def scenarios(
    names: str | Sequence[str],
    planner: str | Sequence[str] = "llm",
    world: str | None = None,
    settings: Mapping[str, Any] | None = None,
    **asking: Any,
) -> Task:
    """Scenarios and groups of them, by name or file, with commas between.

    `world` and `settings` are as in `cookmas.load_scenario`, `planner` and `asking` as in
    `cookmas run`. Inspect splits at commas, so that a line-up may come in parts.
    """
    planner = planner if isinstance(planner, str) else ",".join(planner)
    several = names.split(",") if isinstance(names, str) else names
    with told():
        samples = samples_of(several, world, settings)
        check_planner(planner, AskingOptions(**asking), samples[0].metadata or {})
        domains = domains_of(samples)
        columns = [column.name for each in domains for column in each.judging.columns]
        return Task(
            dataset=MemoryDataset(samples, name=",".join(several)),
            solver=orchestrator(planner, **asking),
            scorer=[verdict(), figures(list(dict.fromkeys(columns)))],
            version=version_of(samples),
        )
