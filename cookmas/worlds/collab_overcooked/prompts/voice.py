"""The voice of Collab-Overcooked: the rules of the kitchen, and the state without its tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cookmas.episodes.world import AnyWorld
from cookmas.orchestrator.dialogue.templates import Templates
from cookmas.orchestrator.dialogue.voice import STATE
from cookmas.orchestrator.planner import Observation
from cookmas.worlds.base.voice import WorldVoice, list_forms
from cookmas.worlds.collab_overcooked.actions import DELIVER, FILL, FORMS, PICKUP, PLACE, PUT, WAIT
from cookmas.worlds.collab_overcooked.kitchen import DELIVERY, STARTERS, CollabKitchen
from cookmas.worlds.collab_overcooked.world import CollabWorld

HOT = {"pot", "oven"}
"""Kinds of utensils out of which food is served in a dish."""


class CollabVoice(WorldVoice):
    """The voice of a kitchen."""

    prompts = Path(__file__).parent

    def rules_and_actions(
        self, world: AnyWorld[Any], templates: Templates, agent: str | None = None
    ) -> dict[str, str]:
        """Return the rules of the kitchen, and the forms of the actions.

        An `agent` gets its own actions, then those that only the others can do.
        """
        assert isinstance(world, CollabWorld)
        forms = list_forms(FORMS) if agent is None else _describe_for(world.kitchen, agent)
        return {"rules": world.about, "library": forms}

    def example(self, world: AnyWorld[Any]) -> list[list[str]]:
        """Return three actions of the world, which all cooks do."""
        assert isinstance(world, CollabWorld)
        forms = world.every_action()
        return [[form] * len(world.workers) for form in (forms[3], world.idle, forms[1])]

    def blocks(self, observation: Observation[Any]) -> dict[str, Any]:
        """Return the block of the state."""
        return {STATE: self.outline(observation.world, observation.state)}

    def outline(self, world: AnyWorld[Any], state: Any) -> dict[str, Any]:
        """Return the state without the tables: who may see the recipe reads it in words."""
        return world.dump(state._replace(tables=None))


def _describe_for(kitchen: CollabKitchen, agent: str) -> str:
    """Return the forms of the actions of an agent, then of those that only the others can do."""
    own = _forms(kitchen, kitchen.cooks.index(agent))
    others = {
        form
        for number, name in enumerate(kitchen.cooks)
        if name != agent
        for form in _forms(kitchen, number)
    }
    described = list_forms({form: FORMS[form] for form in FORMS if form in own})
    theirs = list_forms({form: FORMS[form] for form in FORMS if form in others - own})
    return f"{described}\n\nOnly the others can do these:\n\n{theirs}" if theirs else described


def _forms(kitchen: CollabKitchen, cook: int) -> set[str]:
    """Return the forms of the actions that a cook can ever do."""
    kinds = {kitchen.kinds[cell] for cell in kitchen.touched[cook]}
    verbs = {STARTERS[kind] for kind in kinds if kind in STARTERS}
    verbs |= {DELIVER} if DELIVERY in kinds else set()
    verbs |= {FILL} if kinds & HOT else set()
    always = (PICKUP, PLACE, PUT, WAIT)
    return {form for form in FORMS if (verb := form.partition("(")[0]) in verbs or verb in always}


VOICE = CollabVoice()
"""The voice of all planners that ask a model."""
