"""The scripted model's answers for the restaurant, taken from the embedded planner."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from random import Random
from typing import Any

from cookmas.episodes.world import Json
from cookmas.kitchen.state import KitchenState, OrderLine, make_opening_state
from cookmas.kitchen.world import Restaurant
from cookmas.orchestrator.planner import Planner
from cookmas.worlds.base.script import Overlooks, Planned, Script, Situation
from cookmas.worlds.restaurant.voice.blocks import (
    KITCHEN,
    LOOK_UP,
    RECIPES,
    Blocks,
    with_recipes,
)
from cookmas.worlds.shipped import solved

_PICK = re.compile(r"pick\((?!slot)([^,)]+)(.*)\)")


class RestaurantScript(Script):
    """A script that plans with the embedded planner, whose search and reader need no model.

    A situation consists of the restaurant's `setup` and its `state`, which has the open lines of
    the block ORDERS. A request for a reading needs no block STATE.
    """

    mark = KITCHEN
    texts = RECIPES
    look_up = LOOK_UP
    longest_turn = None

    def situation(
        self, blocks: Mapping[str, Any], looked_up: Mapping[str, str], task: str, deaf: Overlooks
    ) -> Situation:
        """Return the situation that the blocks KITCHEN, STATE, ORDERS and RECIPES describe.

        If `deaf` says that the model overlooks a line's note, the line has no note. Raises
        InputError, which names the invalid block.
        """
        request = with_recipes(blocks, looked_up)
        state = _forget_notes(_to_read(request) if task == "read" else request.state, deaf)
        items = dict.fromkeys(line.item for line in state.open_lines().values())
        recipes = request.recipes
        return Situation(
            timestep=state.timestep,
            about={"setup": request.world.setup(), "state": request.world.dump(state)},
            texts={item: recipes[item] for item in items if item in recipes},
            unknown=tuple(item for item in items if item not in recipes),
        )

    def plan(self, situation: Situation) -> Planned:
        """Return the embedded planner's answer."""
        _, planner = _restore(json.dumps(situation.about["setup"]))
        return self.ask(planner, situation)

    def read(self, situation: Situation) -> Planned:
        """Return the embedded planner's reading."""
        world, state = self.rebuild(situation)
        understander = self.domain.solved("planners:Understander")
        understood = understander(world.kitchen).understand(state.open_lines(), situation.texts)
        return Planned([], understood.notation(), "; ".join(understood.list_doubts()))

    def rebuild(self, situation: Situation) -> tuple[Restaurant, KitchenState]:
        """Return the kitchen and its state."""
        world, _ = _restore(json.dumps(situation.about["setup"]))
        return world, world.load(situation.about["state"])

    def corrupt(self, fault: str, action: str, situation: Situation, draw: Random) -> str:
        """Return the action, changed to name a food, station or line that does not exist.

        Returns the action unchanged if the kind of fault does not apply to it.
        """
        setup = situation.about["setup"]
        if fault == "illegal":
            return _illegal(action, setup, draw)
        if fault == "wrong_item" and (picked := _PICK.fullmatch(action)):
            return f"pick({_unknown_food(picked[1], setup)}{picked[2]})"
        if fault == "forbidden_station" and action.startswith("navigate("):
            return f"navigate({_unknown_station(action[9:-1], setup)})"
        return action

    def distort_reading(
        self, text: str, situation: Situation, strikes: Callable[[int], bool]
    ) -> str:
        """Return the text of a component, with wrong names for some ingredients.

        `strikes` takes the position of a name in the text, and returns True to change the name.
        """
        setup = situation.about["setup"]

        def rename(match: re.Match[str]) -> str:
            return _unknown_food(match[0], setup) if strikes(match.start()) else match[0]

        return _any_of(_larder(setup)).sub(rename, text)


@lru_cache(maxsize=16)
def _restore(setup: str) -> tuple[Restaurant, Planner]:
    """Return a restaurant and a planner for it, which remembers the texts that it has read."""
    return Restaurant.of_setup(json.loads(setup)), solved(
        "restaurant", "planners:EmbeddedPlanner"
    )()


def _to_read(blocks: Blocks) -> KitchenState:
    """Return the state for a reading: the lines of ORDERS in an untouched kitchen."""
    return make_opening_state(blocks.world.kitchen)._replace(lines=blocks.lines)


def _forget_notes(state: KitchenState, deaf: Overlooks) -> KitchenState:
    def forget(name: str, line: OrderLine) -> OrderLine:
        unheard = line.note and deaf(name, line.item, line.note)
        return line._replace(note="") if unheard else line

    return state._replace(lines={name: forget(name, line) for name, line in state.lines.items()})


def _illegal(action: str, setup: Json, draw: Random) -> str:
    """Return an action that FAILs at every station, if possible of the same kind as `action`."""
    if picked := _PICK.fullmatch(action):
        return f"pick({_unknown_food(picked[1], setup)})"
    if action.startswith("navigate("):
        return f"navigate({_unknown_station(action[9:-1], setup)})"
    if action.startswith("serve("):
        return f"serve({action[6:-1]}.1)"
    station = draw.choice(sorted(setup["stations"]))
    food = draw.choice(sorted(_larder(setup)))
    return draw.choice(
        [f"navigate({_unknown_station(station, setup)})", f"pick({_unknown_food(food, setup)})"]
    )


def _larder(setup: Json) -> list[str]:
    return [food for foods in setup["larder"].values() for food in foods]


def _any_of(foods: Iterable[str]) -> re.Pattern[str]:
    longest_first = sorted(foods, key=len, reverse=True)
    return re.compile("|".join(rf"\b{re.escape(food)}\b" for food in longest_first))


def _unknown_food(name: str, setup: Json) -> str:
    """Return a name that resembles the name of a food, but belongs to no food of this kitchen."""
    known = set(_larder(setup))
    wrong = f"fresh {name}"
    while wrong in known:
        wrong = f"fresh {wrong}"
    return wrong


def _unknown_station(name: str, setup: Json) -> str:
    """Return the name of a station of the same kind, with the first number that is not in use."""
    kind = setup["stations"].get(name, [name])[0]
    number = 1
    while f"{kind}_{number}" in setup["stations"]:
        number += 1
    return f"{kind}_{number}"


SCRIPT = RestaurantScript
