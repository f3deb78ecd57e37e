"""The LLM planner of the restaurant."""

from __future__ import annotations

from cookmas.orchestrator.planners.llm import SchedulingPlanner
from cookmas.worlds.restaurant.prompts.voice import VOICE


class LLMPlanner(SchedulingPlanner):
    """A planner for which a model writes the schedule of the kitchen."""

    voice = VOICE
