"""The voice of the corridor: what a model is told in other words than those of any world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cookmas.episodes.base import World
from cookmas.episodes.world import Command
from cookmas.orchestrator.dialogue.voice import LookUp
from cookmas.orchestrator.planner import Observation
from cookmas.worlds.base.voice import WorldVoice
from cookmas.worlds.corridor.world import Corridor, CorridorLevel, CorridorWorld, open_bells, walk

CORRIDOR = "CORRIDOR"
"""Name of the block with the walkers and the length."""

LOOK_UP = LookUp(
    tool="look_up_bell",
    about="What is said of a bell.",
    key="bell",
    about_key="the name of the bell",
    text="text",
)


class CorridorVoice(WorldVoice):
    """The voice, with its own prompt files and a tool to look up texts about bells."""

    prompts = Path(__file__).with_name("prompts")
    look_up = LOOK_UP
    lists_possible = False  # The rules in the prompt say what is possible.

    def setting(self, observation: Observation[Any]) -> Mapping[str, Any]:
        """Return the block CORRIDOR: the number of walkers, and the length of the corridor."""
        return {CORRIDOR: dict(observation.world.setup())}

    def example(self, world: World) -> Sequence[Sequence[str]]:
        """Return three rows of actions: the first walker rings a bell, the second one comes."""
        return ("right", "left"), ("ring(silver)", "left"), ("right",)

    def outline(self, world: World, state: Corridor) -> dict[str, Any]:
        """Return the place of each walker, and the names of the bells that were not rung yet."""
        return {"places": state["places"], "bells": list(open_bells(state))}

    def demonstration(
        self, observation: Observation[Any], workers: int, timesteps: int | None
    ) -> dict[str, Any]:
        """Return an example in which the first walker rings a bell two steps away."""
        world = CorridorWorld(CorridorLevel(walkers=workers))
        state, _ = world.apply(world.start(), {"kind": "bell", "name": "silver"})
        shown: list[dict[str, Any]] = []
        for action in [*walk(0, 2), "ring(silver)"][:timesteps]:
            actions = dict.fromkeys(world.workers, world.idle) | {world.workers[0]: action}
            shown.append({"state": self.outline(world, state), "actions": actions})
            state, _, _ = world.step(state, [Command(*each) for each in actions.items()])
        text = "Two steps from the left end hangs the silver bell."
        return {"bell": "silver", "text": text, "timesteps": shown}


VOICE = CorridorVoice()
