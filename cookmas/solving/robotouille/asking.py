"""The agents of Robotouille that write their whole plan in one answer: I/O and I/O-CoT.

They are asked once. A plan with an invalid line is empty. A plan that is worked off, or in
which an action FAILs, is not followed by another one. The agent that is asked at every timestep,
ReAct, is the preset `react` of this world.
"""

from __future__ import annotations

from typing import Any

from cookmas.orchestrator.member import Turn
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.orchestrator.planners.llm import SchedulingPlanner
from cookmas.worlds.robotouille.voice import VOICE


class OncePlanner(SchedulingPlanner):
    """A planner that asks its model once, for all robots or in the seat of one."""

    voice = VOICE
    default_name = "io"
    default_prompting = VOICE.presets["io"]

    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return the model's plan at the beginning; later give up."""
        if observation.timestep > 0:
            return Plan(schedule=(), gave_up="the only plan has ended without the goal")
        return await super().plan(observation)

    async def turn(self, observation: Observation[Any]) -> Turn:
        """Return the model's plan at the beginning; later idle."""
        if observation.timestep > 0:
            return Turn(actions=[observation.world.idle])
        return await super().turn(observation)


class ThinkingPlanner(OncePlanner):
    """The same with thoughts between the actions."""

    default_name = "io-cot"
    default_prompting = VOICE.presets["io-cot"]
