"""The book of dishes: recipes in prose, the steps of each, and the synthesis tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from cookmas.files.reading import FileModel
from cookmas.files.yaml_text import load_shipped_yaml
from cookmas.worlds.collab_overcooked.rules.kitchen import CAPACITY, SynthesisRow, Tables

FoodName = Annotated[str, Field(pattern=r"^[a-z][a-z_]{0,59}$")]


class RowEntry(FileModel):
    """A row of a synthesis table in a file."""

    utensil: Literal["pot", "oven", "chopping_board", "blender"]
    """Kind of utensil."""
    inputs: Annotated[list[FoodName], Field(min_length=1, max_length=CAPACITY)]
    """What goes in, in any order."""
    product: FoodName
    """What comes out."""

    def row(self) -> SynthesisRow:
        """Return the row."""
        return SynthesisRow(self.utensil, tuple(self.inputs), self.product)


class DishEntry(FileModel):
    """A dish in a file."""

    level: Annotated[int, Field(ge=1, le=9)] = 1
    """Its level of complexity."""
    published: Annotated[int, Field(ge=1, le=1000)] | None = None
    """Published reference time, from which the time limit follows; None: the limit is the
    greatest one, `scenario.HORIZON`."""
    served: Literal["hand", "dish"] = "hand"
    """Whether it is delivered in the bare hand or on the item `dish`."""
    steps: Annotated[list[RowEntry], Field(min_length=1, max_length=20)]
    """Its cooking steps; the last one makes it."""
    text: Annotated[str, Field(max_length=2000)]
    """Its recipe in prose."""


class DishBook(FileModel):
    """The content of `book.yaml`."""

    raw: list[FoodName]
    """The ingredients that the dispenser gives."""
    dishes: dict[FoodName, DishEntry]
    """The dishes by name."""
    besides: list[RowEntry] = Field(default_factory=list)
    """Rows of the synthesis tables that no dish needs."""


@cache
def book() -> DishBook:
    """Return the book that comes with CookMAS."""
    return DishBook.model_validate(load_shipped_yaml(Path(__file__).with_suffix(".yaml")))


def tables_of(dishes: Iterable[DishEntry], besides: Iterable[RowEntry] = ()) -> Tables:
    """Return the synthesis tables with all steps of some dishes, and further rows."""
    rows = [step.row() for dish in dishes for step in dish.steps]
    rows += [row.row() for row in besides]
    return Tables(tuple(dict.fromkeys(rows)))


def foods_of(tables: Tables, raw: Iterable[str]) -> frozenset[str]:
    """Return every food that some tables name, and what is raw."""
    named = {food for row in tables.rows for food in (*row.inputs, row.product)}
    return frozenset({*named, *raw})


def find_plated(dishes: Mapping[str, DishEntry]) -> frozenset[str]:
    """Return the names of the dishes that must be delivered on the item `dish`."""
    return frozenset(name for name, entry in dishes.items() if entry.served == "dish")


def rows_of(tables: Tables, dish: str) -> tuple[SynthesisRow, ...]:
    """Return the rows that a dish needs, each after those of its inputs."""
    rows = {row.product: row for row in tables.rows}
    found: dict[str, SynthesisRow] = {}

    def visit(food: str, above: tuple[str, ...]) -> None:
        if food in rows and food not in found and food not in above:
            for each in rows[food].inputs:
                visit(each, (*above, food))
            found[food] = rows[food]

    visit(dish, ())
    return tuple(found.values())
