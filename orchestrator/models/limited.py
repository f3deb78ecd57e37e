"""Models that enforce the budgets themselves, so that budgets apply to every planner."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from cookmas.files.errors import LimitReachedError
from cookmas.orchestrator.models.budget import NOTHING_SPENT, Budget, Prices, Spent
from cookmas.orchestrator.models.message import CallMeasurements, Model, ModelAnswer, Request

Agent = str | None
"""The seat that calls a model; None for a planner or a team without seats."""

_RECORDED: ContextVar[Mapping[Agent, Spent] | None] = ContextVar("recorded", default=None)


@contextmanager
def restore_spent(spent: Spent, by: Mapping[str, Spent]) -> Iterator[None]:
    """Let all meters within the block count at least what the trace has counted.

    `spent` is the total, `by` has the part of each agent.
    """
    before: dict[Agent, Spent] = {None: spent}
    before.update((agent, own) for agent, own in by.items())
    token = _RECORDED.set(before)
    try:
        yield
    finally:
        _RECORDED.reset(token)


class Meter:
    """A counter of the calls and tokens of several agents, against one budget.

    The meter's count and the trace's count may differ: a planner may omit calls from its answer,
    and in a resumed episode the meter has not seen the earlier calls. The larger count applies.
    `prices` are the prices of each agent's model. `whose` names the owner of the budget in errors.
    """

    def __init__(
        self, budget: Budget, prices: Mapping[Agent, Prices | None], whose: str | None = None
    ) -> None:
        self._budget = budget
        self._prices = prices
        self._whose = whose
        self._spent: dict[Agent, Spent] = {}

    def begin(self, agent: Agent) -> None:
        """Count a call that is about to begin. Raise LimitReachedError if the budget is used up."""
        recorded = _RECORDED.get() or {}
        for each in self._prices:
            self._spent[each] = max(
                self._spent.get(each, NOTHING_SPENT),
                recorded.get(each, NOTHING_SPENT),
                key=lambda spent: (spent.calls, spent.usage.total),
            )
        whole = NOTHING_SPENT
        for spent in self._spent.values():
            whole = whole.and_also(spent)
        cost = sum(
            prices.cost(self._spent[each].usage)
            for each, prices in self._prices.items()
            if prices is not None
        )
        if reached := self._budget.find_reached_limit(whole, cost):
            of = f" of {self._whose}" if self._whose else ""
            raise LimitReachedError(f"The budget{of} is used up: {reached}.")
        self._spent[agent] = self._spent[agent].and_also(Spent(calls=1))

    def add(self, agent: Agent, answer: ModelAnswer) -> None:
        """Count the tokens of an answered call."""
        self._spent[agent] = self._spent[agent].and_also(Spent(usage=answer.usage))


class Limited:
    """The model of one agent, whose calls count against all budgets of the agent."""

    def __init__(self, model: Model, meters: Iterable[Meter], agent: Agent = None) -> None:
        self._model = model
        self._meters = tuple(meters)
        self._agent = agent
        self.name = model.name

    async def answer(self, request: Request) -> tuple[ModelAnswer, CallMeasurements]:
        """Return the model's answer. Raise LimitReachedError if a budget is used up."""
        for meter in self._meters:
            meter.begin(self._agent)
        answer, measured = await self._model.answer(request)
        for meter in self._meters:
            meter.add(self._agent, answer)
        return answer, measured
