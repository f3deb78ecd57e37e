"""The voice of Collab-Overcooked: the rules of the kitchen, and the state in few words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cookmas.episodes.base import World
from cookmas.orchestrator.dialogue.voice import Templates, mark
from cookmas.orchestrator.planner import Observation
from cookmas.worlds.base.voice import WorldVoice, list_forms
from cookmas.worlds.collab_overcooked.rules.actions import (
    DELIVER,
    FILL,
    PICKUP,
    PLACE,
    PUT,
    WAIT,
    Action,
    read_action,
)
from cookmas.worlds.collab_overcooked.rules.book import rows_of
from cookmas.worlds.collab_overcooked.rules.grounding import foresee
from cookmas.worlds.collab_overcooked.rules.kitchen import (
    CAPACITY,
    COUNTER,
    DELIVERY,
    DISH,
    INGREDIENTS,
    STARTERS,
    TICKS,
    CollabKitchen,
    FoodItem,
    UtensilContent,
)
from cookmas.worlds.collab_overcooked.rules.state import CollabState
from cookmas.worlds.collab_overcooked.world import CollabWorld
from cookmas.worlds.grids.walking import dump_body

HOT = {"pot", "oven"}
"""Kinds of utensils out of which food is served in a dish."""

IN_A_DISH = " in a dish"
"""The end of the name of food in a dish."""


class CollabVoice(WorldVoice):
    """The voice of a kitchen."""

    prompts = Path(__file__).with_name("prompts")
    hidden = ("served", "tables")  # Who may see the recipe reads it in words.
    lists_possible = False

    def rules_and_actions(
        self, world: World, templates: Templates, agent: str | None = None
    ) -> dict[str, str]:
        """Return the rules of the kitchen, and the forms of the actions.

        An `agent` gets its own actions, then those that only the others can do.
        """
        assert isinstance(world, CollabWorld)
        forms = list_forms(world.actions) if agent is None else _describe_for(world, agent)
        return {"rules": world.about, "library": forms}

    def example(self, world: World) -> list[list[str]]:
        """Return three actions, for each cook those that it can reach."""
        assert isinstance(world, CollabWorld)
        kitchen = world.kitchen
        by_cook = [_example_of(kitchen, number) for number in range(len(kitchen.cooks))]
        return [list(row) for row in zip(*by_cook, strict=True)]

    def setting(self, observation: Observation[CollabState]) -> dict[str, Any]:
        """Return the block of the kitchen: its grid, the cooks, and the names that matter.

        Who sees the recipe is told the names of all food of the order, the others only what the
        dispenser gives.
        """
        world, state = observation.world, observation.state
        assert isinstance(world, CollabWorld)
        kitchen = world.kitchen
        known = {
            "grid": list(kitchen.grid.rows),
            "cooks": list(kitchen.cooks),
            "readers": sorted(kitchen.readers),
        }
        rows = () if state.tables is None else rows_of(state.tables, state.order or "")
        if not rows:
            return {mark(world.name): {**known, "raw": sorted(kitchen.raw)}}
        named = {food for row in rows for food in (*row.inputs, row.product)}
        foods = {"raw": sorted(named & kitchen.raw), "made": sorted(named - kitchen.raw)}
        return {mark(world.name): {**known, **foods}}

    def tell_state(self, world: World, state: CollabState) -> dict[str, Any]:
        """Return the state with the names of things.

        Of an action that lasts it has the timestep at which the cook can do the next one, if
        nothing gets in its way. Of a utensil at work it has the timestep from which on the food can
        be taken out.
        """
        assert isinstance(world, CollabWorld)
        kitchen, scene, now = world.kitchen, state.scene, state.timestep
        ends = foresee(kitchen, scene, state.order or "", state.tables, state.doing)
        cooks = {
            name: {
                **dump_body(cook.body),
                "holds": _name_of(cook.held),
                "doing": doing and str(doing),
                "until": None if left is None else now + left,
                "done": [str(read_action(text)) for text in done],
            }
            for name, cook, doing, left, done in zip(
                kitchen.cooks, scene.cooks, state.doing, ends, state.done, strict=True
            )
        }
        return {
            **super().tell_state(world, state),
            "cooks": cooks,
            "counters": [
                [*cell, _name_of(scene.counters[cell])] for cell in sorted(scene.counters)
            ],
            "utensils": {
                kitchen.names[cell]: _describe_content(content, now)
                for cell, content in scene.utensils.items()
            },
        }

    def read_state(self, world: World, told: Mapping[str, Any]) -> dict[str, Any]:
        """Return the plain data of the state, with things as their names tell what they are."""
        now = told["timestep"]
        cooks = {
            name: {
                **cook,
                "holds": cook["holds"] and list(_item_of(cook["holds"])),
                "left": (cook["until"] or now) - now,
            }
            for name, cook in told["cooks"].items()
        }
        utensils = [
            [name, [], CAPACITY, inside["makes"], min(TICKS, TICKS + now - inside["ready"])]
            if "makes" in inside
            else [name, inside["has"], len(inside["has"]), None, 0]
            for name, inside in told["utensils"].items()
            if inside != {"has": []}
        ]
        counters = [[x, y, *_item_of(name)] for x, y, name in told["counters"]]
        data = {**told, "cooks": cooks, "counters": counters, "utensils": utensils}
        return super().read_state(world, data)

    def select_own(
        self, world: World, state: Mapping[str, Any], workers: Sequence[str]
    ) -> dict[str, Any]:
        """Return these cooks, what is within their reach, and the order."""
        assert isinstance(world, CollabWorld)
        kitchen = world.kitchen
        reached = set[Any]().union(*(kitchen.touched[kitchen.cooks.index(n)] for n in workers))
        utensils = [name for name, cell in kitchen.utensils.items() if cell in reached]
        return {
            **state,
            "cooks": {name: state["cooks"][name] for name in workers},
            "counters": [[x, y, name] for x, y, name in state["counters"] if (x, y) in reached],
            "utensils": {name: state["utensils"].get(name, {"has": []}) for name in utensils},
        }


def _name_of(item: FoodItem | None) -> str | None:
    if item is None:
        return None
    return f"{item.name}{IN_A_DISH}" if item.kind == "with_dish" else item.name


def _item_of(name: str) -> FoodItem:
    if name.endswith(IN_A_DISH):
        return FoodItem(name.removesuffix(IN_A_DISH), "with_dish", 1)
    return FoodItem(name, "dish" if name == DISH else "ingredient")


def _describe_content(content: UtensilContent, now: int) -> dict[str, Any]:
    """Return what was put into a utensil, or what it makes and from when on it can be taken."""
    if content.product is None:
        return {"has": list(content.items)}
    return {"makes": content.product, "ready": now + TICKS - content.ticks}


def _example_of(kitchen: CollabKitchen, number: int) -> Sequence[str]:
    """Return three actions of a cook: it takes food, puts it into a utensil, and lays it down."""
    food = min(kitchen.raw)
    source = INGREDIENTS if kitchen.reaches(number, INGREDIENTS) else COUNTER
    utensil = next((name for name in kitchen.utensils if kitchen.reaches(number, name)), "")
    put = Action(PUT, utensil) if utensil else Action(PLACE)
    return [str(Action(PICKUP, source, food)), str(put), str(Action(PLACE))]


def _describe_for(world: CollabWorld, agent: str) -> str:
    """Return the forms of the actions of an agent, then of those that only the others can do."""
    kitchen, forms = world.kitchen, world.actions
    own = _forms(forms, kitchen, kitchen.cooks.index(agent))
    every = set().union(*(_forms(forms, kitchen, number) for number in range(len(kitchen.cooks))))
    described = list_forms({form: forms[form] for form in forms if form in own})
    theirs = list_forms({form: forms[form] for form in forms if form in every - own})
    return f"{described}\n\nOnly the others can do these:\n\n{theirs}" if theirs else described


def _forms(forms: Mapping[str, str], kitchen: CollabKitchen, cook: int) -> set[str]:
    """Return the forms of the actions that a cook can ever do."""
    kinds = {kitchen.kinds[cell] for cell in kitchen.touched[cook]}
    verbs = {STARTERS[kind] for kind in kinds if kind in STARTERS}
    verbs |= {DELIVER} if DELIVERY in kinds else set()
    verbs |= {FILL} if kinds & HOT else set()
    always = (PICKUP, PLACE, PUT, WAIT)
    return {form for form in forms if (verb := form.partition("(")[0]) in verbs or verb in always}


VOICE = CollabVoice()
"""The voice of all planners that ask a model."""
