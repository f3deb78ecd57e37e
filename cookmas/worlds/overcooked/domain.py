"""The domain of Overcooked-AI: layouts, planners, and the judging of scores."""

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
from cookmas.worlds.overcooked.layout import FOLDER, SUFFIX
from cookmas.worlds.overcooked.scenario import OvercookedScenario, build
from cookmas.worlds.overcooked.words import describe_rules
from cookmas.worlds.overcooked.world import OvercookedWorld

if TYPE_CHECKING:
    from cookmas.evals.judging import Judging
    from cookmas.worlds.base.any_domain import Settings
    from cookmas.worlds.base.script import Script
    from cookmas.worlds.base.training import Training
    from cookmas.worlds.base.viewing import Viewing

CURRENT = "current"
"""The group of the layouts of `overcooked` with its own dynamics."""


class OvercookedDomain(Domain):
    """The domain of the papers' seven layouts, of those of `overcooked`, and of some more."""

    world_type = OvercookedWorld
    planners: Mapping[str, str] = {
        "embedded": "cookmas.worlds.overcooked.policies.partners:Greedy",
        "greedy": "cookmas.worlds.overcooked.policies.partners:Greedy",
        "joint-search": "cookmas.worlds.overcooked.policies.joint:JointSearch",
        "onion-only": "cookmas.worlds.overcooked.policies.partners:OnionOnly",
        "plate-only": "cookmas.worlds.overcooked.policies.partners:PlateOnly",
        "lazy": "cookmas.worlds.overcooked.policies.partners:Lazy",
        "clumsy": "cookmas.worlds.overcooked.policies.partners:Clumsy",
        "half-random": "cookmas.worlds.overcooked.policies.partners:HalfRandom",
        "clone": "cookmas.worlds.overcooked.policies.clone:Clone",
        "random": "cookmas.worlds.base.planners.random:RandomPlanner",
        "llm": "cookmas.worlds.overcooked.planners.llm:LLMPlanner",
        "llm-team": "cookmas.worlds.overcooked.planners.llm:LLMTeam",
    }

    def groups(self) -> Mapping[str, Sequence[str]]:
        """Return the scenarios of each group: those of the papers, and the layouts of others."""
        found = dict(super().groups())
        shipped = sorted((FOLDER / CURRENT).glob(f"*{SUFFIX}"))
        current = [f"{CURRENT}/{path.stem}" for path in shipped]
        return {"papers": found.pop(""), **found, CURRENT: current}

    def scenario(self, name: str, settings: Settings) -> OvercookedScenario:
        """Return a scenario by its name or file, with options in the place of the file's values.

        The file may be a layout.
        """
        path = Path(name)
        if path.suffix in (".yaml", ".yml"):
            return build(path.stem, path, read_yaml(path), settings)
        if path.suffix == SUFFIX:
            data = {"title": path.stem[:200]}
            return build(path.stem, path, data, {"layout": name, **settings})
        path = self.find_shipped(name)
        group, _, layout = name.rpartition("/")
        if group == CURRENT:
            data = {"title": layout.replace("_", " "), "layout": layout, "dynamics": "current"}
            return build(name, FOLDER / CURRENT / f"{layout}{SUFFIX}", data, settings)
        return build(name, path, read_yaml(path), settings)

    def rebuild(self, header: Header, path: Path) -> OvercookedScenario:
        """Return the scenario that the header holds."""
        return build(header.scenario_name, path, header.scenario, {})

    def world(self, setup: Json) -> OvercookedWorld:
        """Return the kitchen that `setup` describes. Raise TraceError if it describes none."""
        return OvercookedWorld.of_setup(setup)

    def training(self, world: OvercookedWorld) -> Training:
        """Return the representation of a kitchen in numbers."""
        from cookmas.worlds.overcooked.training import OvercookedTraining

        return OvercookedTraining(world)

    @property
    def judging(self) -> Judging:
        """The judging: the score, and how the cooks came to it."""
        from cookmas.worlds.overcooked.evaluators import JUDGING

        return JUDGING

    @property
    def script(self) -> Script:
        """The script of the scripted model, which answers as the greedy cook acts."""
        from cookmas.worlds.overcooked.script import OvercookedScript

        return OvercookedScript(self)

    @property
    def viewing(self) -> Viewing:
        """The words, the keys and the drawing of the kitchen."""
        from cookmas.worlds.overcooked.view.page import VIEWING

        return VIEWING

    def row(self, scenario: OvercookedScenario) -> dict[str, Any]:
        """Return the row of a scenario in a list."""
        kitchen = scenario.kitchen
        return {
            "name": scenario.name,
            "title": scenario.file.title,
            "dynamics": kitchen.dynamics,
            "cooks": kitchen.cooks,
            "pots": len(kitchen.pots),
            "gates": len(kitchen.gates),
            "orders": len(kitchen.ordered),
            "timesteps": scenario.horizon,
        }

    def show(self, what: Sequence[str], settings: Settings) -> Shown:
        """Return a scenario with its kitchen; without a name, the list of all."""
        if len(what) != 1:
            return super().show(what, settings)
        scenario = self.scenario(what[0], settings)
        world = scenario.world()
        data = {**scenario.data(), **world.setup(), "best_score": world.best_score}
        lines = [
            plain_text(f"{scenario.name}: {scenario.file.title}", style="bold"),
            *map(plain_text, describe_rules(world.kitchen, world.workers).splitlines()),
            plain_text(f"timesteps: {scenario.horizon}, at most {world.best_score:g} points"),
        ]
        return Shown(picture=Group(*lines), data=data)


DOMAIN = OvercookedDomain()
