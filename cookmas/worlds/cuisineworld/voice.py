"""The voice of CuisineWorld: MindAgent's prompt in the words and blocks of CookMAS."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from cookmas.episodes.base import World
from cookmas.episodes.world import Command
from cookmas.files.errors import InputError
from cookmas.orchestrator.dialogue.prompting import PRESETS, Prompting
from cookmas.orchestrator.dialogue.voice import LookUp, Templates, Voice
from cookmas.orchestrator.planner import Observation
from cookmas.worlds.cuisineworld.rules.book import (
    LevelEntry,
    TaskBook,
    book,
    kitchen_in,
    recipe_text,
)
from cookmas.worlds.cuisineworld.rules.kitchen import MOST_AGENTS, STEPS, CuisineState
from cookmas.worlds.cuisineworld.world import CuisineWorld
from cookmas.worlds.shipped import solved

LEVEL, RECIPES = "LEVEL", "RECIPES"

LOOK_UP = LookUp(
    tool="look_up_recipe",
    about="How a dish is made.",
    key="dish",
    about_key="the name of the dish",
    text="recipe",
)

_ACTIONS = """
- goto_PLACE: go there.
- get_PLACE: take the product in a tool, or what is on a chopboard; at storage get_ITEM_storage0,
  such as get_rice_storage0.
- put_PLACE: put what is held into the place where the agent stands.
- activate_PLACE: turn on the tool where the agent stands.
- noop: do nothing.
""".strip()

_ORDERS = ("of your answer", "in which CALL names the `workers`")
"""The order of the actions of a timestep, told to a central planner and to an agent."""

_DISH, _LEVEL = "porkMeatcake", "demonstration"


class CuisineVoice(Voice):
    """The voice: it describes the kitchen, its state and the recipes of the level."""

    prompts = Path(__file__).with_name("prompts")
    look_up = LOOK_UP
    hidden = ("arrived", "failed_count")
    counted: Mapping[str, Any] = {"completed": "", "failed": ""}
    lists_possible = False
    presets: Mapping[str, Prompting] = {
        **{n: replace(ways, form="rows") for n, ways in PRESETS.items() if ways.form == "columns"},
        "mindagent": replace(PRESETS["mindagent"], look_ahead=0, retries=0),
    }
    """The presets, with schedules in rows, since the order of commands in a timestep matters."""

    def rules_and_actions(
        self, world: World, templates: Templates, agent: str | None = None
    ) -> dict[str, str]:
        """Return the texts for the system prompt: the rules, the commands and the timesteps."""
        return {
            "rules": templates.fill("rules", {"order": _ORDERS[agent is not None]}),
            "library": _ACTIONS,
            "steps": str(STEPS),
            "last": str(STEPS - 1),
        }

    def example(self, world: World) -> Sequence[Sequence[str]]:
        """Return three rows of commands: the agents fetch rice and turn on a pot."""
        return (
            ("goto_storage0", "goto_pot0"),
            ("get_rice_storage0", "activate_pot0"),
            ("goto_mixer0", "goto_storage0"),
        )

    def setting(self, observation: Observation[CuisineState]) -> dict[str, Any]:
        """Return the block LEVEL."""
        return {LEVEL: level_data(observation.world)}

    def tell_state(self, world: World, state: CuisineState) -> dict[str, Any]:
        """Return the state, with the agents by name."""
        told = super().tell_state(world, state)
        return {**told, "agents": dict(zip(world.workers, told["agents"], strict=True))}

    def read_state(self, world: World, told: Mapping[str, Any]) -> dict[str, Any]:
        """Return the plain data of the state; a place or tool may be told to be empty."""
        filled = {
            part: {place: each for place, each in told[part].items() if each}
            for part in ("inside", "busy")
        }
        agents = [told["agents"][name] for name in world.workers]
        return super().read_state(world, {**told, **filled, "agents": agents})

    def select_own(
        self, world: World, state: Mapping[str, Any], workers: Sequence[str]
    ) -> dict[str, Any]:
        """Return these agents, the places where they stand, and the orders."""
        assert isinstance(world, CuisineWorld)
        agents = {name: state["agents"][name] for name in workers}
        places = dict.fromkeys(place for place, _ in agents.values())
        tools = [place for place in places if world.kitchen.places[place] in world.kitchen.tools]
        return {
            "timestep": state["timestep"],
            "agents": agents,
            "inside": {place: state["inside"].get(place, []) for place in places},
            "busy": {tool: state["busy"].get(tool, 0) for tool in tools},
            "orders": state["orders"],
        }

    def texts(self, observation: Observation[CuisineState]) -> tuple[str, dict[str, str]]:
        """Return the block RECIPES: the recipes that were looked up."""
        return RECIPES, dict(observation.texts)

    def outline(self, world: World, state: CuisineState) -> dict[str, Any]:
        """Return a summary of the state: agents, contents of places, occupied tools and orders."""
        data = self.tell_state(world, state)
        return {name: data[name] for name in ("agents", "inside", "busy", "orders") if data[name]}

    def demonstration(
        self, observation: Observation[CuisineState], workers: int, timesteps: int | None
    ) -> dict[str, Any]:
        """Return an example: agents make a dish that no level has, in another kitchen.

        The agents share the work. For every two agents there is one order and one blender. If
        `timesteps` is given, the example ends after this number of timesteps.
        """
        if workers > MOST_AGENTS:
            raise InputError("demonstration_workers", f"expected 1 to {MOST_AGENTS}, not {workers}")
        shown = _demonstrate(workers)
        recipe = recipe_text(_DISH, _demonstration_kitchen(workers).kitchen.recipes)
        return {"dish": _DISH, "recipe": recipe, "timesteps": shown[:timesteps]}


VOICE = CuisineVoice()


def level_data(world: World) -> dict[str, Any]:
    """Return the block LEVEL: the places by kind, the tools, the ingredients and the dishes."""
    assert isinstance(world, CuisineWorld)
    kitchen = world.kitchen
    return {
        "level": kitchen.level,
        "places": {kind: list(places) for kind, places in kitchen.by_kind.items()},
        "tools": {
            kind: dict(kitchen.tools[kind]._asdict())
            for kind in kitchen.by_kind
            if kind in kitchen.tools
        },
        "ingredients": sorted(kitchen.ingredients),
        "dishes": list(kitchen.dishes),
    }


def _demonstration_kitchen(agents: int) -> CuisineWorld:
    whole = book()
    places = ["storage", "servingtable", *["blender"] * _pairs(agents)]
    source = TaskBook(
        tools=whole.tools,
        ingredients=whole.ingredients,
        recipes={_DISH: {"blender": ["pork", "flour"]}},
        levels={_LEVEL: LevelEntry(places=places, dishes=[_DISH])},
    )
    return CuisineWorld(kitchen_in(source, _LEVEL, "3.0", agents), source)


def _pairs(agents: int) -> int:
    return (agents + 1) // 2


@cache
def _demonstrate(agents: int) -> list[dict[str, Any]]:
    """Return the summary of the state and the actions at each timestep of the example.

    The example ends when all orders are completed.
    """
    world = _demonstration_kitchen(agents)
    state = world.start()
    for _ in range(_pairs(agents)):
        state, _ = world.apply(state, {"kind": "order", "dish": _DISH})
    shown: list[dict[str, Any]] = []
    share = solved("cuisineworld", "planners:share_greedily")
    while state.orders:
        commands = world.commands(share(world.kitchen, state))
        shown.append({"state": VOICE.outline(world, state), "actions": dict(commands)})
        state, _, _ = world.step(state, [Command(*command) for command in commands])
    return shown
