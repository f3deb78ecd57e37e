"""The planners that ask a model: one for both cooks, or one for each."""

from __future__ import annotations

from cookmas.orchestrator.planners.llm import SchedulingPlanner
from cookmas.orchestrator.planners.llm_team import TalkingTeam
from cookmas.worlds.collab_overcooked.prompts.voice import VOICE


class LLMPlanner(SchedulingPlanner):
    """A planner that asks a model for the schedule of both cooks."""

    voice = VOICE


class LLMTeam(TalkingTeam):
    """A team in which each cook asks a model."""

    voice = VOICE
