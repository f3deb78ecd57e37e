"""The planners of the corridor that ask a model: one for all walkers, or one for each."""

from __future__ import annotations

from cookmas.orchestrator.planners.llm import SchedulingPlanner
from cookmas.orchestrator.planners.llm_team import TalkingTeam
from cookmas.worlds.corridor.prompts.voice import VOICE


class LLMPlanner(SchedulingPlanner):
    """A planner that asks a model for the schedule of all walkers."""

    voice = VOICE


class LLMTeam(TalkingTeam):
    """A team in which each walker asks a model."""

    voice = VOICE
