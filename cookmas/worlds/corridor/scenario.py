"""Scenarios of the corridor: the bells to ring, a text about each bell, and where it hangs.

Where the bells hang is the truth, which no planner sees.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, RootModel

from cookmas.episodes.scenario import FileScenario
from cookmas.files.errors import InputError, MissingError
from cookmas.files.reading import FileModel, Name, read_model
from cookmas.worlds.corridor.world import CorridorLevel

_HERE = Path(__file__).parent

Truth = Mapping[str, int]
"""The place of each bell, by the name of the bell."""


class Bell(FileModel):
    """A bell that the walkers are asked to ring during an episode."""

    at: Annotated[int, Field(ge=0, le=1000)] = 0
    """Timestep at which the bell is asked for."""
    name: Annotated[str, Field(max_length=60, pattern=r"^[\w ]+$")]
    """Name of the bell."""
    text: Annotated[str, Field(max_length=1000)]
    """Text that says where the bell hangs."""
    ringer: Name | None = None
    """The only walker that may ring the bell; None if every walker may."""
    knower: Name | None = None
    """The only walker that may read the text; None if every walker may."""

    def event(self) -> dict[str, Any]:
        """Return the event that asks for the bell."""
        return {"kind": "bell", **self.model_dump(include={"name", "ringer", "knower"})}


class CorridorFile(CorridorLevel):
    """The content of a scenario's file: the corridor, and the bells that are still to come."""

    bells: Annotated[list[Bell], Field(min_length=1, max_length=99)]
    """The bells to ring; no two have the same name."""


@dataclass(frozen=True, kw_only=True)
class CorridorScenario(FileScenario):
    """A scenario of the corridor."""

    file: CorridorFile

    def events(self) -> list[tuple[int, dict[str, Any]]]:
        """Return an event for each bell, and the other events of the file."""
        bells = [(bell.at, bell.event()) for bell in self.file.bells]
        return [*bells, *((each.at, each.event()) for each in self.file.events)]

    @property
    def texts(self) -> Mapping[str, str]:
        """The text about each bell, by the name of the bell."""
        return {**self.file.texts, **{bell.name: bell.text for bell in self.file.bells}}

    def check(self) -> None:
        """Raise InputError if two bells have one name, or a bell names no walker."""
        names = [bell.name for bell in self.file.bells]
        if len(set(names)) < len(names):
            raise InputError(str(self.path), "bells: two have the same name; ask for each once")
        for _, event in self.events():
            self.world().apply(self.world().start(), event)


class _Places(RootModel[dict[str, Annotated[int, Field(ge=0)]]]):
    """The content of a truth's file."""


def load_truth(scenario: CorridorScenario, path: Path | None = None) -> Truth:
    """Return the truth of a scenario from the file `path`.

    By default the file is `NAME.truth.yaml` beside the scenario, or `truth/NAME.yaml` if the
    scenario comes with the corridor. Raise MissingError if there is no such file, InputError if
    the file does not have exactly the bells of the scenario.
    """
    if path is None:
        shipped = scenario.path.resolve().parent == _HERE / "levels"
        beside = scenario.path.with_suffix(".truth.yaml")
        path = _HERE / "truth" / f"{scenario.name}.yaml" if shipped else beside
    if not path.exists():
        raise MissingError(f"{path}: expected the truth of {scenario.name} (where each bell hangs)")
    places = read_model(_Places, path).root
    if places.keys() != scenario.texts.keys():
        names = ", ".join(sorted(scenario.texts))
        raise InputError(str(path), f"expected a place for each of {names}")
    return places
