"""The domain of the corridor, with its planners, scenarios and judging."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from cookmas.files.errors import InputError
from cookmas.files.writing import write_text
from cookmas.files.yaml_text import to_yaml
from cookmas.worlds.base.domain import LLM_PLANNERS, Domain
from cookmas.worlds.corridor.scenario import CorridorFile, CorridorScenario, Truth, load_truth
from cookmas.worlds.corridor.world import CorridorWorld


class CorridorDomain(Domain):
    """The domain of the corridor, in which walkers ring bells."""

    world_type = CorridorWorld
    file_type = CorridorFile
    scenario_type = CorridorScenario
    planners: Mapping[str, str] = {
        "embedded": "cookmas.solving.corridor.planners:EmbeddedPlanner",
        "team": "cookmas.solving.corridor.planners:WalkerTeam",
        **LLM_PLANNERS,
    }
    solving = "cookmas.solving.corridor"

    def horizon(self, scenario: CorridorScenario) -> int:
        """Return ten times a number of timesteps in which one walker can ring all bells."""
        return 10 * (scenario.file.length + 1) * (len(scenario.file.bells) + 1)

    def truth(self, scenario: CorridorScenario, path: Path | None = None) -> Truth:
        """Return the truth of a scenario: the place of each bell."""
        return load_truth(scenario, path)

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
        rng = Random(f"{level}/{count}/{seed}")
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
        write_text(path, to_yaml(data))
        write_text(truth, to_yaml(places))
        return path, truth


DOMAIN = CorridorDomain()
