"""The scripted model, which keeps what it was asked."""

from __future__ import annotations

from cookmas.modelserver.answers import ScriptedModel
from cookmas.modelserver.faults import Faults
from cookmas.orchestrator.models.message import CallMeasurements, ModelAnswer, Request
from cookmas.world_names import WORLDS


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
