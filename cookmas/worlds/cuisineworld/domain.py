"""The domain of CuisineWorld, with its levels, its planners and its judging."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import yaml
from rich.console import Group

from cookmas.episodes.trace import Header
from cookmas.episodes.world import Json
from cookmas.evals.report import plain_text
from cookmas.files.errors import InputError
from cookmas.files.writing import write_text
from cookmas.worlds.base.domain import Domain, Shown
from cookmas.worlds.cuisineworld.kitchen import STEPS
from cookmas.worlds.cuisineworld.recipes import recipe_text
from cookmas.worlds.cuisineworld.scenario import CuisineScenario, build, load
from cookmas.worlds.cuisineworld.tasks.book import book, levels
from cookmas.worlds.cuisineworld.world import CuisineWorld

if TYPE_CHECKING:
    from cookmas.evals.judging import Judging
    from cookmas.worlds.base.any_domain import Settings
    from cookmas.worlds.base.script import Script
    from cookmas.worlds.base.training import Training
    from cookmas.worlds.base.viewing import Viewing


class CuisineDomain(Domain):
    """The domain of CuisineWorld: the paper's thirteen levels, and corrected versions of some."""

    world_type = CuisineWorld
    planners: Mapping[str, str] = {
        "embedded": "cookmas.worlds.cuisineworld.planners.orchestrating:EmbeddedPlanner",
        "greedy": "cookmas.worlds.cuisineworld.planners.orchestrating:GreedyPlanner",
        "shared-greedy": "cookmas.worlds.cuisineworld.planners.orchestrating:SharedGreedyPlanner",
        "random": "cookmas.worlds.cuisineworld.planners.orchestrating:RandomPlanner",
        "noop": "cookmas.worlds.cuisineworld.planners.orchestrating:NoopPlanner",
        "llm": "cookmas.worlds.cuisineworld.planners.llm:LLMPlanner",
        "llm-team": "cookmas.worlds.cuisineworld.planners.llm:LLMTeam",
    }

    def groups(self) -> Mapping[str, Sequence[str]]:
        """Return all levels, which have no groups."""
        return {"": levels()}

    def scenario(self, name: str, settings: Settings) -> CuisineScenario:
        """Return the scenario of a level, by its name or its file.

        The options in `settings` are `agents`, `tau`, `seed` and `episode`.
        """
        return load(name, settings)

    def rebuild(self, header: Header, path: Path) -> CuisineScenario:
        """Return the scenario in the header of a trace."""
        return build(header.scenario_name, path, header.scenario, {})

    def world(self, setup: Json) -> CuisineWorld:
        """Return the kitchen that `setup` describes. Raise TraceError if it describes none."""
        return CuisineWorld.of_setup(setup)

    def training(self, world: CuisineWorld) -> Training:
        """Return the representation of a level in numbers."""
        from cookmas.worlds.cuisineworld.training import CuisineTraining

        return CuisineTraining(world)

    def horizon(self, scenario: CuisineScenario) -> int:
        """Return the number of timesteps of an episode, which is the same for all levels."""
        return STEPS

    @property
    def judging(self) -> Judging:
        """The rules of judging, by completed and failed orders."""
        from cookmas.worlds.cuisineworld.evaluators import JUDGING

        return JUDGING

    @property
    def script(self) -> Script:
        """The script of the scripted model: it answers as the embedded planner does."""
        from cookmas.worlds.cuisineworld.script import CuisineScript

        return CuisineScript(self)

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
        kitchen = self.scenario(what[0], settings).kitchen
        recipes = {dish: recipe_text(dish, kitchen.recipes) for dish in kitchen.dishes}
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

    @property
    def viewing(self) -> Viewing:
        """The words and the drawing of CuisineWorld."""
        from cookmas.worlds.cuisineworld.view.page import VIEWING

        return VIEWING

    def vet(self, scenario: CuisineScenario) -> list[str]:
        """Return a remark on the level, and one for each dish that cannot be served."""
        kitchen = scenario.kitchen
        lost = [dish for dish in kitchen.dishes if dish not in kitchen.servable]
        found = [f"scenario {scenario.name}: {len(kitchen.dishes)} dishes, sound"]
        return found + [f"{dish} cannot be served: a tool for it is missing" for dish in lost]

    def generate(self, level: int, size: int | None, seed: int, path: Path) -> tuple[Path]:
        """Write a level with dishes of the book, each with `level` cooking steps.

        `size` is the number of dishes, by default 2. Raise InputError if the book has too few such
        dishes.
        """
        whole = book()
        rng = Random(f"{level}/{size}/{seed}")
        dishes = sorted({dish for entry in whole.levels.values() for dish in entry.dishes})
        kitchens = {dish: _tools_for(dish) for dish in dishes}
        fitting = [dish for dish in dishes if len(kitchens[dish]) == level]
        wanted = 2 if size is None else size
        if not 1 <= wanted <= len(fitting):
            raise InputError(
                "level, size", f"there are {len(fitting)} dishes of {level} cooking steps"
            )
        chosen = sorted(rng.sample(fitting, wanted))
        tools = sorted({tool for dish in chosen for tool in kitchens[dish]})
        places = ["storage", "servingtable"]
        places += [tool for tool in tools for _ in range(rng.randint(1, 2))]
        data = {
            "world": self.name,
            "title": f"{wanted} dishes of {level} cooking steps",
            "own": {"places": places, "dishes": chosen},
            "agents": rng.randint(2, 4),
            "seed": seed,
        }
        write_text(path, yaml.safe_dump(data, sort_keys=False))
        return (path,)


DOMAIN = CuisineDomain()


def _tools_for(dish: str) -> list[str]:
    """Return the kinds of tool that a dish needs, one for each cooking step."""
    from cookmas.worlds.cuisineworld.kitchen import Recipe, steps_of

    every = {
        product: Recipe(product, tool, tuple(inputs))
        for product, recipe in book().recipes.items()
        for tool, inputs in recipe.items()
    }
    return [step.tool for step in steps_of(dish, every)]
