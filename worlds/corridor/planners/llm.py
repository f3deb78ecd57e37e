"""The planners of the corridor that ask a model: one for all walkers, or one for each."""

from __future__ import annotations

from orchestrator.planners.llm import SchedulingPlanner
from orchestrator.planners.llm_team import TalkingTeam
from worlds.corridor.prompts.voice import VOICE


class LLMPlanner(SchedulingPlanner):
    """A planner that asks a model for the schedule of all walkers."""

    voice = VOICE


class LLMTeam(TalkingTeam):
    """A team in which each walker asks a model."""

    voice = VOICE
