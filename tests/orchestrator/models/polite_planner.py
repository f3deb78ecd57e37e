"""A user-supplied planner that calls a model, in a module that another process can import."""

from __future__ import annotations

from cookmas.kitchen.state import KitchenState
from cookmas.orchestrator.dialogue.conversation import Conversation
from cookmas.orchestrator.models.message import Message, Model, Request
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.solving.restaurant.planners import EmbeddedPlanner


class Quick(EmbeddedPlanner):
    """The embedded planner with the least effort."""

    effort = 1


class Polite:
    """Asks a model for permission, and then schedules without it."""

    name = "polite"
    planner_class = "hybrid"

    def __init__(self, model: Model) -> None:
        self._model = model

    async def plan(self, observation: Observation[KitchenState]) -> Plan:
        talk = Conversation(self._model, observation.timestep)
        messages = (Message(role="user", content="May I?"),)
        await talk.call(Request(messages=messages), "read")
        plan = await Quick().plan(observation)
        return Plan(schedule=plan.schedule, calls=talk.made, measured=talk.measured)
