"""Inspect's model as the model of a planner."""

from __future__ import annotations

from dataclasses import replace

from inspect_ai.model import Model as InspectsModel
from inspect_ai.model import ModelOutput
from inspect_ai.util import LimitExceededError
from pydantic import PrivateAttr

from cookmas.bridges.inspect_ai.messages import answer_of, to_inspect
from files.errors import InfrastructureError, LimitReachedError
from orchestrator.models.message import Answer, Measured, Model, Request
from orchestrator.models.options import ModelOptions


class InspectModel:
    """Asks through Inspect, which tries again, counts tokens, keeps to limits and logs the call.

    Each `epoch` has a seed of its own, so that no two are alike. `output` is what was answered
    last, to `request`; `stopped` what Inspect raised instead.
    """

    def __init__(self, model: InspectsModel, epoch: int = 1) -> None:
        self.name = str(model)
        self._model = model
        self._epoch = epoch
        self.request: Request | None = None
        self.output: ModelOutput | None = None
        self.stopped: Exception | None = None

    def seed(self, first: int | None) -> int:
        """Return the seed of the epoch: in epoch 1 `first`, else Inspect's, else 0; then 1 more."""
        named = self._model.config.seed if first is None else first
        return (named or 0) + self._epoch - 1

    async def answer(self, request: Request) -> tuple[Answer, Measured]:
        """Ask once. Raises LimitReachedError, or InfrastructureError for any other error."""
        messages, tools, config = to_inspect(replace(request, seed=self.seed(request.seed)))
        try:
            output = await self._model.generate(messages, tools, config=config)
        except LimitExceededError as error:
            self.stopped = error
            raise LimitReachedError(error.message) from error
        except Exception as error:
            self.stopped = error
            said = " ".join(f"{type(error).__name__}: {error}".split())
            raise InfrastructureError(f"{self.name}: {said}") from error
        self.request, self.output = request, output
        cost = output.usage.total_cost if output.usage else None
        measured = Measured(seconds=output.time or 0.0, cost=cost)
        return answer_of(output, request, self.name), measured


class InspectOptions(ModelOptions):
    """Options of which nothing is made but the model that Inspect brings."""

    _model: InspectModel = PrivateAttr()

    @classmethod
    def of(cls, model: InspectModel) -> InspectOptions:
        """The options of a planner that asks this model."""
        options = cls()
        options._model = model
        return options

    def make(self) -> Model:
        """The model."""
        return self._model
