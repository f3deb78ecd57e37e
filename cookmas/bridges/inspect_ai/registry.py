"""The names that Inspect finds: `cookmas/level1`, `cookmas/orchestrator`, `cookmas/scripted`, ...

The tasks are levels of the restaurant, CuisineWorld, and scenarios of any world.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset

from cookmas.bridges.inspect_ai.messages import translate_errors
from cookmas.bridges.inspect_ai.provider import ScriptedAPI
from cookmas.bridges.inspect_ai.samples import domains_of, samples_of, version_of
from cookmas.bridges.inspect_ai.scorer import figures, verdict
from cookmas.bridges.inspect_ai.solver import check_planner, orchestrator
from cookmas.orchestrator.dialogue.options import AskingOptions

__all__ = [
    "ScriptedAPI",
    "cuisineworld",
    "figures",
    "level1",
    "level2",
    "level3",
    "orchestrator",
    "scenarios",
    "verdict",
]


@task
def level1(planner: str | Sequence[str] = "llm", **asking: Any) -> Task:
    """Return the task of the restaurant's level 1: one order with one menu item."""
    return scenarios("level1", planner=planner, **asking)


@task
def level2(planner: str | Sequence[str] = "llm", **asking: Any) -> Task:
    """Return the task of the restaurant's level 2: one order with several menu items."""
    return scenarios("level2", planner=planner, **asking)


@task
def level3(planner: str | Sequence[str] = "llm", **asking: Any) -> Task:
    """Return the task of the restaurant's level 3: orders that change or are cancelled."""
    return scenarios("level3", planner=planner, **asking)


@task
def cuisineworld(
    planner: str | Sequence[str] = "llm", agents: int = 2, tau: float = 1.0, **asking: Any
) -> Task:
    """Return the task of all CuisineWorld levels, with the number of agents and the order interval
    `tau`.
    """
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
    """Return the task of some scenarios.

    `names` has names or files of scenarios, or names of groups; a text separates them by commas.
    `world` and `settings` are as in `cookmas.load_scenario`, `planner` and `asking` as in `cookmas
    run`. Inspect splits text at commas, so a line-up (`alice=llm,bob=greedy`, a planner for each
    seat) may arrive as a sequence of parts.
    """
    planner = planner if isinstance(planner, str) else ",".join(planner)
    several = names.split(",") if isinstance(names, str) else names
    with translate_errors():
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
