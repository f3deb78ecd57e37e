"""The LLM planner of the restaurant."""

from __future__ import annotations

import re

from cookmas.kitchen.actions import LIBRARY
from cookmas.orchestrator.planners.llm import SchedulingPlanner
from cookmas.worlds.restaurant.prompts.voice import VOICE

_WITH_ARGUMENT = re.compile(r"([a-z]+)\((?!\d).*\)")
_SPACED = re.compile(r"\s*([(),])\s*")


class LLMPlanner(SchedulingPlanner):
    """A planner for which a model writes the schedule of the kitchen."""

    voice = VOICE

    def normalise_action(self, action: str) -> str:
        """Return an action in its standard spelling, without redundant spaces or empty brackets.

        If an action takes no argument, an argument is dropped: `place(bread)` becomes `place`. A
        number is not dropped, because it has a meaning, such as a duration.
        """
        action = _SPACED.sub(r"\1", action.strip()).replace(",", ", ").removesuffix("()")
        match = _WITH_ARGUMENT.fullmatch(action)
        spec = LIBRARY.get(match[1]) if match else None
        return spec.name if spec and spec.argument is None else action
