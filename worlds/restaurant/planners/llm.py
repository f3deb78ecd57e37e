"""The LLM planner of the restaurant."""

from __future__ import annotations

import re

from kitchen.actions import LIBRARY
from orchestrator.planners.llm import SchedulingPlanner
from worlds.restaurant.prompts.voice import VOICE

_WITH_ARGUMENT = re.compile(r"([a-z]+)\((?!\d).*\)")
_SPACED = re.compile(r"\s*([(),])\s*")


class LLMPlanner(SchedulingPlanner):
    """A model writes the schedule of the kitchen."""

    voice = VOICE

    def meant(self, action: str) -> str:
        """The action as it is written: without spaces that say nothing, and empty brackets.

        `place(bread)` is meant as `place`; a number would say something, such as how long.
        """
        action = _SPACED.sub(r"\1", action.strip()).replace(",", ", ").removesuffix("()")
        match = _WITH_ARGUMENT.fullmatch(action)
        spec = LIBRARY.get(match[1]) if match else None
        return spec.name if spec and spec.argument is None else action
