"""The domain of Collab-Overcooked: tasks, planners, and the judging of orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Group

from cookmas.episodes.trace import Header
from cookmas.episodes.world import Json
from cookmas.evals.report import plain_text
from cookmas.files.reading import read_yaml
from cookmas.worlds.base.domain import Domain, Shown
from cookmas.worlds.collab_overcooked.prompts.voice import rules
from cookmas.worlds.collab_overcooked.scenario import CollabScenario, build
from cookmas.worlds.collab_overcooked.world import CollabWorld

if TYPE_CHECKING:
    from cookmas.evals.judging import Judging
    from cookmas.orchestrator.planner import Planner
    from cookmas.worlds.base.any_domain import Settings
    from cookmas.worlds.base.script import Script
    from cookmas.worlds.base.training import Training
    from cookmas.worlds.base.viewing import Viewing

TASKS = Path(__file__).parent / "tasks"
"""The folder of the scenarios; each of its folders is a group."""


class CollabDomain(Domain):
    """The domain of the thirty tasks of the paper, and of tasks in other kitchens."""

    world_type = CollabWorld
    folder = TASKS
    planners: Mapping[str, str] = {
        "embedded": "cookmas.worlds.collab_overcooked.policies.partners:Reference",
        "reference": "cookmas.worlds.collab_overcooked.policies.partners:Reference",
        "asking": "cookmas.worlds.collab_overcooked.policies.partners:AskingTeam",
        "sharing": "cookmas.worlds.collab_overcooked.policies.sharing:SharingTeam",
        "obedient": "cookmas.worlds.collab_overcooked.policies.partners:Obedient",
        "reserved": "cookmas.worlds.collab_overcooked.policies.partners:Reserved",
        "erring": "cookmas.worlds.collab_overcooked.policies.partners:Erring",
        "random": "cookmas.worlds.base.planners.random:RandomPlanner",
        "llm": "cookmas.worlds.collab_overcooked.planners.llm:LLMPlanner",
        "llm-team": "cookmas.worlds.collab_overcooked.planners.llm:LLMTeam",
    }

    def groups(self) -> Mapping[str, Sequence[str]]:
        """Return the tasks of each level; the book beside them is no task."""
        return {group: names for group, names in super().groups().items() if group}

    def scenario(self, name: str, settings: Settings) -> CollabScenario:
        """Return a scenario by its name or file, with options in the place of the file's values."""
        if name.endswith((".yaml", ".yml")):
            path = Path(name)
            return build(path.stem, path, read_yaml(path), settings)
        path = self.find_shipped(name)
        return build(name, path, read_yaml(path), settings)

    def rebuild(self, header: Header, path: Path) -> CollabScenario:
        """Return the scenario that the header holds."""
        return build(header.scenario_name, path, header.scenario, {})

    def world(self, setup: Json) -> CollabWorld:
        """Return the kitchen that `setup` describes. Raise TraceError if it describes none."""
        return CollabWorld.of_setup(setup)

    def training(self, world: CollabWorld) -> Training:
        """Return the representation of a kitchen in numbers."""
        from cookmas.worlds.collab_overcooked.training import CollabTraining

        return CollabTraining(world)

    @property
    def judging(self) -> Judging:
        """The judging: whether the order was delivered, and how the cooks worked together."""
        from cookmas.worlds.collab_overcooked.evaluators import JUDGING

        return JUDGING

    @property
    def script(self) -> Script:
        """The script of the scripted model: who reads the recipe works and asks, others obey."""
        from cookmas.worlds.collab_overcooked.script import CollabScript

        return CollabScript(self)

    @property
    def viewing(self) -> Viewing:
        """The words and the drawing of the kitchen."""
        from cookmas.worlds.collab_overcooked.view.page import VIEWING

        return VIEWING

    def row(self, scenario: CollabScenario) -> dict[str, Any]:
        """Return the row of a scenario in a list."""
        return {
            "name": scenario.name,
            "title": scenario.file.title,
            "layout": "its own" if scenario.file.own_layout else scenario.file.layout,
            "orders": len(scenario.file.orders),
            "timesteps": scenario.horizon,
        }

    def show(self, what: Sequence[str], settings: Settings) -> Shown:
        """Return a scenario with its kitchen and recipes; without a name, the list of all."""
        if len(what) != 1:
            return super().show(what, settings)
        scenario = self.scenario(what[0], settings)
        kitchen = scenario.kitchen
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
            *map(plain_text, rules(kitchen).splitlines()),
            plain_text(f"timesteps: {scenario.horizon}"),
        ]
        for dish, text in recipes.items():
            lines.append(plain_text(f"{dish}, probability {scenario.file.orders[dish]}:"))
            lines += map(plain_text, text.splitlines())
        return Shown(picture=Group(*lines), data=data)

    def oracle(self, scenario: CollabScenario) -> Planner:
        """Return the planner that knows the recipe."""
        from cookmas.worlds.collab_overcooked.planners.oracle import CollabOracle

        return CollabOracle(scenario.tables)

    def generate(self, level: int, size: int | None, seed: int, path: Path) -> tuple[Path]:
        """Write a task of a level in a new kitchen, with a new dish.

        Raise InputError if level or size is out of range, or if another seed is needed.
        """
        from cookmas.worlds.collab_overcooked.generating import generate_task

        return (generate_task(level, size, seed, path),)


DOMAIN = CollabDomain()
