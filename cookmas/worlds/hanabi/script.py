"""The script of Hanabi: the scripted model plays by a published list of rules."""

from __future__ import annotations

from random import Random

from cookmas.worlds.base.script import Planned, Script, Situation


class HanabiScript(Script):
    """The script of Hanabi.

    A request does not have all past moves. So the policy is one that needs none.
    """

    def plan(self, situation: Situation) -> Planned:
        """Return the move of the policy Piers, from what the request tells."""
        world, state = self.rebuild(situation)
        seen = self.domain.solved("planners:see_table")(world, state)
        move = world.text_of(self.domain.solved("published:piers")(seen, Random(situation.digest)))
        return Planned(schedule=[{state["player"]: move}], lines={}, reasoning="by Piers")


SCRIPT = HanabiScript
