"""The voice of the corridor: its rules, state and texts for a model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cookmas.episodes.world import AnyWorld, Command
from cookmas.orchestrator.dialogue.look_up import LookUp
from cookmas.orchestrator.dialogue.templates import Templates
from cookmas.orchestrator.dialogue.voice import STATE, TEXTS, Voice
from cookmas.orchestrator.planner import Observation
from cookmas.worlds.corridor.world import Corridor, CorridorWorld, open_bells, walk

CORRIDOR = "CORRIDOR"

LOOK_UP = LookUp(
    tool="look_up_bell",
    about="What is said of a bell.",
    key="bell",
    about_key="the name of the bell",
    text="text",
)

_ACTIONS = """
- left, right: go one step.
- stay: do nothing.
- ring(NAME): ring the bell of that name at the place where the walker stands.
""".strip()


class CorridorVoice(Voice):
    """The voice: it describes the walkers, the bells, and the texts about them."""

    prompts = Path(__file__).parent
    look_up = LOOK_UP

    def rules_and_actions(
        self, world: AnyWorld[Any], templates: Templates, agent: str | None = None
    ) -> dict[str, str]:
        """Return the texts for the system prompt: the rules and the actions."""
        length = world.setup()["length"]
        return {"rules": templates.fill("rules", {"length": str(length)}), "library": _ACTIONS}

    def example(self, world: AnyWorld[Any]) -> Sequence[Sequence[str]]:
        """Return three rows of actions: the first walker rings a bell, the second one comes."""
        return ("right", "left"), ("ring(silver)", "left"), ("right",)

    def setting(self, observation: Observation[Any]) -> dict[str, Any]:
        """Return the block CORRIDOR: the setup."""
        return {CORRIDOR: observation.world.setup()}

    def blocks(self, observation: Observation[Any]) -> dict[str, Any]:
        """Return the block STATE."""
        return {STATE: observation.state}

    def texts(self, observation: Observation[Any]) -> tuple[str, dict[str, str]]:
        """Return the block TEXTS: the texts about the open bells."""
        known = observation.texts
        return TEXTS, {name: known[name] for name in open_bells(observation.state) if name in known}

    def outline(self, world: AnyWorld[Any], state: Corridor) -> dict[str, Any]:
        """Return the place of each walker, and the names of the bells that were not rung yet."""
        return {"places": state["places"], "bells": list(open_bells(state))}

    def demonstration(
        self, observation: Observation[Any], workers: int, timesteps: int | None
    ) -> dict[str, Any]:
        """Return an example in which the first walker rings a bell two steps away."""
        world = CorridorWorld(workers, 9)
        state, _ = world.apply(world.start(), {"kind": "bell", "name": "silver"})
        shown: list[dict[str, Any]] = []
        for action in [*walk(0, 2), "ring(silver)"][:timesteps]:
            actions = dict.fromkeys(world.workers, world.idle) | {world.workers[0]: action}
            shown.append({"state": self.outline(world, state), "actions": actions})
            state, _, _ = world.step(state, [Command(*each) for each in actions.items()])
        text = "Two steps from the left end hangs the silver bell."
        return {"bell": "silver", "text": text, "timesteps": shown}


VOICE = CorridorVoice()
