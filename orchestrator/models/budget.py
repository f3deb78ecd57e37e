"""Budgets: the limits of an episode's model calls, and the models that keep to them.

A model counts its own calls, so a budget applies to every planner that has the model.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from cookmas.episodes.conversation import NOTHING_SPENT, Spent, Usage
from cookmas.files.errors import LimitReachedError
from cookmas.orchestrator.models.message import CallMeasurements, Model, ModelAnswer, Request

MILLION = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """Prices in money per million tokens."""

    input: float
    """Price of tokens in the prompt."""
    output: float
    """Price of tokens in the answer."""
    cached: float | None = None
    """Price of prompt tokens from the endpoint's cache; None if they cost as much as others."""

    def cost(self, usage: Usage) -> float:
        """Return the cost of a call, in the currency of the prices."""
        cached = self.input if self.cached is None else self.cached
        fresh = usage.prompt - usage.cached
        return (
            fresh * self.input + usage.cached * cached + usage.completion * self.output
        ) / MILLION


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Limits on the calls, tokens and money of one episode; None stands for no limit.

    A planner may call the model as long as no limit is reached. So the last call can exceed the
    limits on tokens and money.
    """

    calls: int | None = None
    """Greatest number of calls."""
    tokens: int | None = None
    """Greatest number of tokens, in prompts and answers together."""
    money: float | None = None
    """Greatest amount of money; this limit needs `prices`."""
    prices: Prices | None = None
    """Prices from which the budget calculates the money."""

    def __post_init__(self) -> None:
        if self.money is not None and self.prices is None:
            raise ValueError("a budget of money needs prices")

    @property
    def limited(self) -> bool:
        """True if there is any limit."""
        return (self.calls, self.tokens, self.money) != (None, None, None)

    def find_reached_limit(self, spent: Spent, cost: float) -> str | None:
        """Return in words which limit is reached; None if another call is allowed.

        `cost` is the money spent so far.
        """
        if self.calls is not None and spent.calls >= self.calls:
            return f"{spent.calls} of {self.calls} model calls are made"
        if self.tokens is not None and spent.usage.total >= self.tokens:
            return f"{spent.usage.total} of {self.tokens} tokens are used"
        if self.money is not None and cost >= self.money:
            return f"{cost:.4f} of {self.money:g} are spent"
        return None


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


class LimitedModel:
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


class CappedModel:
    """A model whose calls wait for a turn, so that not too many are under way at a time.

    All models of a run share `turns`. The measured duration of a call does not have the wait.
    """

    def __init__(self, model: Model, turns: asyncio.Semaphore) -> None:
        self._model = model
        self._turns = turns
        self.name = model.name

    async def answer(self, request: Request) -> tuple[ModelAnswer, CallMeasurements]:
        """Return the model's answer."""
        async with self._turns:
            return await self._model.answer(request)


def limit(model: Model, budget: Budget) -> Model:
    """Return the model of a planner with a budget of its own; unchanged if there is no limit."""
    if not budget.limited:
        return model
    return LimitedModel(model, [Meter(budget, {None: budget.prices})])
