"""The LLM planner of the restaurant."""

from __future__ import annotations

from orchestrator.planners.llm import SchedulingPlanner
from worlds.restaurant.prompts.voice import VOICE


class LLMPlanner(SchedulingPlanner):
    """A model writes the schedule of the kitchen."""

    voice = VOICE
