"""The planners of CuisineWorld that ask a model: one dispatcher, or a model for each agent."""

from __future__ import annotations

from orchestrator.dialogue.prompting import DEFAULT, preset
from orchestrator.planners.llm import SchedulingPlanner
from orchestrator.planners.llm_team import TalkingTeam
from worlds.cuisineworld.prompts.voice import VOICE


class LLMPlanner(SchedulingPlanner):
    """A model dispatches all agents; `--preset mindagent` asks as MindAgent does."""

    voice = VOICE
    default_prompting = preset(DEFAULT, VOICE.presets)


class LLMTeam(TalkingTeam):
    """A model for each agent."""

    voice = VOICE
    default_prompting = LLMPlanner.default_prompting
