"""Budgets: the limits of an episode's model calls, and the models that keep to them.

A model counts its own calls, so a budget applies to every planner that has the model.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from cookmas.episodes.conversation import NOTHING_SPENT, Spent, Usage
from cookmas.files.errors import LimitReachedError
from cookmas.orchestrator.models.message import Answered, Model, ModelAnswer, Request, Wrapped

MILLION = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """Prices in money per million tokens."""

    input: float
    output: float
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
    tokens: int | None = None
    """Greatest number of tokens, in prompts and answers together."""
    money: float | None = None
    prices: Prices | None = None

    def __post_init__(self) -> None:
        if self.money is not None and self.prices is None:
            raise ValueError("a budget of money needs prices")

    @property
    def limited(self) -> bool:
        return (self.calls, self.tokens, self.money) != (None, None, None)

    def find_reached_limit(self, spent: Spent, cost: float) -> str | None:
        """Return in words which limit is reached; None if another call is allowed.

        `cost` is the money spent so far.
        """
        amounts = {"calls": spent.calls, "tokens": spent.usage.total, "money": cost}
        reached = find_reached(self, amounts)
        return reached and _REACHED[reached[0]].format(*reached[1:])


_REACHED = {
    "calls": "{} of {} model calls are made",
    "tokens": "{} of {} tokens are used",
    "money": "{:.4f} of {:g} are spent",
}


def find_reached(limits: Any, spent: Mapping[str, float]) -> tuple[str, float, float] | None:
    """Return the first limit that is reached: its name, what is spent, and the limit itself.

    `limits` has an attribute for each amount that is spent; None stands for no limit.
    """
    for name, amount in spent.items():
        limit = getattr(limits, name)
        if limit is not None and amount >= limit:
            return name, amount, limit
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


def count_calls(model: Model, meters: Iterable[Meter], agent: Agent = None) -> Model:
    """Return the model of one agent, whose calls count against all budgets of the agent.

    Its calls raise LimitReachedError if a budget is used up.
    """
    counting = tuple(meters)

    async def ask(request: Request) -> Answered:
        for meter in counting:
            meter.begin(agent)
        answer, measured = await model.answer(request)
        for meter in counting:
            meter.add(agent, answer)
        return answer, measured

    return Wrapped(model.name, ask)


def take_turns(model: Model, turns: asyncio.Semaphore) -> Model:
    """Return a model whose calls wait for a turn, so that not too many are under way at a time.

    All models of a run share `turns`. The measured duration of a call does not have the wait.
    """

    async def ask(request: Request) -> Answered:
        async with turns:
            return await model.answer(request)

    return Wrapped(model.name, ask)


def limit(model: Model, budget: Budget) -> Model:
    """Return the model of a planner with a budget of its own; unchanged if there is no limit."""
    if not budget.limited:
        return model
    return count_calls(model, [Meter(budget, {None: budget.prices})])
