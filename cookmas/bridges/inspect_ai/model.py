"""Inspect's model as a planner's model."""

from __future__ import annotations

from dataclasses import replace

from inspect_ai.model import Model as InspectsModel
from inspect_ai.model import ModelOutput
from inspect_ai.util import LimitExceededError

from cookmas.bridges.inspect_ai.messages import answer_of, to_inspect
from cookmas.files.errors import InfrastructureError, LimitReachedError
from cookmas.orchestrator.models.message import Answered, CallMeasurements, Request


class InspectModel:
    """Model that calls Inspect's model. Inspect retries, counts tokens, enforces limits and logs
    the call.

    Each `epoch` has its own seed, so that epochs differ. `request` is the last request that was
    answered, and `output` is its answer. `stopped` is the last error that Inspect raised instead of
    an answer.
    """

    def __init__(self, model: InspectsModel, epoch: int = 1) -> None:
        self.name = str(model)
        self._model = model
        self._epoch = epoch
        self.request: Request | None = None
        self.output: ModelOutput | None = None
        self.stopped: Exception | None = None

    def seed(self, first: int | None) -> int:
        """Return the seed of the epoch.

        Epoch 1 has the seed `first`. If `first` is None, epoch 1 has the seed of Inspect's model,
        or 0. Each further epoch adds 1.
        """
        named = self._model.config.seed if first is None else first
        return (named or 0) + self._epoch - 1

    async def answer(self, request: Request) -> Answered:
        """Call the model once. Raises LimitReachedError, or InfrastructureError for any other
        error.
        """
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
        measured = CallMeasurements(seconds=output.time or 0.0, cost=cost)
        return answer_of(output, request, self.name), measured
