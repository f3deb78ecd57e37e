"""The script of Overcooked-AI: the scripted model answers as the greedy cook acts."""

from __future__ import annotations

from random import Random

from cookmas.worlds.base.script import Planned, Script, Situation
from cookmas.worlds.grids.lasting import UnableError
from cookmas.worlds.overcooked.actions import MediumAction, read_action
from cookmas.worlds.overcooked.policies.greedy import choose_greedily
from cookmas.worlds.overcooked.policies.needs import CookNeeds
from cookmas.worlds.overcooked.state import OvercookedState
from cookmas.worlds.overcooked.world import OvercookedWorld

OTHER_ITEMS = {"onion": "dish", "dish": "onion", "tomato": "onion", "soup": "onion"}
"""What is named in the place of an item by mistake."""


class OvercookedScript(Script):
    """The script of cooks."""

    def plan(self, situation: Situation) -> Planned:
        """Return the greedy action of each cook whose move it is."""
        world, state = self.rebuild(situation)
        schedule = [{name: _choose(world, state, name) for name in world.movers(state)}]
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
    return str(choose_greedily(CookNeeds.of(world, state, name)) or world.idle)
