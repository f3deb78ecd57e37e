"""The planners of CuisineWorld that ask a model: one for all agents, or one for each."""

from __future__ import annotations

from cookmas.orchestrator.dialogue.prompting import DEFAULT, preset
from cookmas.orchestrator.planners.llm import SchedulingPlanner
from cookmas.orchestrator.planners.llm_team import TalkingTeam
from cookmas.worlds.cuisineworld.prompts.voice import VOICE


class LLMPlanner(SchedulingPlanner):
    """A planner that asks a model for the commands of all agents.

    `--preset mindagent` asks as MindAgent does.
    """

    voice = VOICE
    default_prompting = preset(DEFAULT, VOICE.presets)


class LLMTeam(TalkingTeam):
    """A team in which each agent asks a model."""

    voice = VOICE
    default_prompting = LLMPlanner.default_prompting
