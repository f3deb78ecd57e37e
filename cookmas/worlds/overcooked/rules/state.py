"""The state of an episode, and the rules that it has beside its kitchen, both as plain data too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple, get_args

from pydantic import Field

from cookmas.files.errors import TraceError
from cookmas.files.reading import FileModel
from cookmas.worlds.grids.grid import Grid
from cookmas.worlds.grids.hands import HIDDEN, Cook
from cookmas.worlds.grids.walking import dump_body, load_body
from cookmas.worlds.overcooked.rules.actions import MediumAction, read_action
from cookmas.worlds.overcooked.rules.grounding import NO_APPROACH, Approach
from cookmas.worlds.overcooked.rules.kitchen import (
    COUNTER,
    LETTERS,
    STAY,
    Dynamics,
    GateState,
    KitchenItem,
    OvercookedKitchen,
    PotContent,
    Scene,
    SoupRecipe,
    list_soups,
)


class OvercookedState(NamedTuple):
    """Everything that changes in an episode."""

    timestep: int
    """The present timestep."""
    scene: Scene
    """The cooks, and where all things are."""
    score: int
    """Points of all deliveries so far."""
    delivered: int
    """Number of soups that were delivered for points."""
    doing: tuple[MediumAction | None, ...]
    """The medium-level action that each cook is at; None for a cook whose move it is."""
    approaches: tuple[Approach, ...]
    """How near each cook has come to the place of its action."""
    acts: tuple[str, ...]
    """The low-level act of each cook in the last timestep; empty if an observer does not know."""
    deeds: tuple[str | None, ...]
    """What each cook has done by an interaction in the last timestep; None without an effect."""


def opening_state(kitchen: OvercookedKitchen) -> OvercookedState:
    """Return the state before the first timestep."""
    count = kitchen.cooks
    nobody = (None,) * count
    return OvercookedState(
        0, kitchen.opening, 0, 0, nobody, (NO_APPROACH,) * count, (STAY,) * count, nobody
    )


def hide_others(state: OvercookedState, number: int) -> OvercookedState:
    """Return a state without all that only concerns cooks other than `number`."""
    scene = state.scene
    cooks = tuple(cook if each == number else HIDDEN for each, cook in enumerate(scene.cooks))

    def keep(values: Sequence[Any], other: Any) -> tuple[Any, ...]:
        return tuple(x if each == number else other for each, x in enumerate(values))

    return state._replace(
        scene=scene._replace(cooks=cooks),
        doing=keep(state.doing, None),
        approaches=keep(state.approaches, NO_APPROACH),
        acts=keep(state.acts, ""),
        deeds=keep(state.deeds, None),
    )


def dump(
    kitchen: OvercookedKitchen, cooks: Sequence[str], state: OvercookedState
) -> dict[str, Any]:
    """Return a state as plain data."""
    data = dump_scene(kitchen, state.scene)
    rows = zip(data["cooks"], state.doing, state.approaches, state.acts, state.deeds, strict=True)
    data["cooks"] = {
        name: cook
        and {
            **cook,
            "doing": doing and str(doing),
            **approach._asdict(),
            "act": act,
            "deed": deed,
        }
        for name, (cook, doing, approach, act, deed) in zip(cooks, rows, strict=True)
    }
    head = {"timestep": state.timestep, "score": state.score, "delivered": state.delivered}
    return {**head, **data}


def dump_scene(kitchen: OvercookedKitchen, scene: Scene) -> dict[str, Any]:
    """Return a scene as plain data; a hidden cook is None."""
    return {
        "cooks": [
            None if cook == HIDDEN else {**dump_body(cook.body), "holds": _dump_item(cook.held)}
            for cook in scene.cooks
        ],
        "counters": [[*cell, _dump_item(scene.counters[cell])] for cell in sorted(scene.counters)],
        "pots": [
            [*cell, list(pot.ingredients), pot.ticks]
            for cell in kitchen.pots
            if (pot := scene.pots.get(cell)) is not None
        ],
        "gates": [[*cell, scene.gates[cell].open, scene.gates[cell].ticks] for cell in scene.gates],
    }


def _dump_item(item: KitchenItem | None) -> list[str] | None:
    return None if item is None else [item.kind, *item.ingredients]


def load(cooks: Sequence[str], data: Mapping[str, Any]) -> OvercookedState:
    """Return the state of the plain data of `dump`."""
    rows = [data["cooks"][name] for name in cooks]
    scene = load_scene({**data, "cooks": rows})
    return OvercookedState(
        timestep=data["timestep"],
        scene=scene,
        score=data["score"],
        delivered=data["delivered"],
        doing=tuple(row and _load_doing(row["doing"]) for row in rows),
        approaches=tuple(
            Approach(row["stuck"], row["left"]) if row else NO_APPROACH for row in rows
        ),
        acts=tuple(row["act"] if row else "" for row in rows),
        deeds=tuple(row and row["deed"] for row in rows),
    )


def _load_doing(text: str | None) -> MediumAction | None:
    if text is None:
        return None
    action = read_action(text)
    if not isinstance(action, MediumAction):
        raise ValueError(text)
    return action


def load_scene(data: Mapping[str, Any]) -> Scene:
    """Return the scene of the plain data of `dump_scene`."""
    return Scene(
        tuple(
            HIDDEN if cook is None else Cook(load_body(cook), _load_item(cook["holds"]))
            for cook in data["cooks"]
        ),
        {(x, y): KitchenItem(item[0], tuple(item[1:])) for x, y, item in data["counters"]},
        {(x, y): PotContent(tuple(items), ticks) for x, y, items, ticks in data["pots"]},
        {(x, y): GateState(opened, ticks) for x, y, opened, ticks in data["gates"]},
    )


def _load_item(item: Sequence[str] | None) -> KitchenItem | None:
    return None if item is None else KitchenItem(item[0], tuple(item[1:]))  # type: ignore[arg-type]


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
