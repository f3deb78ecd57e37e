"""The truth of the corridor, which is the place of each bell; no planner sees it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import Field, RootModel

from cookmas.files.errors import InputError, MissingError
from cookmas.files.reading import read_model
from cookmas.worlds.corridor.scenario import LEVELS, CorridorScenario

Truth = Mapping[str, int]
"""The place of each bell, by the name of the bell."""


class _File(RootModel[dict[str, Annotated[int, Field(ge=0)]]]):
    pass


def load_truth(scenario: CorridorScenario, path: Path | None = None) -> Truth:
    """Return the truth of a scenario from the file `path`.

    By default the file is `NAME.truth.yaml` beside the scenario, or `NAME.yaml` in this package if
    the scenario comes with the corridor. Raise MissingError if there is no such file, InputError if
    the file does not have exactly the bells of the scenario.
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
