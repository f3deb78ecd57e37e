"""The planners of a plain world that ask a model: one for all workers, or one for each."""

from __future__ import annotations

from cookmas.orchestrator.planners.llm import SchedulingPlanner
from cookmas.orchestrator.planners.llm_team import TalkingTeam
from cookmas.worlds.base.voice import VOICE


class LLMPlanner(SchedulingPlanner):
    """A planner that asks a model for the schedule of all workers."""

    voice = VOICE


class LLMTeam(TalkingTeam):
    """A team in which each worker asks a model."""

    voice = VOICE
