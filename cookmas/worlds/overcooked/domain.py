"""The domain of Overcooked-AI: layouts, planners, and the judging of scores."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from rich.console import Group

from cookmas.evals.report import plain_text
from cookmas.files.reading import read_text
from cookmas.worlds.base.domain import PLANNERS, Domain, Shown
from cookmas.worlds.overcooked.rules.layout import (
    FOLDER,
    IN_LETTERS,
    JAXMARL,
    MOST_BYTES,
    SUFFIX,
    parse_layout,
)
from cookmas.worlds.overcooked.scenario import OvercookedScenario, ScenarioFile
from cookmas.worlds.overcooked.world import OvercookedWorld

if TYPE_CHECKING:
    from cookmas.episodes.scenario import Scenario
    from cookmas.worlds.base.settings import Settings

CURRENT = "current"
"""The group of the layouts of `overcooked` with its own dynamics."""


class OvercookedDomain(Domain):
    """The domain of the papers' seven layouts, of those of `overcooked`, and of some more."""

    world_type = OvercookedWorld
    file_type = ScenarioFile
    scenario_type = OvercookedScenario
    originals = MappingProxyType({JAXMARL: IN_LETTERS})
    options = ("layout", "horizon", "dynamics", "stalemate", "hide_partner", "silent", "acts")
    solving = "cookmas.solving.overcooked"
    planners: Mapping[str, str] = {
        "embedded": "cookmas.solving.overcooked.planners:GREEDY",
        "greedy": "cookmas.solving.overcooked.planners:GREEDY",
        "joint-search": "cookmas.solving.overcooked.planners:JOINT_SEARCH",
        "onion-only": "cookmas.solving.overcooked.planners:ONION_ONLY",
        "plate-only": "cookmas.solving.overcooked.planners:PLATE_ONLY",
        "lazy": "cookmas.solving.overcooked.planners:LAZY",
        "clumsy": "cookmas.solving.overcooked.planners:CLUMSY",
        "half-random": "cookmas.solving.overcooked.planners:HALF_RANDOM",
        "clone": "cookmas.solving.overcooked.clone:CLONE",
        **PLANNERS,
    }

    def groups(self) -> Mapping[str, Sequence[str]]:
        """Return the scenarios of each group: those of the papers, and the layouts of others."""
        found = dict(super().groups())
        shipped = sorted((FOLDER / CURRENT).glob(f"*{SUFFIX}"))
        current = [f"{CURRENT}/{path.stem}" for path in shipped]
        return {"papers": found.pop(""), **found, CURRENT: current}

    def scenario(self, name: str, settings: Settings) -> Scenario:
        """Return a scenario by its name or its file, which may be a layout."""
        path = Path(name)
        if path.suffix == SUFFIX:
            data = {"title": os.fsencode(path.stem[:200]).decode(errors="replace")}
            return self.build(path.stem, path, data, {"layout": name, **settings})
        group, _, layout = name.rpartition("/")
        if group != CURRENT or name not in self.names(CURRENT):
            return super().scenario(name, settings)
        path = FOLDER / CURRENT / f"{layout}{SUFFIX}"
        data = {"title": layout.replace("_", " "), "layout": layout, "dynamics": CURRENT}
        return self.build(name, path, data, settings)

    def read_settings(self, settings: Settings) -> dict[str, Any]:
        """Return a user's settings as fields of a file; a layout may be a file, which is read."""
        layout = settings.get("layout")
        others = {name: text for name, text in settings.items() if name != "layout"}
        found = super().read_settings(others)
        if layout is None:
            return found
        if not layout.endswith(SUFFIX):
            return {**found, "layout": layout, "own_layout": None}
        text = read_text(Path(layout), MOST_BYTES)
        parse_layout(text, layout)
        return {**found, "own_layout": text}

    def remarks(self, scenario: OvercookedScenario) -> list[str]:
        """Return what may not be meant so in the layout, a sentence each."""
        return scenario.remarks()

    def row(self, scenario: OvercookedScenario) -> dict[str, Any]:
        """Return the row of a scenario in a list."""
        kitchen = scenario.kitchen
        return {
            **super().row(scenario),
            "dynamics": kitchen.dynamics,
            "cooks": kitchen.cooks,
            "pots": len(kitchen.pots),
            "gates": len(kitchen.gates),
            "orders": len(kitchen.ordered),
            "timesteps": scenario.horizon,
        }

    def show_scenario(self, scenario: OvercookedScenario) -> Shown:
        """Return a scenario with its kitchen."""
        world = scenario.world()
        data = {**scenario.data(), **world.setup(), "best_score": world.best_score}
        lines = [
            plain_text(f"{scenario.name}: {scenario.file.title}", style="bold"),
            *map(plain_text, world.about.splitlines()),
            plain_text(f"timesteps: {scenario.horizon}, at most {world.best_score:g} points"),
            *map(plain_text, self.remarks(scenario)),
        ]
        return Shown(picture=Group(*lines), data=data)


DOMAIN = OvercookedDomain()
