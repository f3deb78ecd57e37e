"""Scenarios of Overcooked-AI: a layout with one of the dynamics, and the rules of the episode."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field

from cookmas.episodes.scenario import FileScenario
from cookmas.files.reading import Name, Title
from cookmas.worlds.overcooked.rules.kitchen import Dynamics, OvercookedKitchen
from cookmas.worlds.overcooked.rules.layout import (
    MOST_BYTES,
    OvercookedLayout,
    load_kitchen,
    parse_layout,
)
from cookmas.worlds.overcooked.rules.state import OvercookedRules
from cookmas.worlds.overcooked.world import OvercookedWorld


class ScenarioFile(OvercookedRules):
    """The content of a scenario's file: a layout, and the rules of the episode."""

    world: Literal["overcooked"] = "overcooked"
    title: Title = ""
    layout: Name = "cramped_room"
    """Name of a layout that comes with CookMAS."""
    own_layout: Annotated[str, Field(max_length=MOST_BYTES)] | None = None
    """The text of a layout in the original's notation, in place of `layout`."""
    dynamics: Dynamics = "papers"
    """Whether pots start by themselves, as in the papers, or by an interaction."""

    @property
    def rules(self) -> OvercookedRules:
        """The rules of the episode."""
        return OvercookedRules(**self.model_dump(include=set(OvercookedRules.model_fields)))


class OvercookedScenario(FileScenario):
    """A kitchen from a layout."""

    file: ScenarioFile

    @cached_property
    def kitchen(self) -> OvercookedKitchen:
        """The kitchen."""
        own, dynamics = self.own_layout, self.file.dynamics
        if own is not None:
            return own.kitchen(dynamics, str(self.path))
        return load_kitchen(self.file.layout, dynamics)

    @cached_property
    def own_layout(self) -> OvercookedLayout | None:
        """The layout of the file, or of the user; None for one that comes with CookMAS."""
        own = self.file.own_layout
        return None if own is None else parse_layout(own, str(self.path))

    def remarks(self) -> list[str]:
        """Return what may not be meant so in the layout, a sentence each."""
        return [] if self.own_layout is None else [*self.own_layout.remarks(self.kitchen)]

    def check(self) -> None:
        """Raise InputError if the layout is invalid, MissingError if there is none."""
        _ = self.kitchen

    def world(self) -> OvercookedWorld:
        """Return the kitchen as a world."""
        return OvercookedWorld(self.kitchen, self.file.rules)
