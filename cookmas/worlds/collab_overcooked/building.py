"""How a kitchen is built of a layout and of dishes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cookmas.worlds.collab_overcooked.kitchen import CollabKitchen
from cookmas.worlds.collab_overcooked.layouts import LayoutFile, layout
from cookmas.worlds.collab_overcooked.scene import Tables
from cookmas.worlds.collab_overcooked.tasks.book import (
    DishEntry,
    book,
    find_plated,
    foods_of,
    tables_of,
)
from cookmas.worlds.grids.grid import Grid


def build_kitchen(
    plan: LayoutFile,
    dishes: Mapping[str, DishEntry],
    raw: Iterable[str],
    tables: Tables,
    *,
    original: bool = False,
) -> CollabKitchen:
    """Return the kitchen of a layout in which some dishes can be ordered."""
    return CollabKitchen(
        grid=Grid.of_rows(plan.grid),
        cooks=tuple(plan.cooks),
        readers=frozenset(plan.readers),
        raw=frozenset(raw),
        foods=foods_of(tables, raw),
        menu=frozenset(dishes),
        plated=find_plated(dishes),
        original=original,
    )


def build_published_kitchen(*, original: bool = False) -> tuple[CollabKitchen, Tables]:
    """Return the kitchen of the paper with its thirty dishes, and the synthesis tables."""
    source = book()
    tables = tables_of(source.dishes.values(), source.besides)
    kitchen = build_kitchen(
        layout("isolated"), source.dishes, source.raw, tables, original=original
    )
    return kitchen, tables
