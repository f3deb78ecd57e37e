"""The domain of CuisineWorld, with its levels, its planners and its judging."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Group

from cookmas.evals.report import plain_text
from cookmas.files.errors import InputError
from cookmas.files.naming import is_yaml
from cookmas.files.reading import refuse_other_file
from cookmas.files.writing import write_text
from cookmas.files.yaml_text import to_yaml
from cookmas.worlds.base.domain import LLM_PLANNERS, Domain, Shown
from cookmas.worlds.base.settings import Settings
from cookmas.worlds.cuisineworld.rules.book import book, levels
from cookmas.worlds.cuisineworld.rules.kitchen import STEPS, steps_of
from cookmas.worlds.cuisineworld.scenario import CuisineFile, CuisineScenario
from cookmas.worlds.cuisineworld.world import CuisineWorld


class CuisineDomain(Domain):
    """The domain of CuisineWorld: the paper's thirteen levels, and corrected versions of some."""

    world_type = CuisineWorld
    file_type = CuisineFile
    scenario_type = CuisineScenario
    planners: Mapping[str, str] = {
        "embedded": "cookmas.solving.cuisineworld.planners:EmbeddedPlanner",
        "greedy": "cookmas.solving.cuisineworld.planners:GREEDY",
        "shared-greedy": "cookmas.solving.cuisineworld.planners:SHARED_GREEDY",
        "random": "cookmas.worlds.cuisineworld.planner:RandomPlanner",
        "noop": "cookmas.solving.cuisineworld.planners:NOOP",
        **LLM_PLANNERS,
    }
    solving = "cookmas.solving.cuisineworld"

    options = ("agents", "tau", "seed", "episode")

    def groups(self) -> Mapping[str, Sequence[str]]:
        """Return all levels of the book, which have no groups."""
        return {"": levels()}

    def scenario(self, name: str, settings: Settings) -> Any:
        """Return the scenario of a level, by its name in the book or its file."""
        path = Path(name)
        if is_yaml(path):
            return super().scenario(name, settings)
        if name not in levels():
            refuse_other_file(path, "a level of cuisineworld, or a .yaml file")
        return self.build(name, path.with_suffix(".yaml"), {"kitchen": name}, settings)

    def row(self, scenario: CuisineScenario) -> dict[str, Any]:
        """Return the row of a level in the list of levels."""
        kitchen = scenario.kitchen
        return {
            "name": scenario.name,
            "dishes": len(kitchen.dishes),
            "places": len(kitchen.places),
            "interval at tau 1.0": kitchen.interval,
            "cannot be served": ", ".join(
                dish for dish in kitchen.dishes if dish not in kitchen.servable
            ),
        }

    def show(self, what: Sequence[str], settings: Settings) -> Shown:
        """Return the level that `what` names, with its recipes.

        If `what` is empty, return the list of levels.
        """
        if not what:
            return super().show(what, settings)
        if len(what) > 1:
            raise InputError("show", "expected one level")
        scenario = self.scenario(what[0], settings)
        kitchen, recipes = scenario.kitchen, dict(scenario.texts)
        data = {
            "level": kitchen.level,
            "tau": kitchen.tau,
            "agents": kitchen.agents,
            "places": list(kitchen.places),
            "interval": kitchen.interval,
            "lifetimes": dict(kitchen.lifetimes),
            "recipes": recipes,
        }
        lines = [
            plain_text(
                f"{kitchen.level}, {kitchen.agents} agents, tau {kitchen.tau}", style="bold"
            ),
            plain_text(f"places: {', '.join(kitchen.places)}"),
            plain_text(f"an order every {kitchen.interval} timesteps, {STEPS} in all"),
        ]
        for dish, text in recipes.items():
            lines.append(
                plain_text(f"{dish}, to be served within {kitchen.lifetimes[dish]} timesteps:")
            )
            lines.append(plain_text(f"    {text}"))
        return Shown(picture=Group(*lines), data=data)

    def facts(self, scenario: CuisineScenario) -> list[str]:
        """Return the number of dishes."""
        return [f"{len(scenario.kitchen.dishes)} dishes"]

    def remarks(self, scenario: CuisineScenario) -> list[str]:
        """Return a sentence for each dish that cannot be served."""
        kitchen = scenario.kitchen
        lost = [dish for dish in kitchen.dishes if dish not in kitchen.servable]
        return [f"{dish} cannot be served: a tool for it is missing" for dish in lost]

    def generate(self, level: int, size: int | None, seed: int, path: Path) -> tuple[Path]:
        """Write a level with dishes of the book, each with `level` cooking steps.

        `size` is the number of dishes, by default 2. Raise InputError if the book has too few such
        dishes.
        """
        recipes = book().list_recipes()
        dishes = sorted({dish for entry in book().levels.values() for dish in entry.dishes})
        needed = {dish: [step.tool for step in steps_of(dish, recipes)] for dish in dishes}
        fitting = [dish for dish in dishes if len(needed[dish]) == level]
        wanted = 2 if size is None else size
        rng = Random(f"{level}/{wanted}/{seed}")
        if not 1 <= wanted <= len(fitting):
            raise InputError(
                "level, size", f"there are {len(fitting)} dishes of {level} cooking steps"
            )
        chosen = sorted(rng.sample(fitting, wanted))
        tools = sorted({tool for dish in chosen for tool in needed[dish]})
        places = ["storage", "servingtable"]
        places += [tool for tool in tools for _ in range(rng.randint(1, 2))]
        data = {
            "world": self.name,
            "title": f"{wanted} dishes of {level} cooking steps",
            "own": {"places": places, "dishes": chosen},
            "agents": rng.randint(2, 4),
            "seed": seed,
        }
        write_text(path, to_yaml(data))
        return (path,)


DOMAIN = CuisineDomain()
