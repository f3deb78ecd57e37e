"""The calls of a model for one answer of a planner: within the budget, and recorded."""

from __future__ import annotations

from collections.abc import Sequence

from episodes.trace import AnswerFault, ModelCall, Purpose, Termination
from files.errors import InfrastructureError, LimitReachedError
from orchestrator.models.budget import NOTHING_SPENT, UNLIMITED, Budget, Spent
from orchestrator.models.message import Answer, Measured, Model, Request, answered
from orchestrator.planner import PlanningStoppedError


class Calls:
    """Calls a model for a planner, which puts `made` and `measured` into its Plan.

    calls = Calls(model, observation.timestep, budget=budget, spent=observation.spent)
    answer = await calls.ask(request, "plan")
    return Plan(schedule=..., calls=calls.made, measured=calls.measured)
    """

    def __init__(
        self,
        model: Model,
        timestep: int,
        *,
        budget: Budget = UNLIMITED,
        spent: Spent = NOTHING_SPENT,
    ) -> None:
        self._model = model
        self._timestep = timestep
        self._budget = budget
        self._spent = spent
        self._made: list[ModelCall] = []
        self._measured: list[Measured] = []

    @property
    def made(self) -> Sequence[ModelCall]:
        """The calls that were answered, in order."""
        return tuple(self._made)

    @property
    def measured(self) -> Sequence[Measured]:
        """What each of them took."""
        return tuple(self._measured)

    async def ask(self, request: Request, purpose: Purpose) -> Answer:
        """The model's answer. Raises PlanningStoppedError with the calls made before."""
        if reached := self._budget.reached(self._spent):
            raise PlanningStoppedError(
                f"The budget is used up: {reached}.", "budget", self._made, self._measured
            )
        try:
            answer, measured = await self._model.answer(request)
        except InfrastructureError as error:
            limit = isinstance(error, LimitReachedError)
            how: Termination = "budget" if limit else "infrastructure_error"
            raise PlanningStoppedError(str(error), how, self._made, self._measured) from error
        record = answered(request, answer, self._model.name)
        call = ModelCall(
            **dict(record),
            timestep=self._timestep,
            number=len(self._made) + 1,
            purpose=purpose,
        )
        self._made.append(call)
        self._measured.append(measured)
        self._spent = self._spent.plus(answer.usage)
        return answer

    def mark_unusable(self, fault: AnswerFault) -> None:
        """The last answer cannot be used, for this reason."""
        self._made[-1] = self._made[-1].model_copy(update={"unusable": fault})
