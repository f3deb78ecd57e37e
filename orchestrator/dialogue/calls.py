"""The model calls that a planner makes for one Plan, with a record of each."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from cookmas.episodes.parts import AnswerFault, Purpose
from cookmas.episodes.trace import ModelCall, Termination
from cookmas.files.errors import EndpointAwayError, InfrastructureError, LimitReachedError
from cookmas.orchestrator.models.message import (
    CallMeasurements,
    Model,
    ModelAnswer,
    Request,
    record_answer,
)
from cookmas.orchestrator.planner import PlanningStoppedError


class Calls:
    """The model calls of a planner for one Plan, in the order in which they are made.

    The planner makes its calls through this object, and then copies them to the Plan:

        calls = Calls(model, observation.timestep)
        answer = await calls.ask(request, "plan")
        return Plan(schedule=..., calls=calls.made, measured=calls.measured)
    """

    def __init__(self, model: Model, timestep: int) -> None:
        self._model = model
        self._timestep = timestep
        self._calls_made: list[ModelCall] = []
        self._measured: list[CallMeasurements] = []

    @property
    def made(self) -> Sequence[ModelCall]:
        """The calls that the model answered, in order."""
        return tuple(self._calls_made)

    @property
    def measured(self) -> Sequence[CallMeasurements]:
        """The measurements of the answered calls, in order."""
        return tuple(self._measured)

    async def ask(self, request: Request, purpose: Purpose) -> ModelAnswer:
        """Return the model's answer and record the call, with its `purpose`.

        Raise PlanningStoppedError if the budget is used up or the endpoint fails; the error carries
        the earlier calls.
        """
        try:
            answer, measured = await self._model.answer(request)
        except InfrastructureError as error:
            limit = isinstance(error, LimitReachedError)
            how: Termination = "budget" if limit else "infrastructure_error"
            away = isinstance(error, EndpointAwayError)
            raise PlanningStoppedError(
                str(error), how, self._calls_made, self._measured, away=away
            ) from error
        record = record_answer(request, answer, self._model.name)
        call = ModelCall(
            **dict(record),
            timestep=self._timestep,
            number=len(self._calls_made) + 1,
            purpose=purpose,
        )
        self._calls_made.append(call)
        self._measured.append(measured)
        return answer

    def mark_lenient(self, kinds: Collection[str]) -> None:
        """Record the kinds of leniency with which the last answer was read."""
        if kinds:
            call = self._calls_made[-1]
            lenient = tuple(sorted({*call.lenient, *kinds}))
            self._calls_made[-1] = call.model_copy(update={"lenient": lenient})

    def mark_unusable(self, fault: AnswerFault) -> None:
        """Record the fault that makes the last answer unusable."""
        self._calls_made[-1] = self._calls_made[-1].model_copy(update={"unusable": fault})
