"""The domain of the corridor, with its planners, scenarios and judging."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import yaml

from cookmas.episodes.world import Json
from cookmas.files.errors import InputError, TraceError
from cookmas.files.writing import write_text
from cookmas.worlds.base.domain import Domain
from cookmas.worlds.base.settings import read_settings
from cookmas.worlds.corridor.scenario import LEVELS, CorridorScenario, ScenarioFile, build
from cookmas.worlds.corridor.world import CorridorWorld

if TYPE_CHECKING:
    from cookmas.evals.judging import Judging
    from cookmas.worlds.base.any_domain import Settings
    from cookmas.worlds.base.script import Script
    from cookmas.worlds.base.training import Training
    from cookmas.worlds.base.viewing import Viewing
    from cookmas.worlds.corridor.truth import Truth


class CorridorDomain(Domain):
    """The domain of the corridor, in which walkers ring bells."""

    world_type = CorridorWorld
    folder = LEVELS
    planners: Mapping[str, str] = {
        "embedded": "cookmas.worlds.corridor.planners.embedded:EmbeddedPlanner",
        "team": "cookmas.worlds.corridor.planners.team:WalkerTeam",
        "llm": "cookmas.worlds.corridor.planners.llm:LLMPlanner",
        "llm-team": "cookmas.worlds.corridor.planners.llm:LLMTeam",
    }

    def read_settings(self, settings: Settings) -> dict[str, Any]:
        """Raise InputError if there is a setting, because the corridor has none."""
        return read_settings(ScenarioFile, settings, (), self.name)

    def build(self, name: str, path: Path, data: Any, settings: Settings) -> CorridorScenario:
        """Return the scenario that plain data describe. Raise InputError if they are invalid."""
        self.read_settings(settings)
        return build(name, path, data)

    def world(self, setup: Json) -> CorridorWorld:
        """Return the corridor that `setup` describes. Raise TraceError if it describes none."""
        try:
            return CorridorWorld(int(setup["walkers"]), int(setup["length"]))
        except (KeyError, TypeError, ValueError):
            raise TraceError("the trace's header does not describe a corridor") from None

    def training(self, world: CorridorWorld) -> Training:
        """Return the representation of a corridor in numbers."""
        from cookmas.worlds.corridor.training import CorridorTraining

        return CorridorTraining(world)

    def horizon(self, scenario: CorridorScenario) -> int:
        """Return ten times a number of timesteps in which one walker can ring all bells."""
        return 10 * (scenario.file.length + 1) * (len(scenario.file.bells) + 1)

    def truth(self, scenario: CorridorScenario, path: Path | None = None) -> Truth:
        """Return the truth of a scenario: the place of each bell."""
        from cookmas.worlds.corridor.truth import load_truth

        return load_truth(scenario, path)

    @property
    def judging(self) -> Judging:
        """The rules of judging: an episode succeeds if every bell was rung where it hangs."""
        from cookmas.worlds.corridor.evaluators import JUDGING

        return JUDGING

    @property
    def script(self) -> Script:
        """The script of the scripted model: it answers as the embedded planner does."""
        from cookmas.worlds.corridor.script import CorridorScript

        return CorridorScript(self)

    @property
    def viewing(self) -> Viewing:
        """The words and the drawing of the corridor."""
        from cookmas.worlds.corridor.view.page import VIEWING

        return VIEWING

    def row(self, scenario: CorridorScenario) -> dict[str, Any]:
        """Return the row of a scenario in the list of scenarios."""
        file = scenario.file
        return {
            "name": scenario.name,
            "title": file.title,
            "walkers": file.walkers,
            "length": file.length,
            "bells": len(file.bells),
        }

    def generate(self, level: int, size: int | None, seed: int, path: Path) -> tuple[Path, Path]:
        """Write a new scenario and its truth; return both files.

        The scenario has `size` bells (3 by default) in a corridor of 10 * `level` steps. Raise
        InputError if `level` or `size` is out of range.
        """
        count = 3 if size is None else size
        if not 1 <= level <= 9 or not 1 <= count <= 99:
            raise InputError("level, size", "expected a level of 1 to 9, and 1 to 99 bells")
        rng = Random(f"{level}/{size}/{seed}")
        places = {f"bell {n}": rng.randint(0, 10 * level) for n in range(1, count + 1)}
        bells = [
            {"at": rng.randint(0, 20), "name": name, "text": f"It hangs {place} steps from 0."}
            for name, place in places.items()
        ]
        data = {
            "world": self.name,
            "title": f"{len(bells)} bells",
            "length": 10 * level,
            "bells": [{**bells[0], "at": 0}, *bells[1:]],
        }
        truth = path.with_suffix(".truth.yaml")
        write_text(path, yaml.safe_dump(data, sort_keys=False))
        write_text(truth, yaml.safe_dump(places, sort_keys=False))
        return path, truth


DOMAIN = CorridorDomain()
