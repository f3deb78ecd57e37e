"""Open kitchens: scenarios without events, whose orders are sent during the episode."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from cookmas.files.errors import InputError
from cookmas.files.reading import Name, Title, validate
from cookmas.scenarios.kitchens import build_kitchen, kitchen_path
from cookmas.scenarios.menu import SHIPPED_MENU, load_menu
from cookmas.scenarios.scenario import KitchenScenario
from cookmas.scenarios.scenario_file import ScenarioFile, TimedEvent

OPEN = "open"
"""The scenario name that stands for an open kitchen."""


class _OpenFile(ScenarioFile):
    """The settings of an open kitchen: a scenario file without events."""

    title: Title = "An open kitchen"
    level: Annotated[int, Field(ge=1, le=3)] = 3
    kitchen: Name = "standard"
    events: list[TimedEvent] = Field(default_factory=list)


def open_kitchen(data: Mapping[str, Any]) -> KitchenScenario:
    """Return an open kitchen with the settings in `data`, such as `kitchen`, `menu` and `workers`.

    `kitchen` is the name of a shipped kitchen or a file; `menu` is a folder. Raises InputError or
    MissingError.
    """
    file = validate(_OpenFile, dict(data), "open kitchen")
    if file.events:
        raise InputError(
            "open kitchen", "events: expected none, as orders come in while the kitchen is open"
        )
    menu = load_menu(Path(file.menu).resolve() if file.menu else SHIPPED_MENU)
    kitchen = build_kitchen(kitchen_path(file.kitchen), menu, file.workers, file.stock)
    return KitchenScenario(
        name=OPEN, path=Path(f"{OPEN}.yaml"), file=file, menu=menu, kitchen=kitchen
    )
