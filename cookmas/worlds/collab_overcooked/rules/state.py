"""The state of an episode: the scene, the order with its recipe, and what the cooks do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from cookmas.worlds.collab_overcooked.rules.actions import read_action
from cookmas.worlds.collab_overcooked.rules.engine import rules_of
from cookmas.worlds.collab_overcooked.rules.grounding import Doing
from cookmas.worlds.collab_overcooked.rules.kitchen import (
    CollabKitchen,
    FoodItem,
    Scene,
    SynthesisRow,
    Tables,
    UtensilContent,
    opening,
)
from cookmas.worlds.grids.hands import Cook
from cookmas.worlds.grids.walking import dump_body, load_body


class CollabState(NamedTuple):
    """Everything that changes in an episode, and what not every cook may know."""

    timestep: int
    scene: Scene
    order: str | None
    """The dish that is ordered; None before the order."""
    tables: Tables | None
    """The synthesis tables; None for those who do not see the recipe."""
    doing: tuple[Doing | None, ...]
    """The action that each cook is at; None for a cook whose move it is."""
    done: tuple[tuple[str, ...], ...]
    """What each cook has completed by interactions, in order, such as `pickup(egg, counter)`."""
    served: bool
    """Whether the order has been delivered."""


def opening_state(kitchen: CollabKitchen) -> CollabState:
    """Return the state before the order."""
    nobody = (None,) * len(kitchen.cooks)
    return CollabState(
        0, opening(kitchen), None, None, nobody, ((),) * len(kitchen.cooks), served=False
    )


def dump(kitchen: CollabKitchen, state: CollabState) -> dict[str, Any]:
    """Return a state as plain data."""
    scene = state.scene
    kept = rules_of(kitchen).keeps_order
    counters = scene.counters if kept else sorted(scene.counters)
    cooks = {
        name: {
            **dump_body(cook.body),
            "holds": cook.held and list(cook.held),
            "doing": doing and str(doing),
            "left": doing.left if doing else 0,
            "done": list(done),
        }
        for name, cook, doing, done in zip(
            kitchen.cooks, scene.cooks, state.doing, state.done, strict=True
        )
    }
    return {
        "timestep": state.timestep,
        "order": state.order,
        "served": state.served,
        "cooks": cooks,
        "counters": [[*cell, *scene.counters[cell]] for cell in counters],
        "utensils": [
            [
                kitchen.names[cell],
                list(content.items),
                content.filled,
                content.product,
                content.ticks,
            ]
            for cell, content in scene.utensils.items()
        ],
        "tables": None if state.tables is None else dump_tables(state.tables),
    }


def dump_tables(tables: Tables) -> list[list[Any]]:
    """Return synthesis tables as plain data."""
    return [[row.utensil, list(row.inputs), row.product] for row in tables.rows]


def load_tables(rows: Sequence[Sequence[Any]]) -> Tables:
    """Return the synthesis tables of plain data."""
    return _tables(tuple((utensil, tuple(inputs), made) for utensil, inputs, made in rows))


@lru_cache(maxsize=64)
def _tables(rows: tuple[tuple[str, tuple[str, ...], str], ...]) -> Tables:
    return Tables(tuple(SynthesisRow(*row) for row in rows))


def load(kitchen: CollabKitchen, data: Mapping[str, Any]) -> CollabState:
    """Return the state of the plain data of `dump`."""
    cooks = [data["cooks"][name] for name in kitchen.cooks]
    scene = Scene(
        tuple(Cook(load_body(cook), cook["holds"] and FoodItem(*cook["holds"])) for cook in cooks),
        {(x, y): FoodItem(*item) for x, y, *item in data["counters"]},
        {
            kitchen.utensils[name]: UtensilContent(tuple(items), count, product, ticks)
            for name, items, count, product, ticks in data["utensils"]
        },
    )
    return CollabState(
        timestep=data["timestep"],
        scene=scene,
        order=data["order"],
        tables=None if data["tables"] is None else load_tables(data["tables"]),
        doing=tuple(
            None if cook["doing"] is None else Doing(read_action(cook["doing"]), cook["left"])
            for cook in cooks
        ),
        done=tuple(tuple(cook["done"]) for cook in cooks),
        served=data["served"],
    )
