"""The domain of Collab-Overcooked: tasks, planners, and the judging of orders.

A level's file names a dish; `rules/book.yaml` has its recipe.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Group

from cookmas.evals.report import plain_text
from cookmas.worlds.base.domain import PLANNERS, Domain, Shown
from cookmas.worlds.collab_overcooked.rules.serving import obstacle
from cookmas.worlds.collab_overcooked.scenario import CollabScenario, ScenarioFile
from cookmas.worlds.collab_overcooked.world import CollabWorld

if TYPE_CHECKING:
    from cookmas.orchestrator.planner import Planner


class CollabDomain(Domain):
    """The domain of the thirty tasks of the paper, and of tasks in other kitchens."""

    world_type = CollabWorld
    file_type = ScenarioFile
    scenario_type = CollabScenario
    options = ("gamma", "mode", "recipe", "moved", "seed")
    solving = "cookmas.solving.collab_overcooked"
    reference = "oracle"
    planners: Mapping[str, str] = {
        "embedded": "cookmas.solving.collab_overcooked.planners:REFERENCE",
        "reference": "cookmas.solving.collab_overcooked.planners:REFERENCE",
        "asking": "cookmas.solving.collab_overcooked.planners:ASKING",
        "sharing": "cookmas.solving.collab_overcooked.planners:SHARING",
        "obedient": "cookmas.solving.collab_overcooked.planners:OBEDIENT",
        "reserved": "cookmas.solving.collab_overcooked.planners:RESERVED",
        "erring": "cookmas.solving.collab_overcooked.planners:ERRING",
        **PLANNERS,
    }

    def groups(self) -> Mapping[str, Sequence[str]]:
        """Return the tasks of each level; the book beside them is no task."""
        return {group: names for group, names in super().groups().items() if group}

    def remarks(self, scenario: CollabScenario) -> list[str]:
        """Return a sentence for each order that the cooks can never deliver in the kitchen."""
        found = []
        for dish in scenario.file.orders:
            why = obstacle(scenario.kitchen, scenario.tables, dish)
            if why is not None:
                found.append(f"the order of {dish} cannot be served in this kitchen: {why}")
        return found

    def row(self, scenario: CollabScenario) -> dict[str, Any]:
        """Return the row of a scenario in a list."""
        return {
            **super().row(scenario),
            "layout": "its own" if scenario.file.own_layout else scenario.file.layout,
            "orders": len(scenario.file.orders),
            "timesteps": scenario.horizon,
        }

    def show_scenario(self, scenario: CollabScenario) -> Shown:
        """Return a scenario with its kitchen and recipes."""
        world = scenario.world()
        kitchen = world.kitchen
        recipes = {dish: scenario.recipe(dish) for dish in scenario.file.orders}
        data = {
            **scenario.data(),
            "grid": list(kitchen.grid.rows),
            "cooks": list(kitchen.cooks),
            "readers": sorted(kitchen.readers),
            "timesteps": scenario.horizon,
            "recipes": recipes,
        }
        lines = [
            plain_text(f"{scenario.name}: {scenario.file.title}", style="bold"),
            *map(plain_text, world.about.splitlines()),
            plain_text(f"timesteps: {scenario.horizon}"),
            *map(plain_text, self.remarks(scenario)),
        ]
        for dish, text in recipes.items():
            lines.append(plain_text(f"{dish}, probability {scenario.file.orders[dish]}:"))
            lines += map(plain_text, text.splitlines())
        return Shown(picture=Group(*lines), data=data)

    def oracle(self, scenario: CollabScenario) -> Planner:
        """Return the planner that knows the recipe."""
        planner: Planner = self.solved("planners:CollabOracle")(scenario.tables)
        return planner

    def generate(self, level: int, size: int | None, seed: int, path: Path) -> tuple[Path]:
        """Write a task of a level in a new kitchen, with a new dish.

        Raise InputError if level or size is out of range, or if another seed is needed.
        """
        return (self.solved("generating:generate_task")(level, size, seed, path),)


DOMAIN = CollabDomain()
