"""Where each bell hangs: the side that no planner sees."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import Field, RootModel

from files.errors import InputError, MissingError
from files.reading import read_model
from worlds.corridor.scenario import LEVELS, CorridorScenario

Truth = Mapping[str, int]
"""The place of each bell, by its name."""


class _File(RootModel[dict[str, Annotated[int, Field(ge=0)]]]):
    pass


def load_truth(scenario: CorridorScenario, path: Path | None = None) -> Truth:
    """The truth beside a scenario's file (`NAME.truth.yaml`), or of one that comes with it.

    Raises MissingError if there is none, InputError if it is not of these bells.
    """
    if path is None:
        shipped = scenario.path.parent.resolve() == LEVELS.resolve()
        beside = scenario.path.with_suffix(".truth.yaml")
        path = Path(__file__).parent / f"{scenario.name}.yaml" if shipped else beside
    if not path.exists():
        raise MissingError(f"{path}: expected the truth of {scenario.name} (where each bell hangs)")
    places = read_model(_File, path).root
    names = {bell.name for bell in scenario.file.bells}
    if places.keys() != names:
        raise InputError(str(path), f"expected a place for each of {', '.join(sorted(names))}")
    return places
