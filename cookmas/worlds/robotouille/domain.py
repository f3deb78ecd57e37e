"""The domain of Robotouille, with its scenarios, planners and pictures."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Annotated, Any

from pydantic import Field

from cookmas.episodes.level import Level
from cookmas.episodes.scenario import FileScenario, Scenario
from cookmas.files.errors import InputError
from cookmas.files.naming import is_yaml
from cookmas.files.reading import read_yaml, validate
from cookmas.files.writing import write_text
from cookmas.files.yaml_text import to_yaml
from cookmas.worlds.base.domain import DISPATCHING, PLANNERS, Domain
from cookmas.worlds.base.settings import Settings
from cookmas.worlds.robotouille.rules.domain_file import DomainEntries
from cookmas.worlds.robotouille.world import RobotouilleLevel, RobotouilleWorld

UNPUBLISHED_HORIZON = 150
"""Greatest number of timesteps for a task of which the benchmark publishes no horizon."""


class RobotouilleFile(RobotouilleLevel):
    """The content of a scenario's file."""

    published: Annotated[int, Field(ge=1, le=1000)] | None = None
    """The number of timesteps that the benchmark publishes for the task; None for others."""


class RobotouilleScenario(FileScenario):
    """A scenario of Robotouille. What is published of it is not a part of the world."""

    file: RobotouilleFile

    def world(self) -> RobotouilleWorld:
        """Return the world in which the scenario is played, without the events of the file."""
        own = RobotouilleLevel.model_fields.keys() - Level.model_fields.keys()
        fields = {name: getattr(self.file, name) for name in own}
        texts = dict.fromkeys(self.file.texts, "")
        return RobotouilleWorld(RobotouilleLevel.model_construct(texts=texts, **fields))

    def check(self) -> None:
        """Raise InputError if the domain, the layout or the goal is invalid."""
        self.world()


class RobotouilleDomain(Domain):
    """The domain of the robots that act by the rules of a file."""

    world_type = RobotouilleWorld
    solving = "cookmas.solving.robotouille"
    originals = MappingProxyType({r'"stations"\s*:\s*\[': "a layout of the original Robotouille"})
    file_type = RobotouilleFile
    scenario_type = RobotouilleScenario
    options = ("timers",)
    planners: Mapping[str, str] = {
        "embedded": "cookmas.solving.robotouille.planners:EmbeddedPlanner",
        **{
            rule: f"cookmas.solving.robotouille.planners:{planner}"
            for rule, planner in DISPATCHING.items()
        },
        "io": "cookmas.solving.robotouille.asking:OncePlanner",
        "io-cot": "cookmas.solving.robotouille.asking:ThinkingPlanner",
        **PLANNERS,
    }

    def horizon(self, scenario: Any) -> int:
        """Return one and a half times the published number of timesteps, or the optimum if larger.

        Within these times a goal counts as reached.
        """
        published: int | None = scenario.file.published
        if not published:
            return UNPUBLISHED_HORIZON
        known = self.certificate(scenario.name, scenario.digest)
        return max(published, known.value if known else 0) * 3 // 2

    def row(self, scenario: Any) -> dict[str, Any]:
        """Return the row of a scenario in the list of scenarios."""
        world = scenario.world()
        return {
            "name": scenario.name,
            "title": scenario.file.title,
            "robots": len(world.workers),
            "objects": len(scenario.file.objects),
            "published": scenario.file.published or "",
        }

    def generate(self, level: int, size: int | None, seed: int, path: Path) -> tuple[Path]:
        """Write a new layout of a task, with `size` more objects (2 by default); return the file.

        The task is the one with the place `level`, from 0, among those that come with the world.
        Raise InputError if `level` or `size` is out of range.
        """
        tasks = [name for name in self.names() if "-" not in name.rpartition("/")[2]]
        added = 2 if size is None else size
        if not 0 <= level < len(tasks) or not 0 <= added <= 20:
            last = len(tasks) - 1
            raise InputError("level, size", f"expected a level of 0 to {last}, and 0 to 20 objects")
        task: Any = self.scenario(tasks[level], {})
        world = RobotouilleWorld(task.file)
        objects = self.solved("generating:vary_objects")(
            world, added, Random(f"{level}/{added}/{seed}")
        )
        title = f"{task.file.title}, generated layout {seed}"
        data = {"world": self.name, **task.data(), "title": title, "objects": objects}
        RobotouilleWorld(task.file.model_copy(update={"objects": objects}))
        write_text(path, to_yaml(data, width=100))
        return (path,)

    def build(self, name: str, path: Path, data: Any, settings: Settings) -> Scenario:
        """Return a scenario. A domain file that it names by a path becomes a part of it.

        Raise InputError if the scenario or the domain file is invalid.
        """
        named = data.get("domain") if isinstance(data, Mapping) else None
        if isinstance(named, str) and is_yaml(named):
            file = path.parent / named
            entries = validate(DomainEntries, read_yaml(file), str(file))
            data = {**data, "domain": entries.model_dump(mode="json")}
        return super().build(name, path, data, settings)


DOMAIN = RobotouilleDomain()
