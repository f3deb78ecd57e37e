"""The level of a kitchen: what all players know, as plain data."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from cookmas.episodes.level import Level
from cookmas.files.reading import Name
from cookmas.worlds.collab_overcooked.rules.kitchen import CollabKitchen
from cookmas.worlds.collab_overcooked.rules.layouts import LayoutFile
from cookmas.worlds.grids.grid import Grid


class CollabLevel(LayoutFile, Level):
    """A layout and the names of food, but no recipe."""

    raw: list[Name]
    """The ingredients that the dispenser gives."""
    foods: list[Name]
    """Every known food, raw or made."""
    menu: list[Name]
    """The food that can be delivered."""
    plated: list[Name]
    """The food of the menu that must be delivered on the item `DISH`."""
    mode: Literal["", "original"] = ""
    """`original`: the kitchen has the faults of the original engine."""

    @cached_property
    def kitchen(self) -> CollabKitchen:
        """The kitchen of the level."""
        return CollabKitchen(
            grid=Grid.of_rows(self.grid),
            cooks=tuple(self.cooks),
            readers=frozenset(self.readers),
            raw=frozenset(self.raw),
            foods=frozenset(self.foods),
            menu=frozenset(self.menu),
            plated=frozenset(self.plated),
            original=self.mode == "original",
        )
