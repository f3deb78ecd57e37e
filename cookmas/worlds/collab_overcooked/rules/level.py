"""The level of a kitchen, as plain data: a layout, and what all players know of its food."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from cookmas.episodes.level import Level
from cookmas.files.errors import MissingError
from cookmas.files.reading import FileModel, Name, Title, read_model
from cookmas.worlds.collab_overcooked.rules.kitchen import LETTERS, CollabKitchen
from cookmas.worlds.grids.grid import Grid

FOLDER = Path(__file__).parent.parent / "layouts"


class LayoutFile(FileModel):
    """The content of a layout's file."""

    title: Title = ""
    grid: Annotated[list[Annotated[str, Field(max_length=30)]], Field(min_length=3, max_length=30)]
    """The grid as text; the digits are the starts of the cooks."""
    cooks: Annotated[list[Name], Field(min_length=1, max_length=4)]
    """Names of the cooks, by the digits of their starts."""
    readers: Annotated[list[Name], Field(min_length=1, max_length=4)]
    """The cooks who see the recipe."""

    @field_validator("grid")
    @classmethod
    def _check_grid(cls, rows: list[str]) -> list[str]:
        solid = Grid.of_rows(rows).solid
        if strange := sorted(set(solid.values()) - set(LETTERS)):
            raise ValueError(f"{strange[0]!r} is none of {', '.join(LETTERS)}")
        return rows

    @model_validator(mode="after")
    def _check_cooks(self) -> LayoutFile:
        starts = Grid.of_rows(self.grid).starts
        if len(starts) != len(self.cooks) or len(set(self.cooks)) < len(self.cooks):
            raise ValueError(f"expected {len(starts)} different cooks, one for each start")
        if strange := [name for name in self.readers if name not in self.cooks]:
            raise ValueError(f"the reader {strange[0]!r} is no cook")
        return self


def layouts() -> Sequence[str]:
    """Return the names of the layouts that come with CookMAS."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def layout(name: str) -> LayoutFile:
    """Return a layout by its name. Raise MissingError if there is none."""
    known: Collection[str] = layouts()
    if name not in known:
        raise MissingError(f"there is no layout {name!r}; the layouts are {', '.join(known)}")
    return read_model(LayoutFile, FOLDER / f"{name}.yaml")


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
