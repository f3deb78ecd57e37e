"""The rules of an episode beside its kitchen, and the setup of a world as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import Field

from cookmas.files.errors import TraceError
from cookmas.files.reading import FileModel
from cookmas.worlds.grids.grid import Grid
from cookmas.worlds.overcooked.rules.kitchen import (
    COUNTER,
    LETTERS,
    Dynamics,
    OvercookedKitchen,
    SoupRecipe,
    list_soups,
)
from cookmas.worlds.overcooked.rules.state import dump_scene, load_scene

HORIZON = 400
"""Timesteps of an episode in the papers."""


class OvercookedRules(FileModel):
    """The rules of an episode beside its kitchen."""

    horizon: Annotated[int, Field(ge=1, le=100_000)] = HORIZON
    """Timesteps of an episode."""
    stalemate: Literal["step_away", "wait"] = "step_away"
    """What a cook does that others block for long: it is asked again and steps away, or it waits.

    This concerns medium-level actions only.
    """
    hide_partner: bool = False
    """Whether no cook knows where the others are, what they hold and what they do."""
    acts: Literal["any", "low", "medium"] = "any"
    """Whether cooks may command low-level acts, medium-level actions, or any of them."""
    silent: bool = True
    """Whether cooks cannot talk, as in the papers. Cooks that talk decide one after the other."""


def dump_setup(kitchen: OvercookedKitchen, rules: OvercookedRules) -> dict[str, Any]:
    """Return a kitchen and the rules of an episode as plain data."""
    return {**dump_kitchen(kitchen), **rules.model_dump()}


def dump_kitchen(kitchen: OvercookedKitchen) -> dict[str, Any]:
    """Return a kitchen as plain data."""
    return {
        "grid": list(kitchen.grid.rows),
        "dynamics": kitchen.dynamics,
        "recipes": [
            [list(each.ingredients), each.points, each.time, each.bonus] for each in kitchen.recipes
        ],
        "first": dump_scene(kitchen, kitchen.opening),
    }


def load_setup(data: Mapping[str, Any]) -> tuple[OvercookedKitchen, OvercookedRules]:
    """Return what `dump_setup` wrote. Raise TraceError if the data describe no kitchen."""
    try:
        kitchen = _load_kitchen(data)
        rules = OvercookedRules.model_validate(
            {name: data[name] for name in OvercookedRules.model_fields}
        )
    except (AttributeError, KeyError, TypeError, ValueError, IndexError):
        raise TraceError("the trace's header does not describe a kitchen of cooks") from None
    return kitchen, rules


def _load_kitchen(data: Mapping[str, Any]) -> OvercookedKitchen:
    grid = Grid.of_rows([str(row) for row in data["grid"]])
    if not set(grid.solid.values()) <= set(LETTERS):
        raise ValueError("letters")
    recipes = tuple(
        SoupRecipe(tuple(map(str, items)), int(points), int(time), bool(bonus))
        for items, points, time, bonus in data["recipes"]
    )
    if {each.ingredients for each in recipes} != {*list_soups()}:
        raise ValueError("recipes")
    dynamics = data["dynamics"]
    if dynamics not in get_args(Dynamics):
        raise ValueError("dynamics")
    kitchen = OvercookedKitchen(grid, dynamics, recipes, load_scene(data["first"]))
    opening = kitchen.opening
    standing = {cook.body.at for cook in opening.cooks}
    if not len(standing) == len(opening.cooks) == kitchen.cooks or not standing <= grid.floor:
        raise ValueError("cooks")
    things = (
        opening.counters.keys() <= {*kitchen.places[COUNTER]},
        opening.pots.keys() <= {*kitchen.pots},
        opening.gates.keys() == {*kitchen.gates},
        kitchen.ordered,
    )
    if not all(things):
        raise ValueError("things")
    return kitchen
