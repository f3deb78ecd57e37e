"""The planners of a plain world that ask a model: one for all workers, or one for each."""

from __future__ import annotations

from orchestrator.planners.llm import SchedulingPlanner
from orchestrator.planners.llm_team import TalkingTeam
from worlds.plain.prompts.voice import VOICE


class LLMPlanner(SchedulingPlanner):
    """A planner that asks a model for the schedule of all workers."""

    voice = VOICE


class LLMTeam(TalkingTeam):
    """A team in which each worker asks a model."""

    voice = VOICE
