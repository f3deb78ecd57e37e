"""The games' planners that call a model, and a model that stores its requests."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from cookmas.episodes.base import World
from cookmas.episodes.conversation import Usage
from cookmas.orchestrator.dialogue.plans import write_lines
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.dialogue.voice import Templates
from cookmas.orchestrator.models.message import CallMeasurements, ModelAnswer, Request
from cookmas.orchestrator.planner import Observation
from cookmas.orchestrator.planners.llm import SchedulingPlanner, TalkingTeam
from cookmas.worlds.base.voice import WorldVoice


class GameVoice(WorldVoice):
    """Describes only what is observed."""

    def rules_and_actions(
        self, world: World, templates: Templates, agent: str | None = None
    ) -> dict[str, str]:
        return {"rules": f"The rules of {world.name}.", "library": "Its actions."}

    def example(self, world: World) -> list[list[str]]:
        return [[world.idle] * len(world.workers)] * 3

    def setting(self, observation: Observation[Any]) -> dict[str, Any]:
        return {}

    def blocks(self, observation: Observation[Any]) -> dict[str, Any]:
        return {"STATE": observation.world.dump(observation.state)}


class LLMPlanner(SchedulingPlanner):
    """A planner for all workers, or for one seat."""

    voice = GameVoice()


class LLMTeam(TalkingTeam):
    """A team with a model for each worker."""

    voice = GameVoice()


class Recording:
    """A model that returns prepared actions for each timestep, and stores its requests."""

    name = "recording"

    def __init__(self, worker: str, actions: Mapping[int, str], idle: str, ways: Prompting) -> None:
        self.asked: list[Request] = []
        self.times: list[int] = []
        self._worker = worker
        self._actions = actions
        self._idle = idle
        self._ways = ways
        self._columns = ways.form == "columns" and not ways.per_step

    async def answer(self, request: Request) -> tuple[ModelAnswer, CallMeasurements]:
        self.asked.append(request)
        [*_, now] = re.findall(r'"timestep": (\d+)', str(request.messages[1].content))
        self.times.append(int(now))
        act = self._actions.get(int(now), self._idle)
        row = {"t": int(now), self._worker: act}
        said = {
            "reasoning": "",
            "say": "",
            "lesson": "",
            "keep_until": int(now),
            "schedule": {self._worker: [[int(now), act]]} if self._columns else [row],
        }
        if self._ways.form == "text":
            plan = {"analysis": "", "plan": [act], "say": "[NOTHING]", "lesson": ""}
            text = write_lines(self._worker, plan)
        else:
            text = json.dumps(said)
        usage = Usage(prompt=1, completion=1)
        answer = ModelAnswer(text=text, model=self.name, usage=usage)
        return answer, CallMeasurements(seconds=0.0)

    @property
    def prompts(self) -> list[str]:
        """Return the text of each request."""
        return ["\n".join(str(m.content) for m in request.messages) for request in self.asked]
