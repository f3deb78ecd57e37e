"""The script of the scripted model: it answers as the reference cook acts."""

from __future__ import annotations

from worlds.collab_overcooked.policies.partners import reference_action
from worlds.plain.script import PlainScript
from worlds.script import Planned, Situation


class CollabScript(PlainScript):
    """A script that gives each cook whose move it is the action of the reference cook."""

    def plan(self, situation: Situation) -> Planned:
        """Return a schedule of one timestep."""
        world, state = self._world(situation)
        acts = {cook: reference_action(world, state, cook) for cook in world.movers(state)}
        return Planned(schedule=[acts], lines={}, reasoning="what leads on")
