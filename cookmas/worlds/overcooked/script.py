"""The script of Overcooked-AI: the scripted model answers as the greedy cook acts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from cookmas.episodes.world import Command
from cookmas.orchestrator.dialogue.blocks import mapping
from cookmas.worlds.base.script import Overlooks, Planned, Script, Situation
from cookmas.worlds.grids.lasting import UnableError
from cookmas.worlds.overcooked.rules.actions import MediumAction, read_action
from cookmas.worlds.overcooked.rules.kitchen import list_soups
from cookmas.worlds.overcooked.rules.layout import TIME
from cookmas.worlds.overcooked.rules.state import OvercookedState
from cookmas.worlds.overcooked.voice import ORDERS
from cookmas.worlds.overcooked.world import OvercookedWorld
from cookmas.worlds.shipped import solved

AHEAD = 40
"""Timesteps for which a schedule of the scripted model has actions."""

OTHER_ITEMS = {"onion": "dish", "dish": "onion", "tomato": "onion", "soup": "onion"}
"""What is named in the place of an item by mistake."""


class OvercookedScript(Script):
    """The script of cooks."""

    def situation(
        self, blocks: Mapping[str, Any], looked_up: Mapping[str, str], task: str, deaf: Overlooks
    ) -> Situation:
        """Return the situation that the blocks describe.

        Soups that are not ordered give no points.
        """
        setup = mapping(self.mark, blocks.get(self.mark))
        told = {tuple(each["ingredients"]): each for each in setup.get(ORDERS, ())}
        recipes = [
            [[*soup], told[soup]["points"], told[soup]["cooks"], False]
            if soup in told
            else [[*soup], 0, TIME, False]
            for soup in list_soups()
        ]
        whole = {self.mark: {**setup, "recipes": recipes}}
        found = super().situation({**blocks, **whole}, looked_up, task, deaf)
        ahead = AHEAD if task == "schedule" else 1
        return replace(found, about={**found.about, "ahead": ahead})

    def plan(self, situation: Situation) -> Planned:
        """Return the greedy actions of all cooks, as far ahead as the task asks for."""
        world, state = self.rebuild(situation)
        schedule: list[dict[str, str]] = []
        while len(schedule) < situation.about["ahead"] and world.ending(state) is None:
            schedule.append({name: _choose(world, state, name) for name in world.movers(state)})
            state, _, _ = world.step(state, [*map(Command._make, schedule[-1].items())])
        return Planned(schedule=schedule, lines={}, reasoning="what is most urgent")

    def corrupt(self, fault: str, action: str, situation: Situation, draw: Random) -> str:
        """Return an action with another item, at an unknown place, or of an unknown kind."""
        try:
            read = read_action(action)
        except UnableError:
            return action
        if fault == "illegal":
            return "fly"
        if not isinstance(read, MediumAction):
            return action
        if fault == "wrong_item" and read.item:
            return str(read._replace(item=OTHER_ITEMS[read.item]))
        if fault == "forbidden_station" and read.place:
            return str(read._replace(place="x0"))
        return action


def _choose(world: OvercookedWorld, state: OvercookedState, name: str) -> str:
    return str(solved("overcooked", "planners:choose_for")(world, state, name) or world.idle)


SCRIPT = OvercookedScript
