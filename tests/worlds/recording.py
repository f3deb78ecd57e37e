"""Models that keep what they were asked: one with prepared answers, and the scripted one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from cookmas.episodes.conversation import Usage
from cookmas.modelserver.answers import ScriptedModel
from cookmas.modelserver.faults import Faults
from cookmas.orchestrator.dialogue.blocks import parse_blocks
from cookmas.orchestrator.models.message import CallMeasurements, ModelAnswer, Request
from cookmas.world_names import WORLDS


class Prepared:
    """A model with prepared answers, texts or what is written as JSON; the last one for ever."""

    name = "prepared"

    def __init__(self, *answers: str | Mapping[str, Any]) -> None:
        self.requests: list[Request] = []
        self._answers = list(answers)

    async def answer(self, request: Request) -> tuple[ModelAnswer, CallMeasurements]:
        self.requests.append(request)
        said = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        text = said if isinstance(said, str) else json.dumps(said)
        usage = Usage(prompt=1, completion=1)
        return ModelAnswer(text=text, model=self.name, usage=usage), CallMeasurements(seconds=0.0)

    def blocks(self, number: int) -> dict[str, Any]:
        """Return the blocks of a request, of which the first has the number 0."""
        return parse_blocks(self.requests[number].messages[-1].content)


class Recording:
    """The scripted model with some rates of faults, which keeps what it was asked."""

    name = "recording"

    def __init__(self, **rates: float) -> None:
        self.requests: list[Request] = []
        self._model = ScriptedModel(WORLDS, Faults(rates=rates, seed=1))

    @property
    def asked(self) -> list[str]:
        """The whole text of each request."""
        return [
            "\n".join(message.content for message in request.messages) for request in self.requests
        ]

    async def answer(self, request: Request) -> tuple[ModelAnswer, CallMeasurements]:
        self.requests.append(request)
        return await self._model.answer(request)


class Begun(Prepared):
    """A model with prepared answers, then those of the scripted one."""

    def __init__(self, *answers: str | Mapping[str, Any], **rates: float) -> None:
        super().__init__(*answers)
        self._prepared = len(answers)
        self._scripted = Recording(**rates)

    async def answer(self, request: Request) -> tuple[ModelAnswer, CallMeasurements]:
        if len(self.requests) < self._prepared:
            return await super().answer(request)
        self.requests.append(request)
        return await self._scripted.answer(request)
