"""The script of CuisineWorld: the scripted model answers as the embedded planner does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Any

from pydantic import ValidationError

from cookmas.episodes.world import Command
from cookmas.files.errors import InputError
from cookmas.orchestrator.dialogue.blocks import CALL, mapping, recall, unexpected_error
from cookmas.orchestrator.dialogue.voice import STATE
from cookmas.worlds.base.script import Overlooks, Planned, Script, Situation
from cookmas.worlds.cuisineworld.rules.book import TaskBook, kitchen_in, read_recipe
from cookmas.worlds.cuisineworld.rules.kitchen import STEPS, TABLE, CuisineState
from cookmas.worlds.cuisineworld.voice import LEVEL, LOOK_UP, RECIPES, VOICE
from cookmas.worlds.cuisineworld.world import CuisineWorld

_MISSING = (KeyError, TypeError, ValueError, IndexError, AttributeError)
_TAU = "1.0"
"""The tau that the script assumes, because requests give none: that of the shortest interval."""


class CuisineScript(Script):
    """The script of CuisineWorld.

    A situation has the `level` and its `state` as plain data. The script reads the recipes from
    their texts.
    """

    mark = LEVEL
    texts = RECIPES
    look_up = LOOK_UP
    longest_turn = 3

    def situation(
        self, blocks: Mapping[str, Any], looked_up: Mapping[str, str], task: str, deaf: Overlooks
    ) -> Situation:
        """Return the situation that the blocks LEVEL, STATE and RECIPES describe."""
        level = mapping(LEVEL, blocks.get(LEVEL))
        state = mapping(STATE, blocks.get(STATE))
        texts = _texts_in(blocks, looked_up)
        dishes = level.get("dishes")
        if not isinstance(dishes, list):
            raise unexpected_error(LEVEL, "expected the dishes as a list")
        return Situation(
            timestep=_read_whole(state, "timestep"),
            about={"level": dict(level), "state": dict(state)},
            texts={dish: texts[dish] for dish in dishes if dish in texts},
            unknown=tuple(dish for dish in dishes if dish not in texts),
        )

    def recall(self, blocks: Mapping[str, Any], looked_up: Mapping[str, str]) -> Mapping[str, Any]:
        """Return the blocks with the state as far as the model knows it.

        At first the kitchen is empty and all agents stand at the serving table. What an agent did
        where nobody looks any more has had its effect, as if no other agent had acted.
        """
        try:
            level, call = mapping(LEVEL, blocks.get(LEVEL)), mapping(CALL, blocks.get(CALL))
            at = [level["places"][TABLE][0], None]
            agents = dict.fromkeys(call["workers"], at)
            first = {"agents": agents, "inside": {}, "busy": {}, "orders": []}
        except _MISSING as error:
            raise unexpected_error(LEVEL, repr(error)[:200]) from None
        texts = _texts_in(blocks, looked_up)
        knows = texts.keys() >= {*level.get("dishes", ())}
        return recall(blocks, first, partial(_carry_on, level, texts) if knows else None)

    def plan(self, situation: Situation) -> Planned:
        """Return the schedule of the embedded planner."""
        return self.ask(self.domain.solved("planners:EmbeddedPlanner")(), situation)

    def read(self, situation: Situation) -> Planned:
        """Return the cooking steps of each dish."""
        lines = {
            dish: [f"{step.product}: {step.tool} of {', '.join(step.inputs)}" for step in steps]
            for dish, steps in ((d, read_recipe(text)) for d, text in situation.texts.items())
        }
        return Planned(schedule=[], lines=lines, reasoning="")

    def rebuild(self, situation: Situation) -> tuple[CuisineWorld, CuisineState]:
        """Return the kitchen and its state. Raise InputError that names the invalid block."""
        level, state = situation.about["level"], situation.about["state"]
        try:
            world = _build_world(level, situation.texts, len(state["agents"]))
        except (*_MISSING, ValidationError, InputError) as error:
            raise unexpected_error(LEVEL, repr(error)[:200]) from None
        try:
            return world, world.load(VOICE.read_state(world, state))
        except _MISSING as error:
            raise unexpected_error(STATE, repr(error)[:200]) from None

    def corrupt(self, fault: str, action: str, situation: Situation, draw: Random) -> str:
        """Return the action with a place or an item that does not exist.

        An action that cannot have the mistake is returned unchanged.
        """
        verb, _, rest = action.partition("_")
        if fault == "illegal" or (fault == "forbidden_station" and verb == "goto"):
            return f"goto_cellar{draw.randrange(9)}"
        if fault == "wrong_item" and verb == "get" and "_" in rest:
            return "get_unicorn_storage0"
        return action

    def distort_reading(
        self, text: str, situation: Situation, strikes: Callable[[int], bool]
    ) -> str:
        """Return the line, with its first name replaced by an unknown one if `strikes` says so."""
        return f"fresh{text}" if strikes(0) else text


def _texts_in(blocks: Mapping[str, Any], looked_up: Mapping[str, str]) -> dict[str, str]:
    given = mapping(RECIPES, blocks.get(RECIPES, {}))
    return {str(dish): str(text) for dish, text in {**given, **looked_up}.items()}


def _carry_on(
    level: Mapping[str, Any],
    texts: Mapping[str, str],
    known: Mapping[str, Any],
    decision: Mapping[str, Any],
    until: int,
) -> dict[str, Any]:
    """Return the known state at a timestep, after the actions of a decision."""
    world = _build_world(level, texts, len(known["agents"]))
    state, actions = world.load(VOICE.read_state(world, known)), decision["actions"]
    for number in range(min(until, STEPS) - state.timestep):
        entry = actions[number] if number < len(actions) else {}
        state, _, _ = world.step(state, [Command(*each) for each in entry.items()])
    return VOICE.tell_state(world, state)


def _read_whole(data: Mapping[str, Any], name: str) -> int:
    value = data.get(name)
    if not isinstance(value, int):
        raise unexpected_error(STATE, f"expected {name} as a whole number")
    return value


def _build_world(level: Mapping[str, Any], texts: Mapping[str, str], agents: int) -> CuisineWorld:
    """Return the world of a block LEVEL, with the recipes of the texts.

    A recipe may need a tool that the level lacks, so that the block does not tell of it.
    """
    name = level["level"]
    recipes = [step for text in texts.values() for step in read_recipe(text)]
    lacking = {step.tool: {"capacity": len(step.inputs), "wait": 0} for step in recipes}
    places = [kind for kind, names in level["places"].items() for _ in names]
    source = TaskBook.model_validate(
        {
            "tools": {**lacking, **level["tools"]},
            "ingredients": level["ingredients"],
            "recipes": {step.product: {step.tool: list(step.inputs)} for step in recipes},
            "levels": {name: {"places": places, "dishes": level["dishes"]}},
        }
    )
    return CuisineWorld(kitchen_in(source, name, _TAU, agents), source)


SCRIPT = CuisineScript
