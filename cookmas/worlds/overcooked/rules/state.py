"""The state of an episode: the scene, the score, and what the cooks are at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from cookmas.worlds.grids.hands import HIDDEN, Cook
from cookmas.worlds.grids.walking import dump_body, load_body
from cookmas.worlds.overcooked.rules.actions import MediumAction, read_action
from cookmas.worlds.overcooked.rules.kitchen import STAY, OvercookedKitchen
from cookmas.worlds.overcooked.rules.scene import GateState, KitchenItem, PotContent, Scene
from cookmas.worlds.overcooked.rules.stalemates import NO_APPROACH, Approach


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
