"""The domain of a plain world, made from the class of the world and the class of its levels.

A level is the content of a scenario's file.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from cookmas.files.errors import InputError, MissingError, TraceError
from cookmas.files.reading import read_yaml, validate
from cookmas.worlds.plain.level import Level
from cookmas.worlds.plain.scenario import DrawnScenario, PlainScenario
from cookmas.worlds.plain.world import PlainWorld
from cookmas.worlds.settings import parse_whole_number, refuse

if TYPE_CHECKING:
    from cookmas.episodes.scenario import Scenario
    from cookmas.episodes.trace import Header
    from cookmas.episodes.world import Json
    from cookmas.evals.judging import Judging
    from cookmas.worlds.domain import Settings
    from cookmas.worlds.script import Script
    from cookmas.worlds.training import Training

NO_PLANNERS: Mapping[str, str] = MappingProxyType({})
"""The further planners of a world that has only PLANNERS: none."""

PLANNERS: Mapping[str, str] = MappingProxyType(
    {
        "random": "cookmas.worlds.plain.planners.random:RandomPlanner",
        "llm": "cookmas.worlds.plain.planners.llm:LLMPlanner",
        "llm-team": "cookmas.worlds.plain.planners.llm:LLMTeam",
    }
)
"""The planners that every plain world has."""


class LevelsOfFolder:
    """The part of a domain that loads scenarios: the levels in `folder`, and a user's files."""

    name: str
    folder: Path

    def build(self, name: str, path: Path, data: Any, settings: Settings) -> Scenario:
        """Return the scenario that plain data describe. Raise InputError if they are invalid."""
        raise NotImplementedError

    def names(self, group: str | None = None) -> Sequence[str]:
        """Return the names of the levels in the folder, sorted.

        Raise MissingError if a `group` is given, because the levels have no groups.
        """
        if group is not None:
            raise MissingError(f"there is no group {group!r} in {self.name}")
        return sorted(path.stem for path in self.folder.glob("*.yaml"))

    def scenario(self, name: str, settings: Settings) -> Any:
        """Return a scenario by its name or its file. Raise InputError or MissingError."""
        path = Path(name)
        if path.suffix not in (".yaml", ".yml"):
            path = self.folder / f"{name}.yaml"
            if not path.is_file():
                known = ", ".join(self.names()) or "none"
                raise MissingError(f"there is no scenario {name!r} of {self.name}, only {known}")
        return self.build(path.stem, path, read_yaml(path), settings)

    def rebuild(self, header: Header, path: Path) -> Any:
        """Return the scenario in the header of a trace."""
        shipped = self.folder / f"{header.scenario_name}.yaml"
        where = shipped if shipped.exists() else path
        return self.build(header.scenario_name, where, header.scenario, {})


class PlainDomain(LevelsOfFolder):
    """The domain of a plain world, whose levels are files in a folder.

    `world` is the class of the world, `level` the class of a file's content. `planners` are
    further planners, in addition to PLANNERS. `folder` has the levels; by default it is the folder
    `levels` beside the module of the world.
    """

    def __init__(
        self,
        world: type[PlainWorld[Any]],
        level: type[Level] = Level,
        planners: Mapping[str, str] = NO_PLANNERS,
        folder: Path | None = None,
    ) -> None:
        self.name = world.name
        self.planners: Mapping[str, str] = {**planners, **PLANNERS}
        self.folder = folder or Path(inspect.getfile(world)).parent / "levels"
        self._world = world
        self._level = level

    def build(self, name: str, path: Path, data: Any, settings: Settings) -> PlainScenario:
        """Return the scenario of a level.

        If the world draws anything at random, the option `seed` replaces the seed of the level.
        Raise InputError if the level or an option is invalid.
        """
        level = validate(self._level, data, str(path))
        if level.world not in (None, self.name):
            raise InputError(str(path), f"world: expected {self.name}, not {level.world!r}")
        if not self._world.drawn:
            refuse(settings, self.name)
            return PlainScenario(name=name, path=path, level=level, made=self._world)
        refuse({option: x for option, x in settings.items() if option != "seed"}, self.name)
        if "seed" in settings:
            level = level.model_copy(update={"seed": parse_whole_number("seed", settings["seed"])})
        drawn = self._world.drawn
        return DrawnScenario(name=name, path=path, level=level, made=self._world, drawn=drawn)

    def world(self, setup: Json) -> PlainWorld[Any]:
        """Return the world that `setup` describes. Raise TraceError if it describes none."""
        try:
            return self._world(validate(self._level, dict(setup), "setup"))
        except InputError as error:
            raise TraceError(f"the trace's header does not describe {self.name}: {error}") from None

    @property
    def judging(self) -> Judging:
        """The rules of judging, which only look at how the episode ended."""
        from cookmas.evals.judging import Judging

        return Judging()

    @property
    def script(self) -> Script:
        """The script of the scripted model, which answers with random legal actions."""
        from cookmas.worlds.plain.script import PlainScript

        return PlainScript(self)

    def training(self, world: PlainWorld[Any]) -> Training:
        """Return the representation of a world in numbers.

        Raise InputError if an argument of an action has no listed choices.
        """
        from cookmas.worlds.plain.training import PlainTraining

        return PlainTraining(world)
